// Drives headless Chromium through its debugging protocol, over a pair of pipes.
import {spawn} from "node:child_process";
import {mkdtempSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

/** How long a command may take, in milliseconds. Other work on the machine must not make a test fail. */
const PATIENCE = 120_000;

export class Browser {
  /**
   * @param {string} program
   * @param {string} reached in addition to files: the address of a server of the test
   */
  constructor(program, reached = "") {
    this.reached = reached;
    this.folder = mkdtempSync(join(tmpdir(), "tracelint-page-"));
    // --no-sandbox: a container's root has none. No address but a file's can be reached, and the test's own.
    this.process = spawn(program, [
      "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
      `--host-resolver-rules=MAP * ~NOTFOUND${reached && ", EXCLUDE " + new URL(reached).hostname}`, "--remote-debugging-pipe", `--user-data-dir=${this.folder}`, "about:blank",
    ], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true});
    this.pending = new Map();
    this.events = [];
    this.number = 0;
    this.session = undefined;
    let rest = "";
    this.process.stdio[4].setEncoding("utf8").on("data", (text) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop();
      for (const message of messages) this.receive(JSON.parse(message));
    });
    this.process.on("exit", () => {
      for (const {reject} of this.pending.values()) reject(new Error("the browser ended"));
    });
  }

  receive(message) {
    if (!message.id) return void this.events.push(message);
    const {resolve, reject, timer, method} = this.pending.get(message.id);
    this.pending.delete(message.id);
    clearTimeout(timer);
    if (message.error) reject(new Error(`${method}: ${message.error.message}`));
    else resolve(message.result);
  }

  send(method, params = {}) {
    const id = ++this.number;
    this.process.stdio[3].write(JSON.stringify({id, method, params, sessionId: this.session}) + "\0");
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), PATIENCE);
      this.pending.set(id, {resolve, reject, timer, method});
    });
  }

  /** Opens a tab, which all further commands are about. */
  async start() {
    const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
    const {sessionId} = await this.send("Target.attachToTarget", {targetId, flatten: true});
    this.session = sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await this.send(`${domain}.enable`);
  }

  /** Loads a file. */
  async open(file, hash = "") { await this.visit(pathToFileURL(file).href + hash); }

  /** Loads an address. */
  async visit(address) {
    await this.send("Page.navigate", {url: "about:blank"});
    this.events = [];
    await this.send("Page.navigate", {url: address});
    await this.until(`document.readyState === "complete" && location.protocol !== "about:"`);
  }

  /** What went wrong since the page was opened, and what it requested in addition to itself. */
  complaints() {
    return this.events.flatMap(({method, params}) => {
      if (method === "Runtime.exceptionThrown") return [params.exceptionDetails.exception?.description ?? "exception"];
      if (method === "Log.entryAdded") return [params.entry.text];
      if (method === "Page.javascriptDialogOpening") return [`dialog: ${params.message}`];
      const url = method === "Network.requestWillBeSent" ? params.request.url : "";
      if (this.reached && url.startsWith(this.reached)) return [];
      return url && !url.startsWith("file:") && !url.startsWith("data:,") && url !== "about:blank" ? [`request: ${url}`] : [];
    });
  }

  /** The value of an expression in the page. */
  async value(expression) {
    const answer = await this.send("Runtime.evaluate", {expression, returnByValue: true, awaitPromise: true});
    if (answer.exceptionDetails) throw new Error(`${expression}: ${answer.exceptionDetails.exception?.description}`);
    return answer.result.value;
  }

  async until(expression) {
    const end = Date.now() + PATIENCE;
    while (!await this.value(expression).catch(() => false)) {
      if (Date.now() > end) throw new Error(`never true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** A key, as a person presses it. */
  async press(key) {
    const codes = {Enter: 13, Escape: 27};
    const text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined;
    const params = {key, text, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0)};
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", ...params});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", ...params});
  }

  async type(text) {
    for (const letter of text) await this.press(letter);
  }

  /** Presses and releases the mouse, at a second place if one is given. */
  async click(x, y, toX = x, toY = y) {
    const mouse = (type, x, y) => this.send("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
    await mouse("mouseMoved", x, y);
    await mouse("mousePressed", x, y);
    await mouse("mouseMoved", toX, toY);
    await mouse("mouseReleased", toX, toY);
  }

  async look(width, height, scheme = "light", media = "") {
    await this.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: width < 600});
    await this.send("Emulation.setEmulatedMedia", {media, features: [{name: "prefers-color-scheme", value: scheme}]});
  }

  async screenshot(file) {
    const {data} = await this.send("Page.captureScreenshot", {format: "png"});
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  async close() {
    const ended = new Promise((resolve) => this.process.on("exit", resolve));
    // The whole group: a helper that outlives the browser continues to write into the folder.
    process.kill(-this.process.pid, "SIGKILL");
    await ended;
    rmSync(this.folder, {recursive: true, force: true, maxRetries: 20});
  }
}

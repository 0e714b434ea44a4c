// The installed npm package in a browser, served as its files are: index.js, which also runs in Node, and browser.js,
// which bundlers use. Their reports are those of the native program.
//   node browser_test.mjs TRACELINT CONSUMER CHROMIUM    CONSUMER has the package installed
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {existsSync, readFileSync} from "node:fs";
import {createServer} from "node:http";
import {basename, join} from "node:path";
import {fileURLToPath} from "node:url";
import {Browser} from "../page/chromium.mjs";

const [program, consumer, chromium] = process.argv.slice(2);
const installed = join(consumer, "node_modules/tracelint");
const corpus = fileURLToPath(new URL("../../corpus/", import.meta.url));
const files = ["jitdump/real/llvm-jitlink-19-uninitialised-flags.dump", "jitdump/real/node-20.dump", "perfdata/real/perf-6.1-compressed.data"]
  .map((name) => join(corpus, name));
const TYPES = {js: "text/javascript", wasm: "application/wasm"};

/** The package's files, and a page for each of its entries. */
let asked = [];
const server = createServer((request, response) => {
  const name = request.url.slice(1), [, entry] = /^page-of-(.*)$/.exec(name) ?? [];
  const path = join(installed, basename(name));
  if (entry)
    return void response.setHeader("Content-Type", "text/html").end(
      `<!doctype html><link rel="icon" href="data:,"><script type="module">import * as all from "./${entry}"; window.tracelint = all;</script>`);
  asked.push(name);
  if (!existsSync(path)) return void response.writeHead(404).end();
  response.setHeader("Content-Type", TYPES[name.split(".").pop()] ?? "text/plain").end(readFileSync(path));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}/`;
const native = (...args) => spawnSync(program, args, {encoding: "utf8", maxBuffer: 1 << 28, cwd: corpus}).stdout;

const browser = new Browser(chromium, address);
let failed = 0;
await browser.start();
for (const entry of ["index.js", "browser.js"]) {
  try {
    asked = [];
    await browser.visit(`${address}page-of-${entry}`);
    await browser.until("window.tracelint !== undefined");
    for (const path of files) {
      const bytes = `Uint8Array.from(atob("${readFileSync(path).toString("base64")}"), (letter) => letter.charCodeAt(0))`;
      const {tool, schema_version, ...file} = await browser.value(`tracelint.check(${bytes}, {name: ${JSON.stringify(path)}})`);
      assert.deepEqual(file, JSON.parse(native("--no-config", "--no-pair", "--output", "json", path)).files[0]);
      assert.deepEqual(asked.filter((name) => name.endsWith(".wasm")), ["tracelint.wasm"], "check() needs one module, loaded once");
    }
    const [path] = files;
    const bytes = `Uint8Array.from(atob("${readFileSync(path).toString("base64")}"), (letter) => letter.charCodeAt(0))`;
    assert.equal(await browser.value(`tracelint.report(new Blob([${bytes}]), "concise", {name: ${JSON.stringify(path)}})`),
                 native("--no-config", "--no-pair", "--output", "concise", path));
    assert.equal(await browser.value(`tracelint.check("a name").then(() => "taken", (error) => error.name)`), "TypeError");
    assert.deepEqual(asked.sort(), [entry, "command.wasm", "host.js", "library.js", "tracelint.wasm"].sort());
    assert.deepEqual(browser.complaints(), []);
    console.log(`ok: ${entry} in a browser: ${files.length} files`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${entry} in a browser\n${error.stack}`);
  }
}
await browser.close();
server.close();
server.closeAllConnections();
process.exitCode = failed > 0 ? 1 : 0;

// The page that checks files, in a browser: it shows the findings of the native program, and nothing leaves it.
//   node web_test.mjs TRACELINT PAGE CHROMIUM FOLDER    FOLDER gets the screenshots
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {readFileSync, statSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath} from "node:url";
import {gzipSync} from "node:zlib";
import {Browser} from "../page/chromium.mjs";

const [program, page, chromium, folder] = process.argv.slice(2);
const corpus = fileURLToPath(new URL("../../corpus/", import.meta.url));
const broken = join(corpus, "jitdump/real/llvm-jitlink-19-uninitialised-flags.dump");
const browser = new Browser(chromium);
const value = (expression) => browser.value(expression);
const text = (selector) => value(`document.querySelector(${JSON.stringify(selector)}).textContent`);

/** Chooses files as a person does. */
async function choose(...files) {
  const {root} = await browser.send("DOM.getDocument");
  const {nodeId} = await browser.send("DOM.querySelector", {nodeId: root.nodeId, selector: "#choose"});
  await browser.send("DOM.setFileInputFiles", {nodeId, files});
}

const isShown = `document.querySelector("#drop").dataset.state === "shown" && document.querySelector("#progress").textContent === ""`;

function findings(...files) {
  return JSON.parse(spawnSync(program, ["--no-config", "--no-pair", "--output", "json", ...files]).stdout.toString()).files;
}

/** The bytes that a button of the page gives the user. */
async function downloaded(button) {
  await browser.send("Browser.setDownloadBehavior", {behavior: "deny"});
  await value(`{
    window.given = [];
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => { given.push(blob); return create(blob); };
  }`);
  await value(`document.querySelector("${button}").click()`);
  await browser.until(`given.some((blob) => blob.type === "application/octet-stream")`);
  return Buffer.from(await value(`given.at(-1).arrayBuffer().then((buffer) => [...new Uint8Array(buffer)])`));
}

/** Opens all groups of the list with all that is in them, and compares it with what the native program finds. */
async function compare(file) {
  for (const severity of ["error", "warning", "note"])
    assert.equal(await text(`.tile.${severity} .value`), file.counts[severity].toLocaleString("en"));
  await value(`document.querySelectorAll('.group h3 button[aria-expanded="false"]').forEach((one) => one.click())`);
  await value(`{ for (let more; (more = document.querySelector(".group .more button")); ) more.click(); }`);
  const shown = await value(`[...document.querySelectorAll(".group li > a")].map((row) => row.querySelector(".message").textContent)`);
  assert.deepEqual(shown.sort(), file.diagnostics.map((finding) => finding.message).sort());
}

const tests = {
  async "a broken file that is chosen is shown, with its bytes"() {
    await browser.look(1280, 1000);
    await browser.screenshot(join(folder, "empty-light.png"));
    await choose(broken);
    await browser.until(isShown);
    await compare(findings(broken)[0]);
    assert.equal(await text("#summary .path"), "llvm-jitlink-19-uninitialised-flags.dump");
    assert.ok(await value(`document.querySelectorAll(".hex").length > 0`));
    for (const scheme of ["light", "dark"]) {
      await browser.look(1280, 1000, scheme);
      await browser.screenshot(join(folder, `broken-${scheme}.png`));
    }
    await browser.look(420, 900, "dark");
    await browser.screenshot(join(folder, "broken-narrow.png"));
  },

  async "a broken perf.data is shown, and so are its records that are compressed"() {
    const cut = join(folder, "cut.data"), compressed = join(corpus, "perfdata/real/perf-6.1-compressed.data");
    writeFileSync(cut, readFileSync(compressed).subarray(0, statSync(compressed).size - 100));
    await choose(cut);
    await browser.until(isShown);
    const [file] = findings(cut);
    assert.ok(file.format === "perfdata" && file.counts.error > 0);
    await compare(file);
    await browser.look(1280, 1000);
    await browser.screenshot(join(folder, "perf-data-light.png"));
  },

  async "a file that is dropped is shown, and its name is no markup"() {
    const name = "<img src=x onerror=alert(1)>.dump";
    await value(`{
      const bytes = Uint8Array.from(atob("${readFileSync(broken).toString("base64")}"), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], ${JSON.stringify(name)}));
      document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
    }`);
    await browser.until(isShown);
    await compare(findings(broken)[0]);
    assert.equal(await text("#summary .path"), name);
  },

  async "several files, one in gzip, one of no format; then another one"() {
    const packed = join(folder, "packed.dump.gz"), stranger = join(folder, "stranger.dump");
    writeFileSync(packed, gzipSync(readFileSync(broken)));
    writeFileSync(stranger, "no trace\n");
    await choose(packed, stranger);
    await browser.until(isShown);
    assert.match(await text("#verdict"), /^2 files checked: 2 errors/);
    await browser.look(1280, 1000, "dark");
    await browser.screenshot(join(folder, "several-dark.png"));
    await choose(broken);
    await browser.until(`document.querySelector("#verdict").textContent.startsWith("1 file")`);
  },

  async "files that are called as what objects have"() {
    const names = ["constructor", "toString", "__proto__"];
    await value(`{
      const bytes = Uint8Array.from(atob("${readFileSync(broken).toString("base64")}"), (letter) => letter.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      for (const name of ${JSON.stringify([...names, "constructor"])}) dataTransfer.items.add(new File([bytes], name));
      document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
    }`);
    await browser.until(isShown);
    const files = await value(`[...document.querySelectorAll("#files tbody a")].map((one) => one.textContent)`);
    assert.deepEqual(files.sort(), [...names, "2/constructor"].sort());
  },

  async "of two drops, the second is announced until its report is there"() {
    // Whatever the page says while it works, in order; the first file makes more work than the second.
    await value(`{
      const bytes = Uint8Array.from(atob("${readFileSync(broken).toString("base64")}"), (letter) => letter.charCodeAt(0));
      const progress = document.querySelector("#progress");
      window.said = [];
      new MutationObserver(() => {
        const shown = document.querySelector("#summary .path")?.textContent ?? "";
        said.push([progress.textContent, shown]);
      }).observe(document.body, {subtree: true, childList: true, characterData: true});
      for (const name of ["one.dump", "two.dump"]) {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([bytes], name));
        document.body.dispatchEvent(new DragEvent("drop", {dataTransfer, bubbles: true, cancelable: true}));
      }
    }`);
    await browser.until(`${isShown} && document.querySelector("#summary .path")?.textContent === "two.dump"`);
    const said = await value("said");
    assert.ok(said.some(([, shown]) => shown === "one.dump"), "the first report is shown");
    for (const [progress, shown] of said.filter(([, shown]) => shown === "one.dump")) assert.equal(progress, "Checking two.dump …", shown);
  },

  async "the part of a broken file without errors can be downloaded; a sound file has no button for it"() {
    const cut = join(folder, "cut.dump"), good = join(folder, "good.dump"), sound = join(corpus, "jitdump/real/node-18.dump");
    writeFileSync(cut, readFileSync(sound).subarray(0, 5000));
    assert.equal(spawnSync(program, ["salvage", cut, "-o", good]).status, 0);
    await choose(cut);
    await browser.until(isShown);
    assert.ok(readFileSync(good).equals(await downloaded("#salvage")));

    const hopeless = join(folder, "header.dump");
    writeFileSync(hopeless, readFileSync(sound).subarray(0, 30));
    await choose(hopeless);
    await browser.until(`${isShown} && document.querySelector("#summary .path").textContent === "header.dump"`);
    await value(`document.querySelector("#salvage").click()`);
    await browser.until(`document.querySelector("#progress").textContent.startsWith("header.dump cannot be salvaged: the header at 0x0")`);

    await choose(sound);
    await browser.until(`${isShown} && document.querySelector("#summary .path").textContent === "node-18.dump"`);
    assert.equal(await value(`document.querySelector("#salvage")`), null);
  },

  async "the smallest example of a finding can be downloaded"() {
    const cut = join(folder, "cut.dump"), small = join(folder, "small.dump");
    writeFileSync(cut, readFileSync(join(corpus, "jitdump/real/node-18.dump")).subarray(0, 5000));
    const {rule, offset} = findings(cut)[0].diagnostics.find(({severity}) => severity === "error");
    assert.equal(spawnSync(program, ["shrink", cut, "--keep", `${rule}@${offset}`, "-o", small]).status, 0);
    await choose(cut);
    await browser.until(isShown);
    assert.ok(readFileSync(small).equals(await downloaded("#shrink")));
  },

  async "a file of 200 MB is not read into memory"() {
    const large = join(folder, "large.dump");
    const head = readFileSync(broken).subarray(0, 40);
    writeFileSync(large, head);
    spawnSync("truncate", ["-s", "200M", large]);
    assert.equal(statSync(large).size, 200 << 20);
    await choose(large);
    await browser.until(isShown);
    assert.equal(await text(".tile.error .value"), String(findings(large)[0].counts.error));
  },

  async "the page may send nothing"() {
    assert.equal(await value(`fetch("https://example.invalid/").then(() => "sent", () => "refused")`), "refused");
    assert.ok(browser.complaints().every((one) => /Content Security Policy|example\.invalid/.test(one)));
    browser.events = [];
  },
};

let failed = 0;
await browser.start();
for (const [name, test] of Object.entries(tests)) {
  try {
    await browser.look(1280, 1000);
    await browser.open(page);
    await test();
    // The worker's own script comes from the page.
    assert.deepEqual(browser.complaints().filter((one) => !one.startsWith("request: blob:")), []);
    console.log(`ok: ${name}`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
await browser.close();
console.log(failed === 0 ? `${Object.keys(tests).length} tests of the page passed` : `${failed} tests failed`);
process.exit(failed === 0 ? 0 : 1);

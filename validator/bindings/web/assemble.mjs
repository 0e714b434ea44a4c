// Puts the page together: one file, which needs nothing else.
//   node assemble.mjs MODULE OUTPUT    MODULE is command.wasm
import {createHash} from "node:crypto";
import {readFileSync, writeFileSync} from "node:fs";
import {execFileSync} from "node:child_process";

const [module, output] = process.argv.slice(2);
const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const page = (name) => read(`../../tool/page/${name}`);
/** The hash of a text, as a policy names it. */
const hash = (text) => `sha256-${createHash("sha256").setEncoding("base64").end(text).read()}`;

/** A module of the npm package as a part of a plain script. */
const plain = (text) => text.replace(/^import .*\n/gm, "").replace(/^export /gm, "");

const script = ["report.js", "bytes.js", "list.js", "strip.js", "page.js"].map(page).join("") + read("drop.js");
const style = page("page.css") + read("drop.css");
const worker = ["host.js", "library.js"].map((name) => plain(read(`../wasm/npm/${name}`))).join("") + read("worker.js");
for (const text of [script, style, worker])
  if (/<\/script|<\/style|<!--/i.test(text)) throw new Error("a script or the style holds the end of an element");

// gzip packs tighter than the zlib of node. The header does not name the operating system here.
const packed = execFileSync("gzip", ["-9nc", module], {maxBuffer: 64 << 20});
packed[9] = 255;

/**
 * Bytes as text, four in five digits, which takes a sixteenth less than base64. The digits are those of Ascii85, with "v" for
 * "<", which might begin the end of an element. drop.js reads them.
 */
function digitsOf(bytes) {
  const whole = Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]), text = Buffer.alloc(whole.length / 4 * 5);
  for (let byte = 0, end = 5; byte < whole.length; byte += 4, end += 5)
    for (let number = whole.readUInt32BE(byte), digit = end - 1; digit >= end - 5; --digit, number = Math.floor(number / 85))
      text[digit] = number % 85 === 27 ? 118 : 33 + number % 85;
  return text.toString("latin1");
}

const parts = {
  SCRIPT_HASH: hash(script), STYLE_HASH: hash(style), STYLE: style, SCRIPT: script, MODULE: digitsOf(packed),
  MODULE_SIZE: packed.length, WORKER: worker,
};
writeFileSync(output, read("index.html").replace(/@([A-Z_]+)@/g, (_, name) => parts[name]));

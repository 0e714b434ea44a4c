// Makes the picture of a report that README.md shows.
//   node screenshot.mjs TRACELINT CHROMIUM FILE
import {spawnSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {Browser} from "./chromium.mjs";

const [program, chromium, file] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "tracelint-screenshot-"));
const page = join(folder, "report.html");
spawnSync(program, ["--quiet", "--output", `html=${page}`, "corpus/jitdump/real/llvm-jitlink-19-uninitialised-flags.dump"], {stdio: "inherit"});
const browser = new Browser(chromium);
await browser.start();
await browser.look(1100, 900);
await browser.open(page);
await new Promise((resolve) => setTimeout(resolve, 300));
await browser.screenshot(file);
await browser.close();
rmSync(folder, {recursive: true});

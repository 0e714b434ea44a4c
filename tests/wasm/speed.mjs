// Prints how many times as long as the native program the npm package takes, over the largest real file of each format.
//   node speed.mjs TRACELINT FOLDER    FOLDER has the package installed in consumer/, as tests/wasm/run leaves it
import {spawnSync} from "node:child_process";
import {readdirSync, statSync} from "node:fs";
import {join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";

const [program, folder] = process.argv.slice(2);
const corpus = fileURLToPath(new URL("../../corpus/", import.meta.url));
const installed = join(folder, "consumer/node_modules/tracelint");
const RUNS = 1000;

/** Processor time, so that other load of the machine does not matter. */
function seconds(...command) {
  const {stderr} = spawnSync("bash", ["-c", 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1', "bash", ...command], {encoding: "utf8"});
  return stderr.trim().split(" ").reduce((sum, part) => sum + Number(part), 0);
}

for (const format of ["gperftools", "jitdump", "mlpd", "nettrace", "perfdata", "perfmap", "pprof", "xray"]) {
  const real = join(corpus, format, "real");
  const files = readdirSync(real).filter((name) => !/\.(json|md|txt|findings)$/.test(name)).map((name) => join(real, name));
  const largest = files.sort((a, b) => statSync(b).size - statSync(a).size)[0];
  // Starting either program is left out.
  const run = (command, count) => seconds(...command, "--no-config", "--quiet", ...Array(count).fill(largest));
  const [native, packaged] = [[program], [process.execPath, join(installed, "cli.js")]].map((command) => run(command, RUNS) - run(command, 1));
  console.log(`${format}: ${(packaged / native).toFixed(1)} times`);
}

// Each call of the library has an instance of its own.
const {check} = await import(pathToFileURL(join(installed, "index.js")));
const start = process.hrtime.bigint();
for (let i = 0; i < 100; ++i) await check(new Uint8Array());
console.log(`check() starts in ${(Number(process.hrtime.bigint() - start) / 1e6 / 100).toFixed(1)} ms`);

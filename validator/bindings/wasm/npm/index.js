// The library: checks traces in memory. Every call runs the command line in WebAssembly, so that its results are those
// of the native program, byte for byte.
import {Host, MemoryFiles} from "./host.js";

/** The command line was refused: an unknown option, rule or format. */
export class UsageError extends Error {
  name = "UsageError";
}

/** @type {Promise<WebAssembly.Module>|undefined} */
let loading;

/** The module, compiled once. `source` is needed only where it is not beside this file. */
export function load(source) {
  loading ??= compile(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source) return WebAssembly.compile(source);
  const address = new URL("./tracelint.wasm", import.meta.url);
  if (address.protocol !== "file:") return WebAssembly.compile(await (await fetch(address)).arrayBuffer());
  const {readFile} = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(address));
}

/** Collects what a stream is given. */
function collector() {
  let text = "";
  const decoder = new TextDecoder();
  return {
    write: (bytes) => { text += decoder.decode(bytes.slice(), {stream: true}); },
    text: () => text + decoder.decode(),
  };
}

/** Runs the command line with files in memory: status, and what it wrote to its standard streams. */
export async function run(args, files = {}) {
  const out = collector(), error = collector();
  const host = new Host({
    args: ["tracelint", ...args], environment: {PWD: "/"}, files: new MemoryFiles(files),
    streams: [{read: () => 0}, out, error],
  });
  let status = await host.run(await load());
  return {status, stdout: out.text(), stderr: error.text()};
}

/** The words of the command line for options in camel case: {maxPerRule: 3} is --max-per-rule=3. */
function words(options) {
  const all = [];
  for (const [key, value] of Object.entries(options)) {
    const name = "--" + key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === true) all.push(name);
      else if (one !== undefined && one !== false) all.push(`${name}=${one}`);
    }
  }
  return all;
}

/** Bytes, or what gives them piece by piece: a Blob in a worker. */
async function contentOf(input) {
  if (typeof Blob === "undefined" || !(input instanceof Blob)) return input;
  if (typeof FileReaderSync === "undefined") return input.arrayBuffer();
  const reader = new FileReaderSync();
  return {
    size: input.size,
    read(to, position) {
      const piece = new Uint8Array(reader.readAsArrayBuffer(input.slice(position, position + to.length)));
      to.set(piece);
      return piece.length;
    },
  };
}

async function runOn(command, input, {name = input?.name ?? "trace", ...options}) {
  const path = name.startsWith("-") ? `./${name}` : name;
  const result = await run([...command, ...words(options), "--", path], {[path]: await contentOf(input)});
  if (result.status === 2) throw new UsageError(result.stderr.trim().replace(/^tracelint: /, ""));
  return result;
}

/** The text that `--output KIND` prints for one file. */
export async function report(input, kind, options = {}) {
  return (await runOn(["check", "--no-config", `--output=${kind}`], input, options)).stdout;
}

/** What a check finds in one file. */
export async function check(input, options = {}) {
  const document = JSON.parse(await report(input, "json", options));
  return {...document.files[0], tool: document.tool, schema_version: document.schema_version};
}

/** The records of a file, as text or JSON. */
export async function dump(input, options = {}) {
  return (await runOn(["dump"], input, options)).stdout;
}

/** All rules. */
export async function rules() {
  return JSON.parse((await run(["rules", "--output", "json"])).stdout).rules;
}

/** What a rule demands and why, with an example; as text. */
export async function explain(rule) {
  const {status, stdout, stderr} = await run(["explain", "--", rule]);
  if (status !== 0) throw new UsageError(stderr.trim().replace(/^tracelint: /, ""));
  return stdout;
}

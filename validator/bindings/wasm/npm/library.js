// The library: checks traces in memory. Every call runs code of the native program in WebAssembly, so that its results
// are the same, byte for byte: tracelint.wasm checks, and command.wasm, which is loaded when it is needed, does all else.
// index.js and browser.js tell it where the modules are.
import {GrowingFiles, Host, MemoryFiles} from "./host.js";

/** The command line was refused: an unknown option, rule or format. */
export class UsageError extends Error {
  name = "UsageError";
}

/** What reads a module of the package, by name, and what makes random numbers. @type {?{read: function, crypto: function}} */
let system = null;

/** Sets them. */
export function useSystem(one) { system = one; }

/** The bytes at an address of the web. */
export async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} cannot be loaded: status ${response.status}`);
  return response.arrayBuffer();
}

/** The modules that are loaded or being loaded, by name. @type {Map<string, Promise<WebAssembly.Module>>} */
const loading = new Map();

/** A module of the package, compiled once. `source` is needed only where it is not beside this file. */
function loadModule(name, source) {
  if (!loading.has(name))
    loading.set(name, compile(name, source).catch((error) => {
      loading.delete(name);
      throw error;
    }));
  return loading.get(name);
}

/** The module that checks and reports in JSON. */
export function load(source) { return loadModule("tracelint.wasm", source); }

/** The whole command line, which is larger; everything but check() and reports in JSON needs it. */
export function loadCommand(source) { return loadModule("command.wasm", source); }

async function compile(name, source) {
  if (source instanceof WebAssembly.Module) return source;
  return WebAssembly.compile(source ?? await system.read(name));
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

/** Characters that arguments and paths cannot contain: C ends a text at a NUL, and a lone surrogate has no bytes. */
const UNWRITABLE = /[\0\ud800-\udfff]/u;

/** Runs a module with files in memory: status, and what it wrote to its standard streams. */
async function runModule(module, args, files) { return runOver(module, args, new MemoryFiles(files)); }

async function runOver(module, args, files) {
  for (const word of args)
    if (UNWRITABLE.test(word)) throw new TypeError(`an argument has a NUL or a lone surrogate: ${JSON.stringify(word)}`);
  const out = collector(), error = collector();
  const host = new Host({
    args: ["tracelint", ...args], environment: {PWD: "/"}, files,
    streams: [{read: () => 0}, out, error], crypto: system ? await system.crypto() : globalThis.crypto,
  });
  const status = await host.run(module);
  return {status, stdout: out.text(), stderr: error.text()};
}

/** Runs the command line with files in memory. */
export async function run(args, files = {}) {
  const contents = await Promise.all(Object.entries(files).map(async ([path, input]) => [path, await contentOf(input)]));
  return runModule(await loadCommand(), args, Object.fromEntries(contents));
}

/** The status of tracelint.wasm for options that only the command knows, and for those that are wrong. */
const ASK_THE_COMMAND = 64;

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

/** Bytes, or an object that provides them piece by piece: a Blob in a worker. Throws TypeError for anything else. */
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

/** Options of the command that are not about the check of one file, or that this library gives itself. */
const NO_OPTIONS = ["config", "filesFrom", "help", "manifest", "quiet", "showConfig", "version"];

/** Throws TypeError for what no file can be called. */
function requireName(name, what) {
  if (typeof name !== "string" || name === "" || UNWRITABLE.test(name))
    throw new TypeError(`${what} must be a text that is not empty, without NUL and lone surrogates`);
}

/** Adds the files of `with` to `files`, and returns the words for them: pairs of a name and an Input, or an object of them. */
async function addCompanions(companions, files) {
  if (companions === undefined) return [];
  if (companions === null || typeof companions !== "object") throw new TypeError("with must be pairs of a name and a file");
  const all = [];
  for (const pair of Symbol.iterator in companions ? companions : Object.entries(companions)) {
    if (!Array.isArray(pair) || pair.length !== 2) throw new TypeError("with must be pairs of a name and a file");
    requireName(pair[0], "a name in with");
    if (Object.hasOwn(files, pair[0])) throw new TypeError(`with has another file of the name ${pair[0]}`);
    files[pair[0]] = await contentOf(pair[1]);
    all.push(`--with=${pair[0]}`);
  }
  return all;
}

/** Runs `attempts` on a file, one after the other, until one gives the text that it prints. */
async function runOn(input, {name, with: companions, ...options}, ...attempts) {
  const given = input !== null && typeof input === "object" ? input.name : undefined;
  name ??= given ?? "trace";
  requireName(name, "name");
  for (const option of NO_OPTIONS)
    if (options[option] !== undefined) throw new UsageError(`${option} is not an option of the library`);
  const path = name.startsWith("-") ? `./${name}` : name;
  const files = {[path]: await contentOf(input)};
  const beside = await addCompanions(companions, files);
  for (const attempt of attempts) {
    const result = await attempt([...words(options), ...beside, "--", path], files);
    if (result.status === 2) throw new UsageError(result.stderr.trim().replace(/^tracelint: /, ""));
    if (result.status !== ASK_THE_COMMAND) return result.stdout;
  }
}

/** The text that `--output KIND` prints for one file. */
export async function report(input, kind, options = {}) {
  if (options.output !== undefined) throw new UsageError("output is not an option of a report: its kind is the second argument");
  const attempts = [(words, files) => run(["check", "--no-config", `--output=${kind}`, ...words], files)];
  if (kind === "json") attempts.unshift(async (words, files) => runModule(await load(), words, files));
  return runOn(input, options, ...attempts);
}

/** What a check finds in one file. */
export async function check(input, options = {}) {
  const text = await report(input, "json", options);
  try {
    const {files: [file, ...others], groups = [], tool, schema_version} = JSON.parse(text);
    const beside = options.with === undefined ? {} : {with: others, groups};
    if (file) return {...file, ...beside, tool, schema_version};
  } catch {}  // An option has the command answer something else, as {for: "list"} does.
  throw new UsageError(`these options give no report: ${Object.keys(options).join(", ")}`);
}

/**
 * The part of a file that can be trusted, as a trace without errors: `data`, or null if nothing can be, and what the command
 * prints with `--output json`.
 */
export async function salvage(input, options = {}) { return make("salvage", input, options); }

/**
 * The smallest trace that still has the finding `keep`, which is RULE or RULE@OFFSET: `data`, or null if the input has no such
 * finding, and what the command prints with `--output json`.
 */
export async function shrink(input, options = {}) {
  if (typeof options.keep !== "string") throw new UsageError("no finding given: keep is the rule, or RULE@OFFSET");
  return make("shrink", input, options);
}

/** Runs a command that makes a file of another one: what it made, and its JSON. */
async function make(command, input, options) {
  let data = null;
  const text = await runOn(input, options, async (words, files) => {
    const path = words.pop(), all = new GrowingFiles(files);
    const result = await runOver(await loadCommand(), [command, "--output=json", "-o", `made/${path}`, ...words, path], all);
    data = all.contentOf(`made/${path}`);
    return result;
  });
  return {...JSON.parse(text), data};
}

/** The records of a file, as text or JSON. */
export async function dump(input, options = {}) {
  return runOn(input, options, (words, files) => run(["dump", ...words], files));
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

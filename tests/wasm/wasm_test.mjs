// The installed npm package next to the native program: the same bytes for every file of the corpus and for files that
// are damaged, in every kind of report; limits, statuses, and what the library's functions return.
//   node wasm_test.mjs TRACELINT FOLDER    FOLDER has the corpus in corpus/ and the package installed in consumer/
import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync} from "node:fs";
import {createRequire} from "node:module";
import {basename, join} from "node:path";
import {fileURLToPath, pathToFileURL} from "node:url";
import {gzipSync} from "node:zlib";

const [program, folder] = process.argv.slice(2);
const root = fileURLToPath(new URL("../../", import.meta.url));
const installed = join(folder, "consumer/node_modules/tracelint");
const {check, dump, explain, report, rules, run, salvage, shrink, UsageError} = await import(pathToFileURL(join(installed, "index.js")));

function filesBelow(where) {
  return readdirSync(where, {withFileTypes: true}).flatMap((entry) => {
    const path = join(where, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  }).sort();
}

const isTrace = (path) => !/\.(json|md|txt|findings)$/.test(path);
const cases = filesBelow(join(folder, "corpus")).filter(isTrace);
const formats = readdirSync(join(root, "corpus")).filter((name) => existsSync(join(root, "corpus", name, "real")));
const real = formats.flatMap((format) => filesBelow(join(root, "corpus", format, "real"))).filter(isTrace);
const LIMITS = {maxBuffer: 1 << 30, encoding: "buffer"};
/** The module opens what its host names, and looks for no partners of a recording. */
const alone = (args) => args.flatMap((word) => word === "--no-config" ? [word, "--no-pair"] : [word]);
const native = (args, options = {}) => spawnSync(program, alone(args), {...LIMITS, ...options});
const packaged = (args, options = {}) => spawnSync(process.execPath, [join(installed, "cli.js"), ...args], {...LIMITS, ...options});

/** Each `every`-th of the files; TRACELINT_SEEDS=xN: N times as many. */
const times = Number(/^x(\d+)$/.exec(process.env.TRACELINT_SEEDS ?? "")?.[1] ?? 1);
const some = (paths, every) => paths.filter((_, i) => i % Math.max(1, Math.floor(every / times)) === 0);

/** Runs both programs and compares all that they print; of standard output, what `compared` makes of it. */
function compare(args, options = {}, compared = (printed) => printed.toString()) {
  const [one, other] = [native(args, options), packaged(args, options)];
  assert.equal(other.stderr.toString(), one.stderr.toString(), args.slice(0, 4).join(" "));
  assert.equal(other.status, one.status, args.slice(0, 4).join(" "));
  if (!one.stdout.equals(other.stdout)) {
    const [lines, others] = [one, other].map(({stdout}) => compared(stdout).split("\n"));
    const at = lines.findIndex((line, i) => line !== others[i]);
    assert.equal(others[at], lines[at], `line ${at + 1} of ${args.slice(0, 4).join(" ")}`);
    assert.equal(others.length, lines.length);
  }
  return one;
}

/** A page without the sections of specifications, which the package does not hold. */
function withoutSections(page) {
  return page.toString().replace(/(?<=<script id="report"[^>]*>)[^]*?(?=<\/script>)/, (text) => {
    const report = JSON.parse(text);
    return JSON.stringify({...report, sections: [], rules: report.rules.map((rule) => ({...rule, sections: []}))});
  });
}

/** The words of an option in camel case. */
const wordsOf = (options) => Object.entries(options).flatMap(([key, values]) =>
  [values].flat().map((value) => `--${key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase())}=${value}`));

/** Compares the library's JSON on each file with the native program's, which checks all in one run. */
async function compareLibrary(paths, options = {}) {
  const {status, stdout, stderr} = native(["--no-config", "--output", "json", ...wordsOf(options), "--", ...paths]);
  assert.notEqual(status, 2, stderr.toString());
  const whole = stdout.toString();
  const head = /^.*\n/.exec(whole)[0], expected = JSON.parse(whole).files;
  for (const [i, path] of paths.entries()) {
    const text = await report(readFileSync(path), "json", {name: path, ...options});
    assert.ok(text.startsWith(head), path);
    const {files: [file], summary} = JSON.parse(text), {verdict} = expected[i];
    assert.deepEqual(file, expected[i]);
    // The files of a report are between its head and its summary, unchanged.
    assert.ok(whole.includes(text.slice(head.length, text.lastIndexOf("\n],"))), path);
    assert.deepEqual(summary, {files: 1, clean: Number(verdict === "clean"), with_findings: Number(verdict !== "clean" && verdict !== "unreadable"),
                               unreadable: Number(verdict === "unreadable"), skipped: 0});
  }
}

/** Runs `action`, and sees to it that it does without command.wasm, which nothing has loaded yet. */
async function isAlone(action) {
  const path = join(installed, "command.wasm"), aside = join(folder, "command.wasm");
  renameSync(path, aside);
  try {
    await action();
  } finally {
    renameSync(aside, path);
  }
}

/** Numbers that look random and are the same in every run. */
function* numbers(seed) {
  for (let state = seed;;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state >>> 8;
  }
}

/** A zstd container whose blocks are the plain bytes. */
function zstdOf(bytes) {
  const most = 1 << 17, pieces = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38])];  // a window of that size
  for (let at = 0; at === 0 || at < bytes.length; at += most) {
    const piece = bytes.subarray(at, at + most), header = Buffer.alloc(3);
    header.writeUIntLE(piece.length << 3 | Number(at + most >= bytes.length), 0, 3);
    pieces.push(header, piece);
  }
  return Buffer.concat(pieces);
}

/** Writes damaged copies of a file: bytes changed, cut short, in containers that are damaged. */
let filesDamaged = 0;
function damaged(path, where, random) {
  const bytes = readFileSync(path), made = [];
  const next = (below) => random.next().value % Math.max(1, below);
  const add = (content) => {
    made.push(join(where, `${filesDamaged++}-${basename(path)}`));
    writeFileSync(made.at(-1), content);
  };
  // libzstd decodes some damaged blocks, but different ones with BMI2 instructions than without.
  const holdsBlocks = /compressed/.test(path);
  for (let copy = 0; copy < 3 && !holdsBlocks; ++copy) {
    const changed = Buffer.from(bytes);
    for (let i = 0; i < 4; ++i) changed[next(copy === 0 ? Math.min(changed.length, 64) : changed.length)] = next(256);
    add(changed);
  }
  add(bytes.subarray(0, next(bytes.length)));
  const packed = gzipSync(bytes);
  add(packed);
  if (!holdsBlocks) {
    packed[next(packed.length)] ^= 1 << next(8);
    add(packed);
  }
  add(packed.subarray(0, next(packed.length)));
  const zstd = zstdOf(bytes);
  add(zstd);
  add(zstd.subarray(0, next(zstd.length)));
  return made;
}

const tests = {
  "every file of the corpus has the same JSON"() {
    assert.ok(cases.length > 1000 && real.length > 30, `${cases.length} cases, ${real.length} real files`);
    compare(["--no-config", "--output", "json", ...cases, ...real]);
    return `${cases.length} cases and ${real.length} real files`;
  },

  async "so has what the library prints, without the command line"() {
    let about;
    await isAlone(async () => {
      const files = [...some(cases, 4), ...real].filter((path) => statSync(path).size < 1 << 22);
      assert.ok(files.length > 1000);
      await compareLibrary(files);
      for (const options of [{maxPerRule: 1, minSeverity: "warning"}, {select: ["jitdump/", "xray/"], error: "jitdump/,xray/", off: "xray/unknown-file-type"},
                             {as: "jitdump", maxMemory: "64K", maxRecord: 256}, {ignore: "gperftools/", note: ["mlpd/", "samply/"]}, {mlpdVariant: "bt-il-offset", "samply-260": "tier"}])
        await compareLibrary(some(files, 23), options);
      about = `${files.length} files`;
    });
    return about;
  },

  "so has every other kind of report"() {
    const files = [...some(cases, 28), ...some(real, 4).filter((path) => statSync(path).size < 1 << 20)];
    const [, listed] = /type OutputKind =([^;]*);/.exec(readFileSync(join(installed, "index.d.ts"), "utf8"));
    const others = [...listed.matchAll(/"(\w+)"/g)].map(([, kind]) => kind).filter((kind) => kind !== "json");
    assert.ok(others.length >= 9);
    for (const kind of others)
      compare(["--no-config", "--output", kind, ...files], {}, kind === "html" ? withoutSections : undefined);
    return `${files.length} files`;
  },

  async "damaged files have the same JSON"() {
    const where = join(folder, "damaged"), random = numbers(1);
    mkdirSync(where);
    const files = some(real, 4).filter((path) => statSync(path).size < 1 << 18).flatMap((path) => damaged(path, where, random));
    compare(["--no-config", "--output", "json", "--max-per-rule", "0", ...files]);
    await isAlone(() => compareLibrary(files, {maxPerRule: 0}));
    return `${files.length} files`;
  },

  "a folder, standard input, missing files, options and limits have the same results"() {
    const [file] = real, input = readFileSync(file);
    compare([join(root, "corpus/jitdump")]);
    compare(["-", "--notes"], {input});
    compare(["-"], {input: gzipSync(input)});
    compare(["/no/such/file"]);
    compare(["chekc"]);
    compare(["--select", "nonsense/"]);
    compare(["--help"]);
    // All but the lines about the commit and the build.
    const [one, other] = [native, packaged].map((program) => program(["--version"]).stdout.toString().replace(/^(commit|build): .*$/gm, ""));
    assert.equal(other, one);
    compare(["dump", file]);
    compare(["explain", "jitdump/bad-magic"]);
    compare(["rules", "--output", "json"]);
    compare(["--no-config", "--fail-on", "note", "--statistics", "--color", "always", ...real.slice(0, 9)]);
    compare(["--no-config", "--max-memory", "64K", "--max-record", "256", "--output", "concise", ...real.slice(0, 9)]);
    compare(["-j", "4", "--summary", ...real.slice(0, 9)]);
  },

  "a report goes to a file"() {
    const to = join(folder, "report.json");
    assert.equal(packaged(["--no-config", "--output", `json=${to}`, "--quiet", real[0]]).status, native(["--quiet", real[0]]).status);
    assert.deepEqual(readFileSync(to), native(["--no-config", "--output", "json", real[0]]).stdout);
  },

  async "check() returns what the JSON says"() {
    const paths = some(cases, 44);
    const expected = JSON.parse(native(["--no-config", "--output", "json", ...paths]).stdout.toString()).files;
    for (const [i, path] of paths.entries()) {
      const {tool, schema_version, ...file} = await check(readFileSync(path), {name: path});
      assert.deepEqual(file, expected[i]);
      assert.equal(tool.name, "tracelint");
    }
    const bytes = readFileSync(real[0]);
    const asked = [];
    const reader = {size: bytes.length, read: (to, at) => (asked.push(to.length), bytes.copy(to, 0, at, at + to.length))};
    const options = {name: "a", maxPerRule: 1, minSeverity: "warning"};
    assert.deepEqual(await check(reader, options), await check(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), options));
    assert.deepEqual(await check(new Blob([bytes]), options), await check(bytes, options));
    assert.ok(asked.length > 0);
    // An option of the command that the module that checks does not know.
    const [file] = JSON.parse(native(["--no-config", "--output", "json", "--expect", "mlpd", real[0]]).stdout.toString()).files;
    assert.equal(file.counts.error, 1);
    assert.deepEqual((await check(readFileSync(real[0]), {name: real[0], expect: "mlpd"})).diagnostics, file.diagnostics);
    assert.equal((await check(new Uint8Array())).path, "trace");
    assert.equal((await check(bytes, {name: "-x", as: "jitdump"})).format, "jitdump");
    return `${paths.length} files`;
  },

  async "the other functions return what the commands print"() {
    const text = (args) => native(args).stdout.toString();
    assert.deepEqual(await rules(), JSON.parse(text(["rules", "--output", "json"])).rules);
    const dumps = real.filter((name) => name.endsWith("jitdump/real/node-20.dump"));
    assert.equal(dumps.length, 1);
    const {readers} = await check(readFileSync(dumps[0]), {name: dumps[0], for: "perf"});
    assert.ok(readers.length > 0);
    assert.deepEqual(readers, JSON.parse(text(["--no-config", "--output", "json", "--for", "perf", dumps[0]])).files[0].readers);
    assert.equal(await explain("jitdump/bad-magic"), text(["explain", "jitdump/bad-magic"]));
    const [path] = real.filter((name) => name.endsWith(".dump"));
    const name = basename(path), bytes = readFileSync(path);
    assert.equal(await dump(bytes, {name, output: "json"}), native(["dump", "--output", "json", name], {cwd: join(path, "..")}).stdout.toString());
    assert.equal(await report(bytes, "concise", {name}), native(["--no-config", "--output", "concise", name], {cwd: join(path, "..")}).stdout.toString());
    await assert.rejects(check(bytes, {select: "nonsense/"}), (error) => error instanceof UsageError && !error.message.startsWith("tracelint"));
    await assert.rejects(explain("jitdump/nonsense"), UsageError);
    const {status, stderr} = await run(["generate", "xray"]);
    assert.equal(status, 2);
    assert.match(stderr, /not part of the npm package/);
  },

  async "salvage() returns what the command writes and prints"() {
    const cut = join(folder, "cut.dump"), good = join(folder, "good.dump");
    writeFileSync(cut, readFileSync(join(root, "corpus/jitdump/real/node-18.dump")).subarray(0, 5000));
    const written = native(["salvage", "--output=json", cut, "-o", good]);
    assert.equal(written.status, 0, written.stderr.toString());
    const {data, ...salvaged} = await salvage(readFileSync(cut), {name: "cut.dump"});
    assert.ok(readFileSync(good).equals(data));
    assert.deepEqual({...salvaged, path: cut, output: good}, JSON.parse(written.stdout));
    const hopeless = await salvage(Buffer.from("no trace"));
    assert.equal(hopeless.data, null);
    assert.equal(hopeless.why, "its format is not recognised");
    await assert.rejects(salvage(readFileSync(cut), {as: "jitdmp"}), UsageError);
  },

  async "shrink() returns what the command writes and prints"() {
    const cut = join(folder, "long.dump"), small = join(folder, "small.dump");
    writeFileSync(cut, readFileSync(join(root, "corpus/jitdump/real/node-18.dump")).subarray(0, 5000));
    for (const words of [["--keep=jitdump/truncated-record"], ["--keep=jitdump/truncated-record", "--redact"]]) {
      const written = native(["shrink", "--output=json", ...words, cut, "-o", small]);
      assert.equal(written.status, 0, written.stderr.toString());
      const options = {name: "long.dump", keep: "jitdump/truncated-record", redact: words.length === 2};
      const {data, ...shrunk} = await shrink(readFileSync(cut), options);
      assert.ok(readFileSync(small).equals(data));
      assert.deepEqual({...shrunk, path: cut, output: small}, JSON.parse(written.stdout));
    }
    const absent = await shrink(readFileSync(cut), {keep: "jitdump/bad-magic"});
    assert.deepEqual([absent.data, absent.verdict], [null, "absent"]);
    await assert.rejects(shrink(readFileSync(cut)), UsageError);
    await assert.rejects(shrink(readFileSync(cut), {keep: "jitdump/nonsense"}), UsageError);
  },

  async "files that belong together have the command's JSON, given as pairs or as an object"() {
    const folder = join(root, "corpus/siblings/real/c-writer"), dump = join(folder, "jit-4.dump"), recording = join(folder, "perf.data");
    const [bytes, other] = [readFileSync(recording), readFileSync(dump)];
    for (const options of [{}, {for: "perf"}, {maxPerRule: 1}]) {
      const printed = native(["--no-config", "--output", "json", "--with", dump, ...wordsOf(options), recording]).stdout.toString();
      for (const companions of [[[dump, other]], new Map([[dump, new Blob([other])]]), {[dump]: other}]) {
        assert.equal(await report(bytes, "json", {name: recording, with: companions, ...options}), printed);
        const {with: beside, groups, tool, schema_version, ...file} = await check(bytes, {name: recording, with: companions, ...options});
        assert.deepEqual({schema_version, tool, files: [file, ...beside], groups}, (({summary, ...rest}) => rest)(JSON.parse(printed)));
      }
    }
    const alone = await check(bytes, {name: "perf.data", with: {}});
    assert.deepEqual([alone.with, alone.groups], [[], []]);
    assert.equal((await check(bytes)).with, undefined);
    for (const wrong of [null, 3, "jit-4.dump", [dump], [[dump]], [[dump, other, 1]], [["", other]], [["a\0", other]], [["trace", other]], [[dump, "text"]]])
      await assert.rejects(check(bytes, {with: wrong}), TypeError, JSON.stringify(wrong));
  },

  async "what is no trace is refused, and every view of bytes is taken by its bytes"() {
    const path = real.find((name) => name.endsWith("jitdump/real/node-20.dump")), bytes = readFileSync(path);
    const expected = await check(bytes, {name: "a"});
    assert.equal(expected.format, "jitdump");
    const padded = new Uint8Array(bytes.length + 24);
    padded.set(bytes, 16);
    const even = bytes.length & ~1, shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    const inputs = {
      "a DataView": new DataView(padded.buffer, 16, bytes.length), "a part of an array": padded.subarray(16, 16 + bytes.length),
      "a buffer": padded.buffer.slice(16, 16 + bytes.length), "a shared buffer": shared, "a Blob": new Blob([bytes]),
      "a reader of few bytes": {size: bytes.length, read: (to, at) => bytes.copy(to, 0, at, Math.min(at + to.length, at + 1000))},
    };
    for (const [what, input] of Object.entries(inputs)) {
      assert.deepEqual(await check(input, {name: "a"}), expected, what);
      assert.deepEqual(JSON.parse((await run(["--no-config", "--output", "json", "a"], {a: input})).stdout).files[0].counts, expected.counts, what);
    }
    const wide = new Uint16Array(padded.buffer.slice(16, 16 + even));
    assert.deepEqual(await check(wide, {name: "a"}), await check(bytes.subarray(0, even), {name: "a"}));
    const size = bytes.length;
    const wrong = {
      "a name": path, "digits": "123", "a number": 123, "nothing": undefined, "null": null, "an object": {}, "an array": [1, 2, 3],
      "no size": {read: () => 0}, "a fraction": {size: 1.5, read: () => 0}, "a negative size": {size: -1, read: () => 0},
      "a promise": {size, read: async () => 0}, "no number": {size, read() {}}, "a text": {size, read: () => "4"},
      "half a byte": {size, read: () => 0.5}, "more than was asked for": {size, read: (to) => to.length + 1}, "less than nothing": {size, read: () => -1},
    };
    for (const [what, input] of Object.entries(wrong)) {
      await assert.rejects(check(input), TypeError, what);
      await assert.rejects(dump(input), TypeError, what);
      await assert.rejects(report(input, "text"), TypeError, what);
      await assert.rejects(run(["a"], {a: input}), TypeError, what);
    }
    for (const name of ["", 7, {}, "a\0b", "\ud800", "a\udc00b"]) await assert.rejects(check(bytes, {name}), /^TypeError: name must be /, name);
    assert.equal((await check(bytes, {name: "\u{1f600}.dump"})).path, "\u{1f600}.dump");
    await assert.rejects(check(bytes, {select: "jitdump/\0"}), TypeError);
    await assert.rejects(run(["--no-config\0"]), TypeError);
    for (const options of [{output: "text"}, {output: "json=a"}, {help: true}, {version: true}, {quiet: true}, {showConfig: true}, {for: "list"},
                           {config: "a"}, {nonsense: 1}, {maxPerRule: "x"}])
      await assert.rejects(check(bytes, options), UsageError, JSON.stringify(options));
    await assert.rejects(report(bytes, "text", {help: true}), UsageError);
    await assert.rejects(dump(bytes, {help: true}), UsageError);
    return `${Object.keys(inputs).length + 1} inputs, ${Object.keys(wrong).length} that are none`;
  },

  async "a reader that fails or ends before its size is unreadable, in its own words"() {
    const path = real.find((name) => name.endsWith("jitdump/real/node-20.dump")), bytes = readFileSync(path), size = bytes.length;
    const upTo = (end, last) => ({size, read: (to, at) => at < end ? bytes.copy(to, 0, at, Math.min(at + to.length, end)) : last()});
    const fails = (error) => () => { throw error; };
    const ways = [
      [() => 0, "the input ends before its size"], [fails(new Error("connection lost")), "connection lost"],
      [fails(new RangeError("out of range")), "out of range"], [fails(Object.assign(new Error("no entry"), {code: "ENOENT"})), "no entry"],
      [fails("a text"), "a text"], [fails(new Error("\u00e9\u{1f600}")), "\u00e9\u{1f600}"], [fails(undefined), "undefined"],
      [fails(new Error("x".repeat(5000))), "x".repeat(1000)],
    ];
    for (const end of [0, 1, 20_000, size - 1])
      for (const [last, reason] of ways) {
        const {verdict, failure, counts} = await check(upTo(end, last), {name: "a.dump"});
        assert.deepEqual({verdict, failure}, {verdict: "unreadable", failure: `cannot read: ${reason}`}, `${end}, ${reason}`);
        assert.equal(counts.error, 0);
        const {files: [file]} = JSON.parse(await report(upTo(end, last), "json", {name: "a.dump"}));
        assert.equal(file.failure, failure);
      }
    // It is asked for nothing beyond its size, and may give few bytes at a time.
    const asked = [];
    const few = {size: 100, read: (to, at) => (asked.push(at + to.length), bytes.copy(to, 0, at, at + Math.min(to.length, 7)))};
    assert.deepEqual(await check(few, {name: "a"}), await check(bytes.subarray(0, 100), {name: "a"}));
    assert.equal(Math.max(...asked), 100);
    return `${ways.length} ways`;
  },

  "npx runs the command that is installed"() {
    const cwd = join(folder, "consumer"), args = ["--no-config", "--output", "concise", real[0]];
    const {status, stdout} = native(args);
    for (const command of [[join(cwd, "node_modules/.bin/tracelint")], ["npx", "--offline", "tracelint"]]) {
      const one = spawnSync(command[0], [...command.slice(1), ...args], {...LIMITS, cwd});
      assert.equal(one.status, status, `${command[0]}: ${one.error ?? one.stderr}`);
      assert.deepEqual(one.stdout, stdout);
    }
  },

  async "the package exports what bundlers need, and its browser build has nothing of Node"() {
    const {exports} = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    assert.equal(exports["."].browser, "./browser.js");
    const resolve = createRequire(join(folder, "consumer/package.json")).resolve;
    for (const name of ["tracelint.wasm", "command.wasm", "output.schema.json", "package.json"])
      assert.equal(resolve(`tracelint/${name}`), join(installed, name));
    const wanted = ["browser.js"], seen = new Set();
    while (wanted.length > 0) {
      const name = wanted.pop();
      if (seen.has(name)) continue;
      seen.add(name);
      const text = readFileSync(join(installed, name), "utf8");
      assert.doesNotMatch(text, /["'`]node:/, name);
      for (const [, other] of text.matchAll(/from "\.\/([^"]+)"|import\("\.\/([^"]+)"\)/g)) wanted.push(other);
    }
    assert.deepEqual([...seen].sort(), ["browser.js", "host.js", "library.js"]);
    for (const name of ["index.js", "browser.js"])
      for (const module of ["tracelint.wasm", "command.wasm"])
        assert.ok(readFileSync(join(installed, name), "utf8").includes(`new URL("./${module}", import.meta.url)`), name);
  },
};

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  const start = performance.now();
  try {
    const about = await test();
    console.log(`ok: ${name}${about ? `: ${about}` : ""} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
process.exitCode = failed > 0 ? 1 : 0;

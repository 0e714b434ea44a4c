// Runs the checks beside the page. host.js and library.js of the npm package precede this file.

/** Files by path; two of the same name get different folders. */
async function named(files) {
  const all = Object.create(null);  // a file may be called as what objects have
  for (const file of files) {
    let path = `./${file.name}`.replace(/^\.\/(?!-)/, "");
    for (let number = 2; path in all; ++number) path = `${number}/${file.name}`;
    all[path] = await contentOf(file);
  }
  return all;
}

/** The report that the page of `--output html` holds. */
async function reportOn(files) {
  const {stdout, stderr} = await run(["check", "--no-config", "--output=html", "--", ...Object.keys(files)], files);
  const start = '<script id="report" type="application/json">';
  const from = stdout.indexOf(start);
  if (from < 0) throw new Error(stderr || "there is no report");
  return stdout.slice(from + start.length, stdout.indexOf("<" + "/script>", from));
}

/** The files of the last report, by path. */
let files = Object.create(null);

/** A part of a path that no computer minds in the name of a file. */
const baseOf = (path) => path.slice(path.lastIndexOf("/") + 1);

/** What a command made of a file, for the user to keep, or why it made none. */
const made = (path, {data, why}, done) =>
  data ? {made: data, name: `${done}-${baseOf(path)}`} : {refusal: `${path} cannot be ${done}: ${why}`};

/** Seconds that a user waits for the smallest file. */
const PATIENCE = 30;

const salvaged = async (path) => made(path, await salvage(files[path], {name: path}), "salvaged");
const shrunk = async ({path, keep}) => made(path, await shrink(files[path], {name: path, keep, maxSeconds: PATIENCE}), "shrunk");

async function answer(data) {
  if (data.module) return void loadCommand(data.module);
  try {
    if (data.salvage !== undefined) return self.postMessage(await salvaged(data.salvage));
    if (data.shrink !== undefined) return self.postMessage(await shrunk(data.shrink));
    files = await named(data.files);
    self.postMessage({report: await reportOn(files)});
  } catch (error) {
    self.postMessage({failure: `The check ended early: ${error.message}`});
  }
}

/** The messages, one after the other: the last report that is shown is that of the last files. */
let answered = Promise.resolve();
self.onmessage = ({data}) => { answered = answered.then(() => answer(data)); };

// Compiles specifications for Kaitai Struct to Python.
//   node compile.mjs MODULES FOLDER    MODULES has the compiler and js-yaml; FOLDER has FORMAT.ksy, and gets FORMAT.json, the same
//                                      as JSON, and tracelint_FORMAT.py, which notes where each field is
import {createRequire} from "node:module";
import {readdirSync, readFileSync, writeFileSync} from "node:fs";
import {join} from "node:path";

const [modules, folder] = process.argv.slice(2);
const require = createRequire(join(modules, "/"));
const compiler = new (require("kaitai-struct-compiler"))(), yaml = require("js-yaml");
const noImports = {importYaml: (name) => Promise.reject(new Error(`${name} is imported`))};

for (const file of readdirSync(folder).filter((name) => name.endsWith(".ksy"))) {
  const specification = yaml.load(readFileSync(join(folder, file), "utf8"));
  writeFileSync(join(folder, file.replace(/ksy$/, "json")), JSON.stringify(specification));
  for (const [name, text] of Object.entries(await compiler.compile("python", specification, noImports, true)))
    writeFileSync(join(folder, name), text);
}

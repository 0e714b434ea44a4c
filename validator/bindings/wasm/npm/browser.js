// The library for browsers. Nothing here or in what it imports is of Node, and bundlers find both modules by their addresses.
import {fetched, useSystem} from "./library.js";

const addresses = {
  "tracelint.wasm": new URL("./tracelint.wasm", import.meta.url),
  "command.wasm": new URL("./command.wasm", import.meta.url),
};

useSystem({read: (name) => fetched(addresses[name]), crypto: async () => globalThis.crypto});

export {check, dump, explain, load, loadCommand, report, rules, run, salvage, shrink, UsageError} from "./library.js";

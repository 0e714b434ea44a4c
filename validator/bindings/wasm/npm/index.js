// The library where it runs: Node, or a browser that loads this file as it is. Bundlers for browsers take browser.js.
import {fetched, useSystem} from "./library.js";

const addresses = {
  "tracelint.wasm": new URL("./tracelint.wasm", import.meta.url),
  "command.wasm": new URL("./command.wasm", import.meta.url),
};

useSystem({
  async read(name) {
    if (addresses[name].protocol !== "file:") return fetched(addresses[name]);
    const {readFile} = await import("node:fs/promises");
    return readFile(addresses[name]);
  },
  crypto: async () => globalThis.crypto ?? (await import("node:crypto")).webcrypto,  // Node 18 has no global one
});

export {check, dump, explain, load, loadCommand, report, rules, run, salvage, shrink, UsageError} from "./library.js";

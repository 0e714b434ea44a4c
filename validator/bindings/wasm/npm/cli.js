#!/usr/bin/env node
// The command `tracelint`.
import {main} from "./node.js";

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`tracelint: internal error: ${error.message}\n`);
  process.exitCode = 4;
}

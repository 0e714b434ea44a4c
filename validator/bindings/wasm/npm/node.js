// The files of Node for the command `tracelint`.
import {webcrypto} from "node:crypto";
import fs from "node:fs";
import {Host} from "./host.js";
import {loadCommand} from "./index.js";

const {constants} = fs;

function statusOf(status) {
  const type = status.isFile() ? "file" : status.isDirectory() ? "folder" : status.isSymbolicLink() ? "link"
    : status.isCharacterDevice() ? "device" : "unknown";
  return {type, device: status.dev, inode: status.ino, links: status.nlink, size: status.size, modified: status.mtimeNs};
}

/** Calls of a pipe or a terminal that has no room or no data now are made again. */
function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code === "EOF") return 0;
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

function writeAll(descriptor, bytes) {
  for (let done = 0; done < bytes.length;) done += patiently(() => fs.writeSync(descriptor, bytes, done));
}

/** The files of the system. */
export class NodeFiles {
  stat(name, follow) { return statusOf((follow ? fs.statSync : fs.lstatSync)(name, {bigint: true})); }

  open(name, {write, create, exclusive, truncate, append}) {
    const flags = (write ? constants.O_WRONLY : constants.O_RDONLY) | (create ? constants.O_CREAT : 0) |
      (exclusive ? constants.O_EXCL : 0) | (truncate ? constants.O_TRUNC : 0) | (append ? constants.O_APPEND : 0);
    const descriptor = fs.openSync(name, flags, 0o666);
    const isFile = fs.fstatSync(descriptor).isFile();
    return {
      stat: () => statusOf(fs.fstatSync(descriptor, {bigint: true})),
      read: (to, position) => patiently(() => fs.readSync(descriptor, to, 0, to.length, isFile ? position : null)),
      write: (bytes) => writeAll(descriptor, bytes),
      resize: (size) => fs.ftruncateSync(descriptor, size),
      close: () => fs.closeSync(descriptor),
    };
  }

  list(name) {
    return fs.readdirSync(name, {withFileTypes: true, encoding: "buffer"}).map((entry) => ({
      name: entry.name,
      type: entry.isFile() ? "file" : entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : "device",
    }));
  }

  readlink(name) { return fs.readlinkSync(name); }
  rename(from, to) { fs.renameSync(from, to); }
  unlink(name) { fs.unlinkSync(name); }
}

function stream(descriptor, isTerminal) {
  return {
    isTerminal,
    stat: () => {
      const status = statusOf(fs.fstatSync(descriptor, {bigint: true}));
      return isTerminal ? {...status, type: "device"} : status;
    },
    read: (to, position) => patiently(() => fs.readSync(descriptor, to, 0, to.length, position ?? null)),
    write: descriptor === 0 ? undefined : (bytes) => writeAll(descriptor, bytes),
  };
}

/** Runs the command line with the system's files, and returns its exit status. */
export async function main(args) {
  const host = new Host({
    args: ["tracelint", ...args], environment: {...process.env, PWD: process.cwd()}, files: new NodeFiles(), crypto: webcrypto,
    streams: [0, 1, 2].map((descriptor) => stream(descriptor, [process.stdin, process.stdout, process.stderr][descriptor].isTTY === true)),
  });
  return host.run(await loadCommand());
}

// The system that the WebAssembly module runs on: the calls of WASI (preview 1) that it makes, over any set of files.
//
// Files are given by an object with synchronous functions, `stat`, `open`, `list`, `readlink`, `rename` and `unlink`;
// MemoryFiles below is one, NodeFiles in node.js another. They throw errors whose `code` is that of POSIX.

/** Numbers of errors. */
const ERRORS = {
  EACCES: 2, EAGAIN: 6, EBADF: 8, EBUSY: 10, EDQUOT: 19, EEXIST: 20, EFBIG: 22, EINVAL: 28, EIO: 29, EISDIR: 31, ELOOP: 32,
  EMFILE: 33, ENAMETOOLONG: 37, ENFILE: 41, ENODEV: 43, ENOENT: 44, ENOMEM: 48, ENOSPC: 51, ENOSYS: 52, ENOTDIR: 54,
  ENOTEMPTY: 55, ENXIO: 60, EPERM: 63, EPIPE: 64, EROFS: 69, ESPIPE: 70, ETXTBSY: 74, EXDEV: 75,
};
const TYPES = {unknown: 0, device: 2, folder: 3, file: 4, link: 7};
const SEEK = 1n << 2n, TELL = 1n << 5n, WRITE = 1n << 6n;
const CREATE = 1, FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8;
const FOLLOW = 1;
const APPEND = 1;
/** The descriptor of "/", of which every path is a part. */
const ROOT = 3;

/** An error of the system, as POSIX names it. */
export class SystemError extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** "/a/b" of "/" and "a/./c/../b". */
export function joined(folder, path) {
  const parts = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return "/" + parts.join("/");
}

/** Files in memory, which can only be read: bytes, or anything with `size` and `read(to, position)`. */
export class MemoryFiles {
  /** @param {Object<string, *>} files by path */
  constructor(files) {
    this.files = new Map();
    this.inodes = new Map();
    for (const [path, content] of Object.entries(files)) this.files.set(joined("/", path), readable(content));
  }

  stat(path) {
    const content = this.files.get(path);
    if (content) return {type: "file", size: content.size, inode: this.inode(path)};
    if (this.isFolder(path)) return {type: "folder", size: 0, inode: this.inode(path)};
    throw new SystemError("ENOENT");
  }

  // It distinguishes files from folders.
  inode(path) {
    if (!this.inodes.has(path)) this.inodes.set(path, this.inodes.size + 1);
    return this.inodes.get(path);
  }

  isFolder(path) {
    const start = path === "/" ? path : path + "/";
    return path === "/" || [...this.files.keys()].some((name) => name.startsWith(start));
  }

  open(path, {write}) {
    if (write) throw new SystemError("EROFS");
    const status = this.stat(path), content = this.files.get(path);
    return {
      stat: () => status,
      read: (to, position) => content.read(to, position),
      close() {},
    };
  }

  list(path) {
    const start = path === "/" ? path : path + "/";
    const names = new Map();
    for (const name of this.files.keys()) {
      if (!name.startsWith(start)) continue;
      const [first, ...rest] = name.slice(start.length).split("/");
      names.set(first, rest.length > 0 ? "folder" : "file");
    }
    return [...names].map(([name, type]) => ({name: encoder.encode(name), type}));
  }

  readlink() { throw new SystemError("EINVAL"); }
  rename() { throw new SystemError("EROFS"); }
  unlink() { throw new SystemError("EROFS"); }
}

/** Files in memory to which the program can add others, in order. Those that are given can only be read. */
export class GrowingFiles extends MemoryFiles {
  /** The bytes of those that were added, by path. @type {Map<string, {size: number, read: function, bytes: Uint8Array}>} */
  added = new Map();

  open(path, how) {
    if (!how.write) return super.open(path, how);
    if (this.files.has(path) && !this.added.has(path)) throw new SystemError("EROFS");
    if (this.files.has(path) && how.exclusive) throw new SystemError("EEXIST");
    if (!this.files.has(path) && !how.create) throw new SystemError("ENOENT");
    const content = {
      bytes: new Uint8Array(1 << 16), size: 0,
      read(to, position) {
        const piece = this.bytes.subarray(position, Math.min(position + to.length, this.size));
        to.set(piece);
        return piece.length;
      },
    };
    this.added.set(path, content);
    this.files.set(path, content);
    return {
      stat: () => this.stat(path),
      read: (to, position) => content.read(to, position),
      write(more) {
        if (content.size + more.length > content.bytes.length) {
          const larger = new Uint8Array(2 * (content.size + more.length));
          larger.set(content.bytes.subarray(0, content.size));
          content.bytes = larger;
        }
        content.bytes.set(more, content.size);
        content.size += more.length;
      },
      resize(size) { content.size = Math.min(content.size, size); },
      close() {},
    };
  }

  rename(from, to) {
    const content = this.added.get(from);
    if (!content) throw new SystemError(this.files.has(from) ? "EROFS" : "ENOENT");
    this.unlink(from);
    this.added.set(to, content);
    this.files.set(to, content);
  }

  unlink(path) {
    if (!this.added.delete(path)) throw new SystemError(this.files.has(path) ? "EROFS" : "ENOENT");
    this.files.delete(path);
  }

  /** What was written to a path; null if nothing was. */
  contentOf(path) {
    const content = this.added.get(joined("/", path));
    return content ? content.bytes.subarray(0, content.size) : null;
  }
}

/** A file that is given as something it cannot be. This is reported to the caller of the run, not to the program that runs. */
export class WrongInput extends TypeError {
  name = "TypeError";
}

const isBuffer = (content) => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(content));

/** The content of a file as an object with `size` and `read`. */
function readable(content) {
  if (typeof content?.read === "function") return positioned(content);
  if (!isBuffer(content) && !ArrayBuffer.isView(content))
    throw new WrongInput("a trace is given as an ArrayBuffer, a view of one, a Blob, or an object with size and read(to, position)");
  const bytes = isBuffer(content) ? new Uint8Array(content) : new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  return {
    size: bytes.length,
    read(to, position) {
      const piece = bytes.subarray(position, position + to.length);
      to.set(piece);
      return piece.length;
    },
  };
}

/** A file that cannot be read, for a reason that the user's function gives. */
class ReadFailure extends SystemError {
  constructor(reason) {
    super("EIO");
    this.reason = reason;
  }
}

/** What is thrown, in words. */
function reasonOf(thrown) {
  try {
    return String(thrown?.message || thrown);
  } catch {
    return "the reader threw";
  }
}

/** The answers of `reader`, checked against its type. */
function positioned(reader) {
  const {size} = reader;
  if (!Number.isSafeInteger(size) || size < 0) throw new WrongInput("the size of a trace is a number of bytes");
  return {
    size,
    read(to, position) {
      const wanted = Math.max(0, Math.min(to.length, size - position));
      if (wanted === 0) return 0;
      let count;
      try {
        count = reader.read(wanted < to.length ? to.subarray(0, wanted) : to, position);
      } catch (error) {
        throw new ReadFailure(reasonOf(error));
      }
      if (!Number.isInteger(count) || count < 0 || count > wanted)
        throw new WrongInput(`read() returns the number of bytes that it read, at most ${wanted}, and no promise`);
      if (count === 0) throw new ReadFailure("the input ends before its size");
      return count;
    },
  };
}

/** The end of a run by exit(): the rest of the stack does not run. */
class Exit extends Error {
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** One run of the module. Its instance is used once, so that no file can leave anything behind for the next one. */
export class Host {
  /**
   * @param {object} options
   * @param {string[]} options.args with the program's name
   * @param {Object<string, string>} options.environment
   * @param {*} options.files
   * @param {{read?: function, write?: function, isTerminal?: boolean}[]} options.streams the standard ones
   * @param {Crypto} options.crypto what makes random numbers
   */
  constructor({args, environment, files, streams, crypto}) {
    this.crypto = crypto;
    this.reason = "";
    this.args = args.map((word) => encoder.encode(word + "\0"));
    this.environment = Object.entries(environment).map(([name, value]) => encoder.encode(`${name}=${value}\0`));
    this.files = files;
    /** What is open, by descriptor: {path, handle} or {stream}. */
    this.open = new Map(streams.map((stream, number) => [number, {stream}]));
    this.open.set(ROOT, {path: "/"});
  }

  /**
   * Runs the command line and returns its exit status.
   * @param {WebAssembly.Module} module
   */
  async run(module) {
    const imports = {};
    for (const {module: from, name} of WebAssembly.Module.imports(module))
      (imports[from] ??= {})[name] = from === "tracelint" ? (...values) => this[name](...values) : this.call(name);
    const instance = await WebAssembly.instantiate(module, imports);
    this.memory = instance.exports.memory;
    try {
      instance.exports._initialize();
      const status = instance.exports.run();
      if (this.wrong) throw this.wrong;
      return status;
    } catch (error) {
      if (this.wrong) throw this.wrong;
      if (error instanceof Exit) return error.status;
      throw error;
    } finally {
      for (const {handle} of this.open.values()) handle?.close();
    }
  }

  /** The function that the module imports; a call that is not here fails with ENOSYS. */
  call(name) {
    return (...values) => {
      try {
        return this[name] ? this[name](...values) ?? 0 : ERRORS.ENOSYS;
      } catch (error) {
        if (error instanceof WrongInput) this.wrong ??= error;
        this.reason = error instanceof ReadFailure ? error.reason : "";
        if (error instanceof Exit) throw error;
        if (error instanceof RangeError) return ERRORS.EINVAL;
        return ERRORS[error.code] ?? ERRORS.EIO;
      }
    };
  }

  get view() { return new DataView(this.memory.buffer); }
  bytes(at, length) { return new Uint8Array(this.memory.buffer, at, length); }
  path(descriptor, at, length) { return joined(this.of(descriptor).path, decoder.decode(this.bytes(at, length).slice())); }

  of(descriptor) {
    const open = this.open.get(descriptor);
    if (!open) throw new SystemError("EBADF");
    return open;
  }

  /** The buffers of a read or a write. */
  *pieces(at, count) {
    for (let i = 0; i < count; ++i) yield this.bytes(this.view.getUint32(at + 8 * i, true), this.view.getUint32(at + 8 * i + 4, true));
  }

  /** Why the last call failed, if the user's function said so: its words, as many bytes as there is room for. */
  failure(to, room) {
    const {written} = encoder.encodeInto(this.reason, this.bytes(to, room));
    this.reason = "";
    return written;
  }

  // Arguments, environment, time, random numbers.

  strings(all, pointers, at) {
    for (const text of all) {
      this.view.setUint32(pointers, at, true);
      this.bytes(at, text.length).set(text);
      pointers += 4;
      at += text.length;
    }
  }

  sizes(all, count, bytes) {
    this.view.setUint32(count, all.length, true);
    this.view.setUint32(bytes, all.reduce((sum, text) => sum + text.length, 0), true);
  }

  args_sizes_get(count, bytes) { this.sizes(this.args, count, bytes); }
  args_get(pointers, at) { this.strings(this.args, pointers, at); }
  environ_sizes_get(count, bytes) { this.sizes(this.environment, count, bytes); }
  environ_get(pointers, at) { this.strings(this.environment, pointers, at); }
  clock_time_get(clock, precision, to) { this.view.setBigUint64(to, BigInt(Math.round(Date.now() * 1e6)), true); }
  proc_exit(status) { throw new Exit(status); }

  random_get(at, length) {
    this.bytes(at, length).set(this.crypto.getRandomValues(new Uint8Array(length)));
  }

  // Descriptors.

  fd_prestat_get(descriptor, to) {
    if (descriptor !== ROOT) throw new SystemError("EBADF");
    this.view.setUint32(to, 0, true);
    this.view.setUint32(to + 4, 1, true);
  }
  fd_prestat_dir_name(descriptor, at) { this.bytes(at, 1)[0] = 0x2f; }

  fd_fdstat_get(descriptor, to) {
    const open = this.of(descriptor);
    const {type} = this.status(open);
    this.bytes(to, 24).fill(0);
    this.view.setUint8(to, TYPES[type]);
    // A device that cannot seek is how the program recognises a terminal.
    const rights = ~0n & ~(open.stream?.isTerminal ? SEEK | TELL : 0n) & ~(open.stream && !open.stream.write ? WRITE : 0n);
    this.view.setBigUint64(to + 8, BigInt.asUintN(64, rights), true);
    this.view.setBigUint64(to + 16, BigInt.asUintN(64, ~0n), true);
  }
  fd_fdstat_set_flags() {}

  status(open) {
    if (open.stream) return open.stream.stat?.() ?? {type: open.stream.isTerminal ? "device" : "unknown", size: 0, inode: 0};
    return open.handle ? open.handle.stat() : this.files.stat(open.path, true);
  }

  writeStatus(to, {device = 1, inode, type, links = 1, size, modified = 0n}) {
    this.bytes(to, 64).fill(0);
    const numbers = [[0, device], [8, inode], [24, links], [32, size], [40, modified], [48, modified], [56, modified]];
    for (const [offset, number] of numbers) this.view.setBigUint64(to + offset, BigInt.asUintN(64, BigInt(number)), true);
    this.view.setUint8(to + 16, TYPES[type]);
  }

  fd_filestat_get(descriptor, to) { this.writeStatus(to, this.status(this.of(descriptor))); }
  fd_filestat_set_size(descriptor, size) { this.of(descriptor).handle.resize(Number(size)); }

  fd_close(descriptor) {
    this.of(descriptor).handle?.close();
    this.open.delete(descriptor);
  }

  fd_seek(descriptor, offset, whence, to) {
    const open = this.of(descriptor);
    if (!open.handle && !open.stream?.stat) throw new SystemError("ESPIPE");
    const from = whence === 0 ? 0 : whence === 1 ? open.at ?? 0 : Number(this.status(open).size);
    if (this.status(open).type !== "file") throw new SystemError("ESPIPE");
    open.at = from + Number(offset);
    this.view.setBigUint64(to, BigInt(open.at), true);
  }
  fd_tell(descriptor, to) { return this.fd_seek(descriptor, 0n, 1, to); }

  fd_read(descriptor, buffers, count, to) {
    const open = this.of(descriptor);
    let sum = 0;
    for (const piece of this.pieces(buffers, count)) {
      const got = open.stream ? open.stream.read(piece, open.at) : open.handle.read(piece, open.at ?? 0);
      if (!open.stream || open.at !== undefined) open.at = (open.at ?? 0) + got;
      sum += got;
      if (got < piece.length) break;
    }
    this.view.setUint32(to, sum, true);
  }

  fd_pread(descriptor, buffers, count, offset, to) {
    const open = this.of(descriptor);
    let at = Number(offset), sum = 0;
    for (const piece of this.pieces(buffers, count)) {
      const got = (open.handle ?? open.stream).read(piece, at + sum);
      sum += got;
      if (got < piece.length) break;
    }
    this.view.setUint32(to, sum, true);
  }

  fd_write(descriptor, buffers, count, to) {
    const open = this.of(descriptor);
    let sum = 0;
    for (const piece of this.pieces(buffers, count)) {
      (open.stream ?? open.handle).write(piece);
      sum += piece.length;
    }
    this.view.setUint32(to, sum, true);
  }

  fd_readdir(descriptor, buffer, length, cookie, to) {
    const open = this.of(descriptor);
    open.entries ??= this.files.list(open.path);
    let used = 0;
    for (let i = Number(cookie); i < open.entries.length && used < length; ++i) {
      const {name, type} = open.entries[i];
      const entry = new Uint8Array(24 + name.length), view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setUint32(16, name.length, true);
      view.setUint8(20, TYPES[type]);
      entry.set(name, 24);
      const room = Math.min(entry.length, length - used);
      this.bytes(buffer + used, room).set(entry.subarray(0, room));
      used += room;
    }
    this.view.setUint32(to, used, true);
  }

  /** Whatever is waited for is ready: reads wait by themselves. */
  poll_oneoff(from, to, count, ready) {
    for (let i = 0; i < count; ++i) {
      this.bytes(to + 32 * i, 32).fill(0);
      this.view.setBigUint64(to + 32 * i, this.view.getBigUint64(from + 48 * i, true), true);
      this.view.setUint8(to + 32 * i + 10, this.view.getUint8(from + 48 * i + 8));
    }
    this.view.setUint32(ready, count, true);
  }

  // Paths.

  path_open(folder, lookup, at, length, wanted, rights, inherited, flags, to) {
    const path = this.path(folder, at, length);
    const open = {path, at: 0};
    const write = (rights & WRITE) !== 0n && (wanted & FOLDER) === 0;
    let isFolder = false;
    if ((wanted & CREATE) === 0) {
      const {type} = this.files.stat(path, (lookup & FOLLOW) !== 0);
      isFolder = type === "folder";
      if (type === "link") throw new SystemError("ELOOP");
      if (!isFolder && (wanted & FOLDER) !== 0) throw new SystemError("ENOTDIR");
    }
    if (!isFolder)
      open.handle = this.files.open(path, {
        write, create: (wanted & CREATE) !== 0, exclusive: (wanted & EXCLUSIVE) !== 0,
        truncate: (wanted & TRUNCATE) !== 0, append: (flags & APPEND) !== 0,
      });
    let descriptor = 0;
    while (this.open.has(descriptor)) ++descriptor;
    this.open.set(descriptor, open);
    this.view.setUint32(to, descriptor, true);
  }

  path_filestat_get(folder, lookup, at, length, to) {
    this.writeStatus(to, this.files.stat(this.path(folder, at, length), (lookup & FOLLOW) !== 0));
  }

  path_readlink(folder, at, length, to, room, used) {
    const target = encoder.encode(this.files.readlink(this.path(folder, at, length))).subarray(0, room);
    this.bytes(to, target.length).set(target);
    this.view.setUint32(used, target.length, true);
  }

  path_rename(folder, at, length, newFolder, newAt, newLength) {
    this.files.rename(this.path(folder, at, length), this.path(newFolder, newAt, newLength));
  }
  path_unlink_file(folder, at, length) { this.files.unlink(this.path(folder, at, length)); }
}

// jitdump files for the tests of the page, typed from grammars/jitdump/spec.md.

const MOVE = 1, LOAD = 0;

/** The bytes of numbers: [width in bytes, value]. */
function numbers(...pairs) {
  const bytes = Buffer.alloc(pairs.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of pairs) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUInt32LE(value, at);
    at += width;
  }
  return bytes;
}

/** 3.1 Jitdump file header. */
export function header(flags = 0n) {
  return Buffer.concat([Buffer.from("DTiJ"), numbers([4, 1], [4, 40], [4, 62], [4, 0], [4, 1], [8, 1000], [8, flags])]);
}

function record(id, timestamp, body) {
  return Buffer.concat([numbers([4, id], [4, 16 + body.length], [8, timestamp]), body]);
}

/** 3.3 JIT_CODE_LOAD: a function of 16 bytes, whose name may be any bytes without a NUL. */
export function load(name, index) {
  const address = 0x1000 + 16 * index;
  return record(LOAD, 1000 + index, Buffer.concat([
    numbers([4, 1], [4, 1], [8, address], [8, address], [8, 16], [8, index]), Buffer.from(name), Buffer.from([0]), Buffer.alloc(16, 0x90)]));
}

/** 3.4 JIT_CODE_MOVE of a function that no LOAD introduced. */
export function lostMove(index) {
  return record(MOVE, 1000 + index, numbers([4, 1], [4, 1], [8, 0x3000], [8, 0x2000], [8, 0x3000], [8, 16], [8, 7_000_000 + index]));
}

export function many(count, make) {
  return Buffer.concat(Array.from({length: count}, (_, i) => make(i)));
}

/** "0x1f" of 31. */
export function hexOf(number) {
  return "0x" + number.toString(16);
}

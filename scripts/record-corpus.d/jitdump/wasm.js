'use strict';
// (func (export "twice") (param i32) (result i32) local.get 0 i32.const 1 i32.shl)
const bytes = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 7, 9, 1, 5,
  116, 119, 105, 99, 101, 0, 0, 10, 9, 1, 7, 0, 32, 0, 65, 1, 116, 11]);
const { twice } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
let sum = 0;
for (let i = 0; i < 3000; i++) sum ^= twice(i);
console.log(sum);

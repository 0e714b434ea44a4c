'use strict';
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
function mix(text) {
  let hash = 17;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) | 0;
  return hash;
}
// A name outside of ASCII: V8 writes names in UTF-8.
const grüße = (n) => fib(n) ^ mix('grüße ' + n);
let sum = 0;
for (let i = 0; i < 200; i++) sum ^= grüße(i % 18);
console.log(sum);

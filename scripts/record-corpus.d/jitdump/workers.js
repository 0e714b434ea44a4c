'use strict';
const { Worker } = require('worker_threads');
const body = `
  const { parentPort, workerData } = require('worker_threads');
  function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
  let sum = 0;
  for (let i = 0; i < 200; i++) sum ^= fib((i + workerData) % 18);
  parentPort.postMessage(sum);
`;
for (let i = 0; i < 3; i++)
  new Worker(body, { eval: true, workerData: i }).on('message', (sum) => console.log(sum));

// What the profilers for Node watch: two functions that take time, and one that keeps memory.
const spin = (milliseconds) => {
    let sum = 0;
    for (const end = Date.now() + milliseconds; Date.now() < end;) for (let i = 0; i < 1e4; ++i) sum += Math.sqrt(i);
    return sum;
};
const parse = () => spin(40);
const render = () => spin(60);
const kept = [];
const keep = () => { for (let i = 0; i < 2000; ++i) kept.push(Array.from({ length: 64 }, () => ({ i }))); };

module.exports = { parse, render, keep };

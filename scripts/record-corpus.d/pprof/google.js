// Profiles of Node with google's pprof: wall time and the heap.
const pprof = require('pprof');
const fs = require('fs');
const { parse, render, keep } = require('./work');

(async () => {
    const stop = pprof.time.start(1000);
    for (let i = 0; i < 3; ++i) { parse(); render(); }
    fs.writeFileSync('wall.pprof', await pprof.encode(stop()));
    pprof.heap.start(64 * 1024, 32);
    keep();
    fs.writeFileSync('heap.pprof', await pprof.encode(await pprof.heap.profile()));
})();

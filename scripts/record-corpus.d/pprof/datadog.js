// Profiles of Node with @datadog/pprof: wall time, the same with labels and processor time, and the heap.
const pprof = require('@datadog/pprof');
const fs = require('fs');
const { parse, render, keep } = require('./work');

const write = (name, profile) => fs.writeFileSync(name, pprof.encodeSync(profile));

const wall = (name, options, labels) => {
    pprof.time.start({ durationMillis: 1000, intervalMicros: 1000, ...options });
    if (labels) pprof.time.setContext({ 'request': 'get' });
    for (let i = 0; i < 3; ++i) { parse(); render(); }
    write(name, labels ? pprof.time.stop(false, ({ context }) => context?.context ?? {}) : pprof.time.stop());
};
wall('wall.pprof', {}, false);
wall('wall-labels.pprof', { withContexts: true, collectCpuTime: true }, true);
pprof.heap.start(64 * 1024, 32);
keep();
write('heap.pprof', pprof.heap.profile());
pprof.heap.stop();

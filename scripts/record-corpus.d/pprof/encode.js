// A profile written with pprof-format, the encoder of @datadog/pprof.
const { Profile, Sample, ValueType, Mapping, Location, Line, Function, Label, StringTable } = require('./package');
const fs = require('fs');

const strings = new StringTable();
const text = (value) => strings.dedup(value);
const functions = ['main', 'parse', 'render'].map(
    (name, i) => new Function({ id: i + 1, name: text(name), systemName: text(name), filename: text('app.js') }));
const locations = functions.map(
    (made, i) => new Location({ id: i + 1, mappingId: 1, address: 0x1000 + 16 * i, line: [new Line({ functionId: made.id, line: 10 * (i + 1) })] }));
const samples = [[1], [2, 1], [3, 2, 1]].map(
    (stack, i) => new Sample({
        locationId: stack, value: [i + 1, 1000000 * (i + 1)],
        label: [new Label({ key: text('bytes'), num: 64 << i, numUnit: text('bytes') })] }));
const type = (name, unit) => new ValueType({ type: text(name), unit: text(unit) });
const profile = new Profile({
    sampleType: [type('samples', 'count'), type('wall', 'nanoseconds')], sample: samples,
    mapping: [new Mapping({ id: 1, memoryStart: 0x1000, memoryLimit: 0x2000, filename: text('/usr/bin/node'), hasFunctions: true })],
    location: locations, function: functions, timeNanos: BigInt(Date.now()) * 1000000n, durationNanos: 1000000000,
    periodType: type('wall', 'nanoseconds'), period: 1000000, comment: [text('three stacks')], stringTable: strings });
fs.writeFileSync('encoded.pprof', profile.encode());

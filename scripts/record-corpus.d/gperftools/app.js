// Functions that become machine code while they run.
'use strict';

function fibonacci(n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

function strings(rounds) {
    let text = '';
    for (let i = 0; i < rounds; i++) text += String.fromCharCode(97 + i % 26);
    return text.split('e').sort().length;
}

for (let i = 0; i < 2000; i++) {
    fibonacci(24);
    strings(5000);
}

<?php
// Runs long enough to be sampled in the code of its functions.
function count_down($n) { while ($n > 0) $n--; return $n; }
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
$sum = 0;
for ($i = 0; $i < 20; $i++) $sum += fib(25) + count_down(20000000);
echo $sum, "\n";

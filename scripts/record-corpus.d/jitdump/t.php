<?php
function fib($n) { return $n < 2 ? $n : fib($n - 1) + fib($n - 2); }
function mix(string $text): int {
    $hash = 17;
    for ($i = 0; $i < strlen($text); $i++) $hash = ($hash * 31 + ord($text[$i])) & 0xffff;
    return $hash;
}
$sum = 0;
for ($i = 0; $i < 300; $i++) $sum ^= fib($i % 14) ^ mix("trace $i");
echo $sum, "\n";

#!/bin/bash -eu
# Builds every fuzz target into $OUT with its seeds, dictionary and options. OSS-Fuzz sets the compiler, its flags, the
# engine and the folders in the environment; nothing is downloaded.
# If $WORK and $OUT are kept, only changes are rebuilt. `scripts/oss-fuzz` runs this without the image.
set -o pipefail
cd "$SRC/tracelint"
. fuzz/seeds.bash
build=$WORK/tracelint

# No build type, as its flags would override those of the environment. zlib is linked statically, since it need not be
# installed where the targets run.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DTRACELINT_FUZZERS=ON -DTRACELINT_AGREEMENT=ON \
    -DZLIB_USE_STATIC_LIBS=ON -DTRACELINT_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$build" --target tracelint_seeds $(fuzz_targets | sed 's/^/fuzz_/')

"$build/tracelint_seeds" . "$build/seeds"
for target in $(fuzz_targets); do
    cp "$build/fuzz_$target" "$OUT/$target"
    rm -f "$OUT/${target}_seed_corpus.zip"
    (cd "$build/seeds" && zip -q -r "$OUT/${target}_seed_corpus.zip" $(cd "$SRC/tracelint" && fuzz_seeds "$target"))
    fuzz_dictionary "$target" "$build/seeds" >"$OUT/$target.dict"
    cp fuzz/targets.options "$OUT/$target.options"
done

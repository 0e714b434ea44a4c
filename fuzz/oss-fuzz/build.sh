#!/bin/bash -eu
# Builds the program of all fuzz targets, and copies it into $OUT under the name of each, which chooses the target, with
# its seeds, dictionary and options. OSS-Fuzz sets the compiler, its flags, the engine and the folders in the environment;
# nothing is downloaded.
# If $WORK and $OUT are kept, only changes are rebuilt. `scripts/oss-fuzz` runs this without the image.
set -o pipefail
cd "$SRC/tracelint"
. fuzz/seeds.bash
build=$WORK/tracelint seeds=$build/seeds

# No build type, as its flags would override those of the environment. zlib is linked statically, since it need not be
# installed where the targets run.
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DTRACELINT_FUZZERS=ON -DTRACELINT_AGREEMENT=ON \
    -DZLIB_USE_STATIC_LIBS=ON -DTRACELINT_FUZZING_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$build" --target fuzzers

fuzz_prepare "$build" "$seeds"
for target in $(fuzz_targets "$seeds"); do
    cp "$build/tracelint_fuzzer" "$OUT/$target"
    rm -f "$OUT/${target}_seed_corpus.zip"
    (cd "$seeds" && zip -q -r "$OUT/${target}_seed_corpus.zip" $(fuzz_seeds . "$target"))
    fuzz_dictionary "$seeds" "$target" >"$OUT/$target.dict"
    cp fuzz/targets.options "$OUT/$target.options"
done

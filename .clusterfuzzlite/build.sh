#!/usr/bin/env bash
# Builds every fuzz target into $OUT, each with its dictionary, its corpus and its options. Expects what
# ClusterFuzzLite sets: SRC, OUT, FUZZING_ENGINE (libfuzzer), SANITIZER (address, none or coverage).
set -euo pipefail
cd "${SRC:?}/pi-repair"
: "${OUT:?}"

if [ "${FUZZING_ENGINE:-libfuzzer}" != libfuzzer ]; then
  echo "build.sh: the targets are libFuzzer's, not ${FUZZING_ENGINE}'s" >&2
  exit 1
fi
case ${SANITIZER:-address} in
  address) sanitizer=address ;;
  none | coverage) sanitizer=none ;;
  *) echo "build.sh: there is no build with the sanitizer $SANITIZER" >&2; exit 1 ;;
esac

cargo fuzz build --sanitizer "$sanitizer"
triple=$(rustc -vV | sed -n 's/^host: //p')
for target in $(cargo fuzz list); do
  cp "fuzz/target/$triple/release/$target" "$OUT/"
  cp fuzz/tokens.dict "$OUT/$target.dict"
  printf '[libfuzzer]\ntimeout = 30\nrss_limit_mb = 2048\nmax_len = 8192\n' > "$OUT/$target.options"
  if [ -d "fuzz/corpus/$target" ]; then
    (cd "fuzz/corpus/$target" && rm -f "$OUT/${target}_seed_corpus.zip" && zip -q -r "$OUT/${target}_seed_corpus.zip" .)
  fi
done

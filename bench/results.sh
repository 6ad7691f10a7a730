#!/usr/bin/env bash
# Makes the result files of this machine's standard device: bench/results.sh NAME [LARGEST], as in
#   bench/results.sh pocl 2^26
# Writes bench/results/NAME*.{json,csv,txt}; half an hour or less. Leave the machine alone meanwhile.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
name=${1:?usage: bench/results.sh NAME [LARGEST]}
largest=${2:-2^26}
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
out=$here/results
mkdir -p "$out"

"$cli" check all --json > "$out/$name-check.json" || true
"$cli" measure all --sizes "2^10..$largest" --limit 0.2 -o "$out/$name.json" -o "$out/$name.csv" || true
"$cli" measure sync-every-item,sync-leaders,sync-flags --n 2048 --type int --group 1024,64,32 \
  --set ROUNDS=500000 --repeat 3 --no-references -o "$out/$name-sync.json" || true
: > "$out/$name-trials.txt"
for case in \
  'span-modulo --n 8 --group 4' \
  'span-modulo --n 8 --group 4 --set BARRIER=group' \
  'span-modulo --n 1024 --group 256 --set BARRIER=group' \
  'span-modulo --n 65536 --group 256 --set BARRIER=group' \
  'ladder-5-unrolled --n 65536 --group 256' \
  'local-tree --n 65536 --group 256 --set BARRIER_LOOP=off' \
  'local-master --n 65536 --group 256 --set BARRIER_LOAD=off'
do
  # shellcheck disable=SC2086  # words of one line
  "$cli" trials $case --count 1000 >> "$out/$name-trials.txt" || true
done
"$here/peers.sh" "$out/$name-peers" "2^10..$largest" 20

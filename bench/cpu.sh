#!/usr/bin/env bash
# Ours beside OpenMP, TBB and the read ceiling on the processor, by PoCL: in one process all of them in
# turns, then each alone in its process, size by size; three rounds of it. And what a launch costs.
#   bench/cpu.sh OUT [SIZES]
# Writes OUT/{turns,alone,peer-openmp,peer-tbb}-ROUND.json and OUT/empty-launch.json; bench/ratios.py OUT
# lays them side by side. Leave the machine alone meanwhile.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: bench/cpu.sh OUT [SIZES]}
sizes=${2:-2^20..2^27}
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
repeat=${REPEAT:-60} rounds=${ROUNDS:-3}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
g++ -std=c++17 -O3 -march=native -ffast-math -fopenmp "$here/peers/openmp.cpp" -o "$work/openmp"
g++ -std=c++17 -O3 -march=native -fopenmp-simd "$here/peers/tbb.cpp" -o "$work/tbb" -ltbb
g++ -std=c++17 -O2 "$here/peers/empty_launch.cpp" -o "$work/empty_launch" -lOpenCL

numbers=()
for part in ${sizes//,/ }; do
  part=${part//^/**}
  first=$((${part%%..*})) last=$((${part##*..}))
  for ((n = first; n <= last; n *= 2)); do numbers+=("$n"); done
done
if [[ ${SEARCH:-yes} == yes ]]; then
  "$cli" measure tile --sizes "$sizes" --shapes search --repeat 3 --no-references -o "$out/search.json"
fi
for ((round = 1; round <= rounds; ++round)); do
  "$cli" measure tile --sizes "$sizes" --repeat "$repeat" -o "$out/turns-$round.json" | sed 1,2d
  for n in "${numbers[@]}"; do
    "$cli" measure tile --sizes "$n" --repeat "$repeat" --no-references \
      -o "$work/alone-$n.json" | grep '^tile .*right'
    for peer in openmp tbb; do
      "$work/$peer" "$work/peer-$peer-$n.json" "$repeat" "$n"
    done
  done
  for who in alone peer-openmp peer-tbb; do  # one file of all sizes
    python3 -c 'import json, sys
files = [json.load(open(name)) for name in sys.argv[1:]]
files[0]["rows"] = sorted((row for file in files for row in file["rows"]), key=lambda row: row["n"])
json.dump(files[0], sys.stdout)' "$work/$who-"*.json >"$out/$who-$round.json"
  done
done
"$work/empty_launch" "$out/empty-launch.json" 500

#!/usr/bin/env bash
# The peers, each alone in its process, on the sizes of `measure --sizes`: OpenMP, TBB, CUB where nvcc
# and a GPU are, and Oclgrind, which runs our own kernel text. Each writes OUT/peer-NAME.json, in the
# form of `reduction-lab-cli measure -o`.
#   bench/peers.sh OUT [SIZES [REPEAT]]      bench/peers.sh out/peers 2^10..2^26 50
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: bench/peers.sh OUT [SIZES [REPEAT]]}
sizes=${2:-2^10..2^26}
repeat=${3:-50}
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The sizes as plain numbers, doubling over A..B.
numbers=()
plain() { echo $((${1//^/**})); }
for part in ${sizes//,/ }; do
  first=$(plain "${part%%..*}") last=$(plain "${part##*..}")
  for ((n = first; n <= last; n *= 2)); do numbers+=("$n"); done
done

run() {  # NAME COMMAND…: compiles with COMMAND -o, and runs
  local name=$1
  shift
  if ! "$@" -o "$work/$name"; then
    echo "$name: does not compile here, left out" >&2
    return
  fi
  "$work/$name" "$out/peer-$name.json" "$repeat" "${numbers[@]}" || echo "$name: failed" >&2
}
run openmp g++ -std=c++17 -O3 -march=native -ffast-math -fopenmp "$here/peers/openmp.cpp"
run tbb g++ -std=c++17 -O3 -march=native -fopenmp-simd "$here/peers/tbb.cpp" -ltbb
if ! command -v nvcc >/dev/null; then
  echo "cub: no nvcc here, left out" >&2
elif nvcc -std=c++17 -O3 -arch=native "$here/peers/cub.cu" -o "$work/cub"; then
  "$work/cub" "$out/peer-cub" "$repeat" 100 add float "${numbers[@]}" || echo "cub: failed" >&2
fi
# An interpreter of kernels takes seconds where others take microseconds: small sizes only.
if command -v oclgrind >/dev/null; then
  small=()
  for n in "${numbers[@]}"; do ((n <= 1 << 20)) && small+=("$n"); done
  IFS=,
  oclgrind "$cli" measure local-tree --group 64 --sizes "${small[*]}" --repeat 3 --no-references \
    -o "$out/peer-oclgrind.json" >/dev/null
else
  echo "oclgrind: not installed, left out" >&2
fi

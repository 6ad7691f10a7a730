#!/usr/bin/env bash
# Ours beside CUB on an NVIDIA GPU, each alone in its process, the processes in turn: sums of floats at
# 2^16 … 2^31, three processes of each, other operators and types at 2^28, one. Single calls and batches.
#   bench/gpu.sh OUT [SIZES [OTHERS_AT]]
# Writes OUT/{ours,cub}-OP-TYPE-ROUND{,-batch}.json; bench/ratios.py OUT lays them side by side.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: bench/gpu.sh OUT [SIZES [OTHERS_AT]]}
sizes=${2:-2^16..2^31}
others=${3:-2^28}
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
repeat=${REPEAT:-24} batch=${BATCH:-100} rounds=${ROUNDS:-3}
if ((repeat < 4 || batch < 10)); then
  echo 'REPEAT is 4 or more, BATCH 10 or more' >&2
  exit 2
fi
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -std=c++17 -O3 -arch=native "$here/peers/cub.cu" -o "$work/cub"

numbers() {  # SIZES: as plain numbers, doubling over A..B
  local part first last n
  for part in ${1//,/ }; do
    part=${part//^/**}
    first=$((${part%%..*})) last=$((${part##*..}))
    for ((n = first; n <= last; n *= 2)); do echo "$n"; done
  done
}
numbers "$sizes" >"$work/all"
awk '$1 <= 2^24' "$work/all" | paste -sd, >"$work/small"
awk '$1 > 2^24' "$work/all" | paste -sd, >"$work/large"

ours() {  # OP TYPE SIZES BATCH REPEAT FILE
  [[ -z $3 ]] || "$cli" measure tile --op "$1" --type "$2" --sizes "$3" --batch "$4" --repeat "$5" \
    --no-references -o "$6" | sed 1,2d
}
pair() {  # OP TYPE ROUND SMALL LARGE
  local name=$1-$2-$3
  ours "$1" "$2" "$4${4:+${5:+,}}$5" 1 "$repeat" "$out/ours-$name.json"
  ours "$1" "$2" "$4" "$batch" $((repeat / 4)) "$out/ours-$name-batch.json"
  ours "$1" "$2" "$5" $((batch / 10)) $((repeat / 4)) "$out/ours-$name-batch-large.json"
  # shellcheck disable=SC2046  # words
  "$work/cub" "$out/cub-$name" "$repeat" "$batch" "$1" "$2" $(tr , ' ' <<<"$4 $5")
}

kinds=('min float' 'max float' 'product float' 'add int' 'add uint' 'add long' 'add double')
search() {  # OP TYPE SIZES: for a launch shape, as a user would let it run once
  "$cli" measure tile --op "$1" --type "$2" --sizes "$3" --shapes search --repeat 3 --no-references |
    grep 'ran with'
}
if [[ ${SEARCH:-yes} == yes ]]; then
  search add float "$sizes"
  for kind in "${kinds[@]}"; do
    # shellcheck disable=SC2086  # two words
    [[ $others == none ]] || search $kind "$others"
  done
fi
for ((round = 1; round <= rounds; ++round)); do
  pair add float "$round" "$(<"$work/small")" "$(<"$work/large")"
done
for kind in "${kinds[@]}"; do
  # shellcheck disable=SC2086  # two words
  [[ $others == none ]] || pair $kind 1 '' "$(numbers "$others" | paste -sd,)"
done

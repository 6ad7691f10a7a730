#!/usr/bin/env bash
# One reduction over all devices of this machine, beside each of them alone:
#   bench/devices.sh NAME [POWER]        bench/devices.sh h200-x4
# 2^POWER floats a device (31: 8 GiB each, and as much host memory as all of them have), `tile`, 20
# rounds. Writes bench/results/NAME-devices.{json,csv,txt}. Only some devices: DEVICES=0:0,0:1; another
# program: CLI=…; another folder for the results: OUT=…. Leave the machine alone meanwhile.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
name=${1:?usage: bench/devices.sh NAME [POWER]}
power=${2:-31}
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
out=${OUT:-$here/results}
mkdir -p "$out"

devices=${DEVICES:-all}
if [[ $devices == all ]]; then
  count=$("$cli" devices | grep -cE '^[0-9]+:[0-9]+ ')  # its id begins a device's first line
else
  count=$(tr ',' '\n' <<<"$devices" | wc -l)
fi
n=$((count << power))
echo "$count devices, $n elements" >&2
time "$cli" measure tile --device "$devices" --sizes "$n" --repeat 20 --no-references \
  -o "$out/$name-devices.json" -o "$out/$name-devices.csv" | tee "$out/$name-devices.txt"

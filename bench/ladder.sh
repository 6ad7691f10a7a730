#!/usr/bin/env bash
# The ladder's steps in one run on the standard device, each in the form that its header means, and
# their chart: what each gains over the one before it, beside what was predicted.
#   bench/ladder.sh OUT [N]        as in bench/ladder.sh bench/results/ladder-pocl
# Writes OUT.json, with every sample, and OUT.svg; of N elements: 2^28 on a GPU, 2^24 elsewhere. A
# minute or two; leave the machine alone meanwhile. REPEAT: counted runs a row [20].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: bench/ladder.sh OUT [N]}
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
repeat=${REPEAT:-20}

largest=2^24
if "$cli" devices | grep -Eq '^ +kind +GPU'; then largest=2^28; fi
n=${2:-$largest}

# All steps and what they come after, but those of one group only (chapter B's first three).
mapfile -t asked < <("$cli" variants --json | python3 -c '
import json, sys
variants = json.load(sys.stdin)["variants"]
steps = [v for v in variants if v["after"]]
named = {v["id"] for v in steps} | {v["after"] for v in steps}
ids = [v["id"] for v in variants if v["id"] in named and not v["id"].startswith("block-")]
print(",".join(ids))
for setting in sorted({f"{k}={x}" for v in steps for k, x in v["predicted_with"].items()}):
    print("--set", setting, sep="\n")')
mkdir -p "$(dirname "$out")"
"$cli" measure "${asked[@]}" --sizes "$n" --repeat "$repeat" --no-references -o "$out.json" || true  # what cannot run here is told
"$cli" plot "$out.json" --chart ladder -o "$out.svg"

#!/usr/bin/env bash
# The time of tile against n, eight sizes an octave: flat, then linear, without a step.
#   bench/sweep.sh OUT [LARGEST]       as in bench/sweep.sh bench/results/sweep-pocl 24; 2^LARGEST at most
# Writes OUT.json, with every sample, and OUT.svg, and prints what bench/sweep.py makes of it. Leave the
# machine alone meanwhile. REPEAT: counted runs a size [30].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: bench/sweep.sh OUT [LARGEST]}
largest=${2:-24}
largest=${largest#2^}
if ! [[ $largest =~ ^[0-9]+$ ]] || ((largest < 11)); then
  echo "LARGEST is a power of two, 11 or more: 24 or 2^24" >&2
  exit 2
fi
cli=${CLI:-$here/../build/release/bin/reduction-lab-cli}
sizes=$(python3 -c "print(','.join(str(round(2 ** (i / 8))) for i in range(80, $largest * 8 + 1)))")
mkdir -p "$(dirname "$out")"
"$cli" measure tile --sizes "$sizes" --shapes table --repeat "${REPEAT:-30}" --no-references -o "$out.json" \
  >/dev/null
"$cli" plot "$out.json" --chart time --no-documents -o "$out.svg" || true  # without fonts
python3 "$here/sweep.py" "$out.json"

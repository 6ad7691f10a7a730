#!/usr/bin/env bash
# Draws the pixel icons anew from the two drawings beside this file; with a folder's name, there.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
to=${1:-.}
for size in 16 22 24 32 48 64 128 256 512; do
  drawing=reduction-lab.svg
  ((size <= 32)) && drawing=reduction-lab-small.svg
  rsvg-convert --width "$size" --height "$size" "$drawing" --output "$to/$size.png"
done

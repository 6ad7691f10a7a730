#!/usr/bin/env bash
# The window under Xvfb: milliseconds from the start of the process to its first frame (median of
# seven starts), and the processor time that it takes in ten idle seconds.
set -euo pipefail
lab=$(cd "$(dirname "$0")/.." && pwd)/build/release/bin/reduction-lab
home=$(mktemp -d)
exec 3< <(exec Xvfb -displayfd 1 -screen 0 2048x1536x24 2>/dev/null)
server=$!
trap 'kill $server; rm -rf "$home"' EXIT
read -r number <&3
export DISPLAY=:$number XDG_CONFIG_HOME=$home

start_and_quit() {
    "$lab" --stats > "$home/stats" &
    local pid=$!
    xdotool search --sync --onlyvisible --name 'Reduction Lab' >/dev/null
    sleep 2
    xdotool search --onlyvisible --name 'Reduction Lab' windowfocus key ctrl+q
    wait $pid
    sed -E 's/.*"first_frame_ms":([0-9.]+).*/\1/' "$home/stats"
}
start_and_quit >/dev/null  # fills the caches
printf 'first frame, ms: '
for _ in 1 2 3 4 5 6 7; do start_and_quit; done | sort -n | sed -n 4p

"$lab" & pid=$!
sleep 5
ticks() { read -ra stat < /proc/$pid/stat; echo $((stat[13] + stat[14])); }
before=$(ticks); sleep 10; after=$(ticks)
printf 'idle, %% of one processor: '
awk -v ticks=$((after - before)) -v rate="$(getconf CLK_TCK)" 'BEGIN { print ticks / rate * 10 }'
kill $pid
wait $pid 2>/dev/null || true

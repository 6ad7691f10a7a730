#!/usr/bin/env python3
"""Our `hazards` beside compute-sanitizer's racecheck, on small CUDA kernels that race in shared memory, and
on some that do not. Takes a machine with an NVIDIA GPU, nvcc and compute-sanitizer.

    bench/racecheck.py FOLDER [CLI]

Writes each kernel to FOLDER/NAME.cu with a main that launches it, and prints a table: the verdict of each
(an error or a warning of racecheck is a race), and how long it took, without the compiling.
"""
import pathlib
import re
import subprocess
import sys
import time

HEAD = """#include <cuda_runtime.h>
__global__ void k(const int* in, int* out) {
    __shared__ int s[128];
    const int t = threadIdx.x;
"""
MAIN = """}
int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(in, 1, 64 * sizeof(int));
    k<<<1, 64>>>(in, out);
    return cudaDeviceSynchronize();
}
"""
LOAD, WAIT = "s[t] = in[t];", "__syncthreads();"
TREE = "for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; %s }"
DONE = "if (t == 0) out[0] = s[0];"
RACES = {
    "tree_no_barrier_in_loop": [LOAD, WAIT, TREE % "", DONE],
    "tree_no_barrier_before": [LOAD, TREE % WAIT, DONE],
    "tree_barrier_every_other_turn": [LOAD, WAIT, TREE % "if (d != 16) __syncthreads();", DONE],
    "tree_last_warp_alone": [LOAD, WAIT, "if (t < 32) {", "for (int d = 32; d > 0; d /= 2) s[t] += s[t + d];", "}", DONE],
    "tree_growing_no_barrier": [LOAD, WAIT, "for (int d = 1; d < 64; d *= 2)", "if (t % (2 * d) == 0) s[t] += s[t + d];", DONE],
    "tree_fence_for_barrier": [LOAD, WAIT, TREE % "__threadfence_block();", DONE],
    "reverse_no_barrier": [LOAD, "out[t] = s[63 - t];"],
    "neighbour_at_once": [LOAD, WAIT, "if (t > 0) s[t] += s[t - 1];", WAIT, "out[t] = s[t];"],
    "scan_in_one_buffer": [LOAD, WAIT, "for (int d = 1; d < 64; d *= 2) {", "if (t >= d) s[t] += s[t - d];", WAIT, "}", "out[t] = s[t];"],
    "scan_same_half": [LOAD, WAIT, "for (int d = 1; d < 64; d *= 2) {", "s[t] = t >= d ? s[t] + s[t - d] : s[t];", WAIT, "}", "out[t] = s[t];"],
    "all_write_one": ["s[0] = t;", WAIT, "out[t] = s[0];"],
    "pairs_write_one": ["s[t / 2] = in[t];", WAIT, "out[t] = s[t / 2];"],
    "count_without_atomic": ["if (t < 4) s[t] = 0;", WAIT, "s[t % 4] += 1;", WAIT, "if (t < 4) out[t] = s[t];"],
    "least_without_atomic": ["if (t == 0) s[0] = in[0];", WAIT, "if (in[t] <= s[0]) s[0] = in[t] - t;", WAIT, DONE],
    "total_read_early": ["if (t == 0) s[0] = in[0];", "out[t] = s[0];"],
    "reused_too_early": [LOAD, WAIT, "const int x = s[63 - t];", "s[t] = x;", WAIT, "out[t] = s[t];"],
    "shift_by_half": [LOAD, WAIT, "s[(t + 32) % 64] = s[t];", WAIT, "out[t] = s[t];"],
    "one_by_one_and_all": ["if (t == 0) for (int i = 0; i < 64; ++i) s[i] = in[i];", "out[t] = s[t];"],
    "warps_hand_over": ["if (t < 32) s[t] = in[t];", "__syncwarp();", "if (t >= 32) out[t] = s[t - 32];"],
    "barrier_of_last_turn": [LOAD, WAIT, "int x = 0;", "for (int i = 0; i < 2; ++i) {", "x += s[(t + 1) % 64];", "s[t] = x;", WAIT, "}", "out[t] = x;"],
}
SOUND = {
    "tree": [LOAD, WAIT, TREE % WAIT, DONE],
    "reverse": [LOAD, WAIT, "out[t] = s[63 - t];"],
    "scan_two_barriers": [LOAD, WAIT, "for (int d = 1; d < 64; d *= 2) {", "const int x = t >= d ? s[t - d] : 0;", WAIT, "s[t] += x;", WAIT, "}", "out[t] = s[t];"],
    "scan_two_buffers": [LOAD, WAIT, "int from = 0;", "for (int d = 1; d < 64; d *= 2) {", "s[64 - from + t] = s[from + t] + (t >= d ? s[from + t - d] : 0);", "from = 64 - from;", WAIT, "}", "out[t] = s[from + t];"],
    "count_by_atomics": ["if (t < 4) s[t] = 0;", WAIT, "atomicAdd(&s[t % 4], 1);", WAIT, "if (t < 4) out[t] = s[t];"],
    "tree_by_shuffles": ["int x = in[t];", "for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);", "if (t % 32 == 0) s[t / 32] = x;", WAIT, "if (t == 0) out[0] = s[0] + s[1];"],
}


def timed(command):
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done, time.monotonic() - start


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    cli = sys.argv[2] if len(sys.argv) == 3 else str(pathlib.Path(__file__).parent.parent / "build/release/bin/reduction-lab-cli")
    folder.mkdir(parents=True, exist_ok=True)
    agree = 0
    print(f"{'kernel':32}{'it races':10}{'hazards':>10}{'s':>8}{'racecheck':>12}{'s':>8}")
    for name, lines, races in [(n, b, True) for n, b in RACES.items()] + [(n, b, False) for n, b in SOUND.items()]:
        file = folder / f"{name}.cu"
        file.write_text(HEAD + "".join(f"    {line}\n" for line in lines) + MAIN)
        ours, ours_s = timed([cli, "hazards", str(file)])
        verdict = {0: "none", 1: "race"}.get(ours.returncode, f"exit {ours.returncode}")
        subprocess.run(["nvcc", "-arch=native", "-lineinfo", "-o", file.with_suffix(""), file], check=True)
        theirs, theirs_s = timed(["compute-sanitizer", "--tool", "racecheck", "--racecheck-report", "all",
                                  str(file.with_suffix(""))])
        found = re.search(r"RACECHECK SUMMARY: (\d+) hazard", theirs.stdout)
        other = "?" if not found else "race" if int(found[1]) else "none"
        agree += verdict == other
        print(f"{name:32}{'yes' if races else 'no':10}{verdict:>10}{ours_s:8.2f}{other:>12}{theirs_s:8.2f}")
    print(f"{agree} of {len(RACES) + len(SOUND)} verdicts are the same")


if __name__ == "__main__":
    main()

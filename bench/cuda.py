#!/usr/bin/env python3
"""CUDA texts on an OpenCL device, as `text --as opencl` prints them, against the simulator.

    bench/cuda.py [FILE.cu...] [--cli PROGRAM] [--device 0:0] [--count 200] [-o FILE.txt]

Without files: those of lesson 4, in blocks as large as document B's, and small ones below, each of which shows
something that the printing changes: references, templates, shared memory of functions and of the launch,
structures with functions, atomics with orders, tiles. Each runs `--count` times on the device; the simulator
says what may come out, and what no schedule of its gives is a difference. What a device cannot build is said.
It takes some two minutes. Ends with 1 if there is a difference.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LESSON = ROOT / "assets/lessons/04-many-groups"
# Name, and options beside those that all of them have.
LISTINGS = [("one_loop", "--n 1000 --group 1"), ("one_block", "--n 2048 --group 1024"),
            ("one_block_shrinking", "--n 2048 --group 1024"),
            ("one_block_shared", "--set BLOCK_DIM=1024 --n 2048 --group 1024"),
            ("many_blocks", "--set BLOCK_DIM=256 --n 4000 --group 256"),
            ("many_blocks", "--set BLOCK_DIM=2 --group 2 --input 16777216,0,0,0,1,0,0,0,1,0,0,0"),
            ("many_blocks_coarsened", "--set BLOCK_DIM=256 --n 4000 --group 256"),
            ("many_blocks_coarsened", "--set COARSEN_FACTOR=8 --set BLOCK_DIM=32 --n 2000 --group 32")]
SMALL = {
    "references": """
template <typename T> __device__ void keep(T& to, T x) { if (x > to) to = x; }
__global__ void k(const int* in, int* out) {
    __shared__ int most; int own = 0;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    keep(own, in[blockIdx.x * blockDim.x + threadIdx.x]);
    atomicMax(&most, own);
    __syncthreads();
    if (threadIdx.x == 0) keep(out[blockIdx.x], most);
}
int main() { int *a, *b; cudaMalloc(&a, 256 * sizeof(int)); cudaMalloc(&b, 4 * sizeof(int)); k<<<4, 64>>>(a, b); }
""",
    "shared-of-the-launch": """
template <typename T> struct Shared { __device__ operator T*() { extern __shared__ int s[]; return (T*)s; } };
template <typename T> __device__ T total(T x) {
    T* s = Shared<T>();
    s[threadIdx.x] = x;
    for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) s[threadIdx.x] += s[threadIdx.x + step];
    }
    __syncthreads();
    return s[0];
}
__global__ void k(float* o) { o[blockIdx.x * blockDim.x + threadIdx.x] += total(float(threadIdx.x)); }
int main() { float* a; cudaMalloc(&a, 256 * sizeof(float)); k<<<2, 128, 128 * sizeof(float)>>>(a); }
""",
    "structures": """
struct Largest {
    int value, at;
    __device__ Largest operator+(Largest b) const { return b.value > value ? b : Largest{value, at}; }
};
__global__ void k(const int* in, int* out) {
    __shared__ Largest s[64];
    const int l = threadIdx.x;
    s[l] = Largest{in[l] * 37 % 64, l};
    for (int step = 32; step > 0; step /= 2) {
        __syncthreads();
        if (l < step) s[l] = s[l] + s[l + step];
    }
    if (l == 0) { out[0] = s[0].value; out[1] = s[0].at; }
}
int main() { int *a, *b; cudaMalloc(&a, 64 * sizeof(int)); cudaMalloc(&b, 2 * sizeof(int)); k<<<1, 64>>>(a, b); }
""",
    "ticket": """
#include <cuda/atomic>
__device__ int sum_of(const int* part, unsigned n) { int s = 0; for (unsigned i = 0; i < n; ++i) s += part[i]; return s; }
__global__ void k(int* part, unsigned* taken, int* out) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, int(blockIdx.x + threadIdx.x));
    __syncthreads();
    if (threadIdx.x > 0) return;
    part[blockIdx.x] = s;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket(*taken);
    if (ticket.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1) *out = sum_of(part, gridDim.x);
}
int main() {
    int *a, *c; unsigned* b;
    cudaMalloc(&a, 16 * sizeof(int)); cudaMalloc(&b, sizeof(int)); cudaMalloc(&c, sizeof(int));
    k<<<16, 32>>>(a, b, c);
}
""",
    "atomics": """
__global__ void k(int* i, unsigned* u, float* f, unsigned long long* l) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(i, x); atomicSub(i + 1, x); atomicMin(i + 2, -x); atomicMax(i + 3, x); atomicXor(i + 4, x);
    atomicInc(u, 99); atomicDec(u + 1, 99); atomicAnd(u + 2, ~(1u << x % 32)); atomicOr(u + 3, 1u << x % 32);
    atomicAdd(f, 0.5f); atomicAdd(l, 1ull << 33);
    if (atomicCAS(i + 5, 0, 7) == 0) atomicExch(f + 1, 2.5f);
}
int main() {
    int* i; unsigned* u; float* f; unsigned long long* l;
    cudaMalloc(&i, 6 * sizeof(int)); cudaMalloc(&u, 4 * sizeof(int)); cudaMalloc(&f, 2 * sizeof(float));
    cudaMalloc(&l, 8); k<<<4, 64>>>(i, u, f, l);
}
""",
    "copies": """
struct Four { float a, b, c, d; };
__global__ void k(const Four* in, Four* out) {
    __shared__ Four s[32];
    const int l = threadIdx.x;
    memset(&s[l], 0, sizeof(Four));
    memcpy(&s[l], &in[l], 2 * sizeof(float));
    assert(s[l].d == 0);
    __syncthreads();
    out[l] = s[31 - l];
}
int main() { Four *a, *b; cudaMalloc(&a, 512); cudaMalloc(&b, 512); k<<<1, 32>>>(a, b); }
""",
    "tiles": """
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int* o) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = threadIdx.x;
    for (int step = 16; step > 0; step /= 2) v += tile.shfl_down(v, step);
    if (tile.thread_rank() == 0) o[blockIdx.x * 2 + tile.meta_group_rank()] = v;
}
int main() { int* a; cudaMalloc(&a, 4 * sizeof(int)); k<<<2, 64>>>(a); }
""",
    "a-race": """
__global__ void k(int* o) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    o[threadIdx.x] = s[63 - threadIdx.x] & 1;
}
int main() { int* a; cudaMalloc(&a, 64 * sizeof(int)); k<<<1, 64>>>(a); }
"""}


def trial(options, file, words):
    program = [options.cli, "trials", str(file), "--count", str(options.count), "--json", *words]
    if options.device:
        program += ["--device", options.device]
    environment = {"REDUCTION_LAB_DATA": str(ROOT), **os.environ}
    start = time.monotonic()
    try:
        done = subprocess.run(program, capture_output=True, text=True, errors="replace", env=environment,
                              timeout=options.seconds)
    except subprocess.TimeoutExpired:
        return "no answer", f"within {options.seconds:g} s", options.seconds
    took = time.monotonic() - start
    if not done.stdout.strip():
        said = [line for line in done.stderr.splitlines() if line.lstrip().startswith(("error:", "why:"))]
        return "not run", " ".join(" ".join(said).split())[:200] or done.stderr[-200:], took
    found = json.loads(done.stdout)
    same = sum(each["count"] for each in found["results"] if each["right"])
    predicted = found["predicted"]
    if found["unforeseen"] and predicted["complete"]:
        return "DIFFER", f"no schedule gives {found['unforeseen'][0]}; {found['expected']} is expected", took
    if same == found["count"]:
        return "the same", f"{found['count']} runs", took
    if predicted["results"] and len(predicted["results"]) > 1 or not predicted["complete"]:
        return "as foreseen", f"{same} of {found['count']} as in the usual order, {len(found['results'])} results", took
    return "DIFFER", f"{same} of {found['count']} runs; {found['results'][0]['result']}", took


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    options.add_argument("files", nargs="*", type=pathlib.Path)
    options.add_argument("--cli", default=str(ROOT / "build/release/bin/reduction-lab-cli"))
    options.add_argument("--device", default="")
    options.add_argument("--count", type=int, default=200)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("-o", dest="output", type=pathlib.Path)
    options = options.parse_args()
    lines, differ = [], False

    def tell(name, file, words=()):
        nonlocal differ
        verdict, said, took = trial(options, file, words)
        differ |= verdict == "DIFFER"
        lines.append(f"{name:32}  {verdict:12} {took:6.1f} s  {said}")
        print(lines[-1], flush=True)

    with tempfile.TemporaryDirectory() as folder:
        if options.files:
            for file in options.files:
                tell(file.name, file)
        else:
            for name, words in LISTINGS:
                tell(name, LESSON / f"{name}.cu", ["--type", "float", *words.split()])
            for name, text in SMALL.items():
                file = pathlib.Path(folder) / f"{name}.cu"
                file.write_text(text)
                tell(name, file)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    sys.exit(differ)


if __name__ == "__main__":
    main()

// Random kernels in CUDA, each with what a hand would write for it in OpenCL C.
#pragma once

#include <fmt/format.h>

#include <array>
#include <random>
#include <string>

namespace lab {

struct CudaTwins {
    std::string cuda, opencl;
};

// Both work on `int* o`: of 16 numbers each work-item has one, the three behind them are for
// atomics, a sum, a maximum and a mask. Two groups of eight; the tiles are as wide as kTwinLanes.
constexpr std::uint64_t kTwinItems = 16, kTwinGroup = 8, kTwinNumbers = kTwinItems + 3;
constexpr std::uint32_t kTwinLanes = 4;

class CudaTwinMaker {
  public:
    // `tiles`: with what takes sub-groups in OpenCL C.
    CudaTwinMaker(unsigned seed, bool tiles) : random_(seed), tiles_(tiles) {}

    CudaTwins twins() {
        const std::string body = "    int v = o[g];\n";
        made_ = {
            "#include <cooperative_groups.h>\n#include <cuda/atomic>\n"
            "namespace cg = cooperative_groups;\n"
            "template <typename T> struct Larger {\n"
            "    __device__ T operator()(T a, T b) const { return a > b ? a : b; }\n};\n"
            "template <int By, typename T> __device__ T turned(T x) { return x * By ^ x >> 3; }\n"
            "__device__ void add_to(int& to, int x) { to += x; }\n"
            "__device__ int all_of_it(int* s) { int sum = 0;\n"
            "    for (int i = 0; i < 8; ++i) sum += s[i];\n    return sum; }\n"
            "__global__ void k(int* o) {\n    __shared__ int s[8];\n"
            "    const int l = threadIdx.x, g = blockIdx.x * blockDim.x + l;\n"
            "    cg::thread_block block = cg::this_thread_block();\n" +
                std::string(tiles_ ? "    auto tile = cg::tiled_partition<4>(block);\n" : "") +
                body,
            "int larger(int a, int b) { return a > b ? a : b; }\n"
            "int turned_3(int x) { return x * 3 ^ x >> 3; }\n"
            "int all_of_it(local int* s) { int sum = 0;\n"
            "    for (int i = 0; i < 8; ++i) sum += s[i];\n    return sum; }\n"
            "kernel void k(global int* o) {\n    local int s[8];\n"
            "    const int l = get_local_id(0), g = get_group_id(0) * get_local_size(0) + l;\n" +
                std::string(tiles_ ? "    const uint lane = get_sub_group_local_id();\n" : "") +
                body};
        for (int i = 3 + any(5); i > 0; --i)
            statement(0);
        add("    o[g] = v;\n}\n", "    o[g] = v;\n}\n");
        return made_;
    }

  private:
    int any(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    void add(const std::string& cuda, const std::string& opencl) {
        made_.cuda += cuda;
        made_.opencl += opencl;
    }
    void both(const std::string& text) { add(text, text); }

    // Small, so that nothing overflows: an int's overflow is undefined.
    std::string number(int depth = 0) {
        constexpr std::array kSigns{"+", "-", "^", "|", "&"};
        switch (depth > 1 ? any(3) : any(5)) {
            case 0:
                return "l";
            case 1:
                return std::to_string(1 + any(9));
            case 2:
                return "(v & 255)";
            default:
                return fmt::format("({} {} {})", number(depth + 1), kSigns[random_() % 5],
                                   number(depth + 1));
        }
    }

    std::string global_barrier() {
        constexpr std::array kCalls{"__syncthreads()", "block.sync()",
                                    "cg::this_thread_block().sync()", "cg::sync(block)"};
        return kCalls[random_() % kCalls.size()];
    }

    void exchange() {
        const std::string barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)";
        both(fmt::format("    s[l] = {};\n", number()));
        add(fmt::format("    {};\n", global_barrier()), fmt::format("    {};\n", barrier));
        if (any(3) == 0)
            both("    v = (v + all_of_it(s)) & 65535;\n");
        else
            both(fmt::format("    v = (v ^ s[(l + {}) & 7]) & 65535;\n", 1 + any(7)));
        add(fmt::format("    {};\n", global_barrier()), fmt::format("    {};\n", barrier));
    }

    void atomic() {
        struct Pair {
            const char *cuda, *reference, *opencl, *explicit_;
        };
        constexpr std::array kPairs{
            Pair{"atomicAdd", "fetch_add", "atomic_add", "atomic_fetch_add_explicit"},
            Pair{"atomicMax", "fetch_max", "atomic_max", "atomic_fetch_max_explicit"},
            Pair{"atomicOr", "fetch_or", "atomic_or", "atomic_fetch_or_explicit"}};
        constexpr std::array kOrders{"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
        const int which = any(3);
        const Pair& pair = kPairs[static_cast<std::size_t>(which)];
        const std::string cell = fmt::format("o[{}]", 16 + which), value = number(1);
        if (any(2) == 0) {
            add(fmt::format("    {}(&{}, {});\n", pair.cuda, cell, value),
                fmt::format("    {}(&{}, {});\n", pair.opencl, cell, value));
            return;
        }
        const char* order = kOrders[random_() % kOrders.size()];
        add(fmt::format("    {{\n        cuda::atomic_ref<int, cuda::thread_scope_device> r({});\n"
                        "        r.{}({}, cuda::memory_order_{});\n    }}\n",
                        cell, pair.reference, value, order),
            fmt::format("    {}((volatile global atomic_int*)&{}, {}, memory_order_{}, "
                        "memory_scope_device);\n",
                        pair.explicit_, cell, value, order));
    }

    // All lanes of a warp come to it.
    void tile() {
        const std::string x = number();
        switch (any(6)) {
            case 0:
                add(fmt::format("    v ^= tile.shfl_xor({}, 1);\n", x),
                    fmt::format("    v ^= sub_group_shuffle({}, lane ^ 1);\n", x));
                break;
            case 1:
                add(fmt::format("    v ^= tile.shfl_down({}, 1);\n", x),
                    fmt::format("    v ^= sub_group_shuffle({}, lane < 3 ? lane + 1 : lane);\n",
                                x));
                break;
            case 2:
                add(fmt::format("    v ^= tile.any(({} & 4) != 0) ? 5 : 6;\n", x),
                    fmt::format("    v ^= sub_group_any(({} & 4) != 0) ? 5 : 6;\n", x));
                break;
            case 3:
                add(fmt::format("    v ^= tile.ballot(({} & 2) != 0);\n", x),
                    fmt::format("    v ^= sub_group_ballot(({} & 2) != 0).x;\n", x));
                break;
            case 4:
                add(fmt::format("    v ^= cg::reduce(tile, {}, cg::greater<int>());\n", x),
                    fmt::format("    v ^= sub_group_reduce_max({});\n", x));
                break;
            default:
                add(fmt::format("    v ^= __shfl_sync(0xf, {}, 2) + tile.thread_rank();\n", x),
                    fmt::format("    v ^= sub_group_shuffle({}, 2) + lane;\n", x));
        }
    }

    void statement(int depth) {
        const int kind = any(depth > 0 ? 5 : tiles_ ? 11 : 9);
        switch (kind) {
            case 0:
                both(fmt::format("    v = {} & 65535;\n", number()));
                break;
            case 1: {
                const std::string x = number();
                add(fmt::format("    add_to(v, {});\n", x), fmt::format("    v += {};\n", x));
                break;
            }
            case 2: {
                const std::string x = number(1);
                add(fmt::format("    {{\n        const int x = {};\n"
                                "        v = Larger<int>()(v, x);\n        assert(v >= x);\n"
                                "    }}\n",
                                x),
                    fmt::format("    v = larger(v, {});\n", x));
                break;
            }
            case 3:
                add("    v = turned<3>(v & 255);\n", "    v = turned_3(v & 255);\n");
                break;
            case 4:
                atomic();
                break;
            case 5:
            case 6:
                exchange();
                break;
            case 7: {
                both(fmt::format("    if (({} & 1) != 0) {{\n", number()));
                statement(1);
                both("    } else {\n");
                statement(1);
                both("    }\n");
                break;
            }
            case 8: {
                both(fmt::format("    for (int i = 0; i < {}; ++i) {{\n", 1 + any(3)));
                statement(1);
                both("    }\n");
                break;
            }
            default:
                tile();
        }
    }

    std::mt19937 random_;
    bool tiles_;
    CudaTwins made_;
};

}  // namespace lab

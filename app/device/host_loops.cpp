#include "device/benchmark_cases.h"

#include <omp.h>

#include <array>
#include <execution>
#include <numeric>
#include <type_traits>
#include <vector>

namespace lab::device {
namespace {

// As COMBINE of a kernel: integers wrap, float min and max ignore NaN.
template <typename N, catalogue::Op kOp>
struct Combine {
    N operator()(N a, N b) const {
        if constexpr (kOp == catalogue::Op::min) {
            if constexpr (std::is_floating_point_v<N>) return b < a || a != a ? b : a;
            return b < a ? b : a;
        } else if constexpr (kOp == catalogue::Op::max) {
            if constexpr (std::is_floating_point_v<N>) return b > a || a != a ? b : a;
            return b > a ? b : a;
        } else if constexpr (std::is_floating_point_v<N>) {
            return kOp == catalogue::Op::add ? a + b : a * b;
        } else {
            using U = std::make_unsigned_t<N>;
            const auto x = static_cast<U>(a);
            const auto y = static_cast<U>(b);
            return static_cast<N>(kOp == catalogue::Op::add ? x + y : x * y);
        }
    }
};

template <typename N, catalogue::Op kOp>
N serial(N sum, std::span<const N> x) {
    for (const N value : x)
        sum = Combine<N, kOp>()(sum, value);
    return sum;
}

// Enough sums side by side that no addition waits for the one before it.
constexpr std::size_t kLanes = 64;

template <typename N, catalogue::Op kOp>
[[gnu::always_inline]] inline N in_lanes(N neutral, const N* x, std::size_t n) {
    std::array<N, kLanes> sums;
    sums.fill(neutral);
    const std::size_t whole = n - n % kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes)
#pragma omp simd
        for (std::size_t k = 0; k < kLanes; ++k)
            sums[k] = Combine<N, kOp>()(sums[k], x[i + k]);
    for (std::size_t i = whole; i < n; ++i)
        sums[i - whole] = Combine<N, kOp>()(sums[i - whole], x[i]);
    return serial<N, kOp>(neutral, std::span<const N>(sums));
}

// The same loop for the widest vectors that the processor has.
template <typename N, catalogue::Op kOp>
using Loop = N (*)(N, const N*, std::size_t);

template <typename N, catalogue::Op kOp>
N any_lanes(N neutral, const N* x, std::size_t n) {
    return in_lanes<N, kOp>(neutral, x, n);
}
#ifdef __x86_64__
#ifdef __clang__  // which takes no preference in a function's target
#define WIDEST_TARGET "avx512f,avx512dq"
#else
#define WIDEST_TARGET "avx512f,avx512dq,prefer-vector-width=512"
#endif
template <typename N, catalogue::Op kOp>
[[gnu::target("avx2")]] N avx2_lanes(N neutral, const N* x, std::size_t n) {
    return in_lanes<N, kOp>(neutral, x, n);
}
template <typename N, catalogue::Op kOp>
[[gnu::target(WIDEST_TARGET)]] N avx512_lanes(N neutral, const N* x, std::size_t n) {
    return in_lanes<N, kOp>(neutral, x, n);
}
#endif

template <typename N, catalogue::Op kOp>
Loop<N, kOp> widest_loop() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512dq")) return avx512_lanes<N, kOp>;
    if (__builtin_cpu_supports("avx2")) return avx2_lanes<N, kOp>;
#endif
    return any_lanes<N, kOp>;
}

template <typename N, catalogue::Op kOp>
N openmp(N neutral, std::span<const N> x) {
    static const Loop<N, kOp> loop = widest_loop<N, kOp>();
    std::vector<N> parts(static_cast<std::size_t>(omp_get_max_threads()), neutral);
#pragma omp parallel
    {
        const auto thread = static_cast<std::size_t>(omp_get_thread_num());
        const auto threads = static_cast<std::size_t>(omp_get_num_threads());
        const std::size_t first = x.size() * thread / threads;
        const std::size_t end = x.size() * (thread + 1) / threads;
        parts[thread] = loop(neutral, x.data() + first, end - first);
    }
    return serial<N, kOp>(neutral, std::span<const N>(parts));
}

template <typename N, catalogue::Op kOp>
N tbb(N neutral, std::span<const N> x) {
    return std::reduce(std::execution::par_unseq, x.begin(), x.end(), neutral, Combine<N, kOp>());
}

enum class Way : std::uint8_t { serial, openmp, tbb };

template <Way kWay, typename N, catalogue::Op kOp>
catalogue::Values by(catalogue::Values neutral, std::span<const std::byte> bytes) {
    const std::span<const N> x(reinterpret_cast<const N*>(bytes.data()), bytes.size() / sizeof(N));
    N& value = std::get<std::vector<N>>(neutral)[0];
    if constexpr (kWay == Way::serial) value = serial<N, kOp>(value, x);
    if constexpr (kWay == Way::openmp) value = openmp<N, kOp>(value, x);
    if constexpr (kWay == Way::tbb) value = tbb<N, kOp>(value, x);
    return neutral;
}

template <Way kWay>
catalogue::Values reduced(catalogue::Op op, catalogue::Type type,
                          std::span<const std::byte> bytes) {
    const catalogue::Values neutral = identity(op, type);
    return std::visit(
        [&](const auto& of) {
            using N = typename std::decay_t<decltype(of)>::value_type;
            switch (op) {
                case catalogue::Op::add:
                    return by<kWay, N, catalogue::Op::add>(neutral, bytes);
                case catalogue::Op::min:
                    return by<kWay, N, catalogue::Op::min>(neutral, bytes);
                case catalogue::Op::max:
                    return by<kWay, N, catalogue::Op::max>(neutral, bytes);
                case catalogue::Op::product:
                    return by<kWay, N, catalogue::Op::product>(neutral, bytes);
            }
            return neutral;
        },
        neutral);
}

void nothing() {}

void make_threads() {
#pragma omp parallel
    {}
}

void end_threads() {
    omp_pause_resource_all(omp_pause_hard);
}

std::uint64_t one_after_another(std::uint64_t n) {
    return n;
}

std::uint64_t lanes_and_threads(std::uint64_t n) {
    const auto threads = static_cast<std::uint64_t>(omp_get_max_threads());
    return n / threads / kLanes + 1 + kLanes + threads;
}

constexpr std::array kHostLoops{
    HostLoop{"cpu-serial", "Serial loop", reduced<Way::serial>, nothing, nothing,
             one_after_another},
    HostLoop{"cpu-openmp", "OpenMP SIMD", reduced<Way::openmp>, make_threads, end_threads,
             lanes_and_threads},
    HostLoop{"cpu-tbb", "TBB std::reduce", reduced<Way::tbb>, nothing, nothing, one_after_another},
};

}  // namespace

std::span<const HostLoop> host_loops() {
    return kHostLoops;
}

}  // namespace lab::device

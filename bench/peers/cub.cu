// CUB, NVIDIA's own: DeviceReduce, single calls and batches of calls, of any type and operator that
// our kernels have.
//   cub OUT REPEAT BATCH OP TYPE N...
// writes OUT.json (REPEAT single calls a size) and OUT-batch.json (REPEAT / 4 batches of BATCH calls
// at sizes up to 2^24, of BATCH / 10 above), in the form of `reduction-lab-cli measure -o`.
//
// How it is counted. Device time of a single call: CUDA events right before and after it. Wall time:
// from before the call until its result is on the host by cudaMemcpy, without events, in a call of
// its own. Device time of a batch: the two events around all its calls, by their number. Each call
// finds another copy of the input, so that none is in the cache.
#include <cub/device/device_reduce.cuh>
#include <limits>
#include <type_traits>

#include "peer.h"

namespace {

void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(3);
}

struct Add {
    static constexpr const char* name = "add";
    template <typename T>
    static cudaError_t reduce(void* scratch, std::size_t& bytes, const T* in, T* out, std::size_t n) {
        return cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
    }
    template <typename T>
    static T host(T a, T b) {
        return a + b;
    }
};
struct Min {
    static constexpr const char* name = "min";
    template <typename T>
    static cudaError_t reduce(void* scratch, std::size_t& bytes, const T* in, T* out, std::size_t n) {
        return cub::DeviceReduce::Min(scratch, bytes, in, out, n);
    }
    template <typename T>
    static T host(T a, T b) {
        return b < a ? b : a;
    }
};
struct Max {
    static constexpr const char* name = "max";
    template <typename T>
    static cudaError_t reduce(void* scratch, std::size_t& bytes, const T* in, T* out, std::size_t n) {
        return cub::DeviceReduce::Max(scratch, bytes, in, out, n);
    }
    template <typename T>
    static T host(T a, T b) {
        return a < b ? b : a;
    }
};
struct Times {
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const {
        return a * b;
    }
};
struct Product {
    static constexpr const char* name = "product";
    template <typename T>
    static cudaError_t reduce(void* scratch, std::size_t& bytes, const T* in, T* out, std::size_t n) {
        return cub::DeviceReduce::Reduce(scratch, bytes, in, out, n, Times{}, T(1));
    }
    template <typename T>
    static T host(T a, T b) {
        return a * b;
    }
};

// Floating: in [0, 1), of a product 1 and -1 with a few near 1, as ours. Integers: from 0 to 2^31.
template <typename T, typename Op>
T element_of(std::uint64_t index) {
    const double part = static_cast<double>(peer::element(index));
    if constexpr (std::is_floating_point_v<T> && std::is_same_v<Op, Product>)
        return static_cast<T>(index % 65536 == 7 ? 1 + (part - 0.5) * 0x1p-13 : part < 0.5 ? -1 : 1);
    else if constexpr (std::is_floating_point_v<T>)
        return static_cast<T>(part);
    else
        return static_cast<T>(part * 0x1p31);
}

// Pairwise; of floats in double.
template <typename Op, typename Wide, typename T>
Wide expected(const T* x, std::size_t n) {
    if (n == 1) return static_cast<Wide>(x[0]);
    return Op::template host<Wide>(expected<Op, Wide>(x, n / 2), expected<Op, Wide>(x + n / 2, n - n / 2));
}

struct Samples {
    std::vector<double> device_ms, wall_ms;
};

template <typename T, typename Op>
class Cub {
  public:
    explicit Cub(std::size_t n) : n_(n) {
        constexpr std::size_t kCache = std::size_t{64} << 20U;
        const std::size_t bytes = n * sizeof(T);
        copies_ = bytes > 4 * kCache ? 1 : std::max<std::size_t>(2, 2 * kCache / bytes);
        std::vector<T> input(n);
        for (std::size_t i = 0; i < n; ++i)
            input[i] = element_of<T, Op>(i);
        exact_ = expected<Op, Wide>(input.data(), n);
        check(cudaEventCreate(&start_));
        check(cudaEventCreate(&stop_));
        check(cudaMalloc(&out_, sizeof(T)));
        check(cudaMalloc(&pool_, copies_ * bytes));
        for (std::size_t i = 0; i < copies_; ++i)
            check(cudaMemcpy(pool_ + i * n, i == 0 ? input.data() : pool_, bytes, cudaMemcpyDefault));
        check(Op::reduce(nullptr, scratch_bytes_, pool_, out_, n));
        check(cudaMalloc(&scratch_, scratch_bytes_));
        check(cudaDeviceSynchronize());
    }
    ~Cub() {
        check(cudaFree(pool_));
        check(cudaFree(out_));
        check(cudaFree(scratch_));
    }

    Samples singles(int repeat) {
        Samples made;
        for (int run = -2; run < repeat; ++run) {  // the first two warm up
            const double device = timed(1);
            check(cudaDeviceSynchronize());
            const auto begun = std::chrono::steady_clock::now();
            call();
            const double wall = read(begun);
            if (run < 0) continue;
            made.device_ms.push_back(device);
            made.wall_ms.push_back(wall);
        }
        return made;
    }
    Samples batches(int repeat, int batch) {
        Samples made;
        for (int run = -1; run < repeat; ++run) {
            const double device = timed(batch) / batch;
            check(cudaDeviceSynchronize());
            const auto begun = std::chrono::steady_clock::now();
            for (int i = 0; i < batch; ++i)
                call();
            const double wall = read(begun) / batch;
            if (run < 0) continue;
            made.device_ms.push_back(device);
            made.wall_ms.push_back(wall);
        }
        return made;
    }

    std::string row(const Samples& samples, int batch) const {
        const double bound = (static_cast<double>(n_) / 1024 + 64) * 0x1p-24;
        std::vector<double> sorted = samples.device_ms;
        std::sort(sorted.begin(), sorted.end());
        const double ms = sorted[sorted.size() / 2];
        const bool right = worst_ <= (std::is_floating_point_v<T> ? bound : 0);
        std::fprintf(stderr, "peer-cub n = %-12zu batch %-4d %10.5f ms %8.1f GB/s %s\n", n_, batch, ms,
                     static_cast<double>(n_ * sizeof(T)) / ms * 1e-6, right ? "right" : "WRONG");
        std::ostringstream text;
        text.precision(9);
        text << "  {\"variant\": \"peer-cub\", \"title\": \"CUB DeviceReduce\", \"kind\": \"reference\", "
                "\"expect\": \"correct\", \"set\": {}, \"n\": "
             << n_ << ", \"group\": 0, \"groups\": 0, \"launches\": 0, \"bytes\": " << n_ * sizeof(T)
             << ", \"cache\": \"cold\", \"batch\": " << batch
             << ", \"device_ms\": " << peer::list_of(samples.device_ms)
             << ", \"wall_ms\": " << peer::list_of(samples.wall_ms) << ", \"result\": \"" << result_
             << "\", \"expected\": \"" << exact_ << "\", \"error\": " << worst_ << ", \"bound\": "
             << (std::is_floating_point_v<T> ? bound : 0) << ", \"right\": " << (right ? "true" : "false")
             << "}";
        return text.str();
    }

  private:
    // Of integers what wraps without harm.
    using Wide = typename std::conditional_t<std::is_floating_point_v<T>, std::common_type<double>,
                                             std::make_unsigned<T>>::type;

    void call() {
        check(Op::reduce(scratch_, scratch_bytes_, pool_ + at_ * n_, out_, n_));
        at_ = (at_ + 1) % copies_;
    }
    double timed(int batch) {
        check(cudaDeviceSynchronize());
        check(cudaEventRecord(start_));
        for (int i = 0; i < batch; ++i)
            call();
        check(cudaEventRecord(stop_));
        check(cudaEventSynchronize(stop_));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start_, stop_));
        return static_cast<double>(ms);
    }
    double read(std::chrono::steady_clock::time_point begun) {
        check(cudaMemcpy(&result_, out_, sizeof(T), cudaMemcpyDeviceToHost));
        const double ms = peer::ms_since(begun);
        const double off =
            std::abs(static_cast<double>(static_cast<Wide>(result_)) - static_cast<double>(exact_));
        const double scale = std::abs(static_cast<double>(exact_));
        worst_ = std::max(worst_, off == 0 ? 0 : scale == 0 ? 1e300 : off / scale);
        return ms;
    }

    std::size_t n_, copies_ = 1, at_ = 0, scratch_bytes_ = 0;
    T *pool_ = nullptr, *out_ = nullptr;
    void* scratch_ = nullptr;
    cudaEvent_t start_{}, stop_{};
    Wide exact_{};
    T result_{};
    double worst_ = 0;
};

std::string name_of_device() {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0));
    return properties.name;
}
std::string driver() {
    int version = 0;
    check(cudaDriverGetVersion(&version));
    return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

struct Asked {
    std::string out;
    int repeat = 0, batch = 1;
    std::vector<std::size_t> sizes;
};

template <typename T, typename Op>
int run(const Asked& asked, const char* type) {
    std::string singles, batches;
    for (const std::size_t n : asked.sizes) {
        Cub<T, Op> cub(n);
        const int batch = n <= std::size_t{1} << 24U ? asked.batch : std::max(1, asked.batch / 10);
        const Samples single = cub.singles(asked.repeat);
        const Samples many = cub.batches(std::max(1, asked.repeat / 4), batch);
        singles += (singles.empty() ? "" : ",\n") + cub.row(single, 1);
        batches += (batches.empty() ? "" : ",\n") + cub.row(many, batch);
    }
    const peer::Facts facts{"peer-cub",  name_of_device(), driver(), "nvcc -O3 -arch=native",
                            Op::name, type,             asked.repeat};
    const int first = peer::write_rows(asked.out + ".json", facts, singles);
    const int second = peer::write_rows(asked.out + "-batch.json", facts, batches);
    return first != 0 ? first : second;
}

template <typename Op>
int run_type(const Asked& asked, const std::string& type) {
    if (type == "float") return run<float, Op>(asked, "float");
    if (type == "double") return run<double, Op>(asked, "double");
    if (type == "int") return run<int, Op>(asked, "int");
    if (type == "uint") return run<unsigned, Op>(asked, "uint");
    if (type == "long") return run<long long, Op>(asked, "long");
    std::fprintf(stderr, "'%s' is no type here: float, double, int, uint or long\n", type.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 7) {
        std::fprintf(stderr, "usage: %s OUT REPEAT BATCH OP TYPE N...\n", argv[0]);
        return 2;
    }
    Asked asked{argv[1], std::max(1, std::atoi(argv[2])), std::max(1, std::atoi(argv[3])), {}};
    for (int i = 6; i < argc; ++i)
        asked.sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    const std::string op = argv[4];
    if (op == "add") return run_type<Add>(asked, argv[5]);
    if (op == "min") return run_type<Min>(asked, argv[5]);
    if (op == "max") return run_type<Max>(asked, argv[5]);
    if (op == "product") return run_type<Product>(asked, argv[5]);
    std::fprintf(stderr, "'%s' is no operator: add, min, max or product\n", op.c_str());
    return 2;
}

// CUB, NVIDIA's own: DeviceReduce::Sum, timed by CUDA events around the call.
#include <cub/device/device_reduce.cuh>

#include "peer.h"

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(3);
}

class Cub : public peer::Peer {
  public:
    Cub() {
        check(cudaEventCreate(&start_));
        check(cudaEventCreate(&stop_));
        check(cudaMalloc(&out_, sizeof(float)));
    }
    std::string id() const override { return "peer-cub"; }
    std::string title() const override { return "CUB DeviceReduce::Sum"; }
    std::string device() const override {
        cudaDeviceProp properties{};
        check(cudaGetDeviceProperties(&properties, 0));
        return properties.name;
    }
    std::string driver() const override {
        int version = 0;
        check(cudaDriverGetVersion(&version));
        return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    }
    std::string build() const override { return "nvcc -O3 -arch=native"; }
    void prepare(const std::vector<float>& input, std::size_t copies) override {
        n_ = input.size();
        check(cudaFree(pool_));
        check(cudaMalloc(&pool_, copies * n_ * sizeof(float)));
        for (std::size_t i = 0; i < copies; ++i)
            check(cudaMemcpy(pool_ + i * n_, input.data(), n_ * sizeof(float), cudaMemcpyHostToDevice));
        std::size_t bytes = 0;
        check(cub::DeviceReduce::Sum(nullptr, bytes, pool_, out_, n_));
        check(cudaFree(scratch_));
        check(cudaMalloc(&scratch_, bytes));
        scratch_bytes_ = bytes;
    }
    peer::Timed run(std::size_t copy) override {
        check(cudaDeviceSynchronize());
        const auto start = std::chrono::steady_clock::now();
        check(cudaEventRecord(start_));
        check(cub::DeviceReduce::Sum(scratch_, scratch_bytes_, pool_ + copy * n_, out_, n_));
        check(cudaEventRecord(stop_));
        peer::Timed timed;
        check(cudaMemcpy(&timed.result, out_, sizeof(float), cudaMemcpyDeviceToHost));
        timed.wall_ms = peer::ms_since(start);
        float ms = 0;
        check(cudaEventElapsedTime(&ms, start_, stop_));
        timed.device_ms = static_cast<double>(ms);
        return timed;
    }

  private:
    std::size_t n_ = 0, scratch_bytes_ = 0;
    float *pool_ = nullptr, *out_ = nullptr;
    void* scratch_ = nullptr;
    cudaEvent_t start_{}, stop_{};
};

int main(int argc, char** argv) {
    Cub peer;
    return peer::main_of(peer, argc, argv);
}

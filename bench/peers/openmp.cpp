// OpenMP: threads and SIMD, as anyone would write it.
#include "peer.h"

class OpenMp : public peer::HostPeer {
  public:
    std::string id() const override { return "peer-openmp"; }
    std::string title() const override { return "OpenMP parallel for simd"; }
    std::string build() const override { return "g++ -O3 -march=native -ffast-math -fopenmp"; }

  protected:
    float sum(const float* x, std::size_t n) override {
        float total = 0;
#pragma omp parallel for simd reduction(+ : total)
        for (std::size_t i = 0; i < n; ++i)
            total += x[i];
        return total;
    }
};

int main(int argc, char** argv) {
    OpenMp peer;
    return peer::main_of(peer, argc, argv);
}

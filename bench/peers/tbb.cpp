// TBB, by the standard's own parallel algorithm.
#include <execution>
#include <numeric>

#include "peer.h"

class Tbb : public peer::HostPeer {
  public:
    std::string id() const override { return "peer-tbb"; }
    std::string title() const override { return "std::reduce(par_unseq)"; }
    std::string build() const override { return "g++ -O3 -march=native -fopenmp-simd -ltbb"; }

  protected:
    float sum(const float* x, std::size_t n) override {
        return std::reduce(std::execution::par_unseq, x, x + n);
    }
};

int main(int argc, char** argv) {
    Tbb peer;
    return peer::main_of(peer, argc, argv);
}

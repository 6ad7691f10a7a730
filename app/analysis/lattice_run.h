// Runs a kernel on the machine with many elements, and makes a Lattice of it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "analysis/lattice.h"
#include "analysis/simulate.h"
namespace lab::analysis {

// Elements of a picture; more are refused.
inline constexpr std::uint64_t kMostLatticeElements = 65'536;

// Keeps no trace of the run. Throws Problem if it cannot run like that, for more than
// kMostLatticeElements, and if `cancel` was set. A fault of the kernel is reported in the head; the
// rows are those before it. Of a user kernel the right result is not known.
Lattice lattice_of(RunSpec spec, const std::atomic<bool>* cancel = nullptr);

// The same in parts that take some milliseconds each. `progress` receives the share that is done,
// approximately. `cancel` and `progress` must outlive it.
class LatticeInParts {
  public:
    explicit LatticeInParts(RunSpec spec, const std::atomic<bool>* cancel = nullptr,
                            std::atomic<float>* progress = nullptr);
    ~LatticeInParts();
    LatticeInParts(const LatticeInParts&) = delete;
    LatticeInParts& operator=(const LatticeInParts&) = delete;
    // Does the next part: empty while there are more.
    std::optional<Lattice> go_on();

  private:
    struct Run;
    void begin();
    Lattice end();

    RunSpec spec_;
    const std::atomic<bool>* cancel_;
    std::atomic<float>* progress_;
    std::unique_ptr<Run> run_;
};

}  // namespace lab::analysis

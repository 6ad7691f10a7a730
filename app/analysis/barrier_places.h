// Where one more statement may stand in a kernel's text, and where a barrier there cures a race.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/hazards.h"
#include "analysis/simulate.h"
#include "lang/code.h"
namespace lab::analysis {

// The first token of a line of the kernel's code, where what stands before it ends a statement or
// begins a block.
struct StatementStart {
    lang::Place place;
    unsigned conditions = 0, loops = 0;  // around it, as far as braces say so
};
std::vector<StatementStart> statement_starts(const lang::Code& code);

// Returns the text with a call before each of these places, in their order.
std::string with_call(const lang::Code& code, const std::vector<lang::Place>& places,
                      const std::string& call);
// The kernel with another text; null if that does not compile.
catalogue::CompiledKernel compiled_with(const catalogue::Kernel& kernel,
                                        const catalogue::Shape& shape, const std::string& text);

// Names a line for the barrier in the hints of races that one or two would cure (Hazard::barrier):
// each was put there, and in the schedules that were run all work-items came to it and the race was
// gone. Other hints stay as they are.
class BarrierPlaces {
  public:
    // `hazards`: of a run of the spec's job, to be changed.
    BarrierPlaces(std::vector<Hazard>& hazards, const RunSpec& spec,
                  std::uint64_t most_steps = kMostSteps);
    // Does about so many instructions, of the most. Returns whether there is more to do.
    bool go_on(std::uint64_t steps);

    // Instructions that go to find places for barriers, in `hazards` 20 times as many; then hints
    // name none.
    static constexpr std::uint64_t kMostSteps = 2'000'000;

  private:
    struct Result {
        bool fault = false;
        std::vector<Hazard> hazards;
    };
    struct Trial {
        catalogue::CompiledKernel code;
        std::vector<std::optional<Result>> results;  // by schedule
    };
    using Chosen = std::vector<std::size_t>;  // of starts_, in their order

    void step();
    void begin();
    void end();
    Chosen with(std::size_t start) const;
    Trial& trial(const Chosen& chosen);
    // Null once the part is done.
    const Result* result_of(Trial& of, std::size_t schedule);
    std::optional<std::uint64_t> pairs_left(const Chosen& chosen);
    std::uint64_t pairs_in(const Result& result) const;
    void put(const Chosen& chosen);

    std::vector<Hazard>& hazards_;
    const catalogue::Kernel kernel_;
    const catalogue::Shape shape_;
    machine::Job job_;
    std::vector<TriedSchedule> schedules_;
    std::vector<StatementStart> starts_;
    std::map<std::pair<std::string, Chosen>, Trial> trials_;  // by call and places
    std::uint64_t steps_ = 0, part_ = 0, most_steps_;         // so far, and until when
    // The race at hand: the schedule in which it is looked for first, the place that helps most, if
    // it is known, and those to be tried with it, the best ones first.
    std::size_t hazard_ = 0, first_ = 0, next_ = 0, best_ = 0;
    bool begun_ = false;
    Chosen chosen_;
    std::vector<std::size_t> ranked_;
    std::uint64_t left_ = 0, best_left_ = 0;  // its pairs: as it is, and with the best place
};

// All of it at once, unless it is cancelled.
void place_barriers(std::vector<Hazard>& hazards, const RunSpec& spec,
                    const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::analysis

// What is run on the machine: a variant in a shape, or a user kernel, made ready and
// judged.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "analysis/outcomes.h"
#include "simulation/simulate.h"
#include "simulation/user_kernel.h"

namespace lab::simulation {

inline constexpr std::uint64_t kMostRaceItems = 1024;  // of a launch, to schedule by hand

struct Subject {
    std::optional<catalogue::Variant> variant;  // else
    UserKernel user_kernel;
    catalogue::Shape shape;  // of a variant
    Options machine;
};

// Ready for the machine; `job` has no launches if there is nothing to run, as for n = 0.
struct Ready {
    machine::Job job;
    std::string expected;  // for a variant: the right result
    analysis::EndingOf ending;
    std::shared_ptr<const Prepared> variant;  // empty for a user kernel
};
// Throws Problem if it cannot run like that.
Ready ready_for(const Subject& subject);

// Every result over all schedules of its machine; where that keeps lanes in step or lets groups
// wait for room, how many independent items have, in bounded effort; and whether any of it is a
// race, or holds for these numbers only. Throws Problem if the job cannot start.
analysis::Outcomes judged_outcomes(const Subject& subject, const Ready& ready,
                                   const analysis::OutcomesOptions& options);

// Whether the kernel asks for sub-groups: with independent items it would be another program.
bool has_sub_groups(const machine::Job& job);

void to_json(nlohmann::json& json, const UserKernel& kernel);
void from_json(const nlohmann::json& json, UserKernel& kernel);

}  // namespace lab::simulation

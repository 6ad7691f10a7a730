// What has to do with what in a run: a cell with the work-item and the line that wrote it, an
// action with the memory that it touched.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/lanes/state_view.h"
#include "analysis/links/referent.h"
#include "analysis/races/hazards.h"
#include "analysis/rows/prints.h"
#include "analysis/rows/step_table.h"
#include "machine/run.h"

namespace lab::analysis {

// The actions that are looked at: from the first up to the end, in time. Of longer runs nothing is
// linked, which keeps pointing at things quick.
struct LinkedActions {
    const machine::Run& run;
    std::uint64_t first = 0, end = 0;
    const StepTable* table = nullptr;                      // whose rows these actions make
    const std::vector<std::uint64_t>* row_ends = nullptr;  // actions until each was complete
};
inline constexpr std::uint64_t kMostLinkedActions = 50'000;

using Names = std::set<std::string, std::less<>>;

// Adds the names of all that `referent` has to do with in these actions.
void add_links(const LinkedActions& actions, const Referent& referent, Names& names);
// The same for what warps would do next.
void add_next_links(const StateView& state, const Referent& referent, Names& names);
// The races that `referent`, or the memory in `names`, has part in; what a race has to do with.
void add_race_links(const LinkedActions& actions, const std::vector<Hazard>& hazards,
                    const Referent& referent, Names& names);
// Who printed it, in which line; what an item, or a work-item in a row, or a line printed.
void add_print_links(const LinkedActions& actions, const std::vector<PrintedText>& prints,
                     const Referent& referent, Names& names);

}  // namespace lab::analysis

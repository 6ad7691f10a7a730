// Finds what has to do with what in a run: a cell with the work-item and the line that wrote it, an
// action with the memory that it touched.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/hazards.h"
#include "analysis/step_table.h"
#include "analysis/timeline.h"
#include "machine/run.h"
namespace lab::analysis {

// The things of a run that several pictures and texts show, by names that shapes carry.

struct HighlightTarget {
    enum class Kind : std::uint8_t {
        none,
        cell,    // of a row: row, cell
        worker,  // a work-item in a row: row, global id
        item,    // a work-item: global id
        memory,  // a cell of an array: index; local arrays are "name/group"
        line,    // of the kernel's text, from 1
        action,  // its time
        group,   // a work-group
        next,    // what a warp would do next: group, warp
        race,    // its place in the list of races
        print,   // its place in the list of what was printed
    } kind = Kind::none;
    std::uint64_t first = 0, second = 0;
    std::string array = {};  // of memory

    bool operator==(const HighlightTarget&) const = default;
};

// "cell 3 4", "memory s/1 4", "line 12".
std::string name_of(const HighlightTarget& referent);
HighlightTarget referent_of(std::string_view name);  // none: not such a name

HighlightTarget memory_of(const std::string& array, bool local, std::uint64_t group,
                          std::uint64_t index);

// The actions that are looked at: from the first up to the end, in time. Of longer runs nothing is
// linked, which keeps pointing at things quick.
struct LinkedActions {
    const machine::Run& run;
    std::uint64_t first = 0, end = 0;
    const StepTable* table = nullptr;                      // whose rows these actions make
    const std::vector<std::uint64_t>* row_ends = nullptr;  // actions until each was complete
};
// Actions that are looked through for what belongs together; among more, nothing lights up.
inline constexpr std::uint64_t kMostLinkedActions = 50'000;

using Names = std::set<std::string, std::less<>>;

// Adds the names of all that `referent` has to do with in these actions.
void add_links(const LinkedActions& actions, const HighlightTarget& referent, Names& names);
// The same for what warps would do next.
void add_next_links(const StateView& state, const HighlightTarget& referent, Names& names);
// The races that `referent`, or the memory in `names`, has part in; what a race has to do with.
void add_race_links(const LinkedActions& actions, const std::vector<Hazard>& hazards,
                    const HighlightTarget& referent, Names& names);
// Links a text with who printed it, in which line; and with what an item, or a work-item in a row,
// or a line printed.
void add_print_links(const LinkedActions& actions, const std::vector<PrintedText>& prints,
                     const HighlightTarget& referent, Names& names);

}  // namespace lab::analysis

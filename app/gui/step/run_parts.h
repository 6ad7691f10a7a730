// What a run shows beside its picture: lanes, memory, variables, lineage, races and what it
// printed. The step view has them as tabs, a lesson's page has the one that it names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gui/shell/ui.h"

namespace lab::simulation {
struct MachineRun;
}

namespace lab::gui {

// A run, and where one stands in it.
struct RunMoment {
    const simulation::MachineRun& run;  // of which machine::Run is there
    std::string key;                    // of the run: pictures of it are kept under this
    std::size_t row = 0;                // the last that is shown
    std::size_t rows = 0;               // as many may be seen, the start among them
    std::uint64_t time = 0;             // actions that are shown
    bool whole_passes = true;           // one steps by them, not by lines or actions
    std::optional<std::uint32_t> line;  // of which memory is shown; empty: what costs most
    std::string_view traced;            // "cell 3 4", whose lineage is shown; else the result's

    bool hides_rows() const;
};

struct RunPart {
    const char* id;                                                // of its words: "side.<id>"
    void (*draw)(Ui& ui, const RunMoment& moment);                 // in the room of a child window
    const char* word;                                              // of the glossary
    bool (*offered)(const simulation::MachineRun& run) = nullptr;  // null: for every run
};
std::span<const RunPart> run_parts();
const RunPart* find_run_part(std::string_view id);  // null: there is none

}  // namespace lab::gui

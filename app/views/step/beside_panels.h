// Two runs side by side: which one stands beside what is chosen, and what differs.
#pragma once

#include <string>

#include "analysis/memory_traffic.h"
#include "analysis/step_table.h"
#include "gui/ui.h"
#include "session/settings.h"

namespace lab::gui {

// A run as it was asked for and as it came out.
struct TitledRun {
    const session::RunChoice& choice;
    const analysis::StepTable& table;
};
// The kernel's title, with its lanes where a search found the run on others than the other one;
// of two runs of one kernel also its toggles and its schedule, as far as those are not the other's.
std::string run_title(const Ui& ui, const TitledRun& run, const TitledRun& other);
// A list of the schedules and kernels that can stand beside what is chosen, own ones, too.
void second_field(Ui& ui, float width);

// A line for each of the two with what it costs; what differs stands out.
struct ComparedRun {
    const machine::Run& run;
    std::uint64_t version;
    std::string title;
};
float differences_height(const Ui& ui);
void differences(Ui& ui, const ComparedRun& left, const ComparedRun& right, float width);

}  // namespace lab::gui

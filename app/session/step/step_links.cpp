// What has to do with what in the shown run.
#include <algorithm>

#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::session {

analysis::Names StepView::linked(const analysis::Referent& referent) const {
    analysis::Names names;
    const simulation::MachineRun* run = simulated_.run.get();
    if (run == nullptr || run->run == nullptr) return names;
    analysis::LinkedActions actions{*run->run, 0, run->actions(), &run->table, &run->row_ends};
    if (grain_ != Grain::pass) {  // the pass that the moment belongs to
        const auto& ends = run->row_ends;
        const auto end = std::lower_bound(ends.begin(), ends.end(), time_);
        if (end != ends.begin() && end != ends.end()) {
            actions.first = *(end - 1);
            actions.end = *end;
        }
    }
    analysis::add_links(actions, referent, names);
    analysis::add_race_links(actions, run->hazards, referent, names);
    analysis::add_print_links(actions, run->prints, referent, names);
    return names;
}

}  // namespace lab::session

// The way through a schedule in the race view.
#include "gui/race/race_panels.h"
#include "gui/step/transport.h"
#include "session/race/race.h"
#include "session/race/race_view.h"

namespace lab::gui {
namespace {

std::vector<Stop> race_stops(const Ui& ui, const session::Race& race) {
    std::vector<Stop> stops;
    for (const analysis::StaleArc& arc : race.timeline().stale)
        stops.push_back({part_of(arc.read + 1, race.length()), simulation::Mark::Kind::race,
                         ui.tr()("mark.race")});
    if (race.fault()) stops.push_back({1, simulation::Mark::Kind::fault, ui.tr()("mark.fault")});
    return stops;
}

}  // namespace

void race_transport(Ui& ui, const Area& area) {
    const session::Race* race = ui.view<session::RaceView>().race();
    transport(ui, area, race != nullptr ? race_stops(ui, *race) : std::vector<Stop>());
}

}  // namespace lab::gui

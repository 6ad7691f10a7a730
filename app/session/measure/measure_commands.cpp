// Timing at full size.
#include <array>

#include "session/measure/measure_view.h"
#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool can_measure(const Session& session) {
    return !session.view<MeasureView>().busy() && !session.settings().measure.variants.empty();
}

void run_full_size(Session& session) {
    session.show_view<MeasureView>();
    session.view<MeasureView>().run();
}

constexpr std::array kMeasureCommands{Command{"measure.run", "R", can_measure, run_full_size}};

constexpr std::array<std::string_view, 1> kMeasure{"measure.run"};
constexpr std::array<std::string_view, 2> kExport{"export", "export.as"};
constexpr std::array kMeasureHints{Hint{"measure", kMeasure}, Hint{"export", kExport}};

}  // namespace

constinit const ViewType kMeasureView{.id = "measure",
                                      .create = create_view<MeasureView>,
                                      .commands = kMeasureCommands,
                                      .hints = kMeasureHints};

}  // namespace lab::session

// Timing at full size.
#include <array>

#include "catalogue/kernel.h"
#include "session/app_commands.h"
#include "views/measure/measure.h"

namespace lab::session {
namespace {

void run_full_size(Session& session) {
    session.show_view<MeasureView>();
    session.view<MeasureView>().run();
}

bool can_start(const Session& session) {
    return !session.view<MeasureView>().busy();
}

void time_ladder(Session& session) {
    session.show_view<MeasureView>();
    session.view<MeasureView>().time(in_order(gain_steps(session.catalogue())), "ladder");
}

bool can_time_chosen(const Session& session) {
    return can_start(session) &&
           (session.settings().choice.user_kernel || session.variant() != nullptr);
}

void time_chosen(Session& session) {
    session.show_view<MeasureView>();
    if (session.settings().choice.user_kernel)
        return session.view<MeasureView>().time_user_kernel();
    const bool ladder = session.settings().measure.shown == "ladder";
    session.view<MeasureView>().time({session.variant()->id}, ladder ? "bandwidth" : "");
}

constexpr std::array kMeasureCommands{
    Command{"measure.ladder", "Shift+R", can_start, time_ladder, true},
    Command{"measure.chosen", "Alt+R", can_time_chosen, time_chosen, true},
    Command{"measure.run", "R",
            [](const Session& s) { return can_start(s) && !s.settings().measure.variants.empty(); },
            run_full_size, true}};

constexpr std::array<std::string_view, 1> kMeasure{"measure.run"};
constexpr std::array<std::string_view, 2> kExport{"export", "export.as"};
constexpr std::array kMeasureHints{Hint{"measure", kMeasure}, Hint{"export", kExport}};

}  // namespace

constinit const ViewType kMeasureView{.id = "measure",
                                      .create = create_view<MeasureView>,
                                      .commands = kMeasureCommands,
                                      .hints = kMeasureHints};

}  // namespace lab::session

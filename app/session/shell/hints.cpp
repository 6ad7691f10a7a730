#include "session/shell/hints.h"

#include <algorithm>
#include <array>

#include "session/shell/session.h"

namespace lab::session {
namespace {

constexpr std::array<std::string_view, 5> kStepping{"step.first", "step.back", "step.play",
                                                    "step.forward", "step.last"};
constexpr std::array<std::string_view, 2> kVariants{"variant.next", "variant.previous"};
constexpr std::array<std::string_view, 1> kMachine{"order.next"};
constexpr std::array<std::string_view, 1> kToggle{"toggle.broken"};
constexpr std::array<std::string_view, 4> kTurns{"race.act", "race.act_1", "race.act_2",
                                                 "race.chance"};
constexpr std::array<std::string_view, 1> kFind{"race.find"};
constexpr std::array<std::string_view, 1> kMeasure{"measure.run"};
constexpr std::array<std::string_view, 2> kExport{"export", "export.as"};
constexpr std::array<std::string_view, 2> kPalette{"palette", "help"};

constexpr std::array kHints{
    Hint{"step", "step", kStepping},      Hint{"toggle", "step", kToggle},
    Hint{"turns", "race", kTurns},        Hint{"find", "race", kFind},
    Hint{"variant", "step", kVariants},   Hint{"machine", "step", kMachine},
    Hint{"measure", "measure", kMeasure}, Hint{"export", "measure", kExport},
    Hint{"palette", "", kPalette},
};

bool is_done(const Session& session, const Hint& hint) {
    const auto& done = session.settings().hints_done;
    return std::find(done.begin(), done.end(), hint.id) != done.end();
}

}  // namespace

std::span<const Hint> hints() {
    return kHints;
}

const Hint* hint_for(const Session& session) {
    for (const Hint& hint : kHints)
        if ((*hint.view == 0 || session.settings().view == hint.view) && !is_done(session, hint))
            return &hint;
    return nullptr;
}

void note_done(Session& session, std::string_view command) {
    for (const Hint& hint : kHints)
        if (!is_done(session, hint) &&
            std::find(hint.done_by.begin(), hint.done_by.end(), command) != hint.done_by.end())
            session.forget_hint(hint.id);
}

}  // namespace lab::session

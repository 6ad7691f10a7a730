#include "session/shell/hints.h"

#include <algorithm>
#include <array>

#include "session/shell/commands.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

constexpr std::array<std::string_view, 2> kPalette{"palette", "help"};
constexpr std::array kEverywhere{Hint{"palette", kPalette}};

bool is_done(const Session& session, const Hint& hint) {
    const auto& done = session.settings().hints_done;
    return std::find(done.begin(), done.end(), hint.id) != done.end();
}

bool can_be_done(const Session& session, const Hint& hint) {
    return std::any_of(hint.done_by.begin(), hint.done_by.end(), [&](std::string_view id) {
        const Command& command = session.command(id);
        return !is_missing(command) && (command.enabled(session) || command.why_not == nullptr ||
                                        command.why_not(session) == nullptr);
    });
}

}  // namespace

std::vector<Hint> hints(const Session& session) {
    std::vector<Hint> all;
    for (const ViewType* view : session.options().views)
        all.insert(all.end(), view->hints.begin(), view->hints.end());
    all.insert(all.end(), kEverywhere.begin(), kEverywhere.end());
    return all;
}

const Hint* hint_for(const Session& session) {
    for (const std::span<const Hint> each :
         {session.shown_type().hints, std::span<const Hint>(kEverywhere)})
        for (const Hint& hint : each)
            if (!is_done(session, hint) && can_be_done(session, hint)) return &hint;
    return nullptr;
}

void note_done(Session& session, std::string_view command) {
    for (const Hint& hint : hints(session))
        if (!is_done(session, hint) &&
            std::find(hint.done_by.begin(), hint.done_by.end(), command) != hint.done_by.end())
            session.forget_hint(hint.id);
}

}  // namespace lab::session

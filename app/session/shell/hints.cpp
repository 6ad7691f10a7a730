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
            if (!is_done(session, hint) && !is_missing(session.command(hint.done_by.front())))
                return &hint;
    return nullptr;
}

void note_done(Session& session, std::string_view command) {
    for (const Hint& hint : hints(session))
        if (!is_done(session, hint) &&
            std::find(hint.done_by.begin(), hint.done_by.end(), command) != hint.done_by.end())
            session.forget_hint(hint.id);
}

}  // namespace lab::session

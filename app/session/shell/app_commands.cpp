// The app itself: undo, what can be ended, looks.
#include <array>

#include "base/translations.h"
#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

constexpr std::array kThemes{"light", "dark", "projector"};

// What runs for the view on screen, else for another one.
View* running(Session& session) {
    if (session.shown().can_cancel()) return &session.shown();
    for (const std::unique_ptr<View>& view : session.views())
        if (view->can_cancel()) return view.get();
    return nullptr;
}

bool can_cancel(const Session& session) {
    return !session.overlay().empty() || session.glossary().focus || session.presenting() ||
           std::any_of(session.views().begin(), session.views().end(),
                       [](const auto& view) { return view->can_cancel(); });
}

// The nearest thing that can be ended: what lies over the view, then what runs.
void cancel(Session& session) {
    if (!session.overlay().empty())
        session.show("");
    else if (session.glossary().focus)
        session.glossary().focus.reset();
    else if (session.presenting())
        session.present(false);
    else if (View* view = running(session))
        view->cancel();
}

constexpr std::array kAppCommands{
    Command{"undo", "Ctrl+Z", [](const Session& s) { return s.can_undo(); },
            [](Session& s) { s.undo(); }},
    Command{"redo", "Ctrl+Shift+Z", [](const Session& s) { return s.can_redo(); },
            [](Session& s) { s.redo(); }},
    Command{"cancel", "Escape", can_cancel, cancel},
    Command{"devices", "Ctrl+D", always, toggle<kDevicesPanel>},
    Command{"devices.ask", "F5", always, [](Session& s) { s.start(); }, true},
    Command{"quit", "Ctrl+Q", always, [](Session& s) { s.quit(); }, true},
    Command{"present", "F11", always, [](Session& s) { s.present(!s.presenting()); }},
    Command{"scale.larger", "Ctrl++", always, [](Session& s) { s.enlarge(); }},
    Command{"scale.smaller", "Ctrl+-", always, [](Session& s) { s.shrink(); }},
    Command{"scale.reset", "Ctrl+0", always, [](Session& s) { s.set_scale(1); }},
    Command{"theme.next", "Ctrl+T", always,
            [](Session& s) { s.set_theme(next_of(kThemes, s.settings().theme, 1)); }},
    Command{"language.next", "Ctrl+L", always,
            [](Session& s) { s.set_language(next_of(kLanguages, s.settings().language, 1)); }},
};

}  // namespace

std::span<const Command> app_commands() {
    return kAppCommands;
}
std::span<const char* const> themes() {
    return kThemes;
}

}  // namespace lab::session

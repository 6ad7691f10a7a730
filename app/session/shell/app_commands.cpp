// The app itself: views, looks, undo.
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

constexpr std::array kViews{"step", "race", "lattice", "measure", "devices"};
constexpr std::array kThemes{"light", "dark", "projector"};

constexpr std::array kAppCommands{
    Command{"undo", "Ctrl+Z", [](const Session& s) { return s.can_undo(); },
            [](Session& s) { s.undo(); }},
    Command{"redo", "Ctrl+Shift+Z", [](const Session& s) { return s.can_redo(); },
            [](Session& s) { s.redo(); }},
    Command{"devices.ask", "F5", always, [](Session& s) { s.start(); }},
    Command{"view.step", "1", always, [](Session& s) { s.set_view("step"); }},
    Command{"view.race", "2", always, [](Session& s) { s.set_view("race"); }},
    Command{"view.lattice", "3", always, [](Session& s) { s.set_view("lattice"); }},
    Command{"view.measure", "4", always, [](Session& s) { s.set_view("measure"); }},
    Command{"view.devices", "5", always, [](Session& s) { s.set_view("devices"); }},
    Command{"quit", "Ctrl+Q", always, [](Session& s) { s.quit(); }},
    Command{"scale.larger", "Ctrl++", always,
            [](Session& s) { s.set_scale(s.settings().scale * 1.1F); }},
    Command{"scale.smaller", "Ctrl+-", always,
            [](Session& s) { s.set_scale(s.settings().scale / 1.1F); }},
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
std::span<const char* const> views() {
    return kViews;
}
std::span<const char* const> themes() {
    return kThemes;
}

}  // namespace lab::session

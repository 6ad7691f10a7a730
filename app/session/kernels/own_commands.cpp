// Kernels of one's own: copied, edited, run, saved.
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool shows_kernel(const Session& session) {
    return session.settings().view == "step" || session.settings().view == "race";
}
bool can_copy(const Session& session) {
    return shows_kernel(session) && session.variant() != nullptr && !session.settings().choice.own;
}
bool is_open(const Session& session) {
    return shows_kernel(session) && session.own().is_open();
}
bool can_run(const Session& session) {
    return is_open(session) && session.own().waits();
}
bool can_save(const Session& session) {
    return is_open(session) && (session.own().unsaved() || session.own().gone());
}
bool can_take(const Session& session) {
    return is_open(session) && session.own().has_path() && session.own().unsaved();
}
bool has_form(const Session& session) {
    return shows_kernel(session) && session.settings().choice.own && session.own().good().compiles;
}

void guess_launch(Session& session) {
    simulation::OwnKernel own = *session.settings().choice.own;
    own.global = own.local = 0;
    own.arguments.clear();
    session.set_own(std::move(own));
}

constexpr std::array kOwnCommands{
    Command{"own.copy", "K", can_copy, [](Session& s) { s.copy_variant(false); }},
    Command{"own.plain", "Shift+K", can_copy, [](Session& s) { s.copy_variant(true); }},
    Command{"own.run", "Ctrl+Enter", can_run, [](Session& s) { s.run_own(); }},
    Command{"own.save", "Ctrl+Shift+S", can_save, [](Session& s) { s.save_own(); }},
    Command{"own.take", "Ctrl+R", can_take, [](Session& s) { s.take_file(); }},
    Command{"own.guess", "Ctrl+G", has_form, guess_launch},
};

}  // namespace

std::span<const Command> own_commands() {
    return kOwnCommands;
}

}  // namespace lab::session

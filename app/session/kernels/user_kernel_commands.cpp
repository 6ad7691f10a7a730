// The user's own kernels: copied, edited, run, saved.
#include <array>

#include "session/shell/command_groups.h"

namespace lab::session {
namespace {

bool shows_kernel(const Session& session) {
    return session.shown_type().shows_kernel;
}
bool can_copy(const Session& session) {
    return shows_kernel(session) && session.variant() != nullptr &&
           !session.settings().choice.user_kernel;
}
bool is_open(const Session& session) {
    return shows_kernel(session) && session.kernels().editor().is_open();
}
bool can_run(const Session& session) {
    return is_open(session) && session.kernels().editor().waits();
}
bool can_save(const Session& session) {
    return is_open(session) &&
           (session.kernels().editor().unsaved() || session.kernels().editor().gone());
}
bool can_take(const Session& session) {
    return is_open(session) && session.kernels().editor().has_path() &&
           session.kernels().editor().unsaved();
}
bool has_form(const Session& session) {
    return shows_kernel(session) && session.settings().choice.user_kernel &&
           session.kernels().editor().good().compiles;
}

constexpr std::array kOwnCommands{
    Command{"user_kernel.copy", "K", can_copy, [](Session& s) { s.kernels().copy_variant(false); }},
    Command{"user_kernel.plain", "Shift+K", can_copy,
            [](Session& s) { s.kernels().copy_variant(true); }},
    Command{"user_kernel.run", "Ctrl+Enter", can_run, [](Session& s) { s.kernels().run_edits(); }},
    Command{"user_kernel.save", "Ctrl+Shift+S", can_save,
            [](Session& s) { s.kernels().save_file(); }},
    Command{"user_kernel.take", "Ctrl+R", can_take, [](Session& s) { s.kernels().take_file(); }},
    Command{"user_kernel.guess", "Ctrl+G", has_form,
            [](Session& s) { s.kernels().guess_launch(); }},
};

}  // namespace

std::span<const Command> user_kernel_commands() {
    return kOwnCommands;
}

}  // namespace lab::session

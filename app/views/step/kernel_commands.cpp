// Which kernel runs, on what and where.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/ranges.h"
#include "session/app_commands.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

using InputKind = catalogue::Input::Kind;

bool shows_choice(const Session& session) {
    return session.shown_type().shows_choice;
}

// Back to the example of what is chosen, before its first step.
void reset(Session& session) {
    session.view<StepView>().set_cursor(0);
    session.walk().go_to(0);
    reset_kernel(session);
}

// A view may have an n, a group and an input of its own, and a kernel of the user's own has its
// launch form instead.
bool shapes(const Session& session) {
    return session.view_shape().has_value() ||
           (session.shown_type().shows_kernel && !session.settings().choice.user_kernel);
}

template <int By>
void next_variant(Session& session) {
    const auto ids = mapped<std::string>(session.catalogue().variants, &catalogue::Kernel::id);
    if (!ids.empty()) choose_kernel(session, next_of(ids, session.settings().choice.variant, By));
}

// Changes what is chosen, as one step of undo.
template <typename Change>
void choose_with(Session& session, const Change& change) {
    RunChoice choice = session.settings().choice;
    change(choice);
    session.choose(std::move(choice));
}
// The same for the shape of a view that has its own; whether it has.
template <typename Change>
bool reshape(Session& session, const Change& change) {
    auto shape = session.view_shape();
    if (shape) change(*shape);
    if (shape) session.set_view_shape(*shape);
    return shape.has_value();
}

// Twice or half as many elements; what was typed in gives way to counting up.
template <bool More>
void change_n(Session& session) {
    if (reshape(session, [](RunShape& shape) { shape.n = More ? shape.n * 2 : shape.n / 2; }))
        return;
    choose_with(session, [&](RunChoice& choice) {
        const std::uint64_t n = session.elements();
        choice.shape.n = std::clamp<std::uint64_t>(More ? n * 2 : n / 2, 1, 1024);
        if (choice.shape.input.kind == InputKind::values ||
            choice.shape.input.kind == InputKind::file)
            choice.shape.input = {};
    });
}

template <bool More>
void change_group(Session& session) {
    const auto change = [](auto& shape) {
        const std::uint64_t group = std::max<std::uint64_t>(1, shape.group);
        shape.group = std::clamp<std::uint64_t>(More ? group * 2 : group / 2, 1, 1024);
    };
    if (!reshape(session, change))
        choose_with(session, [&](RunChoice& choice) { change(choice.shape); });
}

// The entry of a list after `now`, round and round.
template <typename List, typename Value>
Value after(const List& list, Value now) {
    const std::size_t found = position_of(list, now);
    return found + 1 < list.size() ? list[found + 1] : list.front();
}

void next_op(Session& session) {
    choose_with(session, [&](RunChoice& choice) {
        choice.shape.op = after(ops_taken(session), choice.shape.op);
    });
}

void next_type(Session& session) {
    choose_with(session, [&](RunChoice& choice) {
        choice.shape.type = after(types_taken(session), choice.shape.type);
    });
}

bool has_input(const Session& session) {
    return shapes(session) && takes_input(session);
}
template <const char* Why>
const char* why_no(const Session& session) {
    return shapes(session) ? Why : nullptr;
}
constexpr char kOpOnly[] = "field.op.only", kTypeOnly[] = "field.type.only",
               kNoInput[] = "field.input.none";

// Typed in (the documents' eight numbers), counted up, random: round and round. A file is chosen
// by its name alone.
void next_input(Session& session) {
    if (reshape(session, [](RunShape& shape) {
            shape.input =
                catalogue::parse_input(shape.input.kind == InputKind::ramp ? "random:1" : "ramp");
        }))
        return;
    choose_with(session, [&](RunChoice& choice) {
        catalogue::Input& input = choice.shape.input;
        if (input.kind == InputKind::ramp) {
            input = {InputKind::random, {}, 1};
        } else if (input.kind == InputKind::values || input.kind == InputKind::file) {
            choice.shape.n = session.elements();
            input = {};
        } else {
            input = Settings().choice.shape.input;
            choice.shape.n.reset();
        }
    });
}

void new_seed(Session& session) {
    const auto change = [](catalogue::Input& input) {
        input = {InputKind::random, {}, input.kind == InputKind::random ? input.seed + 1 : 1};
    };
    if (reshape(session, [&](RunShape& shape) { change(shape.input); })) return;
    choose_with(session, [&](RunChoice& choice) {
        choice.shape.n = session.elements();
        change(choice.shape.input);
    });
}

template <std::uint32_t catalogue::MachineShape::*field>
void next_of(Session& session) {
    choose_with(session, [](RunChoice& choice) {
        for (const catalogue::MachineOption& option : catalogue::machine_options())
            if (option.field == field)
                choice.machine.*field = after(option.offered, choice.machine.*field);
    });
}

// Automatic, in order, round robin, and then random ones, each time another.
void next_order(Session& session) {
    choose_with(session, [](RunChoice& choice) {
        std::string& order = choice.machine.order;
        const auto seed = random_seed(order);
        order = order == kAutomatic             ? "in-order"
                : order == "in-order"           ? "round-robin"
                : order == "round-robin"        ? "random:1"
                : seed && *seed < kRandomOrders ? fmt::format("random:{}", *seed + 1)
                                                : kAutomatic;
    });
}

// The schedule is left to us again: as on the device, where that can be told.
bool has_chosen_order(const Session& session) {
    return shows_choice(session) && !is_automatic(session.settings().choice);
}

constexpr std::array kKernelCommands{
    Command{"variant.list", "V", shows_choice,
            [](Session& s) { s.overlay = s.overlay == "variant.list" ? "" : "variant.list"; }},
    Command{"variant.next", "Down", shows_choice, next_variant<1>},
    Command{"variant.previous", "Up", shows_choice, next_variant<-1>},
    Command{"reset", "Ctrl+Backspace", shows_choice, reset},
    Command{"n.more", "+", shapes, change_n<true>},
    Command{"n.less", "-", shapes, change_n<false>},
    Command{"group.more", "G", shapes, change_group<true>},
    Command{"group.less", "Shift+G", shapes, change_group<false>},
    Command{"op.next", "O", [](const Session& s) { return shapes(s) && ops_taken(s).size() > 1; },
            next_op, false, why_no<kOpOnly>},
    Command{"type.next", "T",
            [](const Session& s) { return shapes(s) && types_taken(s).size() > 1; }, next_type,
            false, why_no<kTypeOnly>},
    Command{"input.next", "I", has_input, next_input, false, why_no<kNoInput>},
    Command{"input.seed", "N", has_input, new_seed, false, why_no<kNoInput>},
    Command{"lanes.next", "L", shows_choice, next_of<&catalogue::MachineShape::lanes>},
    Command{"resident.next", "Shift+L", shows_choice, next_of<&catalogue::MachineShape::resident>},
    Command{"order.next", "Shift+O", shows_choice, next_order},
    Command{"order.device", "M", has_chosen_order,
            [](Session& s) {
                choose_with(s, [](RunChoice& choice) { choice.machine.order = kAutomatic; });
            }},
};

// The user's own kernels: copied, edited, run, saved.
bool shows_kernel(const Session& session) {
    return session.shown_type().shows_kernel;
}
bool can_copy(const Session& session) {
    return shows_kernel(session) && session.variant() != nullptr &&
           !session.settings().choice.user_kernel;
}
bool is_open(const Session& session) {
    return shows_kernel(session) && session.kernels.editor.is_open();
}
bool can_save(const Session& session) {
    return is_open(session) && (session.kernels.editor.unsaved() || session.kernels.editor.gone);
}
bool can_take(const Session& session) {
    return is_open(session) && session.kernels.editor.has_path() &&
           session.kernels.editor.unsaved();
}
bool has_form(const Session& session) {
    return shows_kernel(session) && session.settings().choice.user_kernel &&
           session.kernels.editor.good.compiles;
}

// In the text that is edited; what is sought stays, for the next time.
bool edits_text(const Session& session) {
    return session.shown().edits_text() && !session.presenting;
}
template <int By>
void search(Session& session) {
    TextSearch& search = session.kernels.search;
    search.begins = By == 0 || search.sought.empty();
    search.steps += By;
    search.open = true;
}

// Two runs side by side take the editor's place.
template <bool Plain>
void edit_copy(Session& session) {
    copy_variant(session, Plain);
    if (session.settings().choice.user_kernel || session.settings().choice.opened)
        session.view<StepView>().set_beside(false);
}

constexpr std::array kOwnCommands{
    Command{"user_kernel.copy", "K", can_copy, edit_copy<false>},
    Command{"user_kernel.plain", "Shift+K", can_copy, edit_copy<true>},
    Command{"user_kernel.run", "Ctrl+Enter",
            [](const Session& s) { return is_open(s) && s.kernels.editor.due; },
            [](Session& s) { run_edits(s); }},
    Command{"user_kernel.save", "Ctrl+Shift+S", can_save, [](Session& s) { save_file(s); }},
    Command{"user_kernel.take", "Ctrl+R", can_take, [](Session& s) { take_file(s); }},
    Command{"user_kernel.find", "Ctrl+F", edits_text, search<0>},
    Command{"user_kernel.find_next", "F3", edits_text, search<1>},
    Command{"user_kernel.find_previous", "Shift+F3", edits_text, search<-1>},
    Command{"user_kernel.guess", "Ctrl+G", has_form, [](Session& s) { guess_launch(s); }},
};

}  // namespace

std::span<const Command> kernel_commands() {
    return kKernelCommands;
}

std::span<const Command> user_kernel_commands() {
    return kOwnCommands;
}

}  // namespace lab::session

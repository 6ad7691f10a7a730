// Sizes, numbers and barriers by keys.
#include <array>

#include <nlohmann/json.hpp>

#include "session/app_commands.h"
#include "views/sizes/sizes.h"

namespace lab::session {
namespace {

bool in_sizes(const Session& session) {
    return session.shows<SizesView>();
}

bool has_sides(const Session& session) {
    return in_sizes(session) && !session.view<SizesView>().side_names().empty();
}
void next_rows(Session& session) {
    SizesView& view = session.view<SizesView>();
    view.set_rows(next_of(view.side_names(), view.sides().first, 1));
}
void next_columns(Session& session) {
    SizesView& view = session.view<SizesView>();
    view.set_columns(next_of(view.side_names(), view.sides().second, 1));
}

bool has_bad(const Session& session) {
    return in_sizes(session) && session.view<SizesView>().first_bad();
}
void open_bad(Session& session) {
    SizesView& view = session.view<SizesView>();
    const auto [row, column] = *view.first_bad();
    view.open(view.run_of_cell(row, column));
}

bool can_find(const Session& session) {
    return in_sizes(session) && !session.view<SizesView>().inputs.waiting;
}
bool has_numbers(const Session& session) {
    const auto& found = session.view<SizesView>().inputs.answer;
    return in_sizes(session) && found && !found->found.empty();
}
void open_numbers(Session& session) {
    SizesView& view = session.view<SizesView>();
    view.open(view.run_of_numbers(0));
}

bool can_judge(const Session& session) {
    return in_sizes(session) && !session.view<SizesView>().barriers.waiting;
}
bool has_needed(const Session& session) {
    return in_sizes(session) && session.view<SizesView>().first_needed();
}
void open_without(Session& session) {
    SizesView& view = session.view<SizesView>();
    view.open(view.run_without(*view.first_needed()));
}

constexpr std::array kSizesCommands{
    Command{"sizes.rows", "Y", has_sides, next_rows},
    Command{"sizes.columns", "Shift+Y", has_sides, next_columns},
    Command{"sizes.open", "J", has_bad, open_bad},
    Command{"sizes.inputs", "Alt+N", can_find,
            [](Session& s) { s.view<SizesView>().find_inputs(); }},
    Command{"sizes.numbers", "Shift+N", has_numbers, open_numbers},
    Command{"sizes.barriers", "Alt+B", can_judge,
            [](Session& s) { s.view<SizesView>().judge_barriers(); }},
    Command{"sizes.without", "Shift+J", has_needed, open_without},
};

nlohmann::json save_sizes(const Session& session) {
    const auto& [rows, columns] = session.view<SizesView>().asked_sides();
    return {{"rows", rows}, {"columns", columns}};
}

std::function<void(Session&)> read_sizes(const nlohmann::json& part) {
    return [rows = part.at("rows").get<std::string>(),
            columns = part.at("columns").get<std::string>()](Session& session) {
        session.view<SizesView>().restore_sides({rows, columns});
    };
}

}  // namespace

constinit const ViewType kSizesView{.id = "sizes",
                                    .create = create_view<SizesView>,
                                    .commands = kSizesCommands,
                                    .shows_choice = true,
                                    .shows_kernel = true,
                                    .save = save_sizes,
                                    .read = read_sizes};

}  // namespace lab::session

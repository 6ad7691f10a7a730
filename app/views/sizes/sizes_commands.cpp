// Sizes, numbers and barriers by keys.
#include <array>

#include <nlohmann/json.hpp>

#include "session/app_commands.h"
#include "views/sizes/sizes.h"

namespace lab::session {
namespace {

SizesView& sizes(Session& session) {
    return session.view<SizesView>();
}
const SizesView& sizes(const Session& session) {
    return session.view<SizesView>();
}
bool in_sizes(const Session& session) {
    return session.shows<SizesView>();
}
bool has_sides(const Session& session) {
    return in_sizes(session) && !sizes(session).side_names().empty();
}

constexpr std::array kSizesCommands{
    Command{"sizes.rows", "Y", has_sides,
            [](Session& s) {
                sizes(s).set_rows(next_of(sizes(s).side_names(), sizes(s).sides().first, 1));
            }},
    Command{"sizes.columns", "Shift+Y", has_sides,
            [](Session& s) {
                sizes(s).set_columns(next_of(sizes(s).side_names(), sizes(s).sides().second, 1));
            }},
    Command{"sizes.open", "J", [](const Session& s) { return in_sizes(s) && sizes(s).first_bad(); },
            [](Session& s) {
                const auto [row, column] = *sizes(s).first_bad();
                sizes(s).open(sizes(s).run_of_cell(row, column));
            }},
    Command{"sizes.inputs", "Alt+N",
            [](const Session& s) { return in_sizes(s) && !sizes(s).inputs.waiting; },
            [](Session& s) { sizes(s).find_inputs(); }},
    Command{"sizes.numbers", "Shift+N",
            [](const Session& s) {
                const auto& answer = sizes(s).inputs.answer;
                return in_sizes(s) && answer && !answer->found.empty();
            },
            [](Session& s) { sizes(s).open(sizes(s).run_of_numbers(0)); }},
    Command{"sizes.barriers", "Alt+B",
            [](const Session& s) { return in_sizes(s) && !sizes(s).barriers.waiting; },
            [](Session& s) { sizes(s).judge_barriers(); }},
    Command{"sizes.without", "Shift+J",
            [](const Session& s) { return in_sizes(s) && sizes(s).first_needed(); },
            [](Session& s) { sizes(s).open(sizes(s).run_without(*sizes(s).first_needed())); }},
};

nlohmann::json save_sizes(const Session& session) {
    const auto& [rows, columns] = sizes(session).asked_sides();
    return {{"rows", rows}, {"columns", columns}};
}

std::function<void(Session&)> read_sizes(const nlohmann::json& part) {
    return [rows = part.at("rows").get<std::string>(),
            columns = part.at("columns").get<std::string>()](Session& session) {
        sizes(session).restore_sides({rows, columns});
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

#include "session/view.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/platform.h"
#include "session/app_commands.h"
#include "session/session.h"

namespace lab::session {
namespace {

constexpr std::size_t kMostViews = 9;  // with a digit each; further ones have none

template <std::size_t Place>
void show_view(Session& session) {
    session.show_view(Place);
}

template <std::size_t... Place>
constexpr auto show_each(std::index_sequence<Place...>) {
    return std::array<void (*)(Session&), sizeof...(Place)>{show_view<Place>...};
}
constexpr auto kShowView = show_each(std::make_index_sequence<kMostViews>());

CommandGroup group(const char* id, std::span<const Command> commands) {
    return {id, {commands.begin(), commands.end()}};
}

}  // namespace

bool View::edits_text() const {
    return session_.shown_type().shows_kernel && session_.kernels.editor.is_open();
}

void Walk::play(bool on, std::size_t last) {
    playing_ = on && last_position() > 0;
    last_ = last;
    if (!playing_) return;
    if (position() >= last_position()) go_to(0);
    next_ = std::chrono::steady_clock::now() + pause();
}

void Walk::go_on() {
    if (!playing_ || std::chrono::steady_clock::now() < next_) return;
    go_to(position() + 1);
    playing_ = position() < std::min(last_, last_position());
    next_ += pause();
}

std::optional<std::chrono::steady_clock::time_point> Walk::next_step() const {
    return playing_ ? std::optional(next_) : std::nullopt;
}

bool is_missing(const Command& command) {
    return platform::kBrowser && command.desktop;
}

CommandTable::CommandTable(std::span<const ViewType* const> views) {
    view_ids_.reserve(views.size());
    view_keys_.reserve(views.size());
    CommandGroup app = group("app", app_commands());
    for (const ViewType* view : views) {
        if (!view->commands.empty()) groups_.push_back(group(view->id, view->commands));
        view_ids_.push_back(fmt::format("view.{}", view->id));
        view_keys_.push_back(std::to_string(view_ids_.size()));
        app.commands.push_back({view_ids_.back().c_str(), view_keys_.back().c_str(), always,
                                kShowView.at(view_ids_.size() - 1)});
    }
    groups_.push_back(group("kernel", kernel_commands()));
    groups_.push_back(group("user_kernel", user_kernel_commands()));
    groups_.push_back(group("file", file_commands()));
    groups_.push_back(std::move(app));
    groups_.push_back(group("help", help_commands()));
    for (CommandGroup& each : groups_) {
        all_.insert(all_.end(), each.commands.begin(), each.commands.end());
        std::erase_if(each.commands, is_missing);
    }
    for (Command& command : all_)
        if (is_missing(command)) command.enabled = [](const Session&) { return false; };
}

const Command& CommandTable::find(std::string_view id) const {
    for (const Command& candidate : all_)
        if (id == candidate.id) return candidate;
    throw Problem(fmt::format("There is no command '{}'", id), "", "");
}

std::vector<PlacedProblem> placed(
    std::initializer_list<std::pair<const char*, const std::optional<Problem>&>> problems) {
    std::vector<PlacedProblem> found;
    for (const auto& [place, problem] : problems)
        if (problem && problem->exit != Exit::done) found.push_back({place, &*problem});
    return found;
}

std::uint64_t saved_count(const nlohmann::json& part, const char* key) {
    const nlohmann::json& count = part.at(key);
    if (count.is_number_unsigned() && count.get<std::uint64_t>() < (1ULL << 53U))
        return count.get<std::uint64_t>();
    throw Problem("The moment could not be read; everything is as it was",
                  fmt::format("Its {} is {}, which is no count", key, count.dump()),
                  "The file is damaged: ask for it again, or undo what was edited");
}

Problem unknown_in_state(const std::string& what) {
    return Problem("The moment has something that this version does not know", what,
                   "Open it with the version that saved it, or a newer one");
}

}  // namespace lab::session

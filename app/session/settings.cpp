#include "session/settings.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/text.h"
#include "base/translations.h"
#include "session/view.h"

namespace lab::session {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(ExportHabit, folder, name, suffix)

namespace {

using nlohmann::json;

LAB_JSON_SOME_FIELDS_OR_DEFAULT(MeasureChoice, variants, sizes, groups, repeat, precision, limit_s,
                                warm, shown)
LAB_JSON_SOME_FIELDS_OR_DEFAULT(Settings, language, theme, terms, view, scale, width, height, step,
                                solved, hints_done, exports, folder, page)

json json_of(const MeasureChoice& choice) {
    json object = {{"shape", choice.shape}, {"shapes", name_of(choice.shapes)}};
    put_fields(object, choice);
    return object;
}

json json_of(const RunShape& shape) {
    return {{"n", shape.n}, {"group", shape.group}, {"input", text_of(shape.input)}};
}

RunShape shape_of(const json& from, RunShape choice) {
    choice.n = std::clamp(from.value("n", choice.n), kLeastLattice, kMostLattice);
    choice.group = std::clamp<std::uint64_t>(from.value("group", choice.group), 1, 1024);
    choice.input = catalogue::parse_input(from.value("input", text_of(choice.input)));
    return choice;
}

// A word that this version knows, else the first one: another version may have known more.
template <typename Names>
std::string one_of(const Names& names, const std::string& word) {
    for (const char* name : names)
        if (word == name) return word;
    return *std::begin(names);
}

MeasureChoice measure_of(const json& from, MeasureChoice choice) {
    get_fields(from, choice);
    if (from.contains("shape")) choice.shape = from.at("shape").get<catalogue::Shape>();
    choice.repeat = std::clamp(choice.repeat, 0, 1'000'000);
    choice.precision = std::clamp(choice.precision, 1e-4, 1.0);
    choice.limit_s = std::clamp(choice.limit_s, 0.01, 3600.0);
    for (const results::LaunchShapes shapes :
         {results::LaunchShapes::table, results::LaunchShapes::kept, results::LaunchShapes::search})
        if (from.value("shapes", "") == name_of(shapes)) choice.shapes = shapes;
    return choice;
}

}  // namespace

std::optional<std::uint64_t> random_seed(const std::string& order) {
    constexpr std::string_view prefix = "random:";
    if (!order.starts_with(prefix)) return std::nullopt;
    return parse_number<std::uint64_t>(std::string_view(order).substr(prefix.size()));
}

Settings keep_preferences(Settings chosen, const Settings& now) {
    chosen.view = now.view;
    chosen.width = now.width;
    chosen.height = now.height;
    chosen.hints_done = now.hints_done;
    chosen.exports = now.exports;
    chosen.folder = now.folder;
    chosen.solved = now.solved;
    chosen.step = now.step;
    chosen.page = now.page;
    return chosen;
}

Settings keep_appearance(Settings moment, const Settings& now) {
    moment.language = now.language;
    moment.theme = now.theme;
    moment.terms = now.terms;
    moment.scale = now.scale;
    return keep_preferences(std::move(moment), now);
}

Settings::Settings() {
    choice.shape.group = 4;
    choice.shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
    measure.shape.type = catalogue::Type::float_;
    measure.shape.input = catalogue::parse_input("random:1");
    lattice.input = catalogue::parse_input("random:1");
}

void to_json(json& json, const Settings& settings) {
    json = {{"schema", 1},
            {"measure", json_of(settings.measure)},
            {"lattice", json_of(settings.lattice)}};
    put_fields(json, settings);
    json.update(nlohmann::json(settings.choice));
}

void from_json(const json& json, Settings& settings) {
    get_fields(json, settings);
    settings.language = one_of(kLanguages, settings.language);
    settings.theme = one_of(themes(), settings.theme);
    settings.terms = one_of(kTerms, settings.terms);
    settings.scale = std::clamp(settings.scale, kSmallestScale, kLargestScale);
    settings.width = std::clamp(settings.width, 320, 16384);
    settings.height = std::clamp(settings.height, 240, 16384);
    json.get_to(settings.choice);
    // Until version 0.1 the picture was the device's or the machine's, and the order the machine's.
    if (json.value("source", "") == "device") settings.choice.machine.order = kAutomatic;
    if (json.contains("measure"))
        settings.measure = measure_of(json.at("measure"), settings.measure);
    if (json.contains("lattice")) settings.lattice = shape_of(json.at("lattice"), settings.lattice);
}

std::filesystem::path settings_file() {
    return config_folder() / "settings.json";
}

Settings load_settings(std::optional<Problem>& problem) {
    Settings settings;
    const std::filesystem::path file = settings_file();
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return settings;
    std::string text, why;
    try {
        text = read_file(file, 1U << 20U);
        json::parse(text).get_to(settings);
        return settings;
    } catch (const Problem& damaged) {
        why = damaged.what_happened;
    } catch (const json::exception& damaged) {
        why = json_trouble(damaged, text);
    }
    std::filesystem::rename(file, file.string() + ".damaged", error);
    problem = Problem("The settings could not be read, so the standard ones are in force", why,
                      "The old file is kept beside as settings.json.damaged", file.string());
    return {};
}

constexpr std::size_t kMostSteps = 1000;  // that can be undone; the oldest is forgotten
constexpr auto kJoining = std::chrono::milliseconds(1200);

void UndoHistory::record(Settings before, ChangeKind kind, Clock::time_point now) {
    const bool goes_on = kind.joins && joins_until_ && now <= *joins_until_ && !past_.empty() &&
                         past_.back().kind.joins &&
                         std::string_view(past_.back().kind.id) == kind.id;
    future_.clear();
    joins_until_.reset();
    if (kind.joins) joins_until_ = now + kJoining;
    if (goes_on) return;
    past_.push_back({std::move(before), kind, now});
    if (past_.size() > kMostSteps) past_.erase(past_.begin());
}

std::optional<UndoHistory::Step> UndoHistory::move(std::vector<Step>& from, std::vector<Step>& to,
                                                   const Settings& now) {
    if (from.empty()) return {};
    Step step = std::move(from.back());
    from.pop_back();
    to.push_back({now, step.kind, step.made});
    step.settings = keep_preferences(std::move(step.settings), now);
    return step;
}

std::optional<UndoHistory::Step> UndoHistory::undo(const Settings& now) {
    joins_until_.reset();
    return move(past_, future_, now);
}

std::optional<UndoHistory::Step> UndoHistory::redo(const Settings& now) {
    joins_until_.reset();
    return move(future_, past_, now);
}

}  // namespace lab::session

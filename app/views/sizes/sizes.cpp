#include "views/sizes/sizes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/machine_run.h"
#include "base/ranges.h"
#include "catalogue/form.h"
#include "session/kernels.h"
#include "views/step/step.h"

namespace lab::session {
namespace {

constexpr auto kSearchSilence = std::chrono::seconds(120);  // of a search, before it counts as lost

bool is_among(const std::string& name, const std::pair<std::string, std::string>& sides) {
    return name == sides.first || name == sides.second;
}

// In the shape that a judgement is of.
RunChoice in_shape(RunChoice choice, const analysis::ShapeJudgement& judgement) {
    choice.machine.order = kAutomatic;
    if (choice.user_kernel) {
        choice.user_kernel = resized(*choice.user_kernel, catalogue::facts_of(*choice.user_kernel),
                                     judgement.n, std::max<std::uint64_t>(1, judgement.group));
        return choice;
    }
    choice.shape.n = judgement.n;
    choice.shape.group = judgement.group;
    choice.shape.input = analysis::without_numbers(choice.shape.input);
    return choice;
}

}  // namespace

std::pair<std::string, std::string> SizesView::sides() const {
    if (map.answer) return {map.answer->rows.name, map.answer->columns.name};
    return sides_.first.empty() ? std::pair<std::string, std::string>("group", "n") : sides_;
}

std::vector<std::string> SizesView::side_names() const {
    const RunChoice& choice = session_.settings().choice;
    std::vector<std::string> names;
    (void)thrown_by([&] {  // where there is no such kernel, the map says so
        names = analysis::axis_names(kernel_of(choice, session_.catalogue()));
    });
    const bool own = choice.user_kernel.has_value();
    std::erase_if(names, [&](const std::string& name) {
        return (name == "op" && (own || ops_taken(session_).size() < 2)) ||
               (name == "type" && (own || types_taken(session_).size() < 2));
    });
    return names;
}

void SizesView::restore_sides(std::pair<std::string, std::string> sides) {
    sides_ = std::move(sides);
    refresh();
}

void SizesView::set_rows(const std::string& name) {
    const auto [rows, columns] = sides();
    restore_sides({name, columns == name ? rows : columns});
}

void SizesView::set_columns(const std::string& name) {
    const auto [rows, columns] = sides();
    restore_sides({rows == name ? columns : rows, name});
}

// Asks for the map of what is chosen, if it is another one than that which is shown. What its sides
// vary, turns and listed numbers are no part of it.
void SizesView::refresh() {
    if (!session_.shows<SizesView>()) return;
    RunChoice choice = session_.settings().choice;
    std::string text;
    choice.shape.n = session_.elements();
    choice.shape.input = analysis::without_numbers(choice.shape.input);
    choice.machine.order = kAutomatic;
    auto varied = sides_;
    (void)thrown_by([&] {  // which the worker will say
        const catalogue::Kernel kernel = kernel_of(choice, session_.catalogue());
        text = kernel.text;
        varied = analysis::sides_of(kernel, sides_.first, sides_.second);
    });
    if (is_among("n", varied) || is_among("groups", varied)) choice.shape.n.reset();
    if (is_among("group", varied)) choice.shape.group = RunChoice().shape.group;
    if (is_among("op", varied)) choice.shape.op = {};
    if (is_among("type", varied)) choice.shape.type = {};
    std::erase_if(choice.shape.set, [&](const auto& each) { return is_among(each.first, varied); });
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        if (is_among(option.id, varied))
            choice.machine.*option.field = machine::MachineShape().*option.field;
    if (choice.user_kernel) choice.shape = {};
    nlohmann::json asked = choice;
    asked["rows"] = sides_.first;
    asked["columns"] = sides_.second;
    if (shown_ == std::pair(asked, text)) return;
    shown_ = {asked, text};
    for (const worker::Ticket each : tickets_)
        worker_.cancel(each);
    tickets_.clear();
    map = {};
    inputs = {};
    barriers = {};
    ++version;
    ask(map, "sizes", std::move(asked));
}

template <typename Answer>
void SizesView::ask(Asked<Answer>& asked, const char* method, nlohmann::json parameters) {
    asked.problem.reset();
    worker::Handler handle = handler(asked, [this] { ++version; });
    if constexpr (std::is_same_v<Answer, analysis::SizeMap>)
        handle.progress = [this](const nlohmann::json& progress) {
            map.answer = progress.get<analysis::SizeMap>();
            ++version;
        };
    tickets_.push_back(
        worker_.send(method, std::move(parameters), std::move(handle), kSearchSilence));
}

void SizesView::find_inputs() {
    ask(inputs, "inputs", session_.settings().choice);
}

void SizesView::judge_barriers() {
    ask(barriers, "barriers", session_.settings().choice);
}

void SizesView::start() {
    if (map.problem) shown_.reset();
    refresh();
}

void SizesView::cancel() {
    const auto stop = [](auto& asked) {
        if (std::exchange(asked.waiting, false)) asked.problem = analysis::run_cancelled();
    };
    for (const worker::Ticket each : tickets_)
        worker_.cancel(each);
    tickets_.clear();
    stop(map);
    stop(inputs);
    stop(barriers);
}

std::vector<PlacedProblem> SizesView::problems() const {
    return placed({{"sizes", map.problem}, {"sizes", inputs.problem}, {"sizes", barriers.problem}});
}

ExportOffer SizesView::export_offer() const {
    static constexpr std::array kFigure{".svg", ".png", ".pdf", ".csv", ".json"};
    const std::string name = chosen_name(session_.settings().choice) + "-sizes";
    if (!map.answer) return {name};
    return {name, kFigure};
}

std::optional<RunChoice> SizesView::run_of_cell(std::size_t row, std::size_t column) const {
    const analysis::SizeMap& cells = *map.answer;
    const analysis::ShapeJudgement& cell = cells.at(row, column);
    if (cell.n == 0) return std::nullopt;
    RunChoice choice = session_.settings().choice;
    analysis::RunSpec spec = spec_of(choice, session_.catalogue());
    // A number of groups is that of the cell's n.
    for (const auto& [axis, place] : {std::pair(&cells.rows, row), {&cells.columns, column}})
        if (axis->name != "groups")
            spec = with_value(std::move(spec), axis->name, axis->values.at(place));
    choice.shape = spec.shape;
    static_cast<machine::MachineShape&>(choice.machine) = spec.machine.config.shape();
    return in_shape(std::move(choice), cell);
}

std::optional<RunChoice> SizesView::run_of_numbers(std::size_t place) const {
    const analysis::FoundNumbers& found = inputs.answer->found.at(place);
    const std::string numbers = fmt::format("{}", fmt::join(found.numbers, ","));
    analysis::ShapeJudgement judgement = found.judgement;
    judgement.n = found.numbers.size();
    RunChoice choice = in_shape(session_.settings().choice, judgement);
    if (!choice.user_kernel) {
        choice.shape.n.reset();
        choice.shape.input = catalogue::parse_input(numbers);
        return choice;
    }
    if (!found.arguments.empty()) {
        choice.user_kernel->arguments = found.arguments;
        return choice;
    }
    // The numbers go where the launch has its elements: into the first buffer that is filled.
    const auto rows = rows_of(catalogue::facts_of(*choice.user_kernel), *choice.user_kernel);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows[i].fill.empty()) {
            set_fill(*choice.user_kernel, rows, i, numbers);
            return choice;
        }
    return std::nullopt;
}

// Of a text that is edited, the barrier is taken out by hand.
bool SizesView::opens_without(const analysis::SyncPoint& point) const {
    const RunChoice& choice = session_.settings().choice;
    return point.need == analysis::SyncPoint::Need::needed &&
           point.kind == analysis::SyncPoint::Kind::barrier && !choice.user_kernel &&
           !choice.opened;
}

std::optional<std::size_t> SizesView::first_needed() const {
    if (!barriers.answer) return std::nullopt;
    for (std::size_t i = 0; i < barriers.answer->points.size(); ++i)
        if (opens_without(barriers.answer->points[i])) return i;
    return std::nullopt;
}

std::optional<RunChoice> SizesView::run_without(std::size_t place) const {
    const analysis::SyncPoint& point = barriers.answer->points.at(place);
    const RunChoice whole = in_shape(session_.settings().choice, point.without);
    for (std::size_t number = 0;; ++number) {
        auto without = without_barrier(whole, session_.catalogue(), number);
        if (!without) return std::nullopt;
        const lang::Source source{.name = {}, .text = without->opened->text};
        if (lang::line_of(source, point.line).find("is left out") != std::string_view::npos)
            return without;
    }
}

void SizesView::open(std::optional<RunChoice> run) {
    if (!run) return;
    session_.show_view<StepView>();
    session_.choose(std::move(*run));
}

std::optional<std::pair<std::size_t, std::size_t>> SizesView::first_bad() const {
    if (!map.answer) return std::nullopt;
    for (std::size_t column = 0; column < map.answer->columns.values.size(); ++column)
        for (std::size_t row = 0; row < map.answer->rows.values.size(); ++row)
            if (is_bad(map.answer->at(row, column).verdict)) return std::pair(row, column);
    return std::nullopt;
}

}  // namespace lab::session

#include "views/measure/measure.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "analysis/simulate.h"
#include "base/ranges.h"
#include "catalogue/number.h"
#include "session/session.h"

namespace lab::session {
namespace {

constexpr auto kMeasureLimit =
    std::chrono::seconds(600);  // the longest silence: a row, all its runs

constexpr std::size_t kMostRuns = 12;  // runs side by side; the oldest is forgotten

// How often it runs, and where.
results::MeasureRequest runs_of(const MeasureChoice& choice, const std::string& device) {
    results::MeasureRequest request;
    request.shape.device = device;
    request.repeat = choice.repeat;
    request.precision = choice.precision;
    request.limit_s = choice.limit_s;
    return request;
}

// Throws Problem for sizes or groups that are none.
results::MeasureRequest request_for(const MeasureChoice& choice, const std::string& device) {
    results::MeasureRequest request = runs_of(choice, device);
    request.sizes = catalogue::parse_sizes(choice.sizes);
    request.groups = catalogue::parse_groups(choice.groups);
    request.variants = choice.variants;
    request.shape = choice.shape;
    request.shape.n.reset();
    if (!results::names_several(request.shape.device)) request.shape.device = device;
    request.warm = choice.warm;
    // A search looks for the group, too, so with groups that were asked for there is none.
    if (request.groups.empty()) request.shapes = choice.shapes;
    request.all = true;  // what a size or the device rules out is left out, in one line each
    return request;
}

}  // namespace

MeasureProgress read_progress(const nlohmann::json& progress) {
    return {progress.value("done", std::size_t{0}), progress.value("total", std::size_t{0}),
            progress.value("seconds_left", 0.0)};
}

MeasureView::MeasureView(Session& session) : View(session), worker_(session.worker_options()) {
    session.notices.attempt("documents", [&] { document_figures = results::document_figures(); });
}

void MeasureView::set(MeasureChoice choice) {
    const MeasureChoice& now = session_.settings().measure;
    // A count grows and shrinks by clicks and typing: they are one change.
    MeasureChoice same = choice;
    same.repeat = now.repeat;
    const ChangeKind kind = same == now ? kCountChange : kMeasureChange;
    session_.set(&Settings::measure, std::move(choice), kind);
}

void MeasureView::run() {
    if (state_.results.waiting) return;
    results::MeasureRequest request;
    state_.results.problem = thrown_by([&] {
        request = request_for(session_.settings().measure, session_.settings().choice.shape.device);
    });
    if (state_.results.problem) return;
    nlohmann::json asked = request;
    for (const RunChoice& known : session_.kernels.editor.opened)
        if (known.opened) asked["opened"].push_back(*known.opened);
    send(request, std::move(asked));
}

void MeasureView::time_user_kernel() {
    const RunChoice& chosen = session_.settings().choice;
    if (state_.results.waiting || !chosen.user_kernel) return;
    MeasureChoice choice = session_.settings().measure;
    // The others are of what is ranked.
    if (choice.shown != "table" && choice.shown != "time") choice.shown = "bandwidth";
    set(choice);
    const results::MeasureRequest request = runs_of(choice, chosen.shape.device);
    nlohmann::json asked = request;
    asked["own"] = *chosen.user_kernel;
    send(request, std::move(asked));
}

void MeasureView::send(const results::MeasureRequest& request, nlohmann::json asked) {
    keep_shown();
    MeasureState state;
    state.added = std::move(state_.added);
    state.runs = std::move(state_.runs);
    std::erase_if(state.runs, [](const MeasureRun& one) { return one.results.rows.empty(); });
    if (state.runs.size() == kMostRuns) state.runs.erase(state.runs.begin());
    state.version = state_.version + 1;
    state.results.waiting = true;
    state.started = Clock::now();
    results::Measurements rows;
    if (!asked.contains("own")) {
        rows.op = name_of(request.shape.op);
        rows.type = info(request.shape.type).name;
    }
    rows.repeat = request.repeat;
    state.runs.push_back({rows, state.started, std::time(nullptr)});
    state.shown_run = state.runs.size() - 1;
    state.results.answer = rows;
    state_ = std::move(state);
    worker::Handler handle = handler(state_.results, [this] { ++state_.version; });
    handle.progress = [this](const nlohmann::json& progress) {
        state_.progress = read_progress(progress);
        if (progress.contains("results") && state_.results.answer) {
            merge(*state_.results.answer, progress.at("results").get<results::Measurements>());
            ++state_.version;
        }
    };
    ticket_ = worker_.send("measure", std::move(asked), std::move(handle), kMeasureLimit);
}

void MeasureView::time(std::vector<std::string> variants, const std::string& shown) {
    if (busy()) return;
    MeasureChoice choice = session_.settings().measure;
    choice.variants = std::move(variants);
    if (!shown.empty()) choice.shown = shown;
    set(std::move(choice));
    run();
}

// Few numbers on wide warps, as a GPU has them: the shares are those of many.
constexpr std::uint64_t kCountedN = 512, kCountedGroup = 128;
constexpr std::uint32_t kCountedLanes = 32;

static std::string costs_key(const results::Row& row) {
    return row.variant + " " + catalogue::settings_text(row.set);
}

static std::optional<analysis::RunCosts> counted_costs(const results::Row& row,
                                                       const catalogue::Catalogue& catalogue) {
    RunChoice choice;
    choice.variant = row.variant;
    choice.shape.n = kCountedN;
    choice.shape.group = kCountedGroup;
    choice.shape.input = catalogue::parse_input("ramp");
    choice.shape.set = row.set;
    choice.machine.lanes = kCountedLanes;
    choice.machine.resident = 0;
    choice.machine.order = "in-order";
    try {
        const auto run = analysis::play_on_machine(analysis::spec_of(choice, catalogue));
        if (run->run == nullptr || run->fault) return std::nullopt;
        return analysis::costs_of(*run->run);
    } catch (const Problem&) {
        return std::nullopt;  // it needs another shape
    }
}

const analysis::RunCosts* MeasureView::costs_of(const results::Row& row) const {
    const auto found = costs_.find(costs_key(row));
    return found == costs_.end() || !found->second ? nullptr : &*found->second;
}

const results::Row* MeasureView::uncounted() const {
    if (!session_.shows<MeasureView>() || busy()) return nullptr;
    for (const results::Measurements* results : shown_results(state_))
        for (const results::Row& row : results->rows)
            if (row.kind == "variant" && !costs_.contains(costs_key(row))) return &row;
    return nullptr;
}

// One kernel between two frames.
void MeasureView::poll() {
    worker_.poll();
    if (const results::Row* row = uncounted())
        costs_.emplace(costs_key(*row), counted_costs(*row, session_.catalogue()));
}

std::optional<View::Clock::time_point> MeasureView::next_move() const {
    if (uncounted() == nullptr) return std::nullopt;
    return Clock::now();
}

std::optional<double> MeasureView::seconds_for(const std::vector<std::string>& variants) const {
    // Of a row: the kernel's compiler, the checks. Of a run that was never timed here: GB/s that
    // most kernels reach on a processor, and on a GPU.
    constexpr double kRow = 0.2, kOnCpu = 1, kOnGpu = 200;
    const MeasureChoice& choice = session_.settings().measure;
    std::vector<std::uint64_t> sizes;
    if (thrown_by([&] { sizes = catalogue::parse_sizes(choice.sizes); })) return std::nullopt;
    const auto& found = session_.devices.answer;
    const bool gpu =
        found && any_of(found->devices, [](const auto& device) { return device.kind == "GPU"; });
    const auto bytes = static_cast<double>(info(choice.shape.type).bytes);
    double seconds = 0;
    for (const std::uint64_t n : sizes)
        for (const std::string& variant : variants) {
            double run = static_cast<double>(n) * bytes / (gpu ? kOnGpu : kOnCpu) * 1e-9;
            for (const MeasureRun& before : state_.runs)
                for (const results::Row& row : before.results.rows)
                    if (row.variant == variant && row.n == n && !row.wall_ms.empty())
                        run = row.wall_median() * 1e-3;
            const double runs = choice.repeat > 0 ? (choice.repeat + 2) * run : choice.limit_s;
            seconds += kRow + runs;
        }
    return seconds;
}

void MeasureView::keep_shown() {
    if (state_.shown_run < state_.runs.size() && state_.results.answer)
        state_.runs[state_.shown_run].results = *state_.results.answer;
}

void MeasureView::show_run(std::size_t index) {
    if (busy() || index >= state_.runs.size() || index == state_.shown_run) return;
    keep_shown();
    state_.shown_run = index;
    state_.results.answer = state_.runs[index].results;
    state_.results.problem.reset();
    ++state_.version;
}

std::optional<View::Clock::time_point> MeasureView::undoable() const {
    if (busy() || state_.shown_run == 0) return {};
    return state_.runs[state_.shown_run].began;
}

std::optional<View::Clock::time_point> MeasureView::redoable() const {
    if (busy() || state_.shown_run + 1 >= state_.runs.size()) return {};
    return state_.runs[state_.shown_run + 1].began;
}

void MeasureView::cancel() {
    if (!state_.results.waiting) return;
    worker_.cancel(ticket_);
    state_.results.waiting = false;
}

void MeasureView::add(AddedResults added) {
    ++state_.version;
    put_by(state_.added, std::move(added), [](const AddedResults& each) { return each.file; });
}

void MeasureView::remove(std::size_t index) {
    if (index >= state_.added.size()) return;
    ++state_.version;
    state_.added.erase(state_.added.begin() + static_cast<std::ptrdiff_t>(index));
}

std::vector<PlacedProblem> MeasureView::problems() const {
    return placed({{"measure", state_.results.problem}});
}

ExportOffer MeasureView::export_offer() const {
    static constexpr std::array kChart{".svg", ".png", ".pdf", ".csv", ".json"};
    static constexpr std::array kTable{".csv", ".json"};
    const std::string& shown = session_.settings().measure.shown;
    const std::string name = "measure-" + shown;
    const bool rows = state_.results.answer && !state_.results.answer->rows.empty();
    if (!rows && state_.added.empty()) return {name, {}, "export.none_measure"};
    if (shown == "table") return {name, kTable};
    return {name, kChart};
}

static const results::Measurements* own(const MeasureState& measure) {
    const auto& answer = measure.results.answer;
    return answer && !answer->rows.empty() ? &*answer : nullptr;
}

bool is_comparable(const MeasureState& measure, const AddedResults& added) {
    const results::Measurements* first = own(measure);
    if (first == nullptr && !measure.added.empty()) first = &measure.added.front().results;
    return first == nullptr || (first->op == added.results.op && first->type == added.results.type);
}

std::vector<const results::Measurements*> shown_results(const MeasureState& measure) {
    std::vector<const results::Measurements*> measurements;
    if (const results::Measurements* here = own(measure)) measurements.push_back(here);
    for (const AddedResults& added : measure.added)
        if (is_comparable(measure, added)) measurements.push_back(&added.results);
    return measurements;
}

std::vector<results::Measurements> results_to_draw(const MeasureState& measure) {
    std::vector<results::Measurements> measurements;
    for (const results::Measurements* results : shown_results(measure))
        measurements.push_back(*results);
    if (measure.results.waiting && own(measure) != nullptr) measurements.front().complete = true;
    return measurements;
}

std::string name_of(const AddedResults& added) {
    const std::string& device = added.results.device.name;
    const std::string& text = device.empty() ? added.results.host.processor : device;
    return fmt::format("{}: {}", added.file.filename().string(), text);
}

}  // namespace lab::session

#include "views/step/step.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "base/ranges.h"
#include "catalogue/form.h"
#include "catalogue/number.h"
#include "catalogue/plan.h"
#include "lang/code.h"
#include "machine/schedule.h"
#include "session/kernels.h"
#include "session/session.h"

namespace lab::session {
namespace {

// The longest silence of a worker: a slow driver's first build.
constexpr auto kStepLimit = std::chrono::seconds(120);

using SharedRun = std::shared_ptr<analysis::MachineRun>;

using RunWork = Background<SharedRun>::Work;

RunWork work_for(analysis::RunSpec spec) {
    return [spec = std::move(spec), run = std::shared_ptr<analysis::RunInParts>()](
               const std::atomic<bool>& cancel) mutable -> std::optional<SharedRun> {
        if (!run) run = std::make_shared<analysis::RunInParts>(std::move(spec), &cancel);
        SharedRun made = run->go_on();
        if (!made) return std::nullopt;
        return made;
    };
}

// The spec is made here, so that the thread shares nothing with us.
RunWork work_for(const RunChoice& choice, const catalogue::Catalogue& catalogue,
                 std::optional<analysis::SimulatorOptions> machine = std::nullopt) {
    try {
        analysis::RunSpec spec = spec_of(choice, catalogue);
        if (machine) spec.machine = std::move(*machine);
        return work_for(std::move(spec));
    } catch (const Problem& problem) {
        return [problem](const std::atomic<bool>&) -> std::optional<SharedRun> {
            throw Problem(problem);
        };
    }
}

// Of what stands beside the chosen kernel no device is asked: a broken one is shown going wrong.
RunWork work_beside(const RunChoice& choice, const catalogue::Catalogue& catalogue) {
    if (!is_automatic(choice)) return work_for(choice, catalogue);
    try {
        return [spec = spec_of(choice, catalogue)](const std::atomic<bool>& cancel) {
            analysis::JudgedRun judged = analysis::judge_run(spec, true, {}, &cancel);
            return judged.run ? judged.run : analysis::run_on_machine(spec, &cancel);
        };
    } catch (const Problem& problem) {
        return [problem](const std::atomic<bool>&) -> std::optional<SharedRun> {
            throw Problem(problem);
        };
    }
}

// Whether it is a run of the chosen kernel, of whatever shape and text.
bool is_of(const analysis::MachineRun& run, const RunChoice& choice) {
    const catalogue::Kernel& kernel = run.spec.kernel;
    if (choice.user_kernel) return kernel.by_form() && kernel.file == choice.user_kernel->file;
    return !kernel.by_form() && kernel.id == choice.variant;
}

// Gives a kernel with a header the elements that a form's kernel reads, as far as it has such an
// argument: "in:float[64]=ramp".
void take_elements(RunChoice& to, const catalogue::LaunchForm& form) {
    for (const std::string& argument : form.arguments) {
        const auto colon = argument.find(':'), open = argument.find('['),
                   fill = argument.find("]=");
        if (colon == std::string::npos || open < colon || fill == std::string::npos) continue;
        const std::string text = argument.substr(fill + 2);
        const bool list = text.find(',') != std::string::npos;
        if (!list && (text.empty() || std::isalpha(static_cast<unsigned char>(text[0])) == 0))
            continue;  // one number: no elements
        (void)thrown_by([&] {
            catalogue::Shape shape = to.shape;
            shape.input = catalogue::parse_input(text);
            shape.type = catalogue::parse_type(argument.substr(colon + 1, open - colon - 1));
            shape.n.reset();
            if (!list) shape.n = catalogue::parse_size(argument.substr(open + 1, fill - open - 1));
            to.shape = std::move(shape);
        });
        return;
    }
}

bool by_hand(const RunChoice& choice) {
    return choice.machine.order.starts_with(machine::kTurnsPrefix);
}

}  // namespace

StepView::StepView(Session& session)
    : View(session),
      recorder(session),
      wrong_order_(session.worker),
      wrong_beside_(session.worker),
      runner_(session.options().wake),
      other_runner_(session.options().wake),
      judge_(session.options().wake) {}
StepView::~StepView() = default;

const StepView::Pair& StepView::pair() const {
    const RunChoice& choice = session_.settings().choice;
    const std::uint64_t n = session_.elements();
    if (pair_ && pair_->n == n && pair_->choice == choice) return *pair_;
    const catalogue::Catalogue& catalogue = session_.catalogue();
    const std::vector<RunChoice>& own = session_.kernels.editor.opened;
    std::optional<RunChoice> toggled = session::counterpart(choice, catalogue, n, own);
    RunChoice second = second_of(choice, toggled);
    pair_ = Pair{choice,
                 n,
                 is_broken(choice, catalogue, n),
                 std::move(toggled),
                 missing_from(choice),
                 std::move(second)};
    if (choice.user_kernel && pair_->missing) pair_->broken = true;
    if (pair_->other && !pair_->missing) pair_->missing = missing_from(*pair_->other);
    return *pair_;
}

RunChoice StepView::second_of(const RunChoice& choice,
                              const std::optional<RunChoice>& toggled) const {
    RunChoice second = choice;
    if (compared) {
        second.variant = compared->variant;
        second.opened = compared->opened;
        second.user_kernel = compared->user_kernel;
        second.shape.set = compared->shape.set;
        if (same_kernel(second, choice)) second.machine.order = compared->machine.order;
        if (!(second == choice)) {
            if (choice.user_kernel && !second.user_kernel)
                take_elements(second, *choice.user_kernel);
            session_.fit_group(second);
            return second;
        }
    }
    if (toggled) return *toggled;
    second.machine.order = choice.machine.order == "in-order" ? "round-robin" : "in-order";
    return second;
}

// The kernel that the last toggle left, in the shape of now, as long as the one that it led to is
// chosen. A schedule chosen by hand fits one of the two alone: it waits for its kernel to come
// back.
std::optional<RunChoice> StepView::came_from(const RunChoice& now) const {
    if (!toggled_ || now.user_kernel || !same_kernel(now, toggled_->to)) return std::nullopt;
    RunChoice back = now;
    back.variant = toggled_->left.variant;
    back.opened = toggled_->left.opened;
    back.shape.set = toggled_->left.shape.set;
    if (back.shape.group == toggled_->to.shape.group) back.shape.group = toggled_->left.shape.group;
    if (by_hand(back)) back.machine.order = kAutomatic;
    RunChoice left = toggled_->left;
    if (by_hand(left)) left.machine.order = back.machine.order;
    if (left == back) return toggled_->left;
    if (is_broken(back, session_.catalogue(), session_.elements()) == broken())
        return std::nullopt;  // in another shape it is no longer the other of the two
    return back;
}

std::optional<MissingBarrier> StepView::missing_from(const RunChoice& choice) const {
    return session::missing_barrier(choice, session_.catalogue(), session_.kernels.editor.opened);
}

void StepView::toggle_broken() {
    run_edits(session_);
    if (!counterpart()) return;
    const RunChoice now = session_.settings().choice;
    std::optional<RunChoice> next = came_from(now);
    if (next) {
        begin_at = toggled_->row;
    } else {
        next = *counterpart();
        if (by_hand(*next)) next->machine.order = kAutomatic;
    }
    const std::size_t row = cursor;
    const bool made = missing_from(now).has_value();
    session_.choose(std::move(*next));
    if (made) forget_opened(session_, now);
    toggled_ = Toggled{now, session_.settings().choice, row};
}

void StepView::leave_out_next() {
    const RunChoice now = session_.settings().choice;
    const auto missing = missing_from(now);
    if (!missing) return;
    auto next =
        without_barrier(missing->whole, session_.catalogue(), (missing->number + 1) % missing->all,
                        session_.kernels.editor.opened);
    if (!next) return;
    session_.choose(std::move(*next));
    forget_opened(session_, now);
    if (toggled_) toggled_->to = session_.settings().choice;
}

bool StepView::busy() const {
    return table.waiting || simulated.waiting || witness.waiting || other.waiting ||
           recorder.recorded.waiting;
}

void StepView::choice_changed() {
    if (std::exchange(begun_, true)) after_run_.clear();
    begin_run();
    if (beside) run_other();
    ask_device();
}

void StepView::begin_run() {
    simulated.waiting = true;
    table.waiting = true;
    asked = Clock::now();
    const RunChoice& choice = session_.settings().choice;
    // A broken one goes wrong at once, before it is known whether the device's run did.
    if (broken() && !platform::kBrowser)
        runner_.start(work_beside(choice, session_.catalogue()));
    else
        runner_.start(work_for(choice, session_.catalogue()));
}

// One request is under way at a time: a change meanwhile is asked for once that one has come back,
// which takes less than ending the worker and starting another.
void StepView::ask_device() {
    const RunChoice& choice = session_.settings().choice;
    witness.answer.reset();
    witness.waiting = true;
    judge_.cancel();
    wrong_order_.cancel();
    device_again_ = witness.device.waiting;
    if (device_again_) return;
    witness.device = {};
    worker::Handler handle = handler(witness.device);
    const auto then = [this](auto take) {
        return [this, take](const auto& answer) {
            take(answer);
            if (device_again_)
                ask_device();
            else
                judge();
        };
    };
    handle.result = then(handle.result);
    handle.problem = then(handle.problem);
    device_ticket_ = session_.worker.send("step", choice, std::move(handle), kStepLimit);
}

// Once both the run and the device's rows are there: whether they are the same, and if the schedule
// was left to us, which run shows it best.
void StepView::judge() {
    if (simulated.waiting || witness.device.waiting) return;
    const RunChoice& choice = session_.settings().choice;
    if (simulated.problem || !simulated.run) {
        witness.answer = analysis::DeviceComparison();
        witness.waiting = false;
        return;
    }
    if (platform::kBrowser)
        return wrong_order_.ask(choice,
                                [this](WrongOrder::Found found) { show_wrong(std::move(found)); });
    // The run that was asked for: the one shown may have been found by a search.
    judge_.start([spec = spec_of(choice, session_.catalogue()), device = witness.device.answer,
                  automatic = is_automatic(choice)](const std::atomic<bool>& cancel) {
        return std::make_shared<analysis::JudgedRun>(
            analysis::judge_run(spec, automatic, device, &cancel));
    });
}

// On a page: the run is made in parts.
void StepView::show_wrong(WrongOrder::Found found) {
    analysis::DeviceComparison comparison;
    if (is_automatic(session_.settings().choice))
        comparison.origin = analysis::DeviceComparison::Origin::usual;
    if (!found) {
        witness.answer = std::move(comparison);
        witness.waiting = false;
        take_table();
        ++version;
        return;
    }
    comparison.origin = analysis::DeviceComparison::Origin::goes_wrong;
    analysis::RunSpec spec = simulated.run->spec;
    spec.machine = std::move(*found);
    judge_.start([run = work_for(std::move(spec)), comparison](const std::atomic<bool>& cancel)
                     -> std::optional<std::shared_ptr<analysis::JudgedRun>> {
        std::optional<SharedRun> made = run(cancel);
        if (!made) return std::nullopt;
        return std::make_shared<analysis::JudgedRun>(
            analysis::JudgedRun{std::move(*made), comparison});
    });
}

void StepView::run_other() {
    other_runner_.cancel();  // the run of an earlier choice
    wrong_beside_.cancel();
    const bool mine = session_.shows<StepView>();
    if (!mine && !counterpart()) {
        other = {nullptr, {}, false, other.version + 1};
        return;
    }
    RunChoice choice = mine ? second() : *counterpart();
    const bool fits = same_kernel(choice, session_.settings().choice);
    if (by_hand(choice) && !fits) choice.machine.order = kAutomatic;
    other.waiting = true;
    if (!platform::kBrowser) return other_runner_.start(work_beside(choice, session_.catalogue()));
    wrong_beside_.ask(choice, [this, choice](WrongOrder::Found found) {
        other_runner_.start(work_for(choice, session_.catalogue(), std::move(found)));
    });
}

void StepView::set_beside(bool on) {
    beside = on;
    if (on) run_other();
}

void StepView::compare_with(std::optional<RunChoice> with) {
    compared = std::move(with);
    pair_.reset();
    set_beside(true);
}

void StepView::cancel() {
    if (recorder.recorded.waiting) return recorder.cancel();
    if (!simulated.waiting && !witness.waiting) return;
    const bool shown = !simulated.waiting;
    if (witness.device.waiting) session_.worker.cancel(device_ticket_);
    runner_.cancel();
    judge_.cancel();
    wrong_order_.cancel();
    witness.device = {};
    witness.waiting = simulated.waiting = table.waiting = device_again_ = false;
    play(false);
    if (!shown)
        table.problem = analysis::run_cancelled();
    else if (simulated.run)
        take_table();
}

// The rows of the shown run. While it may still give way to one that goes wrong it is not called
// right.
void StepView::take_table() {
    table.answer = simulated.run->table;
    if (!table.answer->right || !witness.waiting || !broken()) return;
    if (!is_automatic(session_.settings().choice)) return;
    table.answer->result.clear();
    table.answer->expected.clear();
}

// The picture, the sentences and all panels are of this run from now on.
void StepView::publish(SharedRun run) {
    const bool at_end = cursor == last_pass();
    first_ = false;
    simulated.run = std::move(run);
    simulated.problem.reset();
    ++simulated.version;
    table.problem.reset();
    take_table();
    session_.elements_run = table.answer->n;
    ++version;
    set_cursor(begin_at ? *begin_at : at_end ? SIZE_MAX : cursor);
    begin_at.reset();
}

// What the last start, a moment or a file has left must not leave a view without its picture: a
// schedule that does not fit is dropped, and what cannot run gives way to the kernel's example.
bool StepView::falls_back(const Problem& problem) {
    RunChoice choice = session_.settings().choice;
    if (by_hand(choice)) {
        choice.machine.order = kAutomatic;
        session_.notices.say(session_.words()("toast.turns_dropped"));
        session_.amend(std::move(choice));
        return true;
    }
    if (!std::exchange(first_, false) || !session_.options().recalled || choice.user_kernel)
        return false;
    reset_kernel(session_);
    if (session_.settings().choice == choice) return false;
    session_.notices.say(
        session_.words()("toast.example_instead",
                         fmt::arg("why", translated(problem, session_.words()).what_happened)));
    return true;
}

// What is shown stays only if it is of the kernel that could not be run.
void StepView::fail(const Problem& problem) {
    if (falls_back(problem)) return;
    simulated.problem = problem;
    table.problem = problem;
    if (!simulated.run || is_of(*simulated.run, session_.settings().choice)) return;
    simulated.run.reset();
    table.answer.reset();
    cursor = 0;
    time = 0;
    ++simulated.version;
    ++version;
}

// What the threads have finished.
void StepView::take_runs() {
    if (auto result = runner_.take()) {
        simulated.waiting = table.waiting = runner_.running();
        if (auto* problem = std::get_if<Problem>(&*result))
            fail(*problem);
        else
            publish(std::move(std::get<0>(*result)));
        if (!simulated.waiting) judge();
    }
    if (auto result = judge_.take()) {
        witness.waiting = judge_.running();
        if (auto* problem = std::get_if<Problem>(&*result)) {
            witness.answer = analysis::DeviceComparison();
            witness.answer->why = translated(*problem, session_.words()).what_happened;
        } else {
            analysis::JudgedRun& judged = *std::get<0>(*result);
            witness.answer = std::move(judged.witness);
            if (judged.run)
                publish(std::move(judged.run));
            else if (simulated.run)
                take_table();
        }
        ++version;  // tips name the device's values
        if (const auto& problem = witness.device.problem)
            witness.answer->why = translated(*problem, session_.words()).what_happened;
    }
    if (auto result = other_runner_.take()) {
        other.waiting = other_runner_.running();
        if (auto* problem = std::get_if<Problem>(&*result)) {
            other.problem = std::move(*problem);
        } else {
            other.run = std::move(std::get<0>(*result));
            other.problem.reset();
        }
        ++other.version;
    }
}

void StepView::poll() {
    recorder.poll();
    take_runs();
    if (begun_ && !simulated.waiting && !witness.waiting)
        for (const auto& act : std::exchange(after_run_, {}))
            act(session_);
}

std::vector<PlacedProblem> StepView::problems() const {
    // That there is no device, or that it cannot run this, is said beside its name.
    static const std::optional<Problem> kNone;
    const std::optional<Problem>& device = witness.device.problem;
    const bool said = device && (device->exit == Exit::no_device || device->exit == Exit::usage);
    return placed({{"step", table.problem},
                   {"machine", simulated.problem},
                   {"record", recorder.recorded.problem},
                   {"device", said ? kNone : device}});
}

ExportOffer StepView::export_offer() const {
    static constexpr std::array kFigure{".svg", ".png", ".pdf", ".json"};
    std::string name = chosen_name(session_.settings().choice);
    if (grain != StepUnit::pass) name += "-moment";
    if (!table.answer) return {name};
    return {name, kFigure};
}

// The step view's way through what was run: passes, lines or actions.

// An action is seen sooner than a pass.
constexpr double kActionsAPass = 4;

std::chrono::milliseconds StepView::pause() const {
    const double faster = grain == StepUnit::pass ? 1 : kActionsAPass;
    return std::chrono::milliseconds(static_cast<int>(1000 / (passes_per_second * faster)));
}

std::size_t StepView::last_pass() const {
    const auto& answer = table.answer;
    return answer && !answer->rows.empty() ? answer->rows.size() - 1 : 0;
}

void StepView::set_foretells(bool on) {
    foretells = on;
    uncovered.clear();
}

void StepView::uncover(std::size_t cell) {
    const auto at = std::lower_bound(uncovered.begin(), uncovered.end(), cell);
    if (!hides_next() || (at != uncovered.end() && *at == cell)) return;
    if (cell < table.answer->rows[cursor + 1].cells.size()) uncovered.insert(at, cell);
}

void StepView::uncover_next() {
    std::size_t cell = 0;
    while (cell < uncovered.size() && uncovered[cell] == cell)
        ++cell;
    const std::size_t before = uncovered.size();
    uncover(cell);
    if (uncovered.size() == before) go_to(position() + 1);
}

void StepView::set_cursor(std::size_t pass) {
    uncovered.clear();
    cursor = std::min(pass, last_pass());
    if (!simulated.run) return;
    const auto& ends = simulated.run->row_ends;
    time = cursor >= last_pass()  ? simulated.run->actions()
           : cursor < ends.size() ? ends[cursor]
                                  : 0;
}

void StepView::set_time(std::uint64_t actions) {
    if (!simulated.run) return;
    time = std::min(actions, simulated.run->actions());
    const auto& ends = simulated.run->row_ends;
    const auto after = std::upper_bound(ends.begin(), ends.end(), time);
    const auto row =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - ends.begin() - 1, 0));
    cursor = std::min(row, last_pass());
}

void StepView::set_grain(StepUnit unit) {
    grain = unit;
    play(false);
}

std::size_t StepView::position() const {
    if (grain == StepUnit::pass) return cursor;
    if (grain == StepUnit::action || !simulated.run) return time;
    const auto& ends = simulated.run->line_ends;
    const auto place = std::lower_bound(ends.begin(), ends.end(), time);
    return time == 0 ? 0 : static_cast<std::size_t>(place - ends.begin()) + 1;
}

std::size_t StepView::last_position() const {
    if (grain == StepUnit::pass) return last_pass();
    if (!simulated.run) return 0;
    return grain == StepUnit::action ? simulated.run->actions() : simulated.run->line_ends.size();
}

const char* StepView::unit() const {
    return grain == StepUnit::pass ? "pass" : grain == StepUnit::line ? "line" : "action";
}

void StepView::go_to(std::size_t position) {
    begin_at.reset();  // one goes elsewhere before the first run is there
    if (toggled_) toggled_->row.reset();
    position = std::min(position, last_position());
    if (grain == StepUnit::pass)
        set_cursor(position);
    else if (grain == StepUnit::action)
        set_time(position);
    else
        set_time(position == 0 ? 0 : simulated.run->line_ends[position - 1]);
    if (position == last_position()) play(false);
}

// While an answer is awaited the picture says for how long.
std::optional<View::Clock::time_point> StepView::next_move() const {
    if (!table.waiting) return std::nullopt;
    return Clock::now() + std::chrono::seconds(1);
}

std::size_t StepView::row() const {
    if (grain == StepUnit::pass || !simulated.run || simulated.run->row_ends.empty()) return cursor;
    const auto& ends = simulated.run->row_ends;
    const auto end = std::lower_bound(ends.begin(), ends.end(), time);
    return std::min(static_cast<std::size_t>(end - ends.begin()), ends.size() - 1);
}

// What has to do with what in the shown run.

analysis::Names StepView::linked(const analysis::HighlightTarget& referent) const {
    analysis::Names names;
    const analysis::MachineRun* run = simulated.run.get();
    if (run == nullptr || run->run == nullptr) return names;
    analysis::LinkedActions actions{*run->run, 0, run->actions(), &run->table, &run->row_ends};
    if (grain != StepUnit::pass) {  // the pass that the moment belongs to
        const auto& ends = run->row_ends;
        const auto end = std::lower_bound(ends.begin(), ends.end(), time);
        if (end != ends.begin() && end != ends.end()) {
            actions.first = *(end - 1);
            actions.end = *end;
        }
    }
    analysis::add_links(actions, referent, names);
    analysis::add_race_links(actions, run->hazards, referent, names);
    analysis::add_print_links(actions, run->prints, referent, names);
    return names;
}

namespace {

// What the header says of that shape; empty if it does not allow it.
std::optional<catalogue::Expect> expected(const catalogue::Kernel& variant, const RunChoice& choice,
                                          std::uint64_t n) {
    const catalogue::Target target = analysis::target_of({choice.machine});
    try {
        const catalogue::Shape shape = small_shape(variant, choice.shape, n, target);
        return plan_job(variant, shape, n, target).expect;
    } catch (const Problem&) {
        return std::nullopt;
    }
}

// With one toggle at another value, so that the header says `wanted`; of several the last, which
// has the most barriers.
std::optional<RunChoice> with_toggle(const catalogue::Kernel& variant, const RunChoice& choice,
                                     catalogue::Expect wanted, std::uint64_t n) {
    std::optional<RunChoice> found;
    for (const catalogue::Toggle& toggle : variant.toggles)
        for (const std::string& value : toggle.values) {
            RunChoice tried = choice;
            tried.shape.set[toggle.name] = value;
            if (expected(variant, tried, n) == wanted) found = std::move(tried);
        }
    return found;
}

// The kernel that the header names, if that is as `wanted` in this shape.
std::optional<RunChoice> with_pair(const catalogue::Kernel& variant, const RunChoice& choice,
                                   const catalogue::Catalogue& catalogue, catalogue::Expect wanted,
                                   std::uint64_t n) {
    const catalogue::Kernel* pair = catalogue.known(variant.pair);
    if (pair == nullptr) return std::nullopt;
    RunChoice result = choice;
    result.variant = pair->id;
    result.opened.reset();
    result.shape.set = variant.pair_set;
    if (expected(*pair, result, n) != wanted) return std::nullopt;
    return result;
}

// In one group: what no barrier orders are the groups. The fewest work-items that do it.
std::optional<RunChoice> in_one_group(const catalogue::Kernel& variant, const RunChoice& choice,
                                      std::uint64_t n) {
    RunChoice tried = choice;
    const std::uint64_t most = analysis::target_of({choice.machine}).max_group;
    for (tried.shape.group = 1; tried.shape.group <= most; tried.shape.group *= 2) {
        if (expected(variant, tried, n) == catalogue::Expect::correct) return tried;
        if (auto toggled = with_toggle(variant, tried, catalogue::Expect::correct, n))
            return toggled;
    }
    return std::nullopt;
}

// The calls of barriers in the text as it is compiled, in its order, each once.
std::vector<lang::Place> barriers_of(const catalogue::Kernel& kernel,
                                     const catalogue::Shape& shape) {
    std::vector<lang::Place> places;
    lang::Text text;
    // Where a toggle has no such value: whoever runs it says so.
    if (thrown_by([&] { text = text_of(kernel, shape); })) return places;
    const catalogue::TextFacts facts = catalogue::facts_of(text, kernel.entry);
    if (!facts.compiles) return places;
    for (const lang::Instruction& instruction : facts.code->instructions)
        if (const lang::Place& place = facts.code->place(instruction);
            instruction.op == lang::Op::barrier && place.macro_line == 0 &&
            facts.code->sources.at(place.file).name == text.name)
            places.push_back(place);
    const auto key = [](const lang::Place& place) { return std::pair(place.line, place.column); };
    sort(places, [&](const auto& a, const auto& b) { return key(a) < key(b); });
    places.erase(std::unique(places.begin(), places.end(),
                             [&](const auto& a, const auto& b) { return key(a) == key(b); }),
                 places.end());
    return places;
}

// Puts `now` in the place of what stands from the mark to the end of its line.
void replace_after(std::string& text, std::string_view mark, const std::string& now) {
    const auto at = text.find(mark);
    if (at == std::string::npos) return;
    const auto from = at + mark.size();
    text.replace(from, text.find('\n', from) - from, now);
}

constexpr std::string_view kWithout = "-without-barrier-";

}  // namespace

std::optional<RunChoice> without_barrier(const RunChoice& choice,
                                         const catalogue::Catalogue& catalogue, std::size_t number,
                                         std::span<const RunChoice> own) {
    catalogue::Kernel kernel;
    if (thrown_by([&] { kernel = kernel_of(choice, catalogue); })) return std::nullopt;
    const std::vector<lang::Place> barriers = barriers_of(kernel, choice.shape);
    if (number >= barriers.size() || missing_barrier(choice, catalogue, own)) return std::nullopt;
    std::string text = kernel.text;
    std::size_t line_begin = 0;
    for (std::uint32_t line = 1; line < barriers[number].line; ++line)
        line_begin = text.find('\n', line_begin) + 1;
    // From the call's name to its semicolon, which stays: the statement may be a branch.
    std::size_t at = line_begin + barriers[number].column - 1 + barriers[number].length;
    const auto name = [&](std::string_view word) { return text.rfind(word, at); };
    const std::size_t of_cuda = name("__syncthreads");
    at = name("barrier");
    if (of_cuda != std::string::npos && (at == std::string::npos || of_cuda > at)) at = of_cuda;
    const auto begins = [&](std::size_t place) {
        return place > 0 && (std::isalnum(static_cast<unsigned char>(text[place - 1])) != 0 ||
                             text[place - 1] == '_');
    };
    while (at != std::string::npos && begins(at))
        --at;
    const auto end = text.find(';', at);
    if (at == std::string::npos || at < line_begin || end == std::string::npos)
        return std::nullopt;  // another kind of barrier
    text.replace(at, end - at, fmt::format("/* barrier {} is left out */", number + 1));
    RunChoice made = choice;
    const fs::path file = file_of(choice);
    const std::string suffix = fmt::format("{}{}", kWithout, number + 1);
    if (kernel.by_form()) {
        made.user_kernel->file = file.stem().string() + suffix + file.extension().string();
        made.user_kernel->text = std::move(text);
        if (file.has_parent_path())
            made.user_kernel->folders.push_back(file.parent_path().string());
        return made;
    }
    replace_after(text,
                  "title:", fmt::format("    {}, without barrier {}", kernel.title, number + 1));
    replace_after(text, "expect:", "   races");
    made.variant = choice.variant + suffix;
    made.opened = analysis::OpenedVariant{made.variant + ".cl", std::move(text)};
    return made;
}

std::optional<MissingBarrier> missing_barrier(const RunChoice& choice,
                                              const catalogue::Catalogue& catalogue,
                                              std::span<const RunChoice> own) {
    const std::string id =
        choice.user_kernel ? fs::path(choice.user_kernel->file).stem().string() : choice.variant;
    const auto name = id.rfind(kWithout);
    if (file_of(choice).empty() || name == std::string::npos) return std::nullopt;
    RunChoice shipped;
    shipped.variant = id.substr(0, name);
    std::vector<RunChoice> wholes{own.begin(), own.end()};
    if (!choice.user_kernel) wholes.push_back(shipped);
    for (const RunChoice& each : wholes) {
        if (chosen_name(each) != shipped.variant ||
            each.user_kernel.has_value() != choice.user_kernel.has_value())
            continue;
        RunChoice whole = choice;  // in the shape of now
        whole.opened = each.opened;
        if (whole.user_kernel) {
            whole.user_kernel->file = each.user_kernel->file;
            whole.user_kernel->text = each.user_kernel->text;
            whole.user_kernel->folders = each.user_kernel->folders;
        } else {
            whole.variant = each.variant;
        }
        for (std::size_t number = 0;; ++number) {
            const auto made = without_barrier(whole, catalogue, number, own);
            if (!made) break;
            if (*made == choice) {
                const auto kernel = kernel_of(whole, catalogue);
                return MissingBarrier{whole, number, barriers_of(kernel, whole.shape).size()};
            }
        }
    }
    return std::nullopt;
}

bool is_broken(const RunChoice& choice, const catalogue::Catalogue& catalogue, std::uint64_t n) {
    if (choice.user_kernel) return false;
    try {
        return expected(kernel_of(choice, catalogue), choice, n) == catalogue::Expect::races;
    } catch (const Problem&) {
        return false;  // there is no such kernel, or its header is wrong
    }
}

bool same_kernel(const RunChoice& a, const RunChoice& b) {
    return a.variant == b.variant && a.opened == b.opened && a.user_kernel == b.user_kernel &&
           a.shape.set == b.shape.set;
}

std::optional<RunChoice> counterpart(const RunChoice& choice, const catalogue::Catalogue& catalogue,
                                     std::uint64_t n, std::span<const RunChoice> own) {
    if (const auto missing = missing_barrier(choice, catalogue, own)) return missing->whole;
    const catalogue::Kernel* variant =
        choice.user_kernel ? nullptr : catalogue.known(choice.variant);
    if (variant == nullptr) return without_barrier(choice, catalogue, 0, own);
    const bool broken = is_broken(choice, catalogue, n);
    const auto wanted = broken ? catalogue::Expect::correct : catalogue::Expect::races;
    if (auto toggled = with_toggle(*variant, choice, wanted, n)) return toggled;
    if (auto pair = with_pair(*variant, choice, catalogue, wanted, n)) return pair;
    return broken ? in_one_group(*variant, choice, n) : without_barrier(choice, catalogue, 0, own);
}

constexpr auto kWrongOrderLimit = std::chrono::seconds(120);

// The plan stays as it is on the machine that was chosen.
static WrongOrder::Found found_in(const nlohmann::json& answer,
                                  const analysis::MachineUsed& chosen) {
    if (answer.is_null()) return std::nullopt;
    analysis::SimulatorOptions options;
    options.target = analysis::target_of({chosen});
    answer.get_to(options.config.shape());
    options.order.kind = machine::SchedulingPolicy::Kind::list;
    options.order.turns = machine::parse_turns(answer.at("turns").get<std::string>(), "turns");
    options.order.name = analysis::kGoesWrong;
    return options;
}

void WrongOrder::ask(const RunChoice& choice, std::function<void(Found)> then) {
    cancel();
    if (!is_automatic(choice) || choice.user_kernel) return then(std::nullopt);
    worker::Handler handler;
    handler.result = [then, machine = choice.machine](const nlohmann::json& answer) {
        then(found_in(answer, machine));
    };
    handler.problem = [then](const Problem&) { then(std::nullopt); };
    ticket_ = worker_.send("wrong_order", choice, std::move(handler), kWrongOrderLimit);
}

constexpr auto kRecordLimit = std::chrono::seconds(300);

DeviceRecorder::DeviceRecorder(Session& session)
    : session_(session), client_(session.worker_options()) {}

void DeviceRecorder::start() {
    if (recorded.waiting) return;
    asked_ = session_.settings().choice;
    runs = 0;
    recorded = {};
    worker::Handler handle = handler(recorded);
    handle.progress = [this](const nlohmann::json& progress) {
        runs = progress.value("done", runs);
    };
    handle.result = [this, keep = handle.result](const nlohmann::json& result) {
        keep(result);
        take(*recorded.answer);
    };
    ticket_ = client_.send("record", asked_, std::move(handle), kRecordLimit);
}

void DeviceRecorder::cancel() {
    if (!recorded.waiting) return;
    client_.cancel(ticket_);
    recorded.waiting = false;
}

// The turns carry their name as a remark, so that it stays with them wherever they are saved.
void DeviceRecorder::take(const results::Recorded& made) {
    const Translations& words = session_.words();
    const auto rate = [&](const results::WrongRate& of) {
        return fmt::format("{} / {}", of.wrong, of.runs);
    };
    const bool own = asked_.user_kernel.has_value();
    const auto said = [&](const char* key) {
        return words(key, fmt::arg("with", rate(made.recorded)),
                     fmt::arg("without", rate(made.plain)));
    };
    if (made.run == 0)
        return session_.notices.say(said(own ? "toast.recorded_none_own" : "toast.recorded_none"));
    if (!made.difference.empty()) {
        recorded.problem = Problem(
            "The simulator does not go the way of the recorded run", made.difference,
            "Try again: another run may do; or the device's compiler made something else of the "
            "text");
        return;
    }
    // The settings of meanwhile stay.
    if (asked_ != session_.settings().choice)
        return session_.notices.say(words("toast.recorded_before"));
    RunChoice choice = asked_;
    if (!by_hand(choice)) session_.before_recording = choice.machine;
    choice.machine.lanes = 1;
    choice.machine.resident = 0;
    choice.machine.order = fmt::format("{}# {}\n{}", machine::kTurnsPrefix, made.order, made.turns);
    session_.choose(std::move(choice));
    session_.notices.say(said(own ? "toast.recorded_own" : "toast.recorded"));
    session_.view<StepView>().after_run(
        [turns = made.turns, &shown = session_.shown()](Session&) { shown.take_turns(turns); });
}

}  // namespace lab::session

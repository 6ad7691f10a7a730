#include "session/step/step_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "session/shell/answer_handler.h"
#include "session/shell/session.h"
#include "session/step/counterpart.h"
#include "session/step/device_recorder.h"
#include "simulation/cancelled.h"
#include "simulation/machine_run.h"

namespace lab::session {
namespace {

// The longest silence of a worker: a slow driver's first build.
constexpr auto kStepLimit = std::chrono::seconds(120);

using SharedRun = std::shared_ptr<simulation::MachineRun>;

using RunWork = Background<SharedRun>::Work;

RunWork work_for(simulation::Subject subject) {
    return [subject = std::move(subject), run = std::shared_ptr<simulation::RunInParts>()](
               const std::atomic<bool>& cancel) mutable -> std::optional<SharedRun> {
        if (!run) run = std::make_shared<simulation::RunInParts>(std::move(subject), &cancel);
        SharedRun made = run->go_on();
        if (!made) return std::nullopt;
        return made;
    };
}

// The subject is made here, so that the thread shares nothing with us.
RunWork work_for(const Choice& choice, const catalogue::Catalogue& catalogue,
                 std::optional<simulation::Options> machine = std::nullopt) {
    try {
        simulation::Subject subject = subject_of(choice, catalogue);
        if (machine) subject.machine = std::move(*machine);
        return work_for(std::move(subject));
    } catch (const Problem& problem) {
        return [problem](const std::atomic<bool>&) -> std::optional<SharedRun> {
            throw Problem(problem);
        };
    }
}

// Of what stands beside the chosen kernel no device is asked: a broken one is shown going wrong.
RunWork work_beside(const Choice& choice, const catalogue::Catalogue& catalogue) {
    if (!is_automatic(choice)) return work_for(choice, catalogue);
    try {
        return [subject = subject_of(choice, catalogue)](const std::atomic<bool>& cancel) {
            simulation::JudgedRun judged = simulation::judge_run(subject, true, {}, &cancel);
            return judged.run ? judged.run : simulation::run_on_machine(subject, &cancel);
        };
    } catch (const Problem& problem) {
        return [problem](const std::atomic<bool>&) -> std::optional<SharedRun> {
            throw Problem(problem);
        };
    }
}

// Whether it is a run of the chosen kernel, of whatever shape and text.
bool is_of(const simulation::MachineRun& run, const Choice& choice) {
    const simulation::Subject& subject = run.subject;
    if (choice.user_kernel)
        return !subject.variant && subject.user_kernel.file == choice.user_kernel->file;
    return subject.variant && subject.variant->id == choice.variant;
}

bool by_hand(const Choice& choice) {
    return choice.machine.order.starts_with(machine::kTurnsPrefix);
}

}  // namespace

StepView::StepView(Session& session)
    : View(session),
      recorder_(std::make_unique<DeviceRecorder>(session)),
      wrong_order_(session.worker()),
      wrong_beside_(session.worker()),
      runner_(session.options().wake),
      other_runner_(session.options().wake),
      judge_(session.options().wake) {}
StepView::~StepView() = default;

const StepView::Pair& StepView::pair() const {
    const Choice& choice = session_.settings().choice;
    const std::uint64_t n = session_.elements();
    if (!pair_ || pair_->n != n || !(pair_->choice == choice))
        pair_ = Pair{choice, n, is_broken(choice, session_.catalogue(), n),
                     session::counterpart(choice, session_.catalogue(), n)};
    return *pair_;
}

bool StepView::broken() const {
    return pair().broken;
}

const std::optional<Choice>& StepView::counterpart() const {
    return pair().other;
}

// The kernel that the last toggle left, in the shape of now, as long as the one that it led to is
// chosen. A schedule chosen by hand fits one of the two alone: it waits for its kernel to come
// back.
std::optional<Choice> StepView::came_from(const Choice& now) const {
    const auto same_form = [](const Choice& a, const Choice& b) {
        return a.variant == b.variant && a.opened == b.opened && a.shape.set == b.shape.set &&
               !a.user_kernel && !b.user_kernel;
    };
    if (!toggled_ || !same_form(now, toggled_->to)) return std::nullopt;
    Choice back = now;
    back.variant = toggled_->left.variant;
    back.opened = toggled_->left.opened;
    back.shape.set = toggled_->left.shape.set;
    if (by_hand(back)) back.machine.order = kAutomatic;
    Choice left = toggled_->left;
    if (by_hand(left)) left.machine.order = back.machine.order;
    if (left == back) return toggled_->left;
    if (is_broken(back, session_.catalogue(), session_.elements()) == broken())
        return std::nullopt;  // in another shape it is no longer the other of the two
    return back;
}

void StepView::toggle_broken() {
    if (!counterpart()) return;
    const Choice now = session_.settings().choice;
    std::optional<Choice> next = came_from(now);
    if (next) {
        begin_at_ = toggled_->row;
    } else {
        next = *counterpart();
        if (by_hand(*next)) next->machine.order = kAutomatic;
    }
    const std::size_t row = cursor_;
    session_.choose(std::move(*next));
    toggled_ = Toggled{now, session_.settings().choice, row};
}

bool StepView::busy() const {
    return table_.waiting || simulated_.waiting || witness_.waiting || other_.waiting ||
           recorder_->recorded().waiting;
}

bool StepView::can_cancel() const {
    return table_.waiting || recorder_->recorded().waiting;
}

void StepView::choice_changed() {
    if (std::exchange(begun_, true)) after_run_.clear();
    begin_run();
    if (beside_) run_other();
    ask_device();
}

void StepView::begin_run() {
    simulated_.waiting = true;
    table_.waiting = true;
    asked_ = Clock::now();
    const Choice& choice = session_.settings().choice;
    // A broken one goes wrong at once, before it is known whether the device's run did.
    if (broken() && !platform::kBrowser)
        runner_.start(work_beside(choice, session_.catalogue()));
    else
        runner_.start(work_for(choice, session_.catalogue()));
}

// One request is under way at a time: a change meanwhile is asked for once that one has come back,
// which takes less than ending the worker and starting another.
void StepView::ask_device() {
    const Choice& choice = session_.settings().choice;
    witness_.answer.reset();
    witness_.waiting = true;
    judge_.cancel();
    wrong_order_.cancel();
    if (choice.user_kernel) {
        if (witness_.device.waiting) session_.worker().cancel(device_ticket_);
        witness_.device = {};
        device_again_ = false;
        return judge();
    }
    device_again_ = witness_.device.waiting;
    if (device_again_) return;
    witness_.device = {};
    witness_.device.waiting = true;
    worker::Handler handle = handler(witness_.device);
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
    nlohmann::json request{
        {"variant", choice.variant}, {"shape", choice.shape}, {"machine", choice.machine}};
    add_opened(request, choice);
    device_ticket_ =
        session_.worker().send("step", std::move(request), std::move(handle), kStepLimit);
}

// Once both the run and the device's rows are there: whether they are the same, and if the schedule
// was left to us, which run shows it best.
void StepView::judge() {
    if (simulated_.waiting || witness_.device.waiting) return;
    const Choice& choice = session_.settings().choice;
    if (choice.user_kernel || simulated_.problem || !simulated_.run) {
        witness_.answer = analysis::Witness();
        witness_.waiting = false;
        return;
    }
    if (platform::kBrowser)
        return wrong_order_.ask(choice,
                                [this](WrongOrder::Found found) { show_wrong(std::move(found)); });
    // The run that was asked for: the one shown may have been found by a search.
    judge_.start([subject = subject_of(choice, session_.catalogue()),
                  device = witness_.device.answer,
                  automatic = is_automatic(choice)](const std::atomic<bool>& cancel) {
        return std::make_shared<simulation::JudgedRun>(
            simulation::judge_run(subject, automatic, device, &cancel));
    });
}

// On a page: the run is made in parts.
void StepView::show_wrong(WrongOrder::Found found) {
    analysis::Witness witness;
    if (is_automatic(session_.settings().choice)) witness.origin = analysis::Witness::Origin::usual;
    if (!found) {
        witness_.answer = std::move(witness);
        witness_.waiting = false;
        take_table();
        ++version_;
        return;
    }
    witness.origin = analysis::Witness::Origin::goes_wrong;
    simulation::Subject subject = simulated_.run->subject;
    subject.machine = std::move(*found);
    judge_.start([run = work_for(std::move(subject)), witness](const std::atomic<bool>& cancel)
                     -> std::optional<std::shared_ptr<simulation::JudgedRun>> {
        std::optional<SharedRun> made = run(cancel);
        if (!made) return std::nullopt;
        return std::make_shared<simulation::JudgedRun>(
            simulation::JudgedRun{std::move(*made), witness});
    });
}

void StepView::run_other() {
    other_runner_.cancel();  // the run of an earlier choice
    wrong_beside_.cancel();
    if (!counterpart()) {
        other_ = {nullptr, {}, false, other_.version + 1};
        return;
    }
    Choice other = *counterpart();
    if (by_hand(other)) other.machine.order = kAutomatic;
    other_.waiting = true;
    if (!platform::kBrowser) return other_runner_.start(work_beside(other, session_.catalogue()));
    wrong_beside_.ask(other, [this, other](WrongOrder::Found found) {
        other_runner_.start(work_for(other, session_.catalogue(), std::move(found)));
    });
}

void StepView::set_beside(bool on) {
    beside_ = on;
    if (on) run_other();
}

void StepView::cancel() {
    if (recorder_->recorded().waiting) return recorder_->cancel();
    if (!simulated_.waiting && !witness_.waiting) return;
    const bool shown = !simulated_.waiting;
    if (witness_.device.waiting) session_.worker().cancel(device_ticket_);
    runner_.cancel();
    judge_.cancel();
    wrong_order_.cancel();
    witness_.device = {};
    witness_.waiting = simulated_.waiting = table_.waiting = device_again_ = false;
    playing_ = false;
    if (!shown)
        table_.problem = simulation::run_cancelled();
    else if (simulated_.run)
        take_table();
}

void StepView::after_run(std::function<void(Session&)> act) {
    after_run_.push_back(std::move(act));
}

// The rows of the shown run. While it may still give way to one that goes wrong it is not called
// right.
void StepView::take_table() {
    table_.answer = simulated_.run->table;
    if (!table_.answer->right || !witness_.waiting || !broken()) return;
    if (!is_automatic(session_.settings().choice)) return;
    table_.answer->result.clear();
    table_.answer->expected.clear();
}

// The picture, the sentences and all panels are of this run from now on.
void StepView::publish(SharedRun run) {
    const bool at_end = cursor_ == last_pass();
    first_ = false;
    simulated_.run = std::move(run);
    simulated_.problem.reset();
    ++simulated_.version;
    table_.problem.reset();
    take_table();
    session_.set_elements_run(table_.answer->n);
    ++version_;
    set_cursor(begin_at_ ? *begin_at_ : at_end ? SIZE_MAX : cursor_);
    begin_at_.reset();
}

// What the last start, a moment or a file has left must not leave a view without its picture: a
// schedule that does not fit is dropped, and what cannot run gives way to the kernel's example.
bool StepView::falls_back(const Problem& problem) {
    Choice choice = session_.settings().choice;
    if (by_hand(choice)) {
        choice.machine.order = kAutomatic;
        session_.notices().say(session_.words()("toast.turns_dropped"));
        session_.amend(std::move(choice));
        return true;
    }
    if (!std::exchange(first_, false) || !session_.options().recalled || choice.user_kernel)
        return false;
    reset_kernel(session_);
    if (session_.settings().choice == choice) return false;
    session_.notices().say(
        session_.words()("toast.example_instead",
                         fmt::arg("why", translated(problem, session_.words()).what_happened)));
    return true;
}

// What is shown stays only if it is of the kernel that could not be run.
void StepView::fail(const Problem& problem) {
    if (falls_back(problem)) return;
    simulated_.problem = problem;
    table_.problem = problem;
    if (!simulated_.run || is_of(*simulated_.run, session_.settings().choice)) return;
    simulated_.run.reset();
    table_.answer.reset();
    cursor_ = 0;
    time_ = 0;
    ++simulated_.version;
    ++version_;
}

// What the threads have finished.
void StepView::take_runs() {
    if (auto result = runner_.take()) {
        simulated_.waiting = table_.waiting = runner_.running();
        if (auto* problem = std::get_if<Problem>(&*result))
            fail(*problem);
        else
            publish(std::move(std::get<0>(*result)));
        if (!simulated_.waiting) judge();
    }
    if (auto result = judge_.take()) {
        witness_.waiting = judge_.running();
        if (auto* problem = std::get_if<Problem>(&*result)) {
            witness_.answer = analysis::Witness();
            witness_.answer->why = translated(*problem, session_.words()).what_happened;
        } else {
            simulation::JudgedRun& judged = *std::get<0>(*result);
            witness_.answer = std::move(judged.witness);
            if (judged.run)
                publish(std::move(judged.run));
            else if (simulated_.run)
                take_table();
        }
        ++version_;  // tips name the device's values
        if (const auto& problem = witness_.device.problem)
            witness_.answer->why = translated(*problem, session_.words()).what_happened;
    }
    if (auto result = other_runner_.take()) {
        other_.waiting = other_runner_.running();
        if (auto* problem = std::get_if<Problem>(&*result)) {
            other_.problem = std::move(*problem);
        } else {
            other_.run = std::move(std::get<0>(*result));
            other_.problem.reset();
        }
        ++other_.version;
    }
}

void StepView::poll() {
    recorder_->poll();
    take_runs();
    move_on();
    if (begun_ && !simulated_.waiting && !witness_.waiting)
        for (const auto& act : std::exchange(after_run_, {}))
            act(session_);
}

std::vector<PlacedProblem> StepView::problems() const {
    std::vector<PlacedProblem> found;
    add_problem(found, "step", table_.problem);
    add_problem(found, "machine", simulated_.problem);
    add_problem(found, "record", recorder_->recorded().problem);
    // That there is no device, or that it cannot run this, is said beside its name.
    const std::optional<Problem>& device = witness_.device.problem;
    if (device && device->exit != Exit::no_device && device->exit != Exit::usage)
        add_problem(found, "device", device);
    return found;
}

ExportOffer StepView::export_offer() const {
    static constexpr std::array kFigure{".svg", ".png", ".pdf", ".json"};
    std::string name = chosen_name(session_.settings().choice);
    if (grain_ != Grain::pass) name += "-moment";
    if (!table_.answer) return {name};
    return {name, kFigure};
}

}  // namespace lab::session

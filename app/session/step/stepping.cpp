// The part of the session that runs on the machine, and goes through what was run.
#include <algorithm>

#include "catalogue/number.h"
#include "session/race/race.h"
#include "session/shell/session.h"
#include "session/step/counterpart.h"
#include "session/step/machine_run.h"

namespace lab::session {
namespace {

// An action is seen sooner than a pass.
constexpr double kActionsAPass = 4;

std::chrono::milliseconds pause(const StepState& step) {
    const double faster = step.grain == Grain::pass ? 1 : kActionsAPass;
    return std::chrono::milliseconds(static_cast<int>(1000 / (step.passes_per_second * faster)));
}

}  // namespace

std::uint64_t Session::elements() const {
    const catalogue::Shape& shape = settings_.choice.shape;
    if (shape.n) return *shape.n;
    const auto& [answer, problem, waiting] = step_.passes;
    if (answer && !problem && !waiting) return answer->n;
    // What is on screen is still of another choice.
    if (shape.input.kind == catalogue::Input::Kind::values) {
        try {
            return catalogue::count_of(parse_values(shape.input.text, shape.type, "--input"));
        } catch (const Problem&) {
            // Whoever runs it says so.
        }
    }
    return answer ? answer->n : kStandardElements;
}

bool Session::broken() const {
    return is_broken(settings_.choice, catalogue_, elements());
}

void Session::toggle_broken() {
    choose(counterpart(settings_.choice, catalogue_, elements()));
}

namespace {

using SharedRun = std::shared_ptr<MachineRun>;

// The subject is made here, so that the thread shares nothing with us.
Background<SharedRun>::Work work_for(const Choice& choice, const catalogue::Catalogue& catalogue) {
    try {
        return [subject = subject_of(choice, catalogue)](const std::atomic<bool>& cancel) {
            return run_on_machine(subject, &cancel);
        };
    } catch (const Problem& problem) {
        return [problem](const std::atomic<bool>&) -> SharedRun { throw Problem(problem); };
    }
}

// Of what stands beside the chosen kernel no device is asked: a broken one is shown going wrong.
Background<SharedRun>::Work work_beside(const Choice& choice,
                                        const catalogue::Catalogue& catalogue) {
    if (!is_automatic(choice)) return work_for(choice, catalogue);
    try {
        return [subject = subject_of(choice, catalogue)](const std::atomic<bool>& cancel) {
            JudgedRun judged = judge_run(subject, true, {}, &cancel);
            return judged.run ? judged.run : run_on_machine(subject, &cancel);
        };
    } catch (const Problem& problem) {
        return [problem](const std::atomic<bool>&) -> SharedRun { throw Problem(problem); };
    }
}

// Whether it is a run of the chosen kernel, of whatever shape and text.
bool is_of(const MachineRun& run, const Choice& choice) {
    const simulation::Subject& subject = run.subject;
    if (choice.own) return !subject.variant && subject.own.file == choice.own->file;
    return subject.variant && subject.variant->id == choice.variant;
}

}  // namespace

void Session::run_machine() {
    machine_.waiting = true;
    step_.passes.waiting = true;
    step_.asked = Clock::now();
    runner_.start(work_for(settings_.choice, catalogue_));
}

// Once both the run and the device's rows are there: whether they are the same, and if the schedule
// was left to us, which run shows it best.
void Session::judge() {
    if (machine_.waiting || witness_.device.waiting) return;
    if (settings_.choice.own || machine_.problem || !machine_.run) {
        witness_.said = analysis::Witness();
        witness_.waiting = false;
        return;
    }
    judge_.start([subject = machine_.run->subject, device = witness_.device.answer,
                  automatic = is_automatic(settings_.choice)](const std::atomic<bool>& cancel) {
        return std::make_shared<JudgedRun>(judge_run(subject, automatic, device, &cancel));
    });
}

void Session::run_other() {
    if (!beside_ && !in_race()) return;
    Choice other = counterpart(settings_.choice, catalogue_, elements());
    if (other.machine.order.starts_with(machine::kTurnsPrefix)) other.machine.order = kAutomatic;
    other_.waiting = true;
    other_runner_.start(work_beside(other, catalogue_));
}

void Session::set_beside(bool on) {
    beside_ = on;
    if (on) run_other();
}

void Session::show_race() {
    if (!in_race()) return;
    race_.show(settings_.choice);
    run_other();
}

// The picture, the sentences and all panels are of this run from now on.
void Session::publish(std::shared_ptr<MachineRun> run) {
    const bool at_end = step_.cursor == last_pass();
    machine_.run = std::move(run);
    machine_.problem.reset();
    ++machine_.version;
    step_.passes.answer = machine_.run->passes;
    step_.passes.problem.reset();
    ++step_.version;
    set_cursor(at_end ? SIZE_MAX : step_.cursor);
}

// What is shown stays only if it is of the kernel that could not be run.
void Session::fail(const Problem& problem) {
    machine_.problem = problem;
    step_.passes.problem = problem;
    if (!machine_.run || is_of(*machine_.run, settings_.choice)) return;
    machine_.run.reset();
    step_.passes.answer.reset();
    step_.cursor = 0;
    step_.time = 0;
    ++machine_.version;
    ++step_.version;
}

// What the threads have finished.
void Session::take_runs() {
    if (auto made = runner_.take()) {
        machine_.waiting = step_.passes.waiting = runner_.running();
        if (auto* problem = std::get_if<Problem>(&*made))
            fail(*problem);
        else
            publish(std::move(std::get<0>(*made)));
        if (!machine_.waiting) judge();
    }
    if (auto made = judge_.take()) {
        witness_.waiting = judge_.running();
        if (auto* problem = std::get_if<Problem>(&*made)) {
            witness_.said = analysis::Witness();
            witness_.said->why = problem->what_happened;
        } else {
            JudgedRun& judged = *std::get<0>(*made);
            witness_.said = std::move(judged.witness);
            if (judged.run) publish(std::move(judged.run));
        }
        ++step_.version;  // tips name the device's values
        if (const auto& problem = witness_.device.problem)
            witness_.said->why = in_words(*problem, words_).what_happened;
    }
    if (auto made = other_runner_.take()) {
        other_.waiting = other_runner_.running();
        if (auto* problem = std::get_if<Problem>(&*made)) {
            other_.problem = std::move(*problem);
        } else {
            other_.run = std::move(std::get<0>(*made));
            other_.problem.reset();
        }
        ++other_.version;
    }
}

std::size_t Session::last_pass() const {
    const auto& answer = step_.passes.answer;
    return answer && !answer->passes.empty() ? answer->passes.size() - 1 : 0;
}

void Session::set_cursor(std::size_t pass) {
    step_.cursor = std::min(pass, last_pass());
    if (!machine_.run) return;
    const auto& ends = machine_.run->row_ends;
    step_.time = step_.cursor >= last_pass()  ? machine_.run->actions()
                 : step_.cursor < ends.size() ? ends[step_.cursor]
                                              : 0;
}

void Session::set_time(std::uint64_t actions) {
    if (!machine_.run) return;
    step_.time = std::min(actions, machine_.run->actions());
    const auto& ends = machine_.run->row_ends;
    const auto after = std::upper_bound(ends.begin(), ends.end(), step_.time);
    const auto row =
        static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - ends.begin() - 1, 0));
    step_.cursor = std::min(row, last_pass());
}

void Session::set_grain(Grain grain) {
    step_.grain = grain;
    step_.playing = false;
}

void Session::set_speed(double passes_per_second) {
    step_.passes_per_second = passes_per_second;
    race_.set_speed(passes_per_second * 2);
}

std::size_t Session::position() const {
    if (in_race()) return race_.race() ? race_.race()->cursor() : 0;
    if (step_.grain == Grain::pass) return step_.cursor;
    if (step_.grain == Grain::action || !machine_.run) return step_.time;
    const auto& ends = machine_.run->line_ends;
    const auto at = std::lower_bound(ends.begin(), ends.end(), step_.time);
    return step_.time == 0 ? 0 : static_cast<std::size_t>(at - ends.begin()) + 1;
}

std::size_t Session::last_position() const {
    if (in_race()) return race_.race() ? race_.race()->length() : 0;
    if (step_.grain == Grain::pass) return last_pass();
    if (!machine_.run) return 0;
    return step_.grain == Grain::action ? machine_.run->actions() : machine_.run->line_ends.size();
}

void Session::go_to(std::size_t position) {
    position = std::min(position, last_position());
    if (in_race()) {
        race_.go_to(position);
    } else if (step_.grain == Grain::pass) {
        set_cursor(position);
    } else if (step_.grain == Grain::action) {
        set_time(position);
    } else {
        set_time(position == 0 ? 0 : machine_.run->line_ends[position - 1]);
    }
    if (position == last_position()) step_.playing = false;
}

bool Session::playing() const {
    return in_race() ? race_.playing() : step_.playing;
}

void Session::play(bool on) {
    if (in_race()) {
        race_.play(on);
        return;
    }
    step_.playing = on && last_position() > 0;
    if (!step_.playing) return;
    if (position() >= last_position()) go_to(0);
    step_.playing = true;
    step_.next_pass = Clock::now() + pause(step_);
}

void Session::move_on() {
    if (!step_.playing || Clock::now() < step_.next_pass) return;
    go_to(position() + 1);
    step_.next_pass += pause(step_);
}

std::optional<Clock::time_point> Session::next_move() const {
    const Clock::time_point now = Clock::now();
    std::optional<Clock::time_point> next = notices_.next_move(now);
    const auto at = [&next](Clock::time_point time) { next = std::min(next.value_or(time), time); };
    if (step_.playing) at(step_.next_pass);
    if (const auto race = race_.next_move()) at(*race);
    if (shows_lattice())
        if (const auto lattice = lattice_.next_move()) at(*lattice);
    // While an answer is awaited the picture says for how long.
    if (const auto own = own_.next_move()) at(*own);
    if (step_.passes.waiting) at(now + std::chrono::seconds(1));
    return next;
}

}  // namespace lab::session

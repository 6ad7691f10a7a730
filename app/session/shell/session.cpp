#include "session/shell/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/paths.h"
#include "catalogue/number.h"
#include "catalogue/plan.h"
#include "results/device_team.h"
#include "results/request.h"
#include "session/shell/answer_handler.h"
#include "session/shell/cancelled.h"
#include "session/shell/hints.h"
#include "session/step/machine_run.h"

namespace lab::session {
namespace {

using std::chrono::seconds;

constexpr auto kStepLimit = seconds(120);     // the longest silence: a slow driver's first build
constexpr auto kMeasureLimit = seconds(600);  // one row, all its runs

worker::Client::Options client_options(const Session::Options& options) {
    worker::Client::Options made;
    made.program = options.worker;
    made.wake = options.wake;
    return made;
}

}  // namespace

Session::Session(Options options, Settings settings, std::optional<Problem> problem)
    : options_(std::move(options)),
      settings_(std::move(settings)),
      words_(settings_.language),
      catalogue_(catalogue::load_catalogue()),
      lattice_(options_.wake),
      stepper_(client_options(options_)),
      measurer_(client_options(options_)),
      race_(client_options(options_), catalogue_),
      own_(options_.wake),
      runner_(options_.wake),
      other_runner_(options_.wake),
      judge_(options_.wake) {
    saved_ = settings_;
    for (const Problem& damaged : catalogue_.problems)
        notices_.report("kernels", damaged, true);
    if (problem) notices_.report("settings", *problem, true);
    recall_opened();
    wanted_group_ = settings_.choice.shape.group;
    try {
        document_figures_ = results::document_figures();
    } catch (const Problem& damaged) {
        notices_.report("documents", damaged, true);
    }
}

Session::~Session() = default;

const catalogue::Variant* Session::variant() const {
    for (const catalogue::Variant& variant : catalogue_.variants)
        if (variant.id == settings_.choice.variant) return &variant;
    return nullptr;
}

std::string Session::device_in_use() const {
    if (!settings_.choice.shape.device.empty() || !devices_.answer)
        return settings_.choice.shape.device;
    return standard_device(*devices_.answer);
}

bool Session::busy() const {
    return step_.passes.waiting || measure_.results.waiting || devices_.waiting ||
           machine_.waiting || witness_.waiting || other_.waiting || race_.outcomes().waiting ||
           race_.trials().waiting || (shows_lattice() && (lattice_.running() || lattice_.moving()));
}

void Session::start() {
    started_ = true;
    show_own();
    fit_group(settings_.choice);
    run_step();
    lattice_.again();
    if (in_race()) race_.search_again();
    ask_devices();
}

// Another variant may not take the group that was asked for; then it has what suits it, until one
// comes that takes it again.
void Session::fit_group(Choice& choice) const {
    const catalogue::Variant* variant = nullptr;
    for (const catalogue::Variant& of : catalogue_.variants)
        if (of.id == choice.variant) variant = &of;
    if (variant == nullptr) return;
    choice.shape.group = wanted_group_;
    const std::uint64_t n = choice.shape.n        ? *choice.shape.n
                            : step_.passes.answer ? step_.passes.answer->n
                                                  : kStandardElements;
    try {
        (void)make_plan(*variant, choice.shape, n, {});
    } catch (const Problem&) {
        catalogue::Shape open = choice.shape;
        open.group = 0;
        try {
            choice.shape.group = make_plan(*variant, open, n, {}).group;
        } catch (const Problem&) {
            return;  // it is not the group: the run will say what it is
        }
    }
}

void Session::choose(Choice choice) {
    if (choice == settings_.choice) return;
    if (choice.variant != settings_.choice.variant)
        fit_group(choice);
    else
        wanted_group_ = choice.shape.group;
    after_run_ = {};
    history_.record(settings_, kChoiceChange);
    if (choice.variant != settings_.choice.variant) note_done(*this, "variant.next");
    // Turns that were chosen by hand mean nothing to another run.
    const bool turns = choice.machine.order.starts_with(machine::kTurnsPrefix);
    if (turns && choice.machine.order == settings_.choice.machine.order) {
        choice.machine.order = kAutomatic;
        notices_.say(words_("toast.turns_dropped"));
    }
    settings_.choice = std::move(choice);
    run_step();
}

void Session::run_step() {
    show_own();
    run_machine();
    if (in_race())
        show_race();
    else
        run_other();
    ask_device();
}

// One request is under way at a time: a change meanwhile is asked for once that one has come back,
// which takes less than ending the worker and starting another.
void Session::ask_device() {
    witness_.said.reset();
    witness_.waiting = true;
    judge_.cancel();
    if (settings_.choice.own) {
        if (witness_.device.waiting) stepper_.cancel(device_ticket_);
        witness_.device = {};
        device_again_ = false;
        return judge();
    }
    device_again_ = witness_.device.waiting;
    if (device_again_) return;
    witness_.device = {};
    witness_.device.waiting = true;
    worker::Handler handle = handler(witness_.device);
    const auto again = [this](auto act) {
        return [this, act](const auto& told) {
            act(told);
            if (device_again_)
                ask_device();
            else
                judge();
        };
    };
    handle.result = again(handle.result);
    handle.problem = again(handle.problem);
    nlohmann::json asked{{"variant", settings_.choice.variant},
                         {"shape", settings_.choice.shape},
                         {"machine", settings_.choice.machine}};
    add_opened(asked, settings_.choice);
    device_ticket_ = stepper_.send("step", std::move(asked), std::move(handle), kStepLimit);
}

void Session::cancel_step() {
    if (!machine_.waiting && !witness_.waiting) return;
    const bool shown = !machine_.waiting;
    if (witness_.device.waiting) stepper_.cancel(device_ticket_);
    runner_.cancel();
    judge_.cancel();
    witness_.device = {};
    witness_.waiting = machine_.waiting = step_.passes.waiting = device_again_ = false;
    step_.playing = false;
    if (!shown) step_.passes.problem = run_cancelled();
}

void Session::after_run(std::function<void(Session&)> act) {
    after_run_.push_back(std::move(act));
}

void Session::set_lattice(LatticeChoice choice) {
    choice.n = std::clamp(choice.n, kLeastLattice, kMostLattice);
    Settings changed = settings_;
    changed.lattice = std::move(choice);
    if (changed == settings_) return;
    history_.record(settings_, kLatticeChange);
    settings_ = std::move(changed);
}

void Session::run_measure() {
    if (measure_.results.waiting) return;
    results::MeasureRequest request;
    try {
        request.sizes = catalogue::parse_sizes(settings_.measure.sizes);
        request.groups = catalogue::parse_groups(settings_.measure.groups);
    } catch (const Problem& problem) {
        measure_.results.problem = problem;
        return;
    }
    request.variants = settings_.measure.variants;
    request.shape = settings_.measure.shape;
    request.shape.n.reset();
    if (!results::names_several(request.shape.device))
        request.shape.device = settings_.choice.shape.device;
    request.repeat = settings_.measure.repeat;
    request.precision = settings_.measure.precision;
    request.limit_s = settings_.measure.limit_s;
    request.warm = settings_.measure.warm;
    // A search looks for the group, too, so with groups that were asked for there is none.
    if (request.groups.empty()) request.shapes = settings_.measure.shapes;
    request.all = true;  // what a size or the device rules out is left out, in one line each
    const std::uint64_t version = measure_.version + 1;
    std::vector<AddedResults> added = std::move(measure_.added);
    measure_ = {};
    measure_.added = std::move(added);
    measure_.version = version;
    measure_.results.waiting = true;
    measure_.started = Clock::now();
    results::Measurements rows;
    rows.op = name_of(request.shape.op);
    rows.type = info(request.shape.type).name;
    rows.repeat = request.repeat;
    measure_.results.answer = rows;
    worker::Handler handle = handler(measure_.results, [this] { ++measure_.version; });
    handle.progress = [this](const nlohmann::json& told) {
        measure_.done = told.value("done", std::size_t{0});
        measure_.total = told.value("total", std::size_t{0});
        measure_.seconds_left = told.value("seconds_left", 0.0);
        if (told.contains("results") && measure_.results.answer) {
            merge(*measure_.results.answer, told.at("results").get<results::Measurements>());
            ++measure_.version;
        }
    };
    nlohmann::json asked = request;
    for (const Choice& known : own_.opened())
        add_opened(asked, known);
    measure_ticket_ = measurer_.send("measure", std::move(asked), std::move(handle), kMeasureLimit);
}

void Session::cancel_measure() {
    if (!measure_.results.waiting) return;
    measurer_.cancel(measure_ticket_);
    measure_.results.waiting = false;
}

void Session::ask_devices() {
    if (devices_.waiting) return;
    devices_.waiting = true;
    stepper_.send("devices", nlohmann::json::object(), handler(devices_));
}

void Session::add_results(AddedResults added) {
    ++measure_.version;
    for (AddedResults& of : measure_.added)
        if (of.file == added.file) {
            of = std::move(added);
            return;
        }
    measure_.added.push_back(std::move(added));
}

void Session::remove_results(std::size_t index) {
    if (index >= measure_.added.size()) return;
    ++measure_.version;
    measure_.added.erase(measure_.added.begin() + static_cast<std::ptrdiff_t>(index));
}

bool Session::overlay_takes_text() const {
    return overlay_ == "palette" || overlay_ == "open" || overlay_ == "export";
}

void Session::copy(const std::string& text) const {
    if (options_.copy) options_.copy(text);
}

void Session::export_shown(const std::filesystem::path& file) const {
    if (!options_.export_shown)
        throw Problem("Nothing can be exported without a window", "", "Use reduction-lab-cli");
    options_.export_shown(file);
}

void Session::poll() {
    stepper_.poll();
    measurer_.poll();
    race_.poll();
    poll_own();
    take_runs();
    if (shows_lattice()) lattice_.want(catalogue_, settings_.choice, settings_.lattice);
    lattice_.poll();
    move_on();
    if (started_ && !machine_.waiting && !witness_.waiting)
        for (const auto& act : std::exchange(after_run_, {}))
            act(*this);
    notices_.poll(Clock::now());
    log_problems();
}

// A problem is shown where it arose; once for each time that it came up, the log has it, too.
void Session::log_problems() {
    const std::array<std::pair<const char*, const std::optional<Problem>*>, 8> places{{
        {"step", &step_.passes.problem},
        {"machine", &machine_.problem},
        {"device", &witness_.device.problem},
        {"measure", &measure_.results.problem},
        {"devices", &devices_.problem},
        {"race", &race_.problem()},
        {"outcomes", &race_.outcomes().problem},
        {"trials", &race_.trials().problem},
    }};
    // The device and the machine often find the same mistake: it is told once.
    for (const auto& [where, problem] : places) {
        // That there is no device, or that it cannot run this, is said beside its name.
        const bool beside =
            problem == &witness_.device.problem && *problem &&
            ((*problem)->exit == Exit::no_device || (*problem)->exit == Exit::usage);
        const bool counts = *problem && (*problem)->exit != Exit::done && !beside;
        const std::string now = counts ? (*problem)->what_happened : "";
        const bool known = std::any_of(logged_.begin(), logged_.end(),
                                       [&now](const auto& of) { return of.second == now; });
        if (counts && !known) notices_.report(where, **problem, false);
        logged_[where] = now;
    }
}

void Session::save_settings() {
    save_opened();
    if (!options_.remember || settings_ == saved_) return;
    saved_ = settings_;
    try {
        write_file(settings_file(), nlohmann::json(settings_).dump(2) + "\n");
    } catch (const Problem& problem) {
        notices_.report("settings", problem, true);
    }
}

}  // namespace lab::session

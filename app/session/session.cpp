#include "session/session.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/paths.h"
#include "base/ranges.h"
#include "catalogue/number.h"
#include "catalogue/plan.h"
#include "lang/cuda.h"
#include "session/app_commands.h"

namespace lab::session {

Session::Session(Options options, Settings settings, std::optional<Problem> problem)
    : options_(std::move(options)),
      settings_(std::move(settings)),
      words_(settings_.language),
      commands_(options_.views),
      kernels(options_.wake),
      worker(worker_options()) {
    for (const Problem& damaged : catalogue().problems)
        notices.report("kernels", damaged, true);
    if (problem) notices.report("settings", *problem, true);
    recall_kernels(*this);
    for (const ViewType* type : options_.views)
        views_.push_back(type->create(*this));
    for (std::size_t i = 0; i < views_.size(); ++i)
        if (options_.views[i]->id == settings_.view) shown_ = i;
    settings_.view = shown_type().id;
    use_language(settings_.language);
}

Session::~Session() = default;

worker::Client::Options Session::worker_options() const {
    worker::Client::Options client;
    client.program = options_.worker;
    client.wake = options_.wake;
    return client;
}

std::uint64_t Session::elements() const {
    const catalogue::Shape& shape = settings_.choice.shape;
    if (shape.n) return *shape.n;
    if (shape.input.kind == catalogue::Input::Kind::values) {
        try {
            return catalogue::count_of(parse_values(shape.input.text, shape.type, "--input"));
        } catch (const Problem&) {
            // Whoever runs it says so.
        }
    }
    return elements_run;
}

std::optional<RunShape> Session::view_shape() const {
    const auto shape = shown_type().view_shape;
    return shape != nullptr ? std::optional(settings_.*shape) : std::nullopt;
}

void Session::set_view_shape(RunShape shape) {
    if (shown_type().view_shape == nullptr) return;
    shape.n = std::clamp(shape.n, kLeastLattice, kMostLattice);
    set(shown_type().view_shape, std::move(shape), {shown_type().id, false, shown_type().id});
}

void Session::set_page(const std::string& address) {
    if (address.starts_with("https://") || address.starts_with("http://")) edit().page = address;
}

const Walk& Session::walk() const {
    static Walk kNone;
    const Walk* walk = shown().walk();
    return walk != nullptr ? *walk : kNone;
}

bool Session::busy() const {
    return devices.waiting || kernels.guesser.running() ||
           any_of(views_, [](const auto& view) { return view->busy(); });
}

void Session::show_view(std::size_t place) {
    if (place >= views_.size()) return;
    if (place != shown_) walk().play(false);
    shown_ = place;
    if (settings_.view != shown_type().id) edit().view = shown_type().id;
    shown().shown();
}

void Session::set_view(std::string_view id) {
    if (id == kDevicesPanel) overlay = kDevicesPanel;
    for (std::size_t i = 0; i < views_.size(); ++i)
        if (options_.views[i]->id == id) show_view(i);
}

void Session::start() {
    started_ = true;
    RunChoice fitted = settings_.choice;
    fit_group(fitted);
    if (!(fitted == settings_.choice)) edit().choice = std::move(fitted);
    announce_choice();
    for (const auto& view : views_)
        view->start();
    look_for_devices(*this);
}

void Session::announce_choice() {
    kernel_chosen(*this);
    for (const auto& view : views_)
        view->choice_changed();
}

void Session::fit_group(RunChoice& choice) const {
    const catalogue::Kernel* variant = catalogue().known(choice.variant);
    if (variant == nullptr) return;
    const std::uint64_t n = choice.shape.n.value_or(elements_run);
    if (!thrown_by([&] { (void)plan_job(*variant, choice.shape, n, {}); })) return;
    catalogue::Shape open = choice.shape;
    open.group = 0;
    // If it is not the group, the run will say what it is.
    (void)thrown_by([&] { choice.shape.group = plan_job(*variant, open, n, {}).group; });
}

bool Session::run(const Command& command) {
    if (!command.enabled(*this)) {
        const char* why = command.why_not != nullptr ? command.why_not(*this) : nullptr;
        if (why != nullptr) notices.say(words_(why));
        return false;
    }
    command.act(*this);
    note_done(*this, command.id);
    return true;
}

void Session::choose(RunChoice choice) {
    if (choice == settings_.choice) return;
    if (choice.variant != settings_.choice.variant) fit_group(choice);
    history_.record(settings_, kChoiceChange);
    if (choice.variant != settings_.choice.variant) note_done(*this, "variant.next");
    // Turns that were chosen by hand mean nothing to another run.
    const bool turns = choice.machine.order.starts_with(machine::kTurnsPrefix);
    analysis::MachineUsed& next = choice.machine;
    const analysis::MachineUsed& now = settings_.choice.machine;
    if (turns && next.order == now.order) {
        next.order = kAutomatic;
        notices.say(words_("toast.turns_dropped"));
    }
    if (before_recording && now.order.starts_with(machine::kTurnsPrefix) && now.lanes == 1 &&
        now.resident == 0 && !next.order.starts_with(machine::kTurnsPrefix)) {
        if (next.lanes == now.lanes) next.lanes = before_recording->lanes;
        if (next.resident == now.resident) next.resident = before_recording->resident;
        if (next.order == kAutomatic) next.order = before_recording->order;
        before_recording.reset();
    }
    edit().choice = std::move(choice);
    announce_choice();
}

void Session::amend(RunChoice choice) {
    if (choice == settings_.choice) return;
    edit().choice = std::move(choice);
    announce_choice();
}

// The settings in force from now on; what they change is run.
void Session::put(Settings settings) {
    const bool again = !(settings.choice == settings_.choice);
    const std::string language = std::exchange(settings.language, settings_.language);
    edit() = std::move(settings);
    use_language(language);
    if (again && started_) announce_choice();
}

void Session::restore(Settings settings) {
    settings = keep_appearance(std::move(settings), settings_);
    if (settings == settings_) return;
    history_.record(settings_, kStateChange);
    put(std::move(settings));
}

// What is undone is seen, or it is said.
void Session::notify_if_hidden(const char* key, ChangeKind kind) {
    const std::string_view seen_in = kind.view;
    const bool of_choice = std::string_view(kind.id) == kChoiceChange.id;
    if (of_choice ? shown_type().shows_choice : seen_in.empty() || seen_in == shown_type().id)
        return;
    notices.say(words_(key, fmt::arg("what", words_(std::string("change.") + kind.id))));
}

void Session::undo() {
    const auto own = shown().undoable();
    if (own && (!history_.can_undo() || *own > *history_.undoable())) return shown().undo();
    if (auto step = history_.undo(settings_)) {
        put(std::move(step->settings));
        notify_if_hidden("toast.undone", step->kind);
    }
}

void Session::redo() {
    const auto own = shown().redoable();
    if (own && (!history_.can_redo() || *own < *history_.redoable())) return shown().redo();
    if (auto step = history_.redo(settings_)) {
        put(std::move(step->settings));
        notify_if_hidden("toast.redone", step->kind);
    }
}

Api Session::api() const {
    if (settings_.terms != kAutomatic) return settings_.terms == kApis[0] ? Api::opencl : Api::cuda;
    const bool shown = !views_.empty() && (shown_type().shows_choice ||
                                           shown_type().id == std::string_view("measure"));
    return shown && lang::is_cuda(file_of(settings_.choice), text_of(settings_.choice))
               ? Api::cuda
               : Api::opencl;
}

void Session::use_language(const std::string& language) {
    if (language == settings_.language && api() == words_.api()) return;
    try {
        words_ = Translations(language, api());
        if (language != settings_.language) edit().language = language;
    } catch (const Problem& problem) {
        notices.report("settings", problem, true);
        // Asked for once, and not again for each frame.
        if (language == settings_.language) edit().terms = kApis[words_.api() == Api::cuda ? 1 : 0];
    }
}

void Session::set_language(const std::string& language) {
    Settings before = settings_;
    use_language(language);
    if (before.language != settings_.language) history_.record(std::move(before), kLanguageChange);
}

void Session::set_scale(float scale) {
    set(&Settings::scale, std::clamp(scale, kSmallestScale, kLargestScale), kScaleChange);
}

void Session::set_window(int width, int height) {
    if (width == settings_.width && height == settings_.height) return;
    edit().width = width;
    edit().height = height;
}

void Session::note_solved(const std::string& variant) {
    if (!contains(settings_.solved, variant)) edit().solved.push_back(variant);
}

void Session::set_step(std::size_t step) {
    if (settings_.step != step) edit().step = step;
}

void Session::copy(const std::string& text) const {
    if (options_.copy) options_.copy(text);
}

void Session::poll() {
    worker.poll();
    poll_kernels(*this);
    for (const auto& view : views_)
        view->poll();
    walk().go_on();
    use_language(settings_.language);
    for (const Problem& problem : follow(glossary, settings_.language, catalogue()))
        notices.report("glossary", problem, true);
    go_on(glossary, Clock::now());
    notices.poll(Clock::now());
    log_problems();
}

std::optional<Clock::time_point> Session::next_move() const {
    std::optional<Clock::time_point> next = notices.next_move(Clock::now());
    const auto add = [&next](std::optional<Clock::time_point> time) {
        if (time) next = std::min(next.value_or(*time), *time);
    };
    add(session::next_move(kernels.editor));
    add(glossary.next_tick);
    add(walk().next_step());
    for (const auto& view : views_)
        add(view->next_move());
    return next;
}

// A problem is shown where it arose; once for each time that it came up, the log has it, too. Two
// parts often find the same mistake: it is told once.
void Session::log_problems() {
    std::map<std::string, std::string> now;
    const auto log = [&](const std::vector<PlacedProblem>& problems) {
        for (const auto& [place, problem] : problems) {
            const std::string& what = problem->what_happened;
            const auto has = [&what](const auto& places) {
                return any_of(places, [&](const auto& each) { return each.second == what; });
            };
            if (!has(logged_) && !has(now)) notices.report(place, *problem, false);
            now[place] = what;
        }
    };
    for (const auto& view : views_)
        log(view->problems());
    log(placed({{"devices", devices.problem}}));
    logged_ = std::move(now);
}

void Session::save_settings() {
    save_kernels(*this);
    if (!options_.remember || !std::exchange(unsaved_, false)) return;
    notices.attempt("settings",
                    [&] { write_file(settings_file(), nlohmann::json(settings_).dump(2) + "\n"); });
}

void Pointed::end_frame(const Session& session) {
    std::string next = std::exchange(next_, {});
    const View& view = session.shown();
    const std::uint64_t version = view.links_version();
    const std::size_t position = session.walk().position();
    if (next == name_ && view_ == &view && version_ == version && position_ == position) return;
    name_ = std::move(next);
    view_ = &view;
    version_ = version;
    position_ = position;
    linked_.clear();
    const analysis::HighlightTarget referent = analysis::referent_of(name_);
    if (referent.kind != analysis::HighlightTarget::Kind::none) linked_ = view.linked(referent);
}

void say_of_file(Session& session, const char* key, const fs::path& file) {
    session.notices.say(session.words()(key, fmt::arg("name", file.filename().string())));
}

fs::path folder_to_open(const Session& session) {
    std::error_code error;
    const fs::path last = session.settings().folder;
    if (!last.empty() && fs::is_directory(last, error)) return last;
    return documents_folder();
}

}  // namespace lab::session

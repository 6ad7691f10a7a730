// Choosing kernels, and opening, editing and saving them.
#include "session/kernels/kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/paths.h"
#include "catalogue/plan.h"
#include "session/files/new_file.h"
#include "session/kernels/user_kernel_copy.h"
#include "session/kernels/user_kernel_memory.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

// As the launch was when this file was open before.
simulation::UserKernel kernel_of(const std::vector<Choice>& opened, const std::string& file) {
    for (const Choice& choice : opened)
        if (choice.user_kernel && choice.user_kernel->file == file) return *choice.user_kernel;
    simulation::UserKernel kernel;
    kernel.file = file;
    return kernel;
}

std::string id_of(const catalogue::Catalogue& catalogue, const OpenedVariant& opened) {
    try {
        return parse_opened(catalogue, opened.file, opened.text).id;
    } catch (const Problem&) {
        // As a right header would make it; the run says what is wrong.
        std::string id = std::filesystem::path(opened.file).stem().string();
        std::replace(id.begin(), id.end(), '_', '-');
        return id;
    }
}

// Of `values` those that `put` makes a shape of that the chosen kernel takes; all, where it takes
// none for another reason.
template <typename Value, typename Infos, typename Get>
std::vector<Value> taken(const Session& session, const Infos& all, Value now, Get get) {
    std::vector<Value> every, fine;
    bool any = false;
    const catalogue::Variant* variant = session.variant();
    const Choice& choice = session.settings().choice;
    for (const auto& each : all) {
        catalogue::Shape tried = choice.shape;
        const Value value = get(each, tried);
        every.push_back(value);
        if (variant == nullptr || choice.user_kernel) continue;
        try {
            (void)make_plan(*variant, tried, session.elements(), {});
            fine.push_back(value);
            any = true;
        } catch (const Problem&) {
            if (value == now) fine.push_back(value);
        }
    }
    return any ? fine : every;
}

}  // namespace

std::vector<catalogue::Op> ops_taken(const Session& session) {
    return taken(
        session, catalogue::ops(), session.settings().choice.shape.op,
        [](const catalogue::OpInfo& info, catalogue::Shape& shape) { return shape.op = info.op; });
}

std::vector<catalogue::Type> types_taken(const Session& session) {
    return taken(session, catalogue::types(), session.settings().choice.shape.type,
                 [](const catalogue::TypeInfo& info, catalogue::Shape& shape) {
                     return shape.type = info.type;
                 });
}

bool takes_input(const Session& session) {
    const catalogue::Variant* variant = session.variant();
    return session.settings().choice.user_kernel || variant == nullptr ||
           variant->plan != catalogue::PlanKind::iterate;
}

Kernels::Kernels(Session& session)
    : session_(session),
      catalogue_(catalogue::load_catalogue()),
      editor_(session.options().wake),
      guesser_(session.options().wake) {}

// What is open joins the catalogue; where its header is wrong, as it was last.
void Kernels::choice_changed() {
    if (const auto& opened = session_.settings().choice.opened) {
        try {
            add_opened(catalogue_, parse_opened(catalogue_, opened->file, opened->text));
        } catch (const Problem&) {
            // Whoever runs it says so.
        }
    }
    editor_.show(session_.settings().choice, catalogue_);
}

// What was open at the last start, too.
void Kernels::recall() {
    if (!session_.options().remember) return;
    std::optional<Problem> problem;
    editor_.recall(load_opened(problem));
    if (problem) session_.notices().report("settings", *problem, true);
    for (const Choice& choice : editor_.opened()) {
        if (!choice.opened) continue;
        try {
            add_opened(catalogue_,
                       parse_opened(catalogue_, choice.opened->file, choice.opened->text));
        } catch (const Problem&) {
            // Whoever runs it says so.
        }
    }
}

void Kernels::save() {
    if (!session_.options().remember || editor_.memory_version() == saved_version_) return;
    saved_version_ = editor_.memory_version();
    try {
        write_file(kernels_file(), memory_text(editor_.memory()));
    } catch (const Problem& problem) {
        session_.notices().report("settings", problem, true);
    }
}

void Kernels::poll() {
    take_guess();
    if (auto text = editor_.take_outside()) run_text(std::move(*text));
    if (auto text = editor_.take_due(false)) run_text(std::move(*text));
}

void Kernels::open(const std::filesystem::path& path) {
    run_edits();
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(path, error);
    if (error) whole = path;
    whole = whole.lexically_normal();
    std::string text = read_kernel_file(whole);
    Choice choice = session_.settings().choice;
    choice.user_kernel.reset();
    choice.opened.reset();
    bool tries = false;
    if (catalogue::has_header(text)) {
        choice.opened = OpenedVariant{whole.string(), std::move(text)};
        choice.variant = id_of(catalogue_, *choice.opened);
        choice.shape.set.clear();
    } else {
        simulation::UserKernel kernel = kernel_of(editor_.opened(), whole.string());
        kernel.text = std::move(text);
        tries = !kernel.global.given() && kernel.arguments.empty();
        fit_launch(kernel, facts_of(kernel));
        choice.user_kernel = std::move(kernel);
    }
    editor_.set_problem({});
    if (!session_.shown_type().shows_kernel) show_kernel_view();
    session_.choose(std::move(choice));
    if (tries) try_launches(true);
}

void Kernels::show_kernel_view() {
    const auto views = session_.options().views;
    const auto found = std::find_if(views.begin(), views.end(),
                                    [](const ViewType* view) { return view->shows_kernel; });
    session_.show_view(static_cast<std::size_t>(found - views.begin()));
}

void Kernels::choose(const std::string& id) {
    run_edits();
    for (const Choice& known : editor_.opened())
        if (known.opened && known.variant == id) {
            choose_opened(known);
            return;
        }
    Choice choice = session_.settings().choice;
    choice.user_kernel.reset();
    choice.opened.reset();
    choice.variant = id;
    put_example(choice);
    session_.choose(std::move(choice));
}

// The eight numbers in groups of 4, or what suits the kernel; its toggles as its header has them.
void Kernels::put_example(Choice& choice) const {
    const catalogue::Shape example = Settings().choice.shape;
    choice.shape.input = example.input;
    choice.shape.n = example.n;
    choice.shape.group = example.group;  // fitted by Session::choose() where it cannot be had
    choice.shape.set.clear();
}

void Kernels::reset() {
    run_edits();
    Choice choice = session_.settings().choice;
    if (choice.user_kernel) return guess_launch();
    const Choice fresh;
    choice.shape = Settings().choice.shape;
    choice.machine = fresh.machine;
    session_.choose(std::move(choice));
}

void Kernels::choose_opened(const Choice& known) {
    const Choice to = known;  // what is run now may change the list that it stands in
    run_edits();
    Choice choice = session_.settings().choice;
    choice.variant = to.variant;
    choice.user_kernel = to.user_kernel;
    choice.opened = to.opened;
    choice.shape.set = to.shape.set;
    session_.choose(std::move(choice));
}

void Kernels::close(const Choice& known) {
    const Choice closed = known;  // it stands in a list that changes now
    const std::string file = file_of(closed);
    // Shown once more, so that an undo brings its edits back.
    if (file != editor_.file() && editor_.edited(file)) choose_opened(closed);
    run_edits();
    if (file == editor_.file()) {
        Choice choice = session_.settings().choice;
        if (choice.opened) choice.variant = Choice().variant;
        choice.user_kernel.reset();
        choice.opened.reset();
        choice.shape.set.clear();
        session_.choose(std::move(choice));
    }
    editor_.forget(file);
    if (closed.opened)
        std::erase_if(catalogue_.variants, [&](const catalogue::Variant& variant) {
            return variant.id == closed.variant && variant.chapter == catalogue::kOpenedChapter;
        });
    session_.notices().say(session_.words()(
        "user_kernel.closed", fmt::arg("name", std::filesystem::path(file).filename().string())));
}

void Kernels::set_launch(simulation::UserKernel kernel) {
    Choice choice = session_.settings().choice;
    if (!choice.user_kernel || kernel == *choice.user_kernel) return;
    // Another kernel of the text, or other macros, have other parameters.
    fit_launch(kernel, facts_of(kernel));
    choice.user_kernel = std::move(kernel);
    session_.choose(std::move(choice));
}

void Kernels::guess_launch() {
    const Choice before = session_.settings().choice;
    if (!before.user_kernel) return;
    simulation::UserKernel kernel = *before.user_kernel;
    kernel.global = kernel.local = kernel.offset = 0;
    kernel.arguments.clear();
    set_launch(std::move(kernel));
    try_launches(!(before == session_.settings().choice));
}

void Kernels::try_launches(bool amends) {
    const Choice& choice = session_.settings().choice;
    if (!choice.user_kernel) return;
    try {
        const simulation::Options machine = subject_of(choice, catalogue_).machine;
        guessed_from_ = *choice.user_kernel;
        guess_amends_ = amends;
        simulation::UserKernel kernel = guessed_from_;
        kernel.global = kernel.local = kernel.offset = 0;
        kernel.arguments.clear();
        guesser_.start([kernel, machine, search = std::shared_ptr<simulation::LaunchSearch>()](
                           const std::atomic<bool>& cancel) mutable {
            if (!search)
                search = std::make_shared<simulation::LaunchSearch>(
                    kernel, machine,
                    simulation::GuessLimits{.elements = simulation::kMostSteppedElements,
                                            .cancel = &cancel});
            return search->go_on(simulation::kPartActions);
        });
    } catch (const Problem&) {
        // Whoever runs it says so.
    }
}

void Kernels::take_guess() {
    auto found = guesser_.take();
    if (!found || !std::holds_alternative<simulation::LaunchGuess>(*found)) return;
    Choice choice = session_.settings().choice;
    if (choice.user_kernel != guessed_from_) return;
    guess_ = std::get<simulation::LaunchGuess>(std::move(*found));
    // What leads astray all the same is no better than what the text suggests.
    if (!guess_->in_bounds) {
        guess_->kernel = guessed_from_;
        guess_->changed.clear();
    }
    choice.user_kernel = guess_->kernel;
    if (guess_amends_)
        session_.amend(std::move(choice));
    else
        session_.choose(std::move(choice));
}

const simulation::LaunchGuess* Kernels::guess() const {
    const auto& kernel = session_.settings().choice.user_kernel;
    return guess_ && guess_->runs > 0 && kernel == guess_->kernel ? &*guess_ : nullptr;
}

void Kernels::run_text(std::string text) {
    Choice choice = session_.settings().choice;
    if (choice.user_kernel) {
        choice.user_kernel->text = std::move(text);
        fit_launch(*choice.user_kernel, facts_of(*choice.user_kernel));
    } else if (choice.opened) {
        choice.opened->text = std::move(text);
        choice.variant = id_of(catalogue_, *choice.opened);
    }
    session_.choose(std::move(choice));
}

void Kernels::run_edits() {
    if (auto text = editor_.take_due(true)) run_text(std::move(*text));
}

void Kernels::take_file() {
    if (auto text = editor_.file_text()) run_text(std::move(*text));
}

void Kernels::say_saved(const std::filesystem::path& file) {
    session_.notices().say(
        session_.words()("user_kernel.saved", fmt::arg("name", file.filename().string())));
}

void Kernels::save_file() {
    if (!editor_.is_open()) return;
    run_edits();
    try {
        if (editor_.has_path()) {
            editor_.save();
            say_saved(editor_.file());
            return;
        }
        const std::filesystem::path name = editor_.file();
        const std::filesystem::path file =
            new_file(folder_to_open(session_), name.stem().string(), ".cl");
        write_file(file, editor_.draft());
        Choice choice = session_.settings().choice;
        (choice.user_kernel ? choice.user_kernel->file : choice.opened->file) = file.string();
        if (choice.opened) choice.variant = id_of(catalogue_, *choice.opened);
        session_.choose(std::move(choice));
        editor_.forget(name.string());
        say_saved(file);
    } catch (const Problem& problem) {
        editor_.set_problem(problem);
    }
}

void Kernels::copy_variant(bool expanded) {
    const catalogue::Variant* shipped = session_.variant();
    if (shipped == nullptr || session_.settings().choice.user_kernel) return;
    try {
        Choice choice = session_.settings().choice;
        if (expanded) {
            choice.user_kernel = plain_copy(*shipped, choice.shape, session_.elements());
            choice.opened.reset();
        } else {
            choice.opened = OpenedVariant{copy_name(*shipped), shipped->text};
            choice.variant = id_of(catalogue_, *choice.opened);
        }
        session_.choose(std::move(choice));
    } catch (const Problem& problem) {
        session_.notices().report("step", problem, true);
    }
}

}  // namespace lab::session

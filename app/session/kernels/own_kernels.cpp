// The part of the session that opens kernels from anywhere, and edits them.
#include <fmt/format.h>

#include <algorithm>

#include "base/paths.h"
#include "session/files/new_file.h"
#include "session/kernels/own_copy.h"
#include "session/kernels/own_memory.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

// As the launch was when this file was open before.
simulation::OwnKernel kernel_of(const std::vector<Choice>& opened, const std::string& file) {
    for (const Choice& choice : opened)
        if (choice.own && choice.own->file == file) return *choice.own;
    simulation::OwnKernel made;
    made.file = file;
    return made;
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

}  // namespace

// What is open joins the catalogue; where its header is wrong, as it was last.
void Session::show_own() {
    if (const auto& opened = settings_.choice.opened) {
        try {
            add_opened(catalogue_, parse_opened(catalogue_, opened->file, opened->text));
        } catch (const Problem&) {
            // Whoever runs it says so.
        }
    }
    own_.show(settings_.choice, catalogue_);
}

// What was open at the last start, too.
void Session::recall_opened() {
    if (!options_.remember) return;
    std::optional<Problem> problem;
    own_.recall(load_opened(problem));
    if (problem) notices_.report("settings", *problem, true);
    for (const Choice& choice : own_.opened()) {
        if (!choice.opened) continue;
        try {
            add_opened(catalogue_,
                       parse_opened(catalogue_, choice.opened->file, choice.opened->text));
        } catch (const Problem&) {
            // Whoever runs it says so.
        }
    }
}

void Session::save_opened() {
    if (!options_.remember || own_.memory_version() == saved_opened_) return;
    saved_opened_ = own_.memory_version();
    try {
        write_file(kernels_file(), memory_text(own_.memory()));
    } catch (const Problem& problem) {
        notices_.report("settings", problem, true);
    }
}

void Session::poll_own() {
    if (auto text = own_.take_outside()) run_text(std::move(*text));
    if (auto text = own_.take_due(false)) run_text(std::move(*text));
}

void Session::open_kernel(const std::filesystem::path& path) {
    run_own();
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(path, error);
    if (error) whole = path;
    whole = whole.lexically_normal();
    std::string text = read_kernel_file(whole);
    Choice choice = settings_.choice;
    choice.own.reset();
    choice.opened.reset();
    if (catalogue::has_header(text)) {
        choice.opened = OpenedVariant{whole.string(), std::move(text)};
        choice.variant = id_of(catalogue_, *choice.opened);
        choice.shape.set.clear();
    } else {
        simulation::OwnKernel own = kernel_of(own_.opened(), whole.string());
        own.text = std::move(text);
        fit_launch(own, facts_of(own));
        choice.own = std::move(own);
    }
    own_.tell({});
    if (settings_.view != "step" && settings_.view != "race") set_view("step");
    choose(std::move(choice));
}

void Session::choose_variant(const std::string& id) {
    run_own();
    for (const Choice& known : own_.opened())
        if (known.opened && known.variant == id) {
            choose_opened(known);
            return;
        }
    Choice choice = settings_.choice;
    choice.own.reset();
    choice.opened.reset();
    choice.variant = id;
    choice.shape.set.clear();
    choose(std::move(choice));
}

void Session::choose_opened(const Choice& known) {
    const Choice to = known;  // what is run now may change the list that it stands in
    run_own();
    Choice choice = settings_.choice;
    choice.variant = to.variant;
    choice.own = to.own;
    choice.opened = to.opened;
    choice.shape.set = to.shape.set;
    choose(std::move(choice));
}

void Session::close_opened(const Choice& known) {
    const Choice closed = known;  // it stands in a list that changes now
    const std::string file = file_of(closed);
    // Shown once more, so that an undo brings its edits back.
    if (file != own_.file() && own_.edited(file)) choose_opened(closed);
    run_own();
    if (file == own_.file()) {
        Choice choice = settings_.choice;
        if (choice.opened) choice.variant = Choice().variant;
        choice.own.reset();
        choice.opened.reset();
        choice.shape.set.clear();
        choose(std::move(choice));
    }
    own_.forget(file);
    if (closed.opened)
        std::erase_if(catalogue_.variants, [&](const catalogue::Variant& variant) {
            return variant.id == closed.variant && variant.chapter == catalogue::kOpenedChapter;
        });
    notices_.say(
        words_("own.closed", fmt::arg("name", std::filesystem::path(file).filename().string())));
}

void Session::set_own(simulation::OwnKernel own) {
    Choice choice = settings_.choice;
    if (!choice.own || own == *choice.own) return;
    // Another kernel of the text, or other macros, have other parameters.
    fit_launch(own, facts_of(own));
    choice.own = std::move(own);
    choose(std::move(choice));
}

void Session::run_text(std::string text) {
    Choice choice = settings_.choice;
    if (choice.own) {
        choice.own->text = std::move(text);
        fit_launch(*choice.own, facts_of(*choice.own));
    } else if (choice.opened) {
        choice.opened->text = std::move(text);
        choice.variant = id_of(catalogue_, *choice.opened);
    }
    choose(std::move(choice));
}

void Session::run_own() {
    if (auto text = own_.take_due(true)) run_text(std::move(*text));
}

void Session::take_file() {
    if (auto text = own_.file_text()) run_text(std::move(*text));
}

void Session::tell_saved(const std::filesystem::path& file) {
    notices_.say(words_("own.saved", fmt::arg("name", file.filename().string())));
}

void Session::save_own() {
    if (!own_.is_open()) return;
    run_own();
    try {
        if (own_.has_path()) {
            own_.save();
            tell_saved(own_.file());
            return;
        }
        const std::filesystem::path name = own_.file();
        const std::filesystem::path file =
            new_file(folder_to_open(*this), name.stem().string(), ".cl");
        write_file(file, own_.draft());
        Choice choice = settings_.choice;
        (choice.own ? choice.own->file : choice.opened->file) = file.string();
        if (choice.opened) choice.variant = id_of(catalogue_, *choice.opened);
        choose(std::move(choice));
        own_.forget(name.string());
        tell_saved(file);
    } catch (const Problem& problem) {
        own_.tell(problem);
    }
}

void Session::copy_variant(bool expanded) {
    const catalogue::Variant* of = variant();
    if (of == nullptr || settings_.choice.own) return;
    try {
        Choice choice = settings_.choice;
        if (expanded) {
            choice.own = plain_copy(*of, choice.shape, elements());
            choice.opened.reset();
        } else {
            choice.opened = OpenedVariant{copy_name(*of), of->text};
            choice.variant = id_of(catalogue_, *choice.opened);
        }
        choose(std::move(choice));
    } catch (const Problem& problem) {
        notices_.report("step", problem, true);
    }
}

}  // namespace lab::session

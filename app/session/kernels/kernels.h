// The kernels that can be chosen: those of the catalogue and those that were opened from files, and
// the text of the chosen one as it is edited.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "catalogue/variant.h"
#include "session/kernels/kernel_editor.h"

namespace lab::session {

class Session;

class Kernels {
  public:
    explicit Kernels(Session& session);

    const catalogue::Catalogue& catalogue() const { return catalogue_; }
    const KernelEditor& editor() const { return editor_; }

    void choose(const std::string& variant);  // an id of the catalogue; its toggles as they are
    // A file with a header is a variant, any other one a kernel of the user's own. Throws Problem
    // where there is no text to read; one with mistakes is opened.
    void open(const std::filesystem::path& path);
    void choose_opened(const Choice& known);         // one of editor().opened()
    void close(const Choice& known);                 // off that list; an undo of it brings it back
    void set_launch(simulation::UserKernel kernel);  // its launch, its macros
    void edit(std::string text) { editor_.edit(std::move(text)); }
    void run_edits();                  // without waiting for a pause in typing
    void take_file();                  // the file's text for the edited one
    void save_file();                  // a copy gets one in the user's documents
    void copy_variant(bool expanded);  // the chosen variant as a kernel of the user's own
    void forget_problem() { editor_.set_problem({}); }

    void recall();  // what was open at the last start
    void save();    // … for the next one, if it changed
    void choice_changed();
    void poll();
    std::optional<Clock::time_point> next_move() const { return editor_.next_move(); }

  private:
    void run_text(std::string text);
    void say_saved(const std::filesystem::path& file);
    void show_kernel_view();

    Session& session_;
    catalogue::Catalogue catalogue_;
    KernelEditor editor_;
    std::uint64_t saved_version_ = 0;  // of the editor's memory
};

}  // namespace lab::session

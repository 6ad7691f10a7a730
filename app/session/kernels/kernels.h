// The kernels to choose from: those of the catalogue and opened files, and the edited text of the
// chosen one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/variant.h"
#include "session/kernels/kernel_editor.h"
#include "session/shell/background.h"
#include "simulation/launch_guess.h"

namespace lab::session {

class Session;

// What the chosen kernel takes in the shape of now, and at least what is chosen.
std::vector<catalogue::Op> ops_taken(const Session& session);
std::vector<catalogue::Type> types_taken(const Session& session);
// Whether it reads what is chosen as input: plan `iterate` begins with ones.
bool takes_input(const Session& session);

class Kernels {
  public:
    explicit Kernels(Session& session);

    const catalogue::Catalogue& catalogue() const { return catalogue_; }
    const KernelEditor& editor() const { return editor_; }

    // An id of the catalogue; with its own example: input, n, group and toggles.
    void choose(const std::string& variant);
    // A file with a header is a variant, any other one a user kernel. Throws Problem if it cannot
    // be read; one with errors is opened.
    void open(const std::filesystem::path& path);
    void choose_opened(const Choice& known);  // one of editor().opened()
    void reset();  // what is chosen runs as its example, or with the launch that fits its text
    void close(const Choice& known);                 // removes it from that list; can be undone
    void set_launch(simulation::UserKernel kernel);  // with launch and macros
    // A launch that fits the text, then, in the background, one with which it runs: where nobody
    // has changed the launch by then, it is taken. An opened file of which no launch is known
    // gets one so.
    void guess_launch();
    bool guessing() const { return guesser_.running(); }
    // How the launch of the chosen kernel was found; null where it was not found so, or changed.
    const simulation::LaunchGuess* guess() const;
    void edit(std::string text) { editor_.edit(std::move(text)); }
    void run_edits();                  // without waiting for a pause in typing
    void take_file();                  // replaces the edited text by the file's
    void save_file();                  // a copy gets a file in the user's documents
    void copy_variant(bool expanded);  // the chosen variant as a user kernel
    void forget_problem() { editor_.set_problem({}); }

    void recall();  // opens what was open last time
    void save();    // for next time, if it changed
    void choice_changed();
    void poll();
    std::optional<Clock::time_point> next_move() const { return editor_.next_move(); }

  private:
    void put_example(Choice& choice) const;
    void try_launches(bool amends);
    void take_guess();
    void run_text(std::string text);
    void say_saved(const std::filesystem::path& file);
    void show_kernel_view();

    Session& session_;
    catalogue::Catalogue catalogue_;
    KernelEditor editor_;
    std::uint64_t saved_version_ = 0;      // of the editor's memory
    simulation::UserKernel guessed_from_;  // the launch that the text suggests
    bool guess_amends_ = false;            // what was chosen last, rather than changing it
    std::optional<simulation::LaunchGuess> guess_;
    Background<simulation::LaunchGuess> guesser_;
};

}  // namespace lab::session

// The panels of the step view.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/machine_run.h"
#include "analysis/step_table.h"
#include "gui/scene_painter.h"
#include "gui/ui.h"
#include "gui/widgets.h"
#include "session/settings.h"
#include "views/step/step_text_panels.h"
namespace lab::gui {

class Flow;

void step_panel(Ui& ui, const Area& area);
void step_transport(Ui& ui, const Area& area);
void kernel_text(Ui& ui, const Area& area);
void step_side(Ui& ui, const Area& area);
void present_step(Ui& ui);
figures::Slide step_slide(Ui& ui);  // of the moment
void save_step(Ui& ui, const std::filesystem::path& file, const std::string& suffix);

// Parts of them, which other views use, too.
// Changes `choice` if the user changed a field.
// `of_shown`: if the schedule is automatic, names the one of the step view's run.
void machine_fields(Ui& ui, session::RunChoice& choice, Flow& flow, bool of_shown = true);
// The switch "broken across groups".
void broken_switch(Ui& ui);
float broken_switch_width(const Ui& ui);  // pixels
void step_controls(Ui& ui, float width);
// One moment, where one goes by lines or actions: what has just happened, and memory and
// work-items.
struct Moment {
    std::string sentence;
    Tone tone = Tone::plain;
};
Moment moment_of(Ui& ui);
// Says what the last action did; its tone is wrong where it read a stale value. Nothing at the
// start.
std::optional<Moment> acted(const Ui& ui, const analysis::Timeline& timeline,
                            const analysis::StateView& state);
void moment_picture(Ui& ui, ImVec2 room);
void show_state(Ui& ui, ImVec2 room);  // the two above each other
// A hazard whose time has not come at `time` is grey.
void hazard_list(Ui& ui, const std::vector<analysis::Hazard>& hazards, std::uint64_t time,
                 float width, const analysis::RaceCaveats& caveats);
// The moment of a run that a kernel's text is shown beside.
struct KernelMoment {
    std::uint32_t line = 0;     // of the action taken last, 0: none
    LineNotes notes = nullptr;  // beside the lines
    bool host = true;           // whether the host's part is shown, at the step view's moment
};
// The kernel's text without a card around it.
void kernel_inside(Ui& ui, ImVec2 size, const KernelMoment& moment);
// One line of a program's text, coloured. `in_comment` goes on from line to line.
void source_line(const Ui& ui, std::string_view line, const catalogue::Kernel& variant,
                 bool& in_comment);
// The C++ program that runs the kernel, as a tab beside the steps.
void host_tab(Ui& ui);

// The buttons and the scrubber to step through what a view shows.

// A mark on the scrubber.
struct Stop {
    float part = 0;  // of the whole way, 0 to 1
    analysis::Mark::Kind kind = analysis::Mark::Kind::barrier;
    std::string name;  // may be empty
};

// `count` of `all`, 0 to 1.
float part_of(std::uint64_t count, std::uint64_t all);

// "step 2 of 3": where the view on screen is; empty: it has no steps.
std::string walk_text(const Ui& ui);
// `more`: draws controls beside the buttons.
void transport(Ui& ui, const Area& area, const std::vector<Stop>& stops,
               void (*more)(Ui&) = nullptr);

// The diagram of the step view: a row of cells a pass.

// Knows if there is room for the legend below the diagram; where there is none, it can be opened.
struct LegendState {
    bool fits = true;
    bool open = false;
};

// A run's rows as they are drawn.
struct StepPicture {
    figures::Scene scene;
    float point = 1;      // its pixels
    bool legend = false;  // there is room for it
};

struct StepFigureState {
    Cached<StepPicture> figure;
    Cached<StepPicture> other;  // of what the toggle leads to, side by side
    float zoom = 1;             // of both, closer than they are by themselves
};

// As large as there is room for (pixels), what does not fit scrolls; with what the toggle leads to
// beside it, where that is asked for.
void step_figure(Ui& ui, const analysis::StepTable& table, ImVec2 room);

bool step_wants_width(const Ui& ui);  // for two figures side by side

// Two runs side by side: which one stands beside what is chosen, and what differs.

// A run as it was asked for and as it came out.
struct TitledRun {
    const session::RunChoice& choice;
    const analysis::StepTable& table;
};
// The kernel's title, with its lanes where a search found the run on others than the other one;
// of two runs of one kernel also its toggles and its schedule, as far as those are not the other's.
std::string run_title(const Ui& ui, const TitledRun& run, const TitledRun& other);
// A list of the schedules and kernels that can stand beside what is chosen, own ones, too.
void second_field(Ui& ui, float width);

// A line for each of the two with what it costs; what differs stands out.
struct ComparedRun {
    const machine::Run& run;
    std::uint64_t version;
    std::string title;
    std::uint64_t n;
};
float differences_height(const Ui& ui);
void differences(Ui& ui, const ComparedRun& left, const ComparedRun& right, float width);

// A run shows parts beside its picture: lanes, memory, variables, lineage, races and what it
// printed. The step view has them as tabs, a lesson's page has the one that it names.

// A run, and where one stands in it.
struct RunMoment {
    const analysis::MachineRun& run;    // of which machine::Run is there
    std::string key;                    // of the run: pictures of it are kept under this
    std::size_t row = 0;                // the last that is shown
    std::size_t rows = 0;               // as many may be seen, the start among them
    std::uint64_t time = 0;             // actions that are shown
    bool whole_passes = true;           // one steps by them, not by lines or actions
    std::optional<std::uint32_t> line;  // of which memory is shown; empty: what costs most
    std::string_view traced;            // "cell 3 4", whose lineage is shown; else the result's

    bool hides_rows() const { return rows < run.table.rows.size(); }
};

// The kernel as OpenCL C, where it is in CUDA C++.
void opencl_part(Ui& ui, const RunMoment& moment);
bool has_opencl_text(const analysis::MachineRun& run);

struct RunPart {
    const char* id;                                              // of its words: "side.<id>"
    void (*draw)(Ui& ui, const RunMoment& moment);               // in the room of a child window
    const char* word;                                            // of the glossary
    bool (*offered)(const analysis::MachineRun& run) = nullptr;  // null: for every run
};
std::span<const RunPart> run_parts();
const RunPart* find_run_part(std::string_view id);  // null: there is none

}  // namespace lab::gui

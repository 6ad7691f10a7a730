#include "gui/glossary/word_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/lanes/memory_request.h"
#include "figures/figures/bank_figure.h"
#include "figures/figures/lane_figure.h"
#include "figures/figures/pass_figure.h"
#include "figures/figures/schedule_now.h"
#include "figures/figures/state_figure.h"
#include "figures/parts/run_text/pass_text.h"
#include "gui/parts/cached_scene.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using Picture = lessons::Word::Picture;

struct WordPictureState {
    CachedScene upper, lower;
};

struct WordScenes {
    const figures::Scene* upper = nullptr;
    const figures::Scene* lower = nullptr;  // may be null
};

figures::RunSubject word_subject(const simulation::MachineRun& run) {
    figures::RunSubject subject;
    subject.variant = run.table.variant;
    subject.title = run.table.title;
    subject.n = run.table.n;
    subject.group = run.table.group;
    if (run.table.machine) subject.machine = *run.table.machine;
    return subject;
}

// Rows up to the last one that is gone through.
figures::Scene diagram_scene(const Ui& ui, const session::GlossaryBook& book, float width) {
    analysis::StepTable table = book.run()->table;
    if (book.moments().back() + 1 < table.rows.size()) table.rows.resize(book.moments().back() + 1);
    figures::PassFigureOptions options;
    options.shown = book.moments()[book.step()] + 1;
    options.width = width;
    options.text_scale = ui.palette.text_scale;
    options.legend = false;
    options.announce = true;
    return figures::pass_figure(table, options, ui.metrics, ui.tr());
}

figures::Scene lane_scene(const Ui& ui, const session::GlossaryBook& book,
                          const figures::FigureOptions& options) {
    const simulation::MachineRun& run = *book.run();
    const std::uint64_t pass = book.moments()[book.step()];
    const figures::LaneChart chart{run.activity, run.lanes.total, run.lanes.branches,
                                   pass == 0 ? std::nullopt : std::optional<std::size_t>(pass - 1)};
    return figures::lane_figure(chart, word_subject(run), options, ui.metrics, ui.tr());
}

// The actions so far, what each warp would do next, and memory below.
figures::Scene schedule_scene(const Ui& ui, const session::GlossaryBook& book,
                              const figures::FigureOptions& options) {
    const simulation::MachineRun& run = *book.run();
    const std::uint64_t time = book.moments()[book.step()];
    const analysis::StateView state = analysis::state_view_of(*run.run, time);
    analysis::Timeline timeline = run.timeline;
    timeline.actions.resize(time);
    std::erase_if(timeline.stale, [&](const analysis::StaleArc& arc) { return arc.read >= time; });
    std::erase_if(timeline.launches,
                  [&](const analysis::TimelineLaunch& launch) { return launch.first > time; });
    std::vector<const analysis::WarpView*> ready;
    for (const analysis::WarpView& warp : state.warps)
        if (warp.next) ready.push_back(&warp);
    return figures::schedule_now(timeline, state, ready, ready.size(), 0, options, ui.metrics,
                                 ui.tr())
        .scene;
}

figures::Scene memory_scene(const Ui& ui, const session::GlossaryBook& book,
                            const figures::FigureOptions& options) {
    figures::StateFigureOptions memory;
    memory.figure = options;
    memory.items = memory.legend = false;
    return figures::state_figure(
        analysis::state_view_of(*book.run()->run, book.moments()[book.step()]), memory, ui.metrics,
        ui.tr());
}

WordScenes word_scenes(const Ui& ui, Picture picture, float width) {
    const session::GlossaryBook& book = ui.session.glossary();
    WordPictureState& state = ui.state<WordPictureState>();
    const std::string key = fmt::format("{} {} {}", *book.shown(), book.step(), width);
    const figures::FigureOptions options{width, ui.palette.text_scale, false};
    const figures::Scene& upper = state.upper.get(ui, key, [&]() -> figures::Scene {
        if (picture == Picture::diagram) return diagram_scene(ui, book, width);
        if (picture == Picture::lanes) return lane_scene(ui, book, options);
        if (picture == Picture::schedule) return schedule_scene(ui, book, options);
        const auto request = analysis::request_at(*book.run()->run, book.moments()[book.step()]);
        return request ? figures::bank_figure(*request, word_subject(*book.run()), options,
                                              ui.metrics, ui.tr())
                       : figures::Scene();
    });
    if (picture != Picture::schedule) return {&upper, nullptr};
    return {&upper, &state.lower.get(ui, key, [&] { return memory_scene(ui, book, options); })};
}

}  // namespace

float word_picture_height(const Ui& ui, std::size_t word) {
    const Picture picture = ui.session.glossary().glossary().words[word].picture;
    return picture == Picture::memory ? 300 : picture == Picture::schedule ? 270 : 250;
}

void word_picture(Ui& ui, ImVec2 room) {
    const session::GlossaryBook& book = ui.session.glossary();
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::Dummy(room);
    if (!book.shown() || book.run() == nullptr || book.run()->run == nullptr) return;
    constexpr float kGap = 10, kMostFit = 1.3F;
    const Picture picture = book.glossary().words[*book.shown()].picture;
    const WordScenes scenes = word_scenes(ui, picture, room.x / ui.scale);
    const float height =
        scenes.upper->height + (scenes.lower != nullptr ? scenes.lower->height + kGap : 0);
    const float width =
        std::max(scenes.upper->width, scenes.lower != nullptr ? scenes.lower->width : 0);
    const float fit = std::min(
        {room.x / ui.px(std::max(width, 1.0F)), room.y / ui.px(std::max(height, 1.0F)), kMostFit});
    const Ui fitted = ui.smaller(fit);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    ImGui::PushClipRect(point, {point.x + room.x, point.y + room.y}, true);
    const float left = point.x + std::max(0.0F, (room.x - fitted.px(width)) / 2);
    paint(fitted, *scenes.upper, into, {left, point.y});
    if (scenes.lower != nullptr)
        paint(fitted, *scenes.lower, into,
              {left, point.y + fitted.px(scenes.upper->height + kGap)});
    ImGui::PopClipRect();
}

}  // namespace lab::gui

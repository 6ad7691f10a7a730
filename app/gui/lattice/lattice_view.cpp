#include <fmt/format.h>

#include <array>

#include "gui/kernels/kernel_panels.h"
#include "gui/lattice/lattice_panels.h"
#include "gui/lattice/lattice_viewport.h"
#include "gui/parts/choice_fields.h"
#include "gui/parts/presented.h"
#include "gui/parts/widgets.h"
#include "session/lattice/lattice_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct LatticePanelState {
    bool controls_open = false;  // where they are folded
    std::uint64_t version = 0;   // of the picture that the sentence is of
    std::string language, sentence;
};

constexpr std::array<std::uint64_t, 9> kElements{64,   256,    1024,   2048,  4096,
                                                 8192, 16'384, 32'768, 65'536};

// What is on the screen, and in which direction it can be left.
void lattice_heading(Ui& ui, const analysis::Lattice* lattice, float width) {
    bool& controls_open = ui.state<LatticePanelState>().controls_open;
    const float top = ImGui::GetCursorPosY();
    const catalogue::Variant* variant = ui.session.variant();
    const std::string title = lattice != nullptr && ui.session.settings().choice.user_kernel
                                  ? lattice->head.title
                              : variant != nullptr ? title_of(ui, *variant)
                                                   : ui.session.settings().choice.variant;
    constexpr std::array kMoves{"lattice.farther", "lattice.closer", "lattice.whole",
                                "lattice.fault", "lattice.step"};
    float buttons = 0;
    const auto measure = [&](bool all) {
        buttons = 0;
        for (const char* id : kMoves)
            if (all || ui.session.command(id).enabled(ui.session))
                buttons += ImGui::CalcTextSize(ui.tr()(fmt::format("command.{}", id)).c_str()).x +
                           ui.px(24);
        return buttons;
    };
    // In a narrow window only what can be done now.
    const bool all_moves = measure(true) < width - ui.px(180);
    measure(all_moves);
    const std::string settings =
        ui.tr()(controls_open ? "step.hide_controls" : "step.show_controls");
    if (ui.folds_controls()) buttons += ImGui::CalcTextSize(settings.c_str()).x + ui.px(24);
    const float beside = ui.phone() ? 0 : buttons;  // or in a line of their own
    const float used = kernel_title(ui, title, std::max(width - beside, 0.0F));
    if (lattice != nullptr) {
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(top + ui.px(4));
        beside_title(ui, figures::subtitle(lattice->head, ui.tr()),
                     width - used - ui.px(24) - beside);
    }
    if (ui.phone()) {
        ImGui::SetCursorPos({ImGui::GetCursorStartPos().x, top + ui.px(36)});
    } else {
        ImGui::SameLine();
        ImGui::SetCursorPos({std::max(line_end() - buttons + ui.px(4), 0.0F), top});
    }
    if (ui.folds_controls()) {
        if (ImGui::Button((settings + "###settings").c_str())) controls_open = !controls_open;
        tip(ui, ui.tr()("step.show_controls.tip"));
        ImGui::SameLine(0, ui.px(4));
    }
    for (const char* id : kMoves) {
        if (!all_moves && !ui.session.command(id).enabled(ui.session)) continue;
        command_button(ui, id, ui.tr()(fmt::format("command.{}", id)));
        ImGui::SameLine(0, ui.px(4));
    }
    ImGui::NewLine();
}

void lattice_count_field(Ui& ui, session::RunShape& choice, float width) {
    std::vector<std::string> texts;
    int chosen = -1;
    for (const std::uint64_t n : kElements) {
        if (n == choice.n) chosen = static_cast<int>(texts.size());
        texts.push_back(std::to_string(n));
    }
    if (chosen < 0) {
        chosen = static_cast<int>(texts.size());
        texts.push_back(std::to_string(choice.n));
    }
    const int now = combo(ui, "###n", texts, chosen, width);
    if (now >= 0 && static_cast<std::size_t>(now) < kElements.size())
        choice.n = kElements.at(static_cast<std::size_t>(now));
    key_tip(ui, "n.more", "n.less");
}

void lattice_group_field(Ui& ui, session::RunShape& choice, float width) {
    std::vector<std::string> texts;
    int chosen = -1;
    for (std::uint64_t group = 1; group <= 1024; group *= 2) {
        if (group == choice.group) chosen = static_cast<int>(texts.size());
        texts.push_back(std::to_string(group));
    }
    const int now = combo(ui, "###group", texts, chosen, width);
    if (now >= 0) choice.group = std::uint64_t{1} << static_cast<unsigned>(now);
    key_tip(ui, "group.more", "group.less");
}

void controls(Ui& ui, float width) {
    session::Choice choice = ui.session.settings().choice;
    session::RunShape lattice = ui.session.settings().lattice;
    Flow flow(ui, width);
    if (choice.user_kernel) {  // its launch form says all else
        machine_fields(ui, choice, flow, false);
        ui.change().choose(std::move(choice));
        return;
    }
    flow.field(ui.tr()("field.n"), 100, [&](float w) { lattice_count_field(ui, lattice, w); });
    flow.field(ui.tr()("field.group"), 68, [&](float w) { lattice_group_field(ui, lattice, w); });
    op_and_type_fields(ui, choice, flow);
    flow.field(ui.tr()("field.input"), 104, [&](float w) {
        const bool random = lattice.input.kind == catalogue::Input::Kind::random;
        const int now = combo(ui, "###input", {ui.tr()("input.ramp"), ui.tr()("input.random")},
                              random ? 1 : 0, w);
        if (now >= 0) lattice.input = catalogue::parse_input(now == 1 ? "random:1" : "ramp");
        key_tip(ui, "input.next", "input.seed");
    });
    toggle_fields(ui, choice, flow);
    machine_fields(ui, choice, flow, false);
    ui.change().choose(std::move(choice));  // nothing happens where nothing changed
    ui.change().set_view_shape(std::move(lattice));
}

// While it runs: how far it is. The place for it is always kept.
void lattice_progress(Ui& ui, float width) {
    const session::LatticeView& view = ui.view<session::LatticeView>();
    const float height = ui.px(4);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    if (view.running()) {
        ImDrawList& into = *ImGui::GetWindowDrawList();
        into.AddRectFilled(point, {point.x + width, point.y + height}, ui.colour(Role::idle_fill),
                           height / 2);
        into.AddRectFilled(point,
                           {point.x + std::max(width * view.progress(), height), point.y + height},
                           ui.colour(Role::act), height / 2);
    }
    ImGui::Dummy({width, height});
    if (view.running()) tip(ui, ui.tr()("lattice.computing"), ui.session.command("cancel").key);
}

const std::string& sentence(const Ui& ui, const analysis::Lattice& lattice) {
    LatticePanelState& state = ui.state<LatticePanelState>();
    const std::uint64_t version = ui.view<session::LatticeView>().picture().version();
    if (state.version != version || state.language != ui.tr().language()) {
        state.version = version;
        state.language = ui.tr().language();
        state.sentence = figures::lattice_sentence(lattice, ui.tr());
    }
    return state.sentence;
}

Tone tone_of(const analysis::Lattice& lattice) {
    return gui::tone_of(!lattice.head.right || lattice.stale_reads > 0);
}

void show(Ui& ui, const analysis::Lattice& lattice, float width) {
    const std::string& text = sentence(ui, lattice);
    if (!ui.low()) {
        const TextStyle style(ui, Face::sans, kTextSize);
        const bool faults = lattice.stale_reads > 0 || !lattice.raced.empty();
        wrapped(ui.tr()(faults ? "lattice.look_faults" : "lattice.look"), width);
    }
    const float pad = ui.px(11);
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    // In a low window the picture comes first, and the words scroll.
    const float lines = ui.window().y < 300 ? 1 : 2;
    const float most = ui.low() ? lines * ImGui::GetTextLineHeight() + ui.px(12) : 0;
    const float whole =
        ImGui::CalcTextSize(text.c_str(), nullptr, false, width - 2 * pad).y + 2 * pad;
    const float words = (most > 0 ? std::min(whole, most) : whole) + spacing;
    const float marks = ui.low() ? 0 : lattice_legend(ui, lattice, nullptr, {}, width);
    const float line = ui.low() ? 0 : marks + spacing;
    const float height = ImGui::GetContentRegionAvail().y - words - line - spacing;
    if (height > ui.px(60))
        lattice_canvas(ui, ui.change<session::LatticeView>().picture(), {width, height});
    if (marks > 0) {
        lattice_legend(ui, lattice, ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width);
        ImGui::Dummy({width, marks});
    }
    message_box(ui, text, tone_of(lattice), width, most);
    if (most == 0) ImGui::Dummy({0, pad});
}

}  // namespace

void present_lattice(Ui& ui) {
    const std::shared_ptr<const analysis::Lattice> lattice =
        ui.view<session::LatticeView>().picture().lattice();
    if (!lattice) return label(ui, ui.tr()("lattice.computing"));
    Presented presented;
    presented.title = chosen_title(ui);
    presented.position = fmt::format("n = {}", lattice->head.n);
    presented.sentence = sentence(ui, *lattice);
    presented.tone = tone_of(*lattice);
    presented.picture = [&](ImVec2 room) {
        lattice_canvas(ui, ui.change<session::LatticeView>().picture(), room);
    };
    draw_presented(ui, presented);
}

void lattice_panel(Ui& ui, const Area& area) {
    begin_card(ui, "lattice", area.at, area.size, ImGuiWindowFlags_NoScrollWithMouse);
    const float width = ImGui::GetContentRegionAvail().x;
    const session::LatticeView& view = ui.view<session::LatticeView>();
    const std::shared_ptr<const analysis::Lattice> lattice = view.picture().lattice();
    lattice_heading(ui, lattice.get(), width);
    if (!ui.folds_controls() || ui.state<LatticePanelState>().controls_open) controls(ui, width);
    lattice_progress(ui, width);
    if (view.problem()) {
        problem_card(ui, *view.problem(), width);
        if (lattice) label(ui, ui.tr()("step.last_good"));
    }
    if (lattice && !view.running() && !ui.session.settings().choice.user_kernel &&
        lattice->head.n < ui.session.settings().lattice.n)
        label(ui, ui.tr()("lattice.fewer", fmt::arg("n", lattice->head.n)));
    if (lattice)
        show(ui, *lattice, width);
    else if (view.running())
        label(ui, ui.tr()("lattice.computing"));
    end_card();
}

}  // namespace lab::gui

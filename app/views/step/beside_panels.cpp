#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "analysis/machine_run.h"
#include "base/ranges.h"
#include "catalogue/kernel.h"
#include "figures/pass_text.h"
#include "figures/run_text.h"
#include "gui/choice_fields.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "session/session.h"
#include "views/step/step.h"
#include "views/step/step_panels.h"

namespace lab::gui {
namespace {

using session::RunChoice;
using session::same_kernel;
using session::StepView;

std::string kernel_words(const Ui& ui, const RunChoice& choice) {
    if (choice.user_kernel) return catalogue::title_of(*choice.user_kernel);
    if (const catalogue::Kernel* variant = ui.session.catalogue().known(choice.variant))
        return title_of(ui, *variant);
    return figures::variant_title(choice.variant, choice.variant, ui.tr());
}

// Other schedules of what is chosen, what the toggle leads to, own kernels, the shipped ones.
std::vector<RunChoice> candidates(const Ui& ui) {
    const RunChoice& now = ui.choice();
    std::vector<RunChoice> found;
    for (const char* order : {"in-order", "round-robin", "random:1", "random:2", "random:3"}) {
        RunChoice choice = now;
        choice.machine.order = order;
        if (now.machine.order != order) found.push_back(std::move(choice));
    }
    const auto add = [&](const RunChoice& choice) {
        const auto same = [&](const RunChoice& each) { return same_kernel(each, choice); };
        if (!same(now) && none_of(found, same)) found.push_back(choice);
    };
    if (const auto& other = ui.view<StepView>().counterpart()) add(*other);
    for (const RunChoice& own : ui.session.kernels.editor.opened)
        add(own);
    for (const catalogue::Kernel& variant : ui.session.catalogue().variants) {
        RunChoice choice;
        choice.variant = variant.id;
        add(choice);
    }
    return found;
}

std::string candidate_words(const Ui& ui, const RunChoice& choice) {
    const RunChoice& now = ui.choice();
    if (same_kernel(choice, now))
        return ui.tr()("beside.schedule",
                       arg("order", figures::order_text(choice.machine.order, ui.tr())));
    std::string words = kernel_words(ui, choice);
    if (!choice.shape.set.empty()) words += "  " + catalogue::settings_text(choice.shape.set);
    return words;
}

bool is_second(const RunChoice& choice, const RunChoice& second, const RunChoice& now) {
    return same_kernel(choice, second) &&
           (!same_kernel(choice, now) || choice.machine.order == second.machine.order);
}

constexpr float kCostLine = 19;  // points

using ComparedCosts = std::array<analysis::RunCosts, 2>;

// What is counted of the two runs; without a count, the idle share of the lanes.
struct CostColumn {
    const char* key;
    std::uint64_t analysis::RunCosts::*count = nullptr;

    std::string text(const analysis::RunCosts& of) const {
        if (count != nullptr) return std::to_string(of.*count);
        return of.offered == 0 ? "0 %"
                               : fmt::format("{:.0f} %", 100 * static_cast<double>(of.idle) /
                                                             static_cast<double>(of.offered));
    }
};
constexpr std::array kCostColumns{
    CostColumn{"beside.idle"}, CostColumn{"beside.sectors", &analysis::RunCosts::sectors},
    CostColumn{"beside.lines", &analysis::RunCosts::lines},
    CostColumn{"beside.bank_cycles", &analysis::RunCosts::bank_cycles},
    CostColumn{"beside.barriers", &analysis::RunCosts::barriers}};

// "n = 64: 1, 2, 3, …", where the two runs begin with other elements; n where that differs, too.
std::string input_words(const analysis::StepTable& table, const analysis::StepTable& other) {
    constexpr std::size_t kShown = 3;
    const auto elements = [](const analysis::StepTable& of, std::size_t most) {
        std::string text;
        const auto& cells = of.rows.front().cells;
        for (std::size_t i = 0; i < std::min(most, cells.size()); ++i)
            text += (i == 0 ? "" : ", ") + analysis::text_of(cells[i].value);
        return text + (cells.size() > most ? ", …" : "");
    };
    if (table.rows.empty() || other.rows.empty()) return {};
    const std::size_t mine = table.rows[0].cells.size(), others = other.rows[0].cells.size();
    const std::size_t all = std::max(mine, others);
    if (elements(table, all) == elements(other, all)) return {};
    return (mine == others ? "" : fmt::format("n = {}: ", mine)) + elements(table, kShown);
}

// How many letters of two titles are the kernel that they share, if more follows in both.
std::size_t shared_words(const std::string& a, const std::string& b) {
    constexpr std::string_view kMiddleDot = " · ";
    const auto differ = std::mismatch(
        a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())),
        b.begin());
    const std::string same(a.begin(), differ.first);
    const std::size_t last = same.rfind(kMiddleDot);
    return last == std::string::npos ? 0 : last + kMiddleDot.size();
}

}  // namespace

std::string run_title(const Ui& ui, const TitledRun& run, const TitledRun& other) {
    const RunChoice& choice = run.choice;
    std::string title = kernel_words(ui, choice);
    const auto add = [&](const std::string& words) { title += " · " + words; };
    const bool machines = run.table.machine && other.table.machine;
    RunChoice alike = other.choice;
    alike.shape.set = choice.shape.set;
    if (same_kernel(choice, alike)) {
        if (choice.shape.set != other.choice.shape.set && !choice.shape.set.empty())
            add(catalogue::settings_text(choice.shape.set));
        if (machines && choice.machine.order != other.choice.machine.order)
            add(figures::order_text(run.table.machine->order, ui.tr()));
    }
    if (machines && run.table.machine->lanes != other.table.machine->lanes) {
        const std::uint32_t lanes = run.table.machine->lanes;
        add(lanes == 1 ? ui.tr()("run.one_lane") : ui.tr()("run.lanes", arg("lanes", lanes)));
    }
    if (const std::string input = input_words(run.table, other.table); !input.empty()) add(input);
    return title;
}

void second_field(Ui& ui, float width) {
    const StepView& view = ui.view<StepView>();
    const RunChoice& now = ui.choice();
    std::vector<RunChoice> choices = candidates(ui);
    std::vector<std::string> words;
    std::size_t shown = choices.size();
    for (const RunChoice& choice : choices) {
        if (is_second(choice, view.second(), now)) shown = words.size();
        words.push_back(candidate_words(ui, choice));
    }
    if (shown < words.size() && view.table.answer && view.other.run)
        if (const auto input = input_words(view.other.run->table, *view.table.answer);
            !input.empty())
            words[shown] += " · " + input;
    const auto picked = combo(ui, "###second", words, shown, width);
    tip(ui, ui.tr()("beside.second.tip"));
    if (picked) ui.change<StepView>().compare_with(std::move(choices[*picked]));
}

float differences_height(const Ui& ui) {
    return ui.px(3 * kCostLine + 6);
}

void differences(Ui& ui, const ComparedRun& left, const ComparedRun& right, float width) {
    const ComparedCosts& costs = ui.state<Cached<ComparedCosts>>().get(
        ui, fmt::format("{} {}", left.version, right.version), [&] {
            return ComparedCosts{analysis::costs_of(left.run), analysis::costs_of(right.run)};
        });
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float names = width * 0.28F;
    const float step = (width - names) / static_cast<float>(kCostColumns.size());
    const auto line = [&](std::size_t i) {
        return point.y + ui.px(kCostLine * static_cast<float>(i));
    };
    // On the wall there are no other words that tell n.
    if (ui.session.presenting && left.n == right.n)
        label_at(ui, {point.x, line(0)}, fmt::format("n = {}", left.n), names - ui.px(10));
    const std::size_t shared = shared_words(left.title, right.title);
    for (const auto& [at, run] : {std::pair{1, &left}, std::pair{2, &right}})
        label_at(ui, {point.x, line(static_cast<std::size_t>(at))}, run->title.substr(shared),
                 names - ui.px(10));
    for (std::size_t i = 0; i < kCostColumns.size(); ++i) {
        const float x = point.x + names + step * static_cast<float>(i);
        const std::array texts{kCostColumns.at(i).text(costs[0]),
                               kCostColumns.at(i).text(costs[1])};
        const bool differs = texts[0] != texts[1];
        const Pen pen(ui);
        const std::string words = ui.tr()(kCostColumns.at(i).key);
        if (differs) {  // framed and signed: it is seen from the back row
            const ImVec2 low{x - ui.px(6), point.y - ui.px(3)};
            const ImVec2 high{x + step - ui.px(12), line(3) + ui.px(4)};
            pen.fill(low, high, Role::act_fill, ui.px(5));
            pen.frame(low, high, Role::act, ui.px(5), ui.px(2));
        }
        label_at(ui, {x, line(0)}, words, step - ui.px(18));
        const TextStyle style(ui, differs ? Face::bold : Face::sans,
                              differs ? kTextSize + 2 : kTextSize,
                              differs ? Role::text : Role::muted);
        if (differs) pen.text({x + step - ui.px(34), (line(1) + line(2)) / 2}, "≠", Role::text);
        for (std::size_t run = 0; run < texts.size(); ++run)
            pen.text({x, line(run + 1)}, texts.at(run), differs ? Role::text : Role::muted);
        ImGui::SetCursorScreenPos({x, point.y});
        ImGui::Dummy({step - ui.px(6), ui.px(3 * kCostLine)});
        tip(ui, words + "\n" + ui.tr()(std::string(kCostColumns.at(i).key) + ".tip"));
    }
    ImGui::SetCursorScreenPos(point);
    ImGui::Dummy({width, differences_height(ui)});
}

}  // namespace lab::gui

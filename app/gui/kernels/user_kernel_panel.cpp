// The launch of a user kernel as a form, and what its buffers hold at the end.
#include "gui/kernels/user_kernel_panel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "catalogue/number.h"
#include "gui/parts/choice_fields.h"
#include "gui/parts/widgets.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using lang::Parameter;
using session::ArgumentRow;
using simulation::UserKernel;

// What a buffer can be filled with; another text is what was typed in.
constexpr std::array kFills{"none", "ramp", "random", "zero", "values"};

std::string fill_kind(const std::string& fill) {
    if (fill.empty()) return "none";
    if (fill == "ramp") return "ramp";
    if (fill.starts_with("random:")) return "random";
    return fill == "0" ? "zero" : "values";
}

struct Typed {
    std::string text, shown;
};

struct FormState {
    std::map<std::string, Typed> fields;  // half-typed, by id
};

// A field whose text counts once it has been left or Enter was pressed.
std::optional<std::string> typed(Ui& ui, const std::string& id, const std::string& now,
                                 float width) {
    Typed& kept = ui.state<FormState>().fields[id];
    if (kept.shown != now || kept.text.empty()) kept.text = kept.shown = now;
    ImGui::SetNextItemWidth(width);
    ImGui::InputText(("###" + id).c_str(), &kept.text);
    if (!ImGui::IsItemDeactivatedAfterEdit()) return std::nullopt;
    kept.shown.clear();  // where it is refused, the field shows again what holds
    return kept.text;
}

std::optional<std::uint64_t> typed_count(Ui& ui, const std::string& id, std::uint64_t now,
                                         std::uint64_t most, float width) {
    const auto text = typed(ui, id, std::to_string(now), width);
    if (!text) return std::nullopt;
    std::uint64_t read = 0;
    const char* end = text->data() + text->size();
    if (std::from_chars(text->data(), end, read).ec != std::errc()) return std::nullopt;
    return std::clamp<std::uint64_t>(read, 1, most);
}

// "64", "8x8": each `least` at least, `most` in all.
std::optional<Extent> typed_extent(Ui& ui, const std::string& id, const Extent& now,
                                   std::uint64_t least, std::uint64_t most, float width) {
    const auto text = typed(ui, id, size_text(now), width);
    if (!text) return std::nullopt;
    try {
        Extent read = catalogue::parse_extent(*text);
        if (read.dims == 1) return Extent(std::clamp(read.sizes[0], least, most));
        for (std::uint64_t& size : read.sizes)
            size = std::max(size, least);
        if (read.items() <= most) return read;
    } catch (const Problem&) {  // the field shows again what holds
    }
    return std::nullopt;
}

void fill_field(Ui& ui, ArgumentRow& row, float width) {
    const std::string kind = fill_kind(row.fill);
    const bool asks = kind == "random" || kind == "values";
    const float rest = asks ? width * 0.55F - ui.px(4) : 0;
    std::vector<std::string> words;
    int chosen = 0;
    for (const char* each : kFills) {
        if (kind == each) chosen = static_cast<int>(words.size());
        words.push_back(ui.tr()(std::string("user_kernel.fill_") + each));
    }
    const int now = combo(ui, ("###fill." + row.name).c_str(), words, chosen, width - rest);
    tip(ui, ui.tr()("user_kernel.fill.tip"));
    constexpr std::array kFirst{"", "ramp", "random:1", "0", "7,1,6,8,5,6,7,1"};
    if (now >= 0) row.fill = kFirst.at(static_cast<std::size_t>(now));
    if (!asks || now >= 0) return;
    ImGui::SameLine(0, ui.px(4));
    const std::string before = kind == "random" ? row.fill.substr(7) : row.fill;
    const auto text = typed(ui, "fill_text." + row.name, before, rest);
    tip(ui, ui.tr()(kind == "random" ? "user_kernel.seed.tip" : "user_kernel.values.tip"), "Enter");
    if (text && !text->empty()) row.fill = (kind == "random" ? "random:" : "") + *text;
}

// "in  const float4*": without the address space, which the kind of control tells.
std::string heading_of(const ArgumentRow& row) {
    std::string type = row.type;
    for (const char* word : {"global ", "constant ", "local ", "__global ", "__local "})
        if (type.starts_with(word)) type.erase(0, std::string_view(word).size());
    return fmt::format("{}  {}", row.name, type);
}

void argument_field(Ui& ui, Flow& flow, UserKernel& kernel, const std::vector<ArgumentRow>& rows,
                    std::size_t place) {
    const ArgumentRow& row = rows[place];
    const bool buffer = row.kind == Parameter::Kind::buffer;
    const float title = ui.metrics.text_width(heading_of(row), kSmallSize, Face::sans) + 4;
    const bool wide =
        buffer && (fill_kind(row.fill) == "random" || fill_kind(row.fill) == "values");
    flow.field(
        heading_of(row),
        std::max(title, wide     ? 260.0F
                        : buffer ? 156.0F
                                 : 64.0F),
        [&](float width) {
            if (row.kind == Parameter::Kind::value) {
                const auto text = typed(ui, "value." + row.name, row.value, width);
                tip(ui,
                    ui.tr()(row.each > 1 ? "user_kernel.values_of.tip" : "user_kernel.value.tip",
                            fmt::arg("count", row.each)),
                    "Enter");
                if (!text || text->empty()) return;
                ArgumentRow now = row;
                now.value = *text;
                set_row(kernel, rows, place, now);
                return;
            }
            const float count_width = buffer ? ui.px(58) : width;
            const auto count = typed_count(ui, "count." + row.name, row.count,
                                           simulation::kMostSteppedElements, count_width);
            tip(ui,
                ui.tr()(row.each > 1 ? "user_kernel.count_of_bytes.tip" : "user_kernel.count.tip",
                        fmt::arg("bytes", row.each)),
                "Enter");
            if (count) {
                set_count(kernel, rows, place, *count);
            } else if (buffer) {
                ImGui::SameLine(0, ui.px(4));
                ArgumentRow now = row;
                fill_field(ui, now, width - count_width - ui.px(4));
                if (now.fill != row.fill) set_fill(kernel, rows, place, now.fill);
            }
        });
}

void kernel_field(Ui& ui, Flow& flow, UserKernel& kernel, const session::TextFacts& facts) {
    if (facts.kernels.size() < 2) return;
    flow.field(ui.tr()("user_kernel.kernel"), 130, [&](float width) {
        const auto found = std::find(facts.kernels.begin(), facts.kernels.end(), kernel.kernel);
        const int now = combo(ui, "###user_kernel.kernel", facts.kernels,
                              static_cast<int>(found - facts.kernels.begin()), width);
        if (now >= 0) kernel.kernel = facts.kernels[static_cast<std::size_t>(now)];
        tip(ui, ui.tr()("user_kernel.kernel.tip"));
    });
}

void size_fields(Ui& ui, Flow& flow, UserKernel& kernel, const std::vector<ArgumentRow>& rows) {
    flow.field(ui.tr()("user_kernel.global"), 72, [&](float width) {
        const auto now = typed_extent(ui, "user_kernel.global", kernel.global, 1, 65'536, width);
        if (now) set_global(kernel, rows, *now);
        tip(ui, ui.tr()("user_kernel.global.tip"), "Enter");
    });
    flow.field(ui.tr()("user_kernel.local"), 58, [&](float width) {
        const auto now = typed_extent(ui, "user_kernel.local", kernel.local, 1, 1024, width);
        if (now) set_local(kernel, rows, *now);
        tip(ui, ui.tr()("user_kernel.local.tip"), "Enter");
    });
    flow.field(ui.tr()("user_kernel.offset"), 58, [&](float width) {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
        const auto now = typed_extent(ui, "user_kernel.offset", kernel.offset, 0, kMost, width);
        if (now && (now->dims == kernel.global.dims || !now->given())) kernel.offset = *now;
        tip(ui, ui.tr()("user_kernel.offset.tip"), "Enter");
    });
}

void defines_field(Ui& ui, Flow& flow, UserKernel& kernel) {
    flow.field(ui.tr()("user_kernel.defines"), 96, [&](float width) {
        const std::string before = fmt::format("{}", fmt::join(kernel.defines, " "));
        const auto text = typed(ui, "user_kernel.defines", before, width);
        tip(ui, ui.tr()("user_kernel.defines.tip"), "Enter");
        if (!text) return;
        kernel.defines.clear();
        for (std::size_t index = 0; index < text->size();) {
            const std::size_t end = std::min(text->find(' ', index), text->size());
            if (end > index) kernel.defines.push_back(text->substr(index, end - index));
            index = end + 1;
        }
    });
}

// Where the launch comes from, while nobody has changed it.
void guess_note(const Ui& ui, float width) {
    const session::Kernels& kernels = ui.session.kernels();
    const simulation::LaunchGuess* guess = kernels.guess();
    if (guess == nullptr && !kernels.guessing()) return;
    const char* key = guess == nullptr         ? "user_kernel.guessing"
                      : !guess->in_bounds      ? "user_kernel.guess_astray"
                      : !guess->ended          ? "user_kernel.guess_stops"
                      : guess->changed.empty() ? "user_kernel.guess_runs"
                                               : "user_kernel.guess_changed";
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    wrapped(ui.tr()(key, fmt::arg("runs", guess == nullptr ? 0 : guess->runs),
                    fmt::arg("changes", guess == nullptr
                                            ? std::string()
                                            : fmt::format("{}", fmt::join(guess->changed, ", ")))),
            width);
    ImGui::Dummy({0, ui.px(4)});
}

}  // namespace

void user_kernel_form(Ui& ui, float width) {
    UserKernel kernel = *ui.session.settings().choice.user_kernel;
    const session::TextFacts& facts = ui.session.kernels().editor().good();
    Flow flow(ui, width);
    kernel_field(ui, flow, kernel, facts);
    const std::vector<ArgumentRow> rows = rows_of(facts, kernel);
    if (facts.compiles) {
        size_fields(ui, flow, kernel, rows);
        for (std::size_t i = 0; i < rows.size(); ++i)
            argument_field(ui, flow, kernel, rows, i);
    }
    defines_field(ui, flow, kernel);
    ui.change().kernels().set_launch(std::move(kernel));  // nothing happens where nothing changed
    session::Choice choice = ui.session.settings().choice;
    machine_fields(ui, choice, flow);
    ui.change().choose(std::move(choice));
    guess_note(ui, width);
}

namespace {

// "1 2 3 … ": as many values as fit, those that nobody has written as one word.
std::string line_of_values(const Ui& ui, const std::vector<std::string>& values, float width) {
    std::size_t written = values.size();
    while (written > 0 && values[written - 1] == "?")
        --written;
    std::string text;
    for (std::size_t i = 0; i < written; ++i) {
        const std::string more = text + (i == 0 ? "" : " ") + values[i];
        if (ui.metrics.text_width(more, kSmallSize, Face::mono) * ui.scale > width)
            return text + " …";
        text = more;
    }
    if (written < values.size())
        text += (written == 0 ? "" : "  ") +
                ui.tr()("user_kernel.not_written", fmt::arg("count", values.size() - written));
    return text;
}

}  // namespace

float user_kernel_buffers_height(const Ui& ui, const simulation::MachineRun& run) {
    const std::size_t shown = std::min<std::size_t>(run.buffers.size(), 4);
    return shown == 0 ? 0 : ui.px(22 + 20 * static_cast<float>(shown));
}

namespace {

// Their style has to end before the child that they are in.
void buffer_lines(Ui& ui, const simulation::MachineRun& run, float width) {
    label(ui, ui.tr()("user_kernel.buffers"));
    float names = 0;
    for (const auto& buffer : run.buffers)
        names = std::max(
            names, ui.metrics.text_width(buffer.name + "  " + buffer.type, kSmallSize, Face::mono));
    const float x = ui.px(std::min(names + 16, 200.0F));
    const float left = ImGui::GetCursorPosX();
    for (const auto& buffer : run.buffers) {
        const TextStyle ink(ui, Face::mono, kSmallSize, buffer.written ? Role::text : Role::muted);
        ImGui::TextUnformatted((buffer.name + "  " + buffer.type).c_str());
        ImGui::SameLine(left + x, 0);
        ImGui::TextUnformatted(line_of_values(ui, buffer.values, width - x - ui.px(24)).c_str());
        tip(ui, ui.tr()(buffer.written ? "user_kernel.written.tip" : "user_kernel.unwritten.tip",
                        fmt::arg("name", buffer.name), fmt::arg("count", buffer.values.size())));
    }
}

}  // namespace

void user_kernel_buffers(Ui& ui, const simulation::MachineRun& run, float width) {
    if (run.buffers.empty()) return;
    ImGui::BeginChild("buffers", {width, user_kernel_buffers_height(ui, run)});
    buffer_lines(ui, run, width);
    ImGui::EndChild();
}

}  // namespace lab::gui

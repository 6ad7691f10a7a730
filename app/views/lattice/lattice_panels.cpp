// The lattice view's panel: what is run and how, the canvas with its cells drawn by GL, and the
// picture of it in a file.
#include "views/lattice/lattice_panels.h"

#include <fmt/format.h>
#include <glad/gl.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>

#include "base/paths.h"
#include "base/platform.h"
#include "figures/painters/save.h"
#include "figures/run_text.h"
#include "gui/choice_fields.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "gui/window.h"
#include "views/step/step_panels.h"

namespace lab::gui {
namespace {

using figures::Boundary;
using session::LatticePicture;
using session::LatticeView;

// The display is at least as large as this until the end of the scope.
class LargerDisplay {
  public:
    explicit LargerDisplay(ImVec2 least) : before_(ImGui::GetIO().DisplaySize) {
        ImGui::GetIO().DisplaySize = {std::max(before_.x, std::ceil(least.x)),
                                      std::max(before_.y, std::ceil(least.y))};
    }
    ~LargerDisplay() { ImGui::GetIO().DisplaySize = before_; }
    LargerDisplay(const LargerDisplay&) = delete;
    LargerDisplay& operator=(const LargerDisplay&) = delete;

  private:
    ImVec2 before_;
};

// A picture of the display's size, drawn to until the end of the scope.
class Target {
  public:
    Target(int width, int height) {
        glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before_);
        glGenRenderbuffers(1, &colours_);
        glBindRenderbuffer(GL_RENDERBUFFER, colours_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
        glGenFramebuffers(1, &target_);
        glBindFramebuffer(GL_FRAMEBUFFER, target_);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colours_);
    }
    ~Target() {
        glBindFramebuffer(GL_FRAMEBUFFER, static_cast<unsigned>(before_));
        glDeleteFramebuffers(1, &target_);
        glDeleteRenderbuffers(1, &colours_);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    static bool is_whole() {
        return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    }

  private:
    int before_ = 0;
    unsigned target_ = 0, colours_ = 0;
};

void render(ImDrawList& list, ImVec2 display) {
    ImDrawData data;
    data.DisplaySize = display;
    data.FramebufferScale = {1, 1};
    data.OwnerViewport = ImGui::GetMainViewport();
    data.Textures = &ImGui::GetPlatformIO().Textures;
    data.AddDrawList(&list);
    data.Valid = true;
    // Glyphs that this frame is the first to show are in a texture that the last one did not have.
    ImTextureData& glyphs = *ImGui::GetIO().Fonts->TexData;
    if (glyphs.Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(&glyphs);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
}

figures::Pixels draw_offscreen(ImVec2 point, ImVec2 size, const figures::Colour& ground,
                               const std::function<void(ImDrawList&)>& paint) {
    const LargerDisplay larger({point.x + size.x, point.y + size.y});
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushTexture(ImGui::GetIO().Fonts->TexRef);
    list.PushClipRect({0, 0}, display);
    paint(list);
    const Target target(static_cast<int>(display.x), static_cast<int>(display.y));
    if (!Target::is_whole())
        throw Problem("The picture cannot be drawn", "This display's GL gives no room for it",
                      "Take a screenshot by the desktop's own means");
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, static_cast<int>(display.x), static_cast<int>(display.y));
    glClearColor(ground.r, ground.g, ground.b, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    render(list, display);
    const auto left = static_cast<int>(std::max(std::floor(point.x), 0.0F));
    const auto top = static_cast<int>(std::max(std::floor(point.y), 0.0F));
    const auto right = static_cast<int>(std::min(std::ceil(point.x + size.x), display.x));
    const auto bottom = static_cast<int>(std::min(std::ceil(point.y + size.y), display.y));
    return read_pixels(left, static_cast<int>(display.y) - bottom, std::max(right - left, 1),
                       std::max(bottom - top, 1));
}

// From 0 to 1, smoothly, as x goes from one to the other: for what appears with the zoom.
float fades_in(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return static_cast<float>(t * t * (3 - 2 * t));
}

struct LatticeViewport {
    const Ui& ui;
    const analysis::Lattice& lattice;
    const std::vector<figures::RowLabel>& labels;
    ImVec2 at, size;             // where cells are seen, pixels
    float labels_at = 0;         // left edge of the labels beside the rows
    double left = 0, width = 0;  // of whole rows
    double top = 0, row = 1;     // upper edge of the first row, and the height of each

    float end() const { return at.x + size.x; }
    double points(double pixels) const { return pixels / ui.scale; }
    std::size_t cells(std::size_t of) const { return lattice.rows[of].cells.size(); }
    double cell_width(std::size_t of) const {
        return width / static_cast<double>(std::max<std::size_t>(cells(of), 1));
    }
    double cell_left(std::size_t of, double cell) const { return left + cell * cell_width(of); }
    double cell_middle(std::size_t of, double cell) const { return cell_left(of, cell + 0.5); }

    // Cells stand at the lower end of their row, over a little room for what ends the pass.
    float cell_bottom(std::size_t of) const {
        const double below = std::min(row * 0.16, double{ui.px(10)});
        return static_cast<float>(top + row * static_cast<double>(of + 1) - below);
    }
    float cell_height() const {
        const double share = 0.84 - 0.2 * fades_in(3, 16, points(row));
        return static_cast<float>(std::min(row * share, double{ui.px(36)}));
    }
    float cell_top(std::size_t of) const { return cell_bottom(of) - cell_height(); }
    float row_top(std::size_t of) const {
        return static_cast<float>(top + row * static_cast<double>(of));
    }

    std::size_t within(double place) const {
        return static_cast<std::size_t>(
            std::clamp(place, 0.0, static_cast<double>(lattice.rows.size())));
    }
    std::size_t first_row() const { return within(std::floor((at.y - top) / row)); }
    std::size_t end_row() const { return within(std::ceil((at.y + size.y - top) / row)); }
    std::uint64_t first_cell(std::size_t of) const { return cell_at(of, at.x); }
    std::uint64_t last_cell(std::size_t of) const { return cell_at(of, end()); }
    std::uint64_t cell_at(std::size_t of, double x) const {
        const double cell = std::floor((x - left) / cell_width(of));
        return static_cast<std::uint64_t>(
            std::clamp(cell, 0.0, static_cast<double>(std::max<std::size_t>(cells(of), 1)) - 1));
    }
};

constexpr int kBlockCells = 32, kBlockTexels = 3;  // see shaders/lattice.frag
constexpr int kBlocksWide = 512;                   // of a line of the texture

// What the shaders call things, in the order of LatticeGl::places_.
constexpr std::array<const char*, 24> kUniforms{
    "cells",  "first_block", "cell_count", "blocks_wide",   "first_cell", "first_rest",
    "part",   "cell_width",  "left",       "rows",          "gap",        "display",
    "marks",  "fills",       "edges",      "edge_widths",   "race",       "least",
    "mixing", "detail",      "shaping",    "corner_radius", "columns",    "race_height"};

constexpr std::size_t at(std::string_view uniform) {
    for (std::size_t i = 0; i < kUniforms.size(); ++i)
        if (kUniforms[i] == uniform) return i;
    throw std::logic_error("There is no such uniform");
}

// In the order of the shader's states.
struct Look {
    Role mark, fill, edge;
    float width;  // of the edge, points
};
constexpr std::array<Look, 5> kLooks{{{Role::race, Role::race_fill, Role::race, 2},
                                      {Role::wrote, Role::wrote_fill, Role::wrote, 2},
                                      {Role::read, Role::read_fill, Role::read, 1.5F},
                                      {Role::idle_fill, Role::background, Role::idle_fill, 1},
                                      {Role::idle, Role::panel, Role::border, 1.25F}}};

// Below this many pixels a cell, cells are drawn by columns of pixels.
constexpr double kNarrowCell = 4;
constexpr float kColumns = 64;  // such columns a quad

template <typename Read>
std::string log_of(unsigned what, Read read) {
    std::string log(4096, '\0');
    int length = 0;
    read(what, static_cast<int>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

unsigned compile(const char* name, unsigned kind) {
    const fs::path file = data_folder() / "shaders" / name;
    std::string text = read_file(file, 1U << 20U);
    // WebGL's own dialect wants the precision that the other has anyway.
    if (platform::kBrowser)
        text.replace(0, text.find('\n'),
                     "#version 300 es\nprecision highp float;\n"
                     "precision highp int; precision highp usampler2D;");
    const unsigned shader = glCreateShader(kind);
    const char* lines = text.c_str();
    glShaderSource(shader, 1, &lines, nullptr);
    glCompileShader(shader);
    int good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good != 0) return shader;
    const std::string log = log_of(shader, glGetShaderInfoLog);
    glDeleteShader(shader);
    throw Problem("A shader of the lattice does not compile", "\n" + log,
                  "Install the program again, or fix the file; the other views need no shaders",
                  file.string());
}

// Blocks of a row: what is before each, and its own bits.
void add_blocks(std::vector<std::uint32_t>& texels, const std::vector<std::uint8_t>& row) {
    std::array<std::uint32_t, 5> before{};
    for (std::size_t first = 0; first <= row.size(); first += kBlockCells) {
        std::array<std::uint32_t, 5> bits{};
        const std::size_t end = std::min(first + kBlockCells, row.size());
        for (std::size_t i = first; i < end; ++i) {
            const std::uint32_t bit = std::uint32_t{1} << (i - first);
            const analysis::CellState state = analysis::state_of(row[i]);
            const int mark = (row[i] & analysis::kStaleBit) != 0     ? 0
                             : state == analysis::CellState::written ? 1
                             : state == analysis::CellState::read    ? 2
                             : state == analysis::CellState::spent   ? 3
                                                                     : -1;
            if (mark >= 0) bits[static_cast<std::size_t>(mark)] |= bit;
            if ((row[i] & analysis::kRacedBit) != 0) bits[4] |= bit;
        }
        texels.insert(texels.end(), before.begin(), before.begin() + 4);
        texels.insert(texels.end(), bits.begin(), bits.begin() + 4);
        texels.insert(texels.end(), {before[4], bits[4], 0, 0});
        for (std::size_t i = 0; i < before.size(); ++i)
            before[i] += static_cast<std::uint32_t>(std::popcount(bits[i]));
    }
}

// Where a row is to be drawn, in pixels of the window.
struct LatticeStrip {
    std::size_t row = 0;
    double left = 0, width = 0;  // of the whole row, which may reach far beyond the view
    float top = 0, bottom = 0;   // of its cells
};

class LatticeGl {
  public:
    // Needs a current GL context; a failure is kept in problem().
    LatticeGl() {
        problem_ = thrown_by([&] { build(); });
    }
    ~LatticeGl() {
        if (program_ != 0) glDeleteProgram(program_);
        if (texture_ != 0) glDeleteTextures(1, &texture_);
        if (vertices_ != 0) glDeleteVertexArrays(1, &vertices_);
    }
    LatticeGl(const LatticeGl&) = delete;
    LatticeGl& operator=(const LatticeGl&) = delete;

    const std::optional<Problem>& problem() const { return problem_; }

    void set_cells(const analysis::Lattice& lattice) {
        if (problem_) return;
        std::vector<std::uint32_t> texels;
        first_blocks_.clear();
        cell_counts_.clear();
        for (const analysis::LatticeRow& row : lattice.rows) {
            first_blocks_.push_back(static_cast<int>(texels.size() / (4 * kBlockTexels)));
            cell_counts_.push_back(static_cast<int>(row.cells.size()));
            add_blocks(texels, row.cells);
        }
        constexpr std::size_t kLine = std::size_t{4} * kBlockTexels * kBlocksWide;
        const std::size_t lines = (texels.size() + kLine - 1) / kLine;
        texels.resize(lines * kLine);
        int most = 0;
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
        if (static_cast<int>(lines) > most || kBlocksWide * kBlockTexels > most) {
            problem_ =
                Problem("The lattice is too large for this display's GL",
                        fmt::format("It takes {} lines of a texture that may have {}", lines, most),
                        "Choose fewer elements");
            return;
        }
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, kBlocksWide * kBlockTexels,
                     static_cast<int>(lines), 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
        glBindTexture(GL_TEXTURE_2D, 0);
    }

    // Has the strips drawn where `into` stands now, within its clip rectangle. `scale`: pixels a
    // point. They are drawn when the frame is rendered, once.
    void draw(ImDrawList& into, std::vector<LatticeStrip> strips, const figures::Palette& palette,
              float scale) {
        if (problem_) return;
        strips_ = std::move(strips);
        palette_ = palette;
        scale_ = scale;
        into.AddCallback(
            [](const ImDrawList*, const ImDrawCmd* command) {
                static_cast<const LatticeGl*>(command->UserCallbackData)->render(*command);
            },
            this);
        into.AddCallback(ImDrawCallback_ResetRenderState, nullptr);
    }

  private:
    void build() {
        const unsigned vertex = compile("lattice.vert", GL_VERTEX_SHADER);
        unsigned fragment = 0;
        try {
            fragment = compile("lattice.frag", GL_FRAGMENT_SHADER);
        } catch (const Problem&) {
            glDeleteShader(vertex);
            throw;
        }
        program_ = glCreateProgram();
        glAttachShader(program_, vertex);
        glAttachShader(program_, fragment);
        glLinkProgram(program_);
        glDeleteShader(vertex);
        glDeleteShader(fragment);
        int good = 0;
        glGetProgramiv(program_, GL_LINK_STATUS, &good);
        if (good == 0)
            throw Problem("The shaders of the lattice do not fit each other",
                          "\n" + log_of(program_, glGetProgramInfoLog),
                          "Install the program again, or fix the files; the other views need none",
                          (data_folder() / "shaders").string());
        for (const char* name : kUniforms)
            places_.push_back(glGetUniformLocation(program_, name));
        glGenVertexArrays(1, &vertices_);
        glGenTextures(1, &texture_);
    }

    void set_colours() const {
        std::array<float, 15> colours{};
        const auto set_roles = [&](std::size_t uniform, Role Look::*role) {
            for (std::size_t i = 0; i < kLooks.size(); ++i) {
                const figures::Colour& colour = palette_[kLooks[i].*role];
                colours[i * 3] = colour.r;
                colours[i * 3 + 1] = colour.g;
                colours[i * 3 + 2] = colour.b;
            }
            glUniform3fv(places_[uniform], 5, colours.data());
        };
        set_roles(at("marks"), &Look::mark);
        set_roles(at("fills"), &Look::fill);
        set_roles(at("edges"), &Look::edge);
        std::array<float, 5> widths{};
        for (std::size_t i = 0; i < kLooks.size(); ++i)
            widths[i] = std::max(1.0F, kLooks[i].width * palette_.stroke_scale * scale_);
        glUniform1fv(places_[at("edge_widths")], 5, widths.data());
        const figures::Colour& wrong = palette_[Role::race];
        glUniform3f(places_[at("race")], wrong.r, wrong.g, wrong.b);
    }

    // Within ImGui's rendering: what it needs afterwards is set by ImDrawCallback_ResetRenderState.
    void render(const ImDrawCmd& command) const {
        const ImGuiIO& io = ImGui::GetIO();
        const ImVec4 clip = command.ClipRect;
        if (clip.z <= clip.x || clip.w <= clip.y) return;
        glScissor(static_cast<int>(clip.x), static_cast<int>(io.DisplaySize.y - clip.w),
                  static_cast<int>(clip.z - clip.x), static_cast<int>(clip.w - clip.y));
        glUseProgram(program_);
        glBindVertexArray(vertices_);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, texture_);
        if (GLAD_GL_VERSION_3_3 != 0) glBindSampler(0, 0);
        set("cells", 0);
        set("blocks_wide", kBlocksWide);
        glUniform2f(places_[at("display")], io.DisplaySize.x, io.DisplaySize.y);
        set_colours();
        for (const LatticeStrip& strip : strips_)
            if (strip.bottom + strip.bottom - strip.top > clip.y && strip.top < clip.w)
                render_strip(strip, clip);
        glBindVertexArray(0);
    }

    void set(std::string_view uniform, int value) const {
        glUniform1i(places_[at(uniform)], value);
    }
    void set(std::string_view uniform, double value) const {
        glUniform1f(places_[at(uniform)], static_cast<float>(value));
    }

    void render_strip(const LatticeStrip& strip, const ImVec4& clip) const {
        const int count = cell_counts_[strip.row];
        const double width = strip.width / std::max(count, 1);  // of a cell
        const double from = std::max<double>(clip.x, strip.left);
        const double to = std::min<double>(clip.z, strip.left + strip.width);
        if (to <= from || count == 0) return;
        const bool narrow = width < kNarrowCell;
        // Columns lie on whole pixels.
        const double begin = narrow ? std::floor(from) : from;
        const double first = (begin - strip.left) / width;
        const int whole = static_cast<int>(std::floor(first));
        const double end = narrow ? std::ceil(to) - begin
                                  : std::ceil((to - strip.left) / width) - std::floor(first);
        const double space = narrow ? 0 : std::min(3.0 * scale_, width * 0.12);
        const float height = strip.bottom - strip.top;
        const double points = width / scale_;

        set("first_block", first_blocks_[strip.row]);
        set("cell_count", count);
        set("first_cell", whole);
        set("first_rest", narrow ? first - whole : 0.0);
        set("part", narrow ? 1 / width : 1.0);
        set("cell_width", width);
        set("left", narrow ? begin : strip.left + whole * width);
        glUniform2f(places_[at("rows")], strip.top, strip.bottom);
        set("gap", space);
        set("least", std::min(3 * scale_, height * 0.18F));
        set("mixing", fades_in(1, 3, width));
        set("detail", fades_in(10, 22, points));
        set("shaping", fades_in(2.5, 6, width) * (1 - fades_in(12, 24, points)));
        set("corner_radius", fades_in(8, 22, points) * 5 * scale_);
        set("columns", narrow ? kColumns : 1.0F);
        set("race_height", std::clamp(height * 0.13F, 1.0F, 4 * scale_));
        const double quads = narrow ? std::ceil(end / kColumns) : end;
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, std::max(1, static_cast<int>(quads)));
    }

    std::optional<Problem> problem_;
    unsigned program_ = 0, texture_ = 0, vertices_ = 0;
    std::vector<int> first_blocks_;  // of each row
    std::vector<int> cell_counts_;   // likewise
    std::vector<int> places_;        // of uniforms, in the order of a table
    std::vector<LatticeStrip> strips_;
    figures::Palette palette_;
    float scale_ = 1;
};

constexpr std::size_t kMostArcs = 240;    // between two rows
constexpr std::size_t kMostSources = 16;  // into one cell from neighbours; more are a funnel

// `size` in points; `at` is the left end, and the middle of capital letters.
void text_at(const Ui& ui, ImDrawList& into, ImVec2 point, const std::string& text, float size,
             Face face, ImU32 colour) {
    const float ascent = ui.px(ui.metrics.ascent(size, face));
    const float half = ui.px(ui.metrics.cap_height(size, face)) / 2;
    into.AddText(ui.fonts.font(face), ui.px(ui.fonts.imgui_size(face, size)),
                 {std::round(point.x), std::round(point.y + half - ascent)}, colour, text.c_str());
}

// From one cell to another below: straight down at both ends. Only what is in sight is walked
// along, so that it looks the same however far away its ends are.
class Arc {
  public:
    Arc(double x0, double y0, double x1, double y1) : x0_(x0), y0_(y0), x1_(x1), y1_(y1) {}

    void paint(ImDrawList& into, double low, double high, ImU32 colour, float width) const {
        const std::vector<ImVec2> points = walk(low, high, 24);
        into.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, width);
    }
    // `gap`: pixels from dot to dot, about.
    void paint_dots(ImDrawList& into, double low, double high, ImU32 colour, float width,
                    float gap) const {
        constexpr double kMostDots = 300;
        const double across = std::min(std::abs(x1_ - x0_), high - low);
        const double dots = std::clamp(std::hypot(across, y1_ - y0_) / gap, 2.0, kMostDots);
        for (const ImVec2 point : walk(low, high, static_cast<std::size_t>(dots)))
            into.AddCircleFilled(point, width / 2, colour);
    }

  private:
    std::vector<ImVec2> walk(double low, double high, std::size_t pieces) const {
        double from = 0;
        double to = 1;
        if (const double way = x1_ - x0_; std::abs(way) > 0.5) {
            const double a = share((low - x0_) / way);
            const double b = share((high - x0_) / way);
            from = std::min(a, b);
            to = std::max(a, b);
        } else if (x0_ < low || x0_ > high) {
            return {};
        }
        if (to - from < 1e-9) return {};
        std::vector<ImVec2> points;
        for (std::size_t i = 0; i <= pieces; ++i) {
            const double t =
                from + (to - from) * static_cast<double>(i) / static_cast<double>(pieces);
            const double across = t * t * (3 - 2 * t);
            const double down = 1.5 * t * (1 - t) + t * t * t;
            points.emplace_back(static_cast<float>(x0_ + (x1_ - x0_) * across),
                                static_cast<float>(y0_ + (y1_ - y0_) * down));
        }
        return points;
    }
    // Where along the curve so much of the way across is done.
    static double share(double across) {
        const double s = std::clamp(across, 0.0, 1.0);
        return 0.5 - std::sin(std::asin(1 - 2 * s) / 3);
    }
    double x0_, y0_, x1_, y1_;
};

std::span<const analysis::LatticeChange> changes_in_viewport(const LatticeViewport& viewport,
                                                             std::size_t row) {
    const auto& changes = viewport.lattice.rows[row].changes;
    const auto before = [](const analysis::LatticeChange& change, std::uint64_t cell) {
        return change.cell < cell;
    };
    const auto first =
        std::lower_bound(changes.begin(), changes.end(), viewport.first_cell(row), before);
    const auto end = std::lower_bound(first, changes.end(), viewport.last_cell(row) + 1, before);
    return std::span(changes).subspan(static_cast<std::size_t>(first - changes.begin()),
                                      static_cast<std::size_t>(end - first));
}

// How much of the items over cells can be seen, 0 to 1.
float items_shown(const LatticeViewport& viewport, std::size_t row) {
    return fades_in(22, 36, viewport.points(viewport.cell_width(row))) *
           fades_in(46, 74, viewport.points(viewport.row));
}

// As wide as its number needs.
void paint_item(const LatticeViewport& viewport, ImDrawList& into, ImVec2 point,
                const analysis::LatticeChange& change, float alpha) {
    constexpr float kSize = 10;
    const Ui& ui = viewport.ui;
    const std::string id = std::to_string(change.item);
    const float width = ui.px(ui.metrics.text_width(id, kSize, Face::mono));
    const float high = ui.px(8.5F) * alpha;
    const float half = std::max(high, (width / 2 + ui.px(5)) * alpha);
    into.AddRectFilled({point.x - half, point.y - high}, {point.x + half, point.y + high},
                       ui.colour(Role::act, alpha), high);
    text_at(ui, into, {point.x - width / 2, point.y}, id, kSize, Face::mono,
            ui.colour(Role::on_act, fades_in(0.7, 1, alpha)));
}

// Many neighbours went into one cell.
void paint_funnel(const LatticeViewport& viewport, ImDrawList& into, std::size_t row,
                  std::span<const std::uint32_t> from, double x, float end, float alpha) {
    const double low = viewport.at.x - 4000.0;
    const double high = viewport.end() + 4000.0;
    const auto within = [&](double at) { return static_cast<float>(std::clamp(at, low, high)); };
    const float above = viewport.cell_bottom(row - 1) + 1;
    const float half =
        std::min(static_cast<float>(viewport.cell_width(row)) / 4, viewport.ui.px(8));
    const std::array<ImVec2, 4> corners{
        {{within(viewport.cell_left(row - 1, from.front())), above},
         {within(viewport.cell_left(row - 1, from.back() + 1.0)), above},
         {within(x) + half, end},
         {within(x) - half, end}}};
    into.AddConvexPolyFilled(corners.data(), 4, viewport.ui.colour(Role::act_fill, alpha));
    into.AddPolyline(corners.data(), 4, viewport.ui.colour(Role::act, alpha), ImDrawFlags_Closed,
                     viewport.ui.px(1));
}

// How much of the arcs of a row can be seen, 0 to 1: many are a smear.
float arcs_shown(const LatticeViewport& viewport, std::size_t row,
                 std::span<const analysis::LatticeChange> changes) {
    if (changes.size() > kMostArcs) return 0;
    std::size_t arcs = 0;
    for (const analysis::LatticeChange& change : changes)
        arcs += std::min(all_sources_of(viewport.lattice.rows[row], change).size(), kMostSources);
    return 1 - fades_in(kMostArcs / 3.0, kMostArcs, static_cast<double>(arcs));
}

// Over the cells: few written ones among many too narrow to be seen.
void paint_pins(const LatticeViewport& viewport, ImDrawList& into, std::size_t row) {
    const auto changes = changes_in_viewport(viewport, row);
    const float half = viewport.ui.px(1.5F) * viewport.ui.palette.stroke_scale;
    if (viewport.cell_width(row) >= 2 * half) return;
    const float alpha = arcs_shown(viewport, row, changes);
    if (alpha <= 0) return;
    for (const analysis::LatticeChange& change : changes) {
        if (change.item == analysis::kNobody) continue;
        const auto x = static_cast<float>(viewport.cell_middle(row, change.cell));
        const std::uint8_t bits = viewport.lattice.rows[row].cells[change.cell];
        const Role role = (bits & analysis::kStaleBit) != 0 ? Role::race : Role::wrote;
        into.AddRectFilled({x - half, viewport.cell_top(row)},
                           {x + half, viewport.cell_bottom(row)}, viewport.ui.colour(role, alpha));
        if ((bits & analysis::kRacedBit) == 0) continue;
        const float below = viewport.cell_bottom(row) + 1;
        into.AddTriangleFilled({x, below}, {x + 2.4F * half, below + 4 * half},
                               {x - 2.4F * half, below + 4 * half},
                               viewport.ui.colour(Role::race, alpha));
    }
}

// Where the cell above shows another value than the one that was read.
void paint_misread(const LatticeViewport& viewport, ImDrawList& into, std::size_t row,
                   const analysis::OtherRead& read, ImVec2 to, bool stale, float alpha) {
    const Ui& ui = viewport.ui;
    const ImU32 colour = ui.colour(stale ? Role::race : Role::act, alpha);
    const double x = viewport.cell_middle(row - 1, read.cell);
    const float above = viewport.cell_bottom(row - 1);
    const double cell = viewport.points(viewport.cell_width(row - 1));
    Arc(x, above + 1, to.x, to.y)
        .paint_dots(
            into, viewport.at.x, viewport.end(), colour,
            ui.px(static_cast<float>(1 + 1.5 * fades_in(12, 60, cell))) * ui.palette.stroke_scale,
            ui.px(5));
    const float words = alpha * fades_in(44, 60, cell);
    if (words <= 0) return;
    text_at(ui, into, {static_cast<float>(x) + ui.px(5), above + ui.px(8)},
            ui.tr()("figure.read_as", arg("value", text_of(read.took))), kSmallSize - 1, Face::bold,
            ui.colour(stale ? Role::race : Role::act, words));
}

// From the cells of a row to those of the next; who is at work.
void paint_arcs(const LatticeViewport& viewport, ImDrawList& into, std::size_t row) {
    const analysis::LatticeRow& lattice_row = viewport.lattice.rows[row];
    const auto changes = changes_in_viewport(viewport, row);
    const float alpha = arcs_shown(viewport, row, changes);
    if (alpha <= 0) return;
    const Ui& ui = viewport.ui;
    const float items = items_shown(viewport, row);
    const float above = viewport.cell_bottom(row - 1) + 1;
    const float top = viewport.cell_top(row) - 1;
    const float width = ui.px(1 + fades_in(12, 60, viewport.points(viewport.cell_width(row)))) *
                        ui.palette.stroke_scale;
    for (const analysis::LatticeChange& change : changes) {
        if (change.item == analysis::kNobody) continue;
        const double x = viewport.cell_middle(row, change.cell);
        const bool stale = (lattice_row.cells[change.cell] & analysis::kStaleBit) != 0;
        const ImU32 colour = ui.colour(stale ? Role::race : Role::act, alpha);
        const float item_y = top - ui.px(16);
        const float end = items > 0 ? top + (item_y - top) * items : top;
        std::vector<std::uint32_t> all = all_sources_of(lattice_row, change);
        for (const std::uint32_t item : analysis::writers_of(lattice_row, change))
            for (const analysis::OtherRead& read :
                 analysis::other_reads_of(viewport.lattice.head.rows[row], item)) {
                const auto source = std::lower_bound(all.begin(), all.end(), read.cell);
                if (source == all.end() || *source != read.cell) continue;
                all.erase(source);
                paint_misread(viewport, into, row, read, {static_cast<float>(x), end}, stale,
                              alpha);
            }
        const std::span from(all);
        const bool funnel =
            from.size() > kMostSources && from.back() - from.front() + 1 == from.size();
        if (funnel)
            paint_funnel(viewport, into, row, from, x, end, alpha);
        else
            for (const std::uint32_t source : from.first(std::min(from.size(), kMostArcs)))
                Arc(viewport.cell_middle(row - 1, source), above, x, end)
                    .paint(into, viewport.at.x, viewport.end(), colour, width);
        if (items <= 0 || x < viewport.at.x - ui.px(12) || x > viewport.end() + ui.px(12)) continue;
        const auto middle = static_cast<float>(x);
        into.AddLine({middle, end}, {middle, top}, colour, width);
        paint_item(viewport, into, {middle, item_y}, change, items);
    }
}

// Over the cells: their values, where there is room.
void paint_values(const LatticeViewport& viewport, ImDrawList& into, std::size_t row) {
    const Ui& ui = viewport.ui;
    const double width = viewport.cell_width(row);
    const float alpha = fades_in(24, 36, viewport.points(width)) *
                        fades_in(8, 11, viewport.points(viewport.cell_height()));
    if (alpha <= 0) return;
    const float largest =
        std::min(15.0F, static_cast<float>(viewport.points(viewport.cell_height())) * 0.8F) *
        std::min(ui.palette.text_scale, 1.2F);
    const float y = viewport.cell_bottom(row) - viewport.cell_height() / 2;
    for (std::uint64_t cell = viewport.first_cell(row); cell <= viewport.last_cell(row); ++cell) {
        // A cell wider than the view has its value where it is seen.
        const double low =
            std::max(viewport.cell_left(row, static_cast<double>(cell)), double{viewport.at.x});
        const double high = std::min(viewport.cell_left(row, static_cast<double>(cell) + 1),
                                     double{viewport.end()});
        const bool cut = high - low < width - 0.5 && high - low < ui.px(60);
        const double middle =
            cut ? viewport.cell_middle(row, static_cast<double>(cell)) : (low + high) / 2;
        const auto room = static_cast<float>(viewport.points(width)) - 11;
        std::string text = text_of(value_of(viewport.lattice, row, cell));
        const float fitting = room / ui.metrics.text_width(text, 1, Face::mono);
        const float size = std::clamp(fitting, 8.0F, largest);
        if (fitting < size) text = ui.metrics.shortened_value(text, room, size, Face::mono);
        const float wide = ui.px(ui.metrics.text_width(text, size, Face::mono));
        const bool spent = analysis::state_of(viewport.lattice.rows[row].cells[cell]) ==
                           analysis::CellState::spent;
        text_at(ui, into, {static_cast<float>(middle) - wide / 2, y}, text, size, Face::mono,
                ui.colour(spent ? Role::muted : Role::text, alpha));
    }
}

// A line across the groups, broken at their edges where these can be distinguished.
void paint_barrier(const LatticeViewport& viewport, ImDrawList& into, std::size_t row, float y,
                   float thickness) {
    const analysis::Row& pass = viewport.lattice.head.rows[row];
    const ImU32 colour = viewport.ui.colour(Role::barrier);
    const double groups =
        pass.local > 0 ? static_cast<double>((pass.global + pass.local - 1) / pass.local) : 1;
    const double group = viewport.width / groups;
    const float gap = viewport.ui.px(6) * fades_in(8, 40, viewport.points(group));
    const double low = std::max(viewport.left, double{viewport.at.x});
    const double high = std::min(viewport.left + viewport.width, double{viewport.end()});
    if (gap <= 0)
        return into.AddLine({static_cast<float>(low), y}, {static_cast<float>(high), y}, colour,
                            thickness);
    for (double at = std::floor((low - viewport.left) / group); at * group + viewport.left < high;
         ++at) {
        const double from = std::max(viewport.left + at * group + gap / 2, low);
        const double to = std::min(viewport.left + (at + 1) * group - gap / 2, high);
        if (to > from)
            into.AddLine({static_cast<float>(from), y}, {static_cast<float>(to), y}, colour,
                         thickness);
    }
}

void paint_dashes(const Ui& ui, ImDrawList& into, ImVec2 from, float end, float thickness) {
    for (float x = from.x; x < end; x += ui.px(9))
        into.AddLine({x, from.y}, {std::min(x + ui.px(5), end), from.y}, ui.colour(Role::barrier),
                     thickness);
}

// Behind the cells: what orders the rows.
void paint_boundaries(const LatticeViewport& viewport, ImDrawList& into) {
    const Ui& ui = viewport.ui;
    const float grown = fades_in(6, 40, viewport.points(viewport.row));
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row) {
        const Boundary boundary = figures::boundary_after(viewport.lattice.head, row);
        if (boundary == Boundary::none) continue;
        const float bottom = viewport.cell_bottom(row);
        const float y = bottom + (viewport.row_top(row + 1) - bottom) * 0.75F;
        const float scale = ui.px(1) * ui.palette.stroke_scale;
        const float left = static_cast<float>(std::max(viewport.left, double{viewport.at.x}));
        if (boundary == Boundary::launch || boundary == Boundary::grid)
            into.AddLine({left, y}, {viewport.end(), y}, ui.colour(Role::barrier),
                         scale * (1 + 1.5F * grown));
        else if (boundary == Boundary::by_hand)  // all groups, but by no rule
            paint_dashes(ui, into, {left, y}, viewport.end(), scale * (0.6F + 1.4F * grown));
        else
            paint_barrier(viewport, into, row, y, scale * (0.6F + 1.4F * grown));
    }
}

// How wide the words beside the rows are at most, points.
float labels_width(const Ui& ui, const std::vector<figures::RowLabel>& labels) {
    float widest = 0;
    for (const figures::RowLabel& label : labels) {
        const float title = ui.metrics.text_width(label.title, kTextSize, Face::bold);
        const float beside =
            label.variables.empty()
                ? 0
                : 8 + ui.metrics.text_width(label.variables, kSmallSize, Face::sans);
        widest = std::max(
            {widest, title + beside, ui.metrics.text_width(label.items, kSmallSize, Face::sans)});
    }
    return widest + 14;
}

// Beside the rows.
void paint_labels(const LatticeViewport& viewport, ImDrawList& into, float width) {
    const Ui& ui = viewport.ui;
    const double row_points = viewport.points(viewport.row);
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(15 / row_points)));
    const float x = viewport.labels_at;
    const float second = fades_in(30, 36, row_points);
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row) {
        if (row % step != 0 && row + 1 != viewport.labels.size()) continue;
        if (row + 1 != viewport.labels.size() && row + step > viewport.labels.size() - 1 &&
            row % step == 0 && step > 1)
            continue;  // the last row's own comes there
        const figures::RowLabel& label = viewport.labels[row];
        const float shift = label.items.empty() ? 0 : ui.px(8) * second;
        const float y = viewport.cell_bottom(row) - viewport.cell_height() / 2 - shift;
        const std::string title = ui.metrics.shortened(label.title, width, kTextSize, Face::bold);
        text_at(ui, into, {x, y}, title, kTextSize, Face::bold, ui.colour(Role::text));
        const float used = ui.metrics.text_width(title, kTextSize, Face::bold) + 8;
        const std::string beside =
            ui.metrics.shortened(label.variables, width - used, kSmallSize, Face::sans);
        text_at(ui, into, {x + ui.px(used), y}, beside, kSmallSize, Face::sans,
                ui.colour(Role::muted));
        if (second > 0)
            text_at(ui, into, {x, y + ui.px(16)},
                    ui.metrics.shortened(label.items, width, kSmallSize, Face::sans), kSmallSize,
                    Face::sans, ui.colour(Role::muted, second));
        const float words = fades_in(64, 76, row_points);
        if (words <= 0 || label.boundary.empty()) continue;
        const float bottom = viewport.cell_bottom(row);
        text_at(ui, into, {x, bottom + (viewport.row_top(row + 1) - bottom) * 0.75F + ui.px(8)},
                ui.metrics.shortened(label.boundary, width, kSmallSize - 1, Face::sans),
                kSmallSize - 1, Face::sans, ui.colour(Role::barrier_text, words));
    }
}

void paint_numbers(const LatticeViewport& viewport, ImDrawList& into, float height) {
    const Ui& ui = viewport.ui;
    std::size_t longest = 0;
    for (std::size_t row = 0; row < viewport.lattice.rows.size(); ++row)
        if (viewport.cells(row) > viewport.cells(longest)) longest = row;
    const double width = viewport.cell_width(longest);
    const std::string last = std::to_string(viewport.cells(longest));
    const float room = ui.px(ui.metrics.text_width(last, kSmallSize, Face::sans) + 18);
    std::uint64_t step = 1;
    while (static_cast<double>(step) * width < room)
        step *= 2;
    const float y = viewport.at.y - height / 2;
    for (std::uint64_t cell = viewport.first_cell(longest) / step * step;
         cell <= viewport.last_cell(longest); cell += step) {
        const double x = viewport.cell_middle(longest, static_cast<double>(cell));
        const std::string number = std::to_string(cell);
        const float half = ui.px(ui.metrics.text_width(number, kSmallSize, Face::sans)) / 2;
        const auto position = static_cast<float>(x);
        if (position < viewport.at.x - 1 || position > viewport.end()) continue;
        const float begin = std::clamp(position - half, viewport.at.x,
                                       std::max(viewport.at.x, viewport.end() - 2 * half));
        text_at(ui, into, {begin, y - ui.px(1)}, number, kSmallSize, Face::sans,
                ui.colour(Role::muted));
        into.AddLine({position, viewport.at.y - ui.px(3)}, {position, viewport.at.y},
                     ui.colour(Role::border), std::max(1.0F, ui.px(1)));
    }
}

struct LegendEntry {
    Role fill, edge;
    const char* key;
};
constexpr std::array kLegend{
    LegendEntry{Role::wrote_fill, Role::wrote, "figure.legend_written"},
    LegendEntry{Role::read_fill, Role::read, "figure.legend_read"},
    LegendEntry{Role::panel, Role::idle, "figure.legend_same"},
    LegendEntry{Role::background, Role::idle_fill, "figure.legend_spent"},
    LegendEntry{Role::race_fill, Role::race, "figure.legend_stale"},
};

constexpr float kNumbers = 20, kStrip = kTouch;  // points: cell numbers above, the whole below
constexpr double kWheel = 1.25;                  // as close as before, each notch
constexpr double kTellable = 3;  // pixels: cells narrower than that are told together

struct Pointed {
    std::size_t row = 0;
    std::uint64_t first = 0, last = 0;  // cells
};

std::optional<Pointed> pointed_at(const LatticeViewport& viewport, ImVec2 mouse) {
    const double row = (mouse.y - viewport.top) / viewport.row;
    const double along = (mouse.x - viewport.left) / viewport.width;
    if (row < 0 || row >= static_cast<double>(viewport.lattice.rows.size()) || along < 0 ||
        along >= 1)
        return std::nullopt;
    Pointed pointed;
    pointed.row = static_cast<std::size_t>(row);
    if (viewport.cells(pointed.row) == 0) return std::nullopt;
    const double reach = viewport.cell_width(pointed.row) < kTellable ? 1.0 : 0.0;
    pointed.first = viewport.cell_at(pointed.row, std::floor(mouse.x));
    pointed.last = viewport.cell_at(pointed.row, std::floor(mouse.x) + reach);
    return pointed;
}

// What of several cells a double click means: rather one that went wrong, or was written.
std::uint64_t meant(const analysis::LatticeRow& row, const Pointed& pointed) {
    std::uint64_t best = pointed.first;
    const auto weight = [&](std::uint64_t cell) {
        const std::uint8_t bits = row.cells[cell];
        if ((bits & (analysis::kStaleBit | analysis::kRacedBit)) != 0) return 3;
        return analysis::state_of(bits) == analysis::CellState::written ? 2
               : analysis::state_of(bits) == analysis::CellState::read  ? 1
                                                                        : 0;
    };
    for (std::uint64_t cell = pointed.first; cell <= pointed.last; ++cell)
        if (weight(cell) > weight(best)) best = cell;
    return best;
}

// Whether the row's values can be read, so that there is nothing to come closer to.
bool is_closest(const LatticeViewport& viewport, std::size_t row) {
    return viewport.points(viewport.cell_width(row)) >= session::kReadableCell * 0.99;
}

void show_tip(const LatticeViewport& viewport, const Pointed& pointed, ImDrawList& into) {
    const Ui& ui = viewport.ui;
    const auto low =
        static_cast<float>(viewport.cell_left(pointed.row, static_cast<double>(pointed.first)));
    const auto high =
        static_cast<float>(viewport.cell_left(pointed.row, static_cast<double>(pointed.last + 1)));
    const float more = ui.px(1.5F);
    into.AddRect({std::max(low, viewport.at.x - more), viewport.cell_top(pointed.row) - more},
                 {std::min(high, viewport.end() + more), viewport.cell_bottom(pointed.row) + more},
                 ui.colour(Role::text), ui.px(5) * fades_in(8, 22, viewport.points(high - low)), 0,
                 std::max(1.0F, ui.px(1.25F)));
    if (!begin_tooltip(ui)) return;
    const bool one = pointed.first == pointed.last;
    const auto words =
        one ? figures::lattice_cell_text(viewport.lattice, pointed.row, pointed.first, ui.tr())
            : figures::lattice_range_text(viewport.lattice, pointed.row, pointed.first,
                                          pointed.last, ui.tr());
    ImGui::PushTextWrapPos(ui.px(360));
    for (std::size_t i = 0; i < words.size(); ++i)
        text_line(ui, words[i], Face::sans, i == 0 ? kSmallSize : kTextSize,
                  i == 0 ? Role::muted : Role::text);
    const bool closest = is_closest(viewport, pointed.row);
    if (!closest || ui.session.command("lattice.step").enabled(ui.session))
        label(ui, ui.tr()(closest ? "lattice.double_click_step" : "lattice.double_click"));
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

// The wheel comes closer or goes farther, with Shift along; a drag takes hold of the picture.
void take_hands(Ui& ui, LatticePicture& view, const LatticeViewport& viewport, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const double x = viewport.points(io.MousePos.x - viewport.at.x);
    const double y = viewport.points(io.MousePos.y - viewport.at.y);
    if (hovered && io.MouseWheel != 0 && io.KeyShift)
        look(view, panned(view.frame, camera_of(view), io.MouseWheel * 60.0, 0));
    else if (hovered && io.MouseWheel != 0)
        look(view, zoomed(view.frame, camera_of(view), std::pow(kWheel, io.MouseWheel), x, y));
    if (hovered && io.MouseWheelH != 0)
        look(view, panned(view.frame, camera_of(view), io.MouseWheelH * 60.0, 0));
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.px(3)) &&
        (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
        look(view, panned(view.frame, camera_of(view), viewport.points(io.MouseDelta.x),
                          viewport.points(io.MouseDelta.y)));
    if (!hovered || !ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return;
    const auto position = pointed_at(viewport, io.MousePos);
    if (!position) return;
    const session::LatticePlace place{position->row,
                                      meant(viewport.lattice.rows[position->row], *position)};
    if (is_closest(viewport, place.row)) {
        look(view, on_cell(view.frame, place.row, place.cell, viewport.cells(place.row)));
        ui.run("lattice.step");
    } else {
        move_to(view, place);
    }
}

// Where the view stands in the whole; to be dragged.
void paint_strip(Ui& ui, LatticePicture& view, ImVec2 point, float width) {
    const session::LatticeCamera camera = camera_of(view);
    const float height = ui.px(kStrip);
    ImGui::SetCursorScreenPos(point);
    ImGui::InvisibleButton("strip", {width, height});
    tip(ui, ui.tr()("lattice.strip.tip"), "Shift+Left  Shift+Right");
    if (ImGui::IsItemActive()) {
        session::LatticeCamera to = camera;
        to.x = (ImGui::GetIO().MousePos.x - point.x) / width;
        look(view, bounded(view.frame, to));
    }
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float y = point.y + height / 2;
    const float half = ui.px(ImGui::IsItemHovered() || ImGui::IsItemActive() ? 4 : 3);
    into.AddRectFilled({point.x, y - half}, {point.x + width, y + half}, ui.colour(Role::idle_fill),
                       half);
    const float seen = std::max(static_cast<float>(width / camera.zoom), ui.px(10));
    const float from =
        std::clamp(static_cast<float>(camera.x) * width - seen / 2, 0.0F, width - seen);
    into.AddRectFilled({point.x + from, y - half}, {point.x + from + seen, y + half},
                       ui.colour(Role::idle), half);
}

std::vector<LatticeStrip> strips(const LatticeViewport& viewport) {
    std::vector<LatticeStrip> lattice_strips;
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row)
        lattice_strips.push_back({row, viewport.left, viewport.width, viewport.cell_top(row),
                                  viewport.cell_bottom(row)});
    return lattice_strips;
}

struct CanvasState {
    std::shared_ptr<LatticeGl> gl;       // once it is needed
    const LatticePicture* of = nullptr;  // the cells that it has
    std::uint64_t version = 0;           // the same
    ImVec2 corner, size;                 // where it was last, pixels; no size: not on screen
};

LatticeGl& gl(const Ui& ui, const LatticePicture& picture) {
    CanvasState& kept = ui.state<CanvasState>();
    if (!kept.gl) kept.gl = std::make_shared<LatticeGl>();
    if (kept.of != &picture || kept.version != picture.version) {
        kept.of = &picture;
        kept.version = picture.version;
        kept.gl->set_cells(*picture.lattice);
    }
    return *kept.gl;
}

// Where things lie in a canvas of `size` at `corner`, pixels.
struct LatticeCanvas {
    std::vector<figures::RowLabel> labels;
    ImVec2 corner, at, seen;  // `seen`: of the cells alone, from `at` on
};

LatticeCanvas canvas_of(const Ui& ui, const analysis::Lattice& lattice, ImVec2 corner,
                        ImVec2 size) {
    LatticeCanvas canvas;
    canvas.labels = figures::lattice_labels(lattice, ui.tr());
    canvas.corner = corner;
    const float most = std::max(ui.px(70), size.x * 0.28F);
    const float beside = std::min(ui.px(labels_width(ui, canvas.labels)), most);
    canvas.at = {corner.x + beside, corner.y + ui.px(kNumbers)};
    canvas.seen = {size.x - beside, size.y - ui.px(kNumbers + kStrip + 4)};
    return canvas;
}

LatticeViewport viewport_of(const Ui& ui, const LatticePicture& view, const LatticeCanvas& canvas) {
    const session::LatticeCamera camera = camera_of(view);
    return {ui,
            *view.lattice,
            canvas.labels,
            canvas.at,
            canvas.seen,
            canvas.corner.x,
            canvas.at.x + left_of(view.frame, camera) * ui.scale,
            canvas.seen.x * camera.zoom,
            canvas.at.y + top_of(view.frame, camera) * ui.scale,
            row_height(view.frame, camera.zoom) * ui.scale};
}

// All but what the mouse adds to it; `over_cells` draws more within the cells' edges.
void paint(const LatticeViewport& viewport, LatticeGl& cells, ImDrawList& into,
           const std::function<void()>& over_cells) {
    const Ui& ui = viewport.ui;
    const float rim = ui.px(2);
    const ImVec2 end{viewport.at.x + viewport.size.x, viewport.at.y + viewport.size.y};
    paint_numbers(viewport, into, ui.px(kNumbers));
    into.PushClipRect({viewport.at.x - rim, viewport.at.y}, {end.x + rim, end.y}, true);
    paint_boundaries(viewport, into);
    cells.draw(into, strips(viewport), ui.palette, ui.scale);
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row)
        paint_pins(viewport, into, row);
    for (std::size_t row = std::max<std::size_t>(viewport.first_row(), 1); row < viewport.end_row();
         ++row)
        paint_arcs(viewport, into, row);
    for (std::size_t row = viewport.first_row(); row < viewport.end_row(); ++row)
        paint_values(viewport, into, row);
    if (over_cells) over_cells();
    into.PopClipRect();
    // A row's words may be taller than the row; nothing else stands beside the first and the last.
    const float more = ui.px(10);
    into.PushClipRect({viewport.labels_at, viewport.at.y - more},
                      {viewport.at.x - rim, end.y + more}, true);
    paint_labels(viewport, into, (viewport.at.x - viewport.labels_at) / ui.scale - 10);
    into.PopClipRect();
}

Tone lattice_tone(const analysis::Lattice& lattice) {
    return tone_of(!lattice.head.right || lattice.stale_reads > 0);
}

// What a picture of it says in a file, where nothing else does: of what it is, above it. Returns
// the pixels that it takes; draws it where there is a list.
float words_above(const Ui& ui, const analysis::Lattice& lattice, ImDrawList* into, ImVec2 point,
                  float width) {
    const float top = point.y;
    const auto line = [&](const std::string& text, Face face, float size, Role role) {
        const TextStyle style(ui, face, size, role);
        const std::string fits = ui.metrics.shortened(text, width / ui.scale, size, face);
        if (into != nullptr)
            into->AddText(ImGui::GetFont(), ImGui::GetFontSize(), point, ui.colour(role),
                          fits.c_str());
        point.y += ImGui::GetTextLineHeight() + ui.px(2);
    };
    line(chosen_title(ui), Face::bold, kTitleSize, Role::text);
    line(figures::subtitle(lattice.head, ui.tr()), Face::sans, kTextSize, Role::muted);
    return point.y - top + ui.px(12);
}

// The same below it: what the marks stand for, and what became of the run.
float words_below(const Ui& ui, const analysis::Lattice& lattice, ImDrawList* into, ImVec2 point,
                  float width) {
    const TextStyle style(ui, Face::sans, kTextSize);
    const std::string sentence = figures::lattice_sentence(lattice, ui.tr());
    const float legend = lattice_legend(ui, lattice, into, point, width) + ui.px(10);
    const float height = message_height(ui, sentence, width), pad = ui.px(11);
    if (into == nullptr) return legend + height;
    point.y += legend;
    into->AddRectFilled(point, {point.x + width, point.y + height},
                        ui.colour(ground_of(lattice_tone(lattice))), ui.px(6));
    into->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {point.x + pad, point.y + pad},
                  ui.colour(Role::text), sentence.c_str(), nullptr, width - 2 * pad);
    return legend + height;
}

struct LatticePanelState {
    bool controls_open = false;  // where they are folded
    Cached<std::string> sentence;
};

// What is on the screen, and in which direction it can be left.
void lattice_heading(Ui& ui, const analysis::Lattice* lattice, float width) {
    bool& controls_open = ui.state<LatticePanelState>().controls_open;
    const float top = ImGui::GetCursorPosY();
    constexpr std::array kMoves{"lattice.farther", "lattice.closer", "lattice.whole",
                                "lattice.fault", "lattice.step"};
    const auto width_of = [&](bool all) {
        float wide = 0;
        for (const char* id : kMoves)
            if (all || ui.session.command(id).enabled(ui.session))
                wide += words_width(ui.tr()(fmt::format("command.{}", id))) + ui.px(24);
        return wide;
    };
    // In a narrow window only what can be done now.
    const bool all_moves = width_of(true) < width - ui.px(180);
    float buttons = width_of(all_moves);
    const std::string settings =
        ui.tr()(controls_open ? "step.hide_controls" : "step.show_controls");
    if (ui.folds_controls()) buttons += words_width(settings) + ui.px(24);
    const float beside = ui.phone() ? 0 : buttons;  // or in a line of their own
    const float used = kernel_title(ui, chosen_title(ui), std::max(width - beside, 0.0F));
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

// Turns chosen by hand are not those of this picture, which has an order of its own.
void lattice_machine_fields(Ui& ui, session::RunChoice& choice, Flow& flow) {
    const std::string order = choice.machine.order;
    const bool own = order.starts_with(machine::kTurnsPrefix);
    if (own) choice.machine.order = session::kAutomatic;
    machine_fields(ui, choice, flow, false);
    if (own && session::is_automatic(choice)) choice.machine.order = order;
}

void controls(Ui& ui, float width) {
    session::RunChoice choice = ui.choice();
    session::RunShape lattice = ui.session.settings().lattice;
    Flow flow(ui, width);
    if (choice.user_kernel) {  // its launch form says all else
        lattice_machine_fields(ui, choice, flow);
        ui.change().choose(std::move(choice));
        return;
    }
    flow.field(ui.tr()("field.n"), 100, [&](float w) {
        value_combo(ui, "###n", {64, 256, 1024, 2048, 4096, 8192, 16'384, 32'768, 65'536},
                    lattice.n, w, number_words);
        key_tip(ui, "n.more", "n.less");
    });
    flow.field(ui.tr()("field.group"), 68, [&](float w) {
        value_combo(ui, "###group", group_sizes(), lattice.group, w, number_words);
        key_tip(ui, "group.more", "group.less");
    });
    op_and_type_fields(ui, choice, flow);
    flow.field(ui.tr()("field.input"), 104, [&](float w) {
        bool random = lattice.input.kind == catalogue::Input::Kind::random;
        if (value_combo(ui, "###input", {false, true}, random, w,
                        [&](bool each) { return ui.tr()(each ? "input.random" : "input.ramp"); }))
            lattice.input = catalogue::parse_input(random ? "random:1" : "ramp");
        key_tip(ui, "input.next", "input.seed");
    });
    toggle_fields(ui, choice, flow);
    lattice_machine_fields(ui, choice, flow);
    ui.change().choose(std::move(choice));  // nothing happens where nothing changed
    ui.change().set_view_shape(std::move(lattice));
}

// While it runs: how far it is. The place for it is always kept.
void lattice_progress(Ui& ui, float width) {
    const LatticeView& view = ui.view<LatticeView>();
    const ImVec2 size{width, ui.px(4)};
    if (view.run.running())
        share_bar(ui, ImGui::GetCursorScreenPos(), size, *view.progress, Role::act);
    ImGui::Dummy(size);
    if (view.run.running()) tip(ui, ui.tr()("lattice.computing"), ui.session.command("cancel").key);
}

const std::string& sentence(const Ui& ui, const analysis::Lattice& lattice) {
    return ui.state<LatticePanelState>().sentence.get(
        ui, std::to_string(ui.view<LatticeView>().picture.version),
        [&] { return figures::lattice_sentence(lattice, ui.tr()); });
}

void show(Ui& ui, const analysis::Lattice& lattice, float width) {
    const std::string& text = sentence(ui, lattice);
    const bool faults = lattice.stale_reads > 0 || !lattice.raced.empty();
    if (!ui.low())
        wrapped(ui, ui.tr()(faults ? "lattice.look_faults" : "lattice.look"), width, Face::sans,
                kTextSize);
    const float spacing = ImGui::GetStyle().ItemSpacing.y;
    // In a low window the picture comes first, and the words scroll.
    const float lines = ui.window().y < 300 ? 1 : 2;
    const float most = ui.low() ? lines * ImGui::GetTextLineHeight() + ui.px(12) : 0;
    const float whole = message_height(ui, text, width);
    const float words = (most > 0 ? std::min(whole, most) : whole) + spacing;
    const float marks = ui.low() ? 0 : lattice_legend(ui, lattice, nullptr, {}, width);
    const float line = ui.low() ? 0 : marks + spacing;
    begin_picture(ui);
    const float height = ImGui::GetContentRegionAvail().y - words - line - spacing;
    lattice_canvas(ui, ui.change<LatticeView>().picture, {width, std::max(height, ui.px(80))});
    if (marks > 0) {
        lattice_legend(ui, lattice, ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(), width);
        ImGui::Dummy({width, marks});
    }
    message_box(ui, text, lattice_tone(lattice), width, most);
    if (most == 0) ImGui::Dummy({0, ui.px(11)});
}

}  // namespace

float lattice_legend(const Ui& ui, const analysis::Lattice& lattice, ImDrawList* into, ImVec2 from,
                     float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    const float height = ImGui::GetTextLineHeight();
    const float mark = ui.px(11);
    float x = from.x, y = from.y;
    const auto entry = [&](const char* key, auto&& paint) {
        const std::string& words = ui.tr()(key);
        const float wide = mark + ui.px(6) + words_width(words);
        if (x > from.x && x + wide > from.x + width) {
            x = from.x;
            y += height + ui.px(4);
        }
        if (into != nullptr) {
            paint(ImVec2{x, y + (height - mark) / 2});
            into->AddText({x + mark + ui.px(6), y}, ui.colour(Role::muted), words.c_str());
        }
        x += wide + ui.px(16);
    };
    for (const LegendEntry& of : kLegend) {
        if (of.edge == Role::race && lattice.stale_reads == 0) continue;
        entry(of.key, [&](ImVec2 point) {
            const ImVec2 end{point.x + mark, point.y + mark};
            into->AddRectFilled(point, end, ui.colour(of.fill), ui.px(2));
            into->AddRect(point, end, ui.colour(of.edge), ui.px(2), 0, ui.px(2));
        });
    }
    if (!lattice.raced.empty())
        entry("figure.legend_raced", [&](ImVec2 at) {
            into->AddRectFilled({at.x, at.y + mark * 0.6F}, {at.x + mark, at.y + mark},
                                ui.colour(Role::race));
        });
    std::set<Boundary> boundaries;
    bool misread = false;
    for (std::size_t row = 0; row < lattice.rows.size(); ++row) {
        boundaries.insert(figures::boundary_after(lattice.head, row));
        misread = misread || !lattice.head.rows[row].other_reads.empty();
    }
    const auto line = [&](float thickness, float gap) {
        return [&, thickness, gap](ImVec2 at) {
            const float level = at.y + mark / 2;
            const float middle = at.x + mark / 2;
            const ImU32 colour = ui.colour(Role::barrier);
            into->AddLine({at.x, level}, {middle - gap, level}, colour, thickness);
            into->AddLine({middle + gap, level}, {at.x + mark, level}, colour, thickness);
        };
    };
    if (boundaries.contains(Boundary::group))
        entry("figure.legend_barrier", line(ui.px(2), ui.px(1.5F)));
    if (boundaries.contains(Boundary::atomics))
        entry("figure.legend_atomics", line(ui.px(2), ui.px(1.5F)));
    if (boundaries.contains(Boundary::by_hand))
        entry("figure.legend_by_hand", [&](ImVec2 at) {
            paint_dashes(ui, *into, {at.x, at.y + mark / 2}, at.x + mark, ui.px(2));
        });
    for (const auto& [kind, key] : {std::pair{Boundary::grid, "figure.legend_grid"},
                                    std::pair{Boundary::launch, "figure.legend_launch"}})
        if (boundaries.contains(kind)) entry(key, line(ui.px(2.5F), 0));
    if (misread)
        entry("figure.legend_other_arc", [&](ImVec2 at) {
            Arc(at.x, at.y, at.x + mark, at.y + mark)
                .paint_dots(*into, at.x, at.x + mark, ui.colour(Role::act), ui.px(2), ui.px(4));
        });
    entry("figure.legend_heat", [&](ImVec2 at) {
        into->AddRectFilled(at, {at.x + mark, at.y + mark}, ui.colour(Role::idle_fill));
        into->AddRectFilled({at.x, at.y + mark * 0.3F}, {at.x + mark, at.y + mark},
                            ui.colour(Role::read));
        into->AddRectFilled({at.x, at.y + mark * 0.65F}, {at.x + mark, at.y + mark},
                            ui.colour(Role::wrote));
    });
    return y + height - from.y;
}

void save_lattice(Ui& ui, const std::filesystem::path& file, const std::string& /*suffix*/) {
    const LatticePicture& picture = ui.view<LatticeView>().picture;
    const std::shared_ptr<const analysis::Lattice> lattice = picture.lattice;
    const CanvasState& kept = ui.state<CanvasState>();
    if (!lattice || kept.of != &picture || kept.gl->problem() || kept.size.x <= 0)
        throw Problem("The lattice is not on screen", "There is no room for it, or no run yet",
                      "Make the window larger, or wait until the run is there");
    const LatticeCanvas canvas = canvas_of(ui, *lattice, kept.corner, kept.size);
    LatticeGl& cells = gl(ui, picture);
    const float pad = ui.px(10), width = kept.size.x;
    const float below = canvas.at.y + canvas.seen.y + ui.px(10);
    const ImVec2 from{kept.corner.x, kept.corner.y - words_above(ui, *lattice, nullptr, {}, width)};
    const float end = below + words_below(ui, *lattice, nullptr, {}, width);
    const figures::Pixels pixels =
        draw_offscreen({from.x - pad, from.y - pad}, {width + 2 * pad, end - from.y + 2 * pad},
                       ui.palette[Role::panel], [&](ImDrawList& into) {
                           words_above(ui, *lattice, &into, from, width);
                           {
                               const TextStyle text(ui, Face::sans, kTextSize);
                               paint(viewport_of(ui, picture, canvas), cells, into, {});
                           }
                           words_below(ui, *lattice, &into, {from.x, below}, width);
                       });
    write_file(file, figures::png_of_pixels(pixels.width, pixels.height, pixels.rgba));
}

void lattice_canvas(Ui& ui, LatticePicture& view, ImVec2 size) {
    LatticeGl& cells = gl(ui, view);
    CanvasState& state = ui.state<CanvasState>();
    state.size = {0, 0};
    if (cells.problem()) return problem_card(ui, *cells.problem(), size.x);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const LatticeCanvas canvas = canvas_of(ui, *view.lattice, corner, size);
    const ImVec2 point = canvas.at, seen = canvas.seen;
    if (seen.x < ui.px(40) || seen.y < ui.px(20)) return;
    state.corner = corner;
    state.size = size;
    set_frame(view, seen.x / ui.scale, seen.y / ui.scale);
    ImGui::SetCursorScreenPos(point);
    ImGui::InvisibleButton("cells", seen);
    ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
    const bool hovered = ImGui::IsItemHovered();
    take_hands(ui, view, viewport_of(ui, view, canvas), hovered);
    const LatticeViewport viewport = viewport_of(ui, view, canvas);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const bool points = hovered && !ImGui::IsItemActive();
    paint(viewport, cells, into, [&] {
        const auto pointed = points ? pointed_at(viewport, ImGui::GetIO().MousePos) : std::nullopt;
        if (pointed) show_tip(viewport, *pointed, into);
    });
    paint_strip(ui, view, {point.x, point.y + seen.y + ui.px(4)}, seen.x);
    ImGui::SetCursorScreenPos({corner.x, corner.y + size.y});
    ImGui::Dummy({size.x, 0});
}

void present_lattice(Ui& ui) {
    const std::shared_ptr<const analysis::Lattice> lattice = ui.view<LatticeView>().picture.lattice;
    if (!lattice) return label(ui, ui.tr()("lattice.computing"));
    draw_presented(ui, {.title = chosen_title(ui),
                        .position = fmt::format("n = {}", lattice->head.n),
                        .sentence = sentence(ui, *lattice),
                        .tone = lattice_tone(*lattice),
                        .picture = [&](ImVec2 room) {
                            lattice_canvas(ui, ui.change<LatticeView>().picture, room);
                        }});
}

void lattice_panel(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "lattice", area, ImGuiWindowFlags_NoScrollWithMouse);
    const float width = ImGui::GetContentRegionAvail().x;
    const LatticeView& view = ui.view<LatticeView>();
    const std::shared_ptr<const analysis::Lattice> lattice = view.picture.lattice;
    lattice_heading(ui, lattice.get(), width);
    if (!ui.folds_controls() || ui.state<LatticePanelState>().controls_open) controls(ui, width);
    lattice_progress(ui, width);
    if (view.problem) {
        problem_card(ui, *view.problem, width);
        if (lattice) label(ui, ui.tr()("step.last_good"));
    }
    if (lattice && !view.run.running() && !ui.choice().user_kernel &&
        lattice->head.n < ui.session.settings().lattice.n)
        label(ui, ui.tr()("lattice.fewer", arg("n", lattice->head.n)));
    if (lattice)
        show(ui, *lattice, width);
    else if (view.run.running())
        label(ui, ui.tr()("lattice.computing"));
}

}  // namespace lab::gui

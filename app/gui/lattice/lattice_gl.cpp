#include "gui/lattice/lattice_gl.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/paths.h"
#include "base/platform.h"

namespace lab::gui {
namespace {

using figures::Role;

constexpr int kBlockCells = 32, kBlockTexels = 3;  // see shaders/lattice.frag
constexpr int kBlocksWide = 512;                   // of a line of the texture

// What the shaders call things, in the order of LatticeGl::places_.
enum Uniform : std::size_t {
    cells,
    first_block,
    cell_count,
    blocks_wide,
    first_cell,
    first_rest,
    part,
    cell_width,
    left,
    rows,
    gap,
    display,
    marks,
    fills,
    edges,
    edge_widths,
    race,
    least,
    mixing,
    detail,
    shaping,
    corner_radius,
    columns,
    race_height,
    uniform_count
};
constexpr std::array<const char*, uniform_count> kUniforms{
    "cells",  "first_block", "cell_count", "blocks_wide",   "first_cell", "first_rest",
    "part",   "cell_width",  "left",       "rows",          "gap",        "display",
    "marks",  "fills",       "edges",      "edge_widths",   "race",       "least",
    "mixing", "detail",      "shaping",    "corner_radius", "columns",    "race_height"};

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

float smooth_step(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return static_cast<float>(t * t * (3 - 2 * t));
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
    std::string log(4096, '\0');
    int length = 0;
    glGetShaderInfoLog(shader, static_cast<int>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
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
            if ((row[i] & analysis::kStaleBit) != 0)
                bits[0] |= bit;
            else if (state == analysis::CellState::written)
                bits[1] |= bit;
            else if (state == analysis::CellState::read)
                bits[2] |= bit;
            else if (state == analysis::CellState::spent)
                bits[3] |= bit;
            if ((row[i] & analysis::kRacedBit) != 0) bits[4] |= bit;
        }
        texels.insert(texels.end(), before.begin(), before.begin() + 4);
        texels.insert(texels.end(), bits.begin(), bits.begin() + 4);
        texels.insert(texels.end(), {before[4], bits[4], 0, 0});
        for (std::size_t i = 0; i < before.size(); ++i)
            before[i] += static_cast<std::uint32_t>(std::popcount(bits[i]));
    }
}

}  // namespace

LatticeGl::LatticeGl() {
    try {
        build();
    } catch (const Problem& problem) {
        problem_ = problem;
    }
}

LatticeGl::~LatticeGl() {
    if (program_ != 0) glDeleteProgram(program_);
    if (texture_ != 0) glDeleteTextures(1, &texture_);
    if (vertices_ != 0) glDeleteVertexArrays(1, &vertices_);
}

void LatticeGl::build() {
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
    if (good == 0) {
        std::string log(4096, '\0');
        int length = 0;
        glGetProgramInfoLog(program_, static_cast<int>(log.size()), &length, log.data());
        log.resize(static_cast<std::size_t>(length));
        throw Problem("The shaders of the lattice do not fit each other", "\n" + log,
                      "Install the program again, or fix the files; the other views need none",
                      (data_folder() / "shaders").string());
    }
    for (const char* name : kUniforms)
        places_.push_back(glGetUniformLocation(program_, name));
    glGenVertexArrays(1, &vertices_);
    glGenTextures(1, &texture_);
}

void LatticeGl::set_cells(const analysis::Lattice& lattice) {
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
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, kBlocksWide * kBlockTexels, static_cast<int>(lines),
                 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT, texels.data());
    glBindTexture(GL_TEXTURE_2D, 0);
}

void LatticeGl::draw(ImDrawList& into, std::vector<LatticeStrip> strips,
                     const figures::Palette& palette, float scale) {
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

void LatticeGl::set_colours() const {
    std::array<float, 15> colours{};
    const auto set = [&](Uniform uniform, Role Look::*role) {
        for (std::size_t i = 0; i < kLooks.size(); ++i) {
            const figures::Colour& colour = palette_[kLooks[i].*role];
            colours[i * 3] = colour.r;
            colours[i * 3 + 1] = colour.g;
            colours[i * 3 + 2] = colour.b;
        }
        glUniform3fv(places_[uniform], 5, colours.data());
    };
    set(marks, &Look::mark);
    set(fills, &Look::fill);
    set(edges, &Look::edge);
    std::array<float, 5> widths{};
    for (std::size_t i = 0; i < kLooks.size(); ++i)
        widths[i] = std::max(1.0F, kLooks[i].width * palette_.stroke_scale * scale_);
    glUniform1fv(places_[edge_widths], 5, widths.data());
    const figures::Colour& wrong = palette_[Role::race];
    glUniform3f(places_[race], wrong.r, wrong.g, wrong.b);
}

// Within ImGui's rendering: what it needs afterwards is set by ImDrawCallback_ResetRenderState.
void LatticeGl::render(const ImDrawCmd& command) const {
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
    glUniform1i(places_[cells], 0);
    glUniform1i(places_[blocks_wide], kBlocksWide);
    glUniform2f(places_[display], io.DisplaySize.x, io.DisplaySize.y);
    set_colours();
    for (const LatticeStrip& strip : strips_)
        if (strip.bottom + strip.bottom - strip.top > clip.y && strip.top < clip.w)
            render_strip(strip, clip);
    glBindVertexArray(0);
}

void LatticeGl::render_strip(const LatticeStrip& strip, const ImVec4& clip) const {
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
    const double end =
        narrow ? std::ceil(to) - begin : std::ceil((to - strip.left) / width) - std::floor(first);
    const double space = narrow ? 0 : std::min(3.0 * scale_, width * 0.12);
    const float height = strip.bottom - strip.top;
    const double points = width / scale_;

    glUniform1i(places_[first_block], first_blocks_[strip.row]);
    glUniform1i(places_[cell_count], count);
    glUniform1i(places_[first_cell], whole);
    glUniform1f(places_[first_rest], narrow ? static_cast<float>(first - whole) : 0.0F);
    glUniform1f(places_[part], narrow ? static_cast<float>(1 / width) : 1.0F);
    glUniform1f(places_[cell_width], static_cast<float>(width));
    glUniform1f(places_[left], static_cast<float>(narrow ? begin : strip.left + whole * width));
    glUniform2f(places_[rows], strip.top, strip.bottom);
    glUniform1f(places_[gap], static_cast<float>(space));
    glUniform1f(places_[least], std::min(3 * scale_, height * 0.18F));
    glUniform1f(places_[mixing], smooth_step(1, 3, width));
    glUniform1f(places_[detail], smooth_step(10, 22, points));
    glUniform1f(places_[shaping], smooth_step(2.5, 6, width) * (1 - smooth_step(12, 24, points)));
    glUniform1f(places_[corner_radius], smooth_step(8, 22, points) * 5 * scale_);
    glUniform1f(places_[columns], narrow ? kColumns : 1.0F);
    glUniform1f(places_[race_height], std::clamp(height * 0.13F, 1.0F, 4 * scale_));
    const double quads = narrow ? std::ceil(end / kColumns) : end;
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, std::max(1, static_cast<int>(quads)));
}

}  // namespace lab::gui

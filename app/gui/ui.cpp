#include "gui/ui.h"

#include <algorithm>
#include <cmath>

#include <fcntl.h>
#include <freetype/freetype.h>
#include <imgui_freetype.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/problem.h"
#include "base/ranges.h"
#include "gui/widgets.h"

namespace lab::gui {

static bool wants_width(const Ui& ui) {
    const WindowView& view = shown_view(ui);
    return view.wants_width != nullptr && view.wants_width(ui);
}

bool Ui::narrow() const {
    return (window().x < 1100 || wants_width(*this)) && !session.presenting;
}

bool WindowView::has(Place place) const {
    return any_of(panels, [place](const Panel& panel) { return panel.place == place; });
}

std::vector<const session::ViewType*> types_of(std::span<const WindowView> views) {
    return mapped<const session::ViewType*>(views, &WindowView::type);
}

const WindowView& shown_view(const Ui& ui) {
    return *find_if(ui.views,
                    [&](const auto& view) { return view.type == &ui.session.shown_type(); });
}

namespace {

using figures::FontFile;

struct Screen {
    Face face;
    FontFile file;
};
constexpr std::array kScreens{Screen{Face::sans, FontFile::sans},
                              Screen{Face::bold, FontFile::bold},
                              Screen{Face::mono, FontFile::mono}};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (file >= 0 && fstat(file, &about) == 0) {
        size_ = static_cast<std::size_t>(about.st_size);
        data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
    }
    if (file >= 0) close(file);
    if (data_ == nullptr || data_ == MAP_FAILED)
        throw Problem("A font file cannot be read", "", "Install the program again", path.string());
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) munmap(data_, size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

ScreenFonts::ScreenFonts(const figures::Fonts& metrics) {
    const auto height = [&](Face face) {
        return metrics.ascent(1000, face) / 1000 + metrics.descent(1000, face) / 1000;
    };
    files_.emplace_back(figures::font_path(FontFile::cjk));
    const auto cjk = metrics.handle(FontFile::cjk);
    const float cjk_height =
        static_cast<float>(cjk->ascender - cjk->descender) / static_cast<float>(cjk->units_per_EM);
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.FontLoaderFlags = ImGuiFreeTypeLoaderFlags_LightHinting;
    for (const Screen& screen : kScreens) {
        files_.emplace_back(figures::font_path(screen.file));
        const auto index = static_cast<std::size_t>(screen.face);
        heights_[index] = height(screen.face);
        ImFontConfig config;
        config.FontDataOwnedByAtlas = false;
        config.SizePixels = imgui_size(screen.face, kTextSize);
        fonts_[index] = atlas.AddFontFromMemoryTTF(
            files_.back().data(), static_cast<int>(files_.back().size()), 0, &config);
        // The fallback's em is made as large as the face's own.
        ImFontConfig fallback = config;
        fallback.MergeMode = true;
        fallback.SizePixels = kTextSize * cjk_height;
        atlas.AddFontFromMemoryTTF(files_.front().data(), static_cast<int>(files_.front().size()),
                                   0, &fallback);
    }
}

namespace {

struct StyleColour {
    ImGuiCol_ of;
    Role role;
};
constexpr StyleColour kColours[] = {
    {ImGuiCol_Text, Role::text},
    {ImGuiCol_TextDisabled, Role::muted},
    {ImGuiCol_WindowBg, Role::background},
    {ImGuiCol_PopupBg, Role::panel},
    {ImGuiCol_Border, Role::border},
    {ImGuiCol_FrameBg, Role::background},
    {ImGuiCol_FrameBgHovered, Role::act_fill},
    {ImGuiCol_FrameBgActive, Role::act_fill},
    {ImGuiCol_Button, Role::idle_fill},
    {ImGuiCol_ButtonHovered, Role::act_fill},
    {ImGuiCol_ButtonActive, Role::act_fill},
    {ImGuiCol_Header, Role::act_fill},
    {ImGuiCol_HeaderHovered, Role::act_fill},
    {ImGuiCol_HeaderActive, Role::act_fill},
    {ImGuiCol_CheckMark, Role::act},
    {ImGuiCol_ScrollbarBg, Role::panel},
    {ImGuiCol_ScrollbarGrab, Role::border},
    {ImGuiCol_ScrollbarGrabHovered, Role::idle},
    {ImGuiCol_ScrollbarGrabActive, Role::idle},
    {ImGuiCol_TextSelectedBg, Role::act_fill},
    {ImGuiCol_InputTextCursor, Role::text},
    {ImGuiCol_NavCursor, Role::act},
    {ImGuiCol_TableBorderLight, Role::border},
    {ImGuiCol_TableBorderStrong, Role::border},
    {ImGuiCol_Separator, Role::border},
};

}  // namespace

void set_style(const figures::Palette& palette, const ScreenFonts& fonts, float scale) {
    ImGuiStyle style;
    for (const StyleColour& entry : kColours) {
        const figures::Colour& rgba = palette[entry.role];
        style.Colors[entry.of] = {rgba.r, rgba.g, rgba.b, rgba.a};
    }
    style.FrameBorderSize = 1;
    style.FrameRounding = 6;
    style.PopupRounding = 6;
    style.GrabRounding = 6;
    style.ScrollbarRounding = 6;
    style.ScrollbarSize = 11;
    style.ItemSpacing = {8, 6};
    style.ItemInnerSpacing = {6, 4};
    style.SelectableTextAlign = {0, 0.5F};
    style.WindowPadding = {10, 8};
    style.CellPadding = {8, 6};
    style.DisabledAlpha = 0.5F;
    style.HoverStationaryDelay = 0.1F;
    style.HoverDelayShort = style.HoverDelayNormal = 0.3F;
    style.ScaleAllSizes(scale);
    style.FontSizeBase = fonts.imgui_size(Face::sans, kTextSize);
    style.FontScaleMain = scale;
    style.FramePadding = {9 * scale, (kTouch * scale - std::floor(style.FontSizeBase * scale)) / 2};
    ImGui::GetStyle() = style;
}

}  // namespace lab::gui

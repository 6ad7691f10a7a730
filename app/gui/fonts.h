// The typefaces on screen: the same files as in exported figures, sharp at every scale.
#pragma once

#include <array>
#include <filesystem>
#include <span>
#include <vector>

#include <imgui.h>

#include "figures/font.h"
#include "figures/palette.h"
#include "figures/scene.h"
namespace lab::gui {

inline constexpr float kTextSize = 14, kSmallSize = 12.5F, kTitleSize = 18;  // points

// A memory-mapped file: the fallback font has 20 MB, of which little is needed.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path& path);  // throws Problem
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

// Needs a current ImGui context, and must outlive its last frame.
class ScreenFonts {
  public:
    explicit ScreenFonts(const figures::Fonts& metrics);

    ImFont* font(figures::Face face) const { return fonts_[static_cast<std::size_t>(face)]; }
    // ImGui counts a font's size from ascent to descent; the size that gives an em of `size`.
    float imgui_size(figures::Face face, float size) const {
        return size * heights_[static_cast<std::size_t>(face)];
    }

  private:
    std::vector<MappedFile> files_;
    std::array<ImFont*, 3> fonts_{};
    std::array<float, 3> heights_{};
};

// How the controls look, from a palette and a scale.

void set_style(const figures::Palette& palette, const ScreenFonts& fonts, float scale);

}  // namespace lab::gui

#include "gui/parts/fonts.h"

#include <fcntl.h>
#include <freetype/freetype.h>
#include <imgui_freetype.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/problem.h"

namespace lab::gui {
namespace {

using figures::Face;
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

}  // namespace lab::gui

#include "figures/painters/save.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "base/paths.h"
#include "base/problem.h"
#include "figures/pass_figure.h"
#include "support/example_passes.h"
#include "support/temporary_folder.h"
#include "support/translated_texts.h"

#ifdef __SANITIZE_ADDRESS__
// Cairo 1.16 itself loses 768 bytes for each PDF with a font of the kind that Chinese is set in.
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libcairo";
}  // NOLINT
#endif

namespace lab::figures {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::uint32_t big_endian(const std::string& bytes, std::size_t index) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value = value << 8U | static_cast<unsigned char>(bytes.at(index + i));
    return value;
}

struct Size {
    std::uint32_t width, height;
    bool operator==(const Size&) const = default;
};
// From the first chunk of a PNG.
Size size_of(const std::string& bytes) {
    return {big_endian(bytes, 16), big_endian(bytes, 20)};
}

Scene everything() {
    Scene scene;
    scene.width = 120;
    scene.height = 40.5F;
    scene.title = "All shapes";
    scene.add(Rect{2, 2, 30, 20, 5, Role::race_fill, {Role::race, 2, Dash::dashed}, true});
    scene.add(Rect{0, 0, 0, -1, 9, Role::act, {Role::act, 1, Dash::solid}, true});
    scene.add(Path{{{0, 0}, {9, 0}, {9, 9}, {30, 30}}, true, true, Role::act, {}});
    scene.add(Path{{{5, 5}}, false, false, Role::none, {Role::act, 1, Dash::dotted}});
    scene.add(Path{});
    scene.add(Text{60, 20, "41 проход 轮 \xff", 12, Face::bold, Role::text, Anchor::middle});
    scene.add(Text{});
    return scene;
}

class Cairo : public testing::TestWithParam<const char*> {
  protected:
    const Fonts fonts_;
};
INSTANTIATE_TEST_SUITE_P(AllThemes, Cairo, testing::ValuesIn(kThemes));

TEST_P(Cairo, APngHasAPixelForEachPointAndScale) {
    const Palette palette = load_palette(GetParam());
    EXPECT_EQ(size_of(png(everything(), palette, fonts_, 1)), (Size{120, 41}));
    const std::string twice = png(everything(), palette, fonts_, 2);
    EXPECT_THAT(twice, StartsWith("\x89PNG"));
    EXPECT_EQ(size_of(twice), (Size{240, 81}));
}

TEST_P(Cairo, IsTheSameEachTime) {
    const Palette palette = load_palette(GetParam());
    EXPECT_EQ(png(everything(), palette, fonts_, 1.5), png(everything(), palette, Fonts(), 1.5));
}

TEST(CairoLimits, APictureTooLargeIsAProblem) {
    const Fonts fonts;
    const Palette palette = load_palette("light");
    Scene scene = everything();
    EXPECT_THROW(png(scene, palette, fonts, 1000), Problem);
    EXPECT_THROW(png(scene, palette, fonts, 0), Problem);
    EXPECT_THROW(png(scene, palette, fonts, std::numeric_limits<double>::quiet_NaN()), Problem);
    scene.width = 0;
    EXPECT_THROW(png(scene, palette, fonts, 1), Problem);
}

TEST(CairoPixels, AreSavedAsTheyAre) {
    const std::vector<std::uint8_t> pixels{255, 0, 0,   255, 0, 255, 0, 255,
                                           0,   0, 255, 128, 9, 9,   9, 0};
    const std::string bytes = png_of_pixels(2, 2, pixels);
    EXPECT_EQ(size_of(bytes), (Size{2, 2}));
    EXPECT_THROW(png_of_pixels(3, 2, pixels), Problem);
    EXPECT_THROW(png_of_pixels(0, 0, {}), Problem);
    EXPECT_THROW(png_of_pixels(-1, -4, pixels), Problem);
}

bool has(const char* program) {
    return std::system(fmt::format("command -v {} >/dev/null 2>&1", program).c_str()) == 0;
}

std::string output_of(const std::string& command) {
    std::string out;
    FILE* pipe = ::popen(command.c_str(), "r");
    std::array<char, 4096> part{};
    for (std::size_t count = 0; (count = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
        out.append(part.data(), count);
    ::pclose(pipe);
    return out;
}

TEST(CairoPdf, TextCanBeCopiedAndFontsAreInside) {
    if (!has("pdftotext") || !has("pdffonts"))
        GTEST_SKIP() << "needs pdftotext and pdffonts: apt-get install poppler-utils";
    const Fonts fonts;
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "figure.pdf";
    PassFigureOptions options;
    options.heading = true;
    write_file(file, pdf(pass_figure(eight(), options, fonts, translations_in("zh")),
                         load_palette("light"), fonts));
    const std::string text = output_of(fmt::format("pdftotext -layout '{}' -", file.string()));
    for (const char* words : {"每轮一次启动", "span = 2", "41", "14", "第 1 轮", "工作组 1"})
        EXPECT_THAT(text, HasSubstr(words));
    // A line a font, after two of heading; the columns "emb" and "uni" say yes.
    const std::string list = output_of(fmt::format("pdffonts '{}'", file.string()));
    std::size_t count = 0;
    for (std::size_t index = list.find("yes yes yes"); index != std::string::npos;
         index = list.find("yes yes yes", index + 1))
        ++count;
    EXPECT_EQ(count, 4U) << list;
    EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 6) << list;
}

TEST(CairoPdf, ASheetOfSeveralPagesHasEachOfThem) {
    const Fonts fonts;
    const Palette palette = load_palette("light");
    EXPECT_THROW(pdf(std::span<const Scene>(), palette, fonts), Problem);
    std::vector<Scene> pages(3, everything());
    pages[1].width = 400;
    pages[2].add(Text{5, 30, "the last", 12, Face::sans, Role::text, Anchor::start});
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "sheet.pdf";
    write_file(file, pdf(pages, palette, fonts));
    if (!has("pdftotext") || !has("pdfinfo"))
        GTEST_SKIP() << "needs pdftotext and pdfinfo: apt-get install poppler-utils";
    const std::string info = output_of(fmt::format("pdfinfo -f 1 -l 3 '{}'", file.string()));
    EXPECT_THAT(info, testing::ContainsRegex("Pages: +3\n"));
    EXPECT_THAT(info, testing::ContainsRegex("Page +2 size: +400 x"));
    EXPECT_THAT(output_of(fmt::format("pdftotext -f 3 '{}' -", file.string())),
                HasSubstr("the last"));
}

}  // namespace
}  // namespace lab::figures

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "base/problem.h"
#include "figures/font.h"
#include "support/temporary_folder.h"

namespace lab::figures {
namespace {

using testing::HasSubstr;

// Unlike numbers never look alike: one that loses a digit says so.
TEST(Fonts, ShortValuesKeepTheirSizeAndSayWhatTheyLose) {
    const Fonts fonts;
    const auto at = [&](const char* value, std::size_t letters) {
        const float width = fonts.text_width(std::string(letters, '0'), 10, Face::mono);
        return fonts.shortened_value(value, width + 0.1F, 10, Face::mono);
    };
    EXPECT_EQ(at("100000", 6), "100000");
    EXPECT_EQ(at("100000", 5), "1e5");
    EXPECT_EQ(at("100000000", 5), "1e8");
    EXPECT_EQ(at("-1469906944", 6), "≈-1e9");
    EXPECT_EQ(at("16777216", 7), "≈1.68e7");
    EXPECT_EQ(at("3.4028235e+38", 6), "≈3e38");
    EXPECT_EQ(at("0.000125", 7), "1.25e-4");
    EXPECT_EQ(at("16777216", 2), "1…");
    EXPECT_EQ(at("someone", 4), "som…");
}

TEST(Fonts, MeasureText) {
    const Fonts fonts;
    const float one = fonts.text_width("span = 2", 14, Face::sans);
    EXPECT_GT(one, 30);
    EXPECT_NEAR(fonts.text_width("span = 2", 28, Face::sans), 2 * one, 1e-3);
    EXPECT_EQ(fonts.text_width("", 14, Face::sans), 0);
    EXPECT_FLOAT_EQ(fonts.text_width("111", 10, Face::mono),
                    fonts.text_width("808", 10, Face::mono));
    EXPECT_GT(fonts.text_width("group", 14, Face::bold), fonts.text_width("group", 14, Face::sans));
    EXPECT_GT(fonts.ascent(10, Face::sans), fonts.cap_height(10, Face::sans));
    EXPECT_GT(fonts.cap_height(10, Face::mono), 6);
    EXPECT_GT(fonts.descent(10, Face::mono), 1);
}

TEST(Fonts, TakeWhatTheyLackFromTheChineseFace) {
    const Fonts fonts;
    const auto runs = fonts.shape("第 1 轮 проход", 10, Face::sans);
    std::string all;
    std::vector<FontFile> files;
    for (const GlyphRun& run : runs) {
        std::size_t bytes = 0;
        for (const Glyph& glyph : run.glyphs) {
            EXPECT_NE(glyph.index, 0U);
            bytes += glyph.bytes;
        }
        EXPECT_EQ(bytes, run.text.size());
        all += run.text;
        files.push_back(run.file);
    }
    EXPECT_EQ(all, "第 1 轮 проход");
    EXPECT_EQ(files, (std::vector{FontFile::cjk, FontFile::sans, FontFile::cjk, FontFile::sans}));
}

TEST(Fonts, GlyphsStandWhereTheirWidthsPutThem) {
    const Fonts fonts;
    const auto runs = fonts.shape("a轮b", 10, Face::mono);
    ASSERT_EQ(runs.size(), 3U);
    EXPECT_EQ(runs[0].glyphs[0].x, 0);
    EXPECT_FLOAT_EQ(runs[1].glyphs[0].x, fonts.text_width("a", 10, Face::mono));
    EXPECT_FLOAT_EQ(runs[2].glyphs[0].x, fonts.text_width("a轮", 10, Face::mono));
}

TEST(Fonts, DamagedTextIsReplaced) {
    const Fonts fonts;
    const auto runs = fonts.shape("a\xff\x01", 10, Face::sans);
    std::string all;
    for (const GlyphRun& run : runs)
        all += run.text;
    EXPECT_EQ(all, "a\uFFFD\uFFFD");
    EXPECT_GT(fonts.text_width("\xc0\x80\xfe", 10, Face::bold), 0);
}

TEST(Fonts, BoundsFollowTheAnchor) {
    const Fonts fonts;
    Text text{100, 50, "right", 14, Face::sans, Role::text, Anchor::start};
    const float width = fonts.text_width(text.text, 14, Face::sans);
    EXPECT_FLOAT_EQ(fonts.bounds(text).left, 100);
    EXPECT_FLOAT_EQ(fonts.bounds(text).right, 100 + width);
    text.anchor = Anchor::middle;
    EXPECT_FLOAT_EQ(fonts.bounds(text).left, 100 - width / 2);
    text.anchor = Anchor::end;
    EXPECT_FLOAT_EQ(fonts.bounds(text).right, 100);
    EXPECT_LT(fonts.bounds(text).top, 50);
    EXPECT_GT(fonts.bounds(text).bottom, 50);
}

TEST(Fonts, ShortenWhatIsTooLong) {
    const Fonts fonts;
    EXPECT_EQ(fonts.shortened("41", 100, 10, Face::mono), "41");
    const std::string text = fonts.shortened("12345678901234567890", 40, 10, Face::mono);
    EXPECT_THAT(text, testing::EndsWith("…"));
    EXPECT_LE(fonts.text_width(text, 10, Face::mono), 40);
    EXPECT_EQ(fonts.shortened("12345", 0, 10, Face::mono), "…");
}

TEST(Fonts, HandlesOutliveThem) {
    std::shared_ptr<FT_FaceRec_> face;
    {
        const Fonts fonts;
        face = fonts.handle(FontFile::mono);
    }
    EXPECT_NE(face, nullptr);
}

std::string problem_in(const fs::path& data) {
    ::setenv("REDUCTION_LAB_DATA", data.c_str(), 1);
    std::string text;
    try {
        const Fonts fonts;
    } catch (const Problem& problem) {
        text = problem.text();
    }
    ::unsetenv("REDUCTION_LAB_DATA");
    return text;
}

TEST(Fonts, AMissingOneSaysWhatToInstall) {
    const TemporaryFolder folder;
    EXPECT_THAT(problem_in(folder.path()), HasSubstr("fonts-inter"));
    write_file(folder.path() / "fonts" / "sans.otf", "this is no font");
    EXPECT_THAT(problem_in(folder.path()), HasSubstr("cannot be read"));
}

}  // namespace
}  // namespace lab::figures

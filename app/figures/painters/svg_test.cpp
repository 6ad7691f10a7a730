#include "figures/painters/save.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "figures/font.h"
#include "figures/pass_figure.h"
#include "support/example_passes.h"
#include "support/translated_texts.h"

namespace lab::figures {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// What is wrong with the XML; empty if nothing. Knows what our SVGs may use: elements with
// quoted attributes, text, and the five entities.
std::string fault_of(const std::string& xml) {
    std::vector<std::string> open;
    for (std::size_t index = 0; index < xml.size();) {
        if (xml[index] == '&') {
            const std::size_t end = xml.find(';', index);
            const std::string name =
                xml.substr(index, end == std::string::npos ? 1 : end - index + 1);
            if (name != "&amp;" && name != "&lt;" && name != "&gt;" && name != "&quot;")
                return "entity " + name;
            index = end + 1;
        } else if (xml[index] != '<') {
            if (static_cast<unsigned char>(xml[index]) < 0x20 && xml[index] != '\n')
                return "control";
            if (open.empty() && xml[index] != '\n') return "text outside";
            ++index;
        } else {
            const std::size_t end = xml.find('>', index);
            if (end == std::string::npos) return "unclosed tag";
            const std::string tag = xml.substr(index + 1, end - index - 1);
            if (tag.find('<') != std::string::npos) return "< in a tag";
            if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "quotes in " + tag;
            if (tag[0] == '/') {
                if (open.empty() || open.back() != tag.substr(1)) return "crossed " + tag;
                open.pop_back();
            } else if (tag.back() != '/') {
                open.push_back(tag.substr(0, tag.find(' ')));
            }
            index = end + 1;
        }
    }
    return open.empty() ? "" : "unclosed " + open.back();
}

std::string drawn(const Scene& scene) {
    return svg(scene, load_palette("light"));
}

Scene small() {
    Scene scene;
    scene.width = 100;
    scene.height = 50.125F;
    scene.title = "A < B & \"C\"";
    scene.description = "one\ntwo\x01";
    return scene;
}

TEST(Svg, SaysWhatItIs) {
    const std::string out = drawn(small());
    EXPECT_EQ(fault_of(out), "");
    EXPECT_THAT(out, AllOf(HasSubstr("viewBox=\"0 0 100 50.12\" width=\"100\" height=\"50.12\""),
                           HasSubstr("role=\"img\""), HasSubstr("aria-labelledby="),
                           HasSubstr("A &lt; B &amp; &quot;C&quot;</title>"),
                           HasSubstr("one two\uFFFD</desc>")));
}

TEST(Svg, TextIsText) {
    Scene scene = small();
    scene.add(Text{10.004F, 20.999F, "x <= y", 12.5F, Face::mono, Role::muted, Anchor::end}, "tip");
    scene.add(Text{0, 0, "第 1 轮", 14, Face::bold, Role::text, Anchor::middle});
    const std::string out = drawn(scene);
    EXPECT_EQ(fault_of(out), "");
    EXPECT_THAT(out, HasSubstr("<text x=\"10\" y=\"21\" font-family=\"'JetBrains Mono', 'Noto Sans "
                               "CJK SC', monospace\" font-size=\"12.5\""));
    EXPECT_THAT(out, HasSubstr("text-anchor=\"end\""));
    EXPECT_THAT(out, HasSubstr("<title>tip</title>x &lt;= y</text>"));
    EXPECT_THAT(out, HasSubstr("font-weight=\"600\" text-anchor=\"middle\""));
    EXPECT_THAT(out, HasSubstr(">第 1 轮</text>"));
}

TEST(Svg, ShapesHaveTheirColours) {
    Scene scene = small();
    scene.add(Rect{1, 2, 3, 4, 1.5F, Role::none, {Role::race, 2, Dash::dotted}, false});
    scene.add(Path{{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, true, true, Role::act, {}});
    scene.add(Path{{{0, 0}, {1, 1}}, false, false, Role::none, {Role::act, 1, Dash::dashed}});
    scene.add(Path{});
    const std::string out = drawn(scene);
    EXPECT_EQ(fault_of(out), "");
    EXPECT_THAT(out, HasSubstr("rx=\"1.5\" fill=\"none\" stroke=\"#b84700\" stroke-width=\"2\" "
                               "stroke-dasharray=\"0.01 4.4\""));
    EXPECT_THAT(out, HasSubstr("<path d=\"M0 0C1 1 2 2 3 3Z\" fill=\"#0064a0\"/>"));
    EXPECT_THAT(out, HasSubstr("<path d=\"M0 0L1 1\""));
    EXPECT_THAT(out, Not(HasSubstr("<pattern")));
}

TEST(Svg, HatchesWithOnePatternARole) {
    Scene scene = small();
    for (int i = 0; i < 2; ++i)
        scene.add(Rect{0, 0, 9, 9, 0, Role::race_fill, {Role::race, 2, Dash::solid}, true});
    const std::string out = drawn(scene);
    EXPECT_EQ(fault_of(out), "");
    EXPECT_EQ(out.find("<pattern"), out.rfind("<pattern"));
    EXPECT_THAT(out, HasSubstr("fill=\"url(#hatch-race)\""));
}

TEST(Svg, NumbersAreNeverStrange) {
    Scene scene = small();
    const float nan = std::numeric_limits<float>::quiet_NaN();
    scene.add(Rect{nan, -0.001F, -5, 1e9F, 0, Role::act, {}, false});
    EXPECT_THAT(drawn(scene), HasSubstr("<rect x=\"0\" y=\"0\" width=\"0\" height=\"1000000000\""));
}

TEST(Svg, AFigureIsWellFormedInEveryThemeAndLanguage) {
    const Fonts fonts;
    analysis::StepTable table = eight();
    table.title = "<&>";
    table.right = false;
    for (const char* language : kLanguages)
        for (const char* theme : kThemes)
            EXPECT_EQ(fault_of(svg(pass_figure(table, {}, fonts, translations_in(language)),
                                   load_palette(theme))),
                      "");
}

TEST(Svg, StrokesFollowTheTheme) {
    Scene scene = small();
    scene.add(Path{{{0, 0}, {1, 1}}, false, false, Role::none, {Role::act, 2, Dash::solid}});
    EXPECT_THAT(svg(scene, load_palette("projector")), HasSubstr("stroke-width=\"3\""));
}

TEST(Svg, ATipMayHaveLines) {
    Scene scene = small();
    scene.add(Rect{}, "median <1 ms\nright");
    EXPECT_EQ(fault_of(drawn(scene)), "");
    EXPECT_THAT(drawn(scene), HasSubstr("<title>median &lt;1 ms\nright</title>"));
}

TEST(Svg, WhatIsNotPaintedCanBeFelt) {
    Scene scene = small();
    scene.add(Rect{}, "a point");
    EXPECT_THAT(drawn(scene), HasSubstr("pointer-events=\"all\"><title>a point"));
}

TEST(Svg, AFillMayBeTranslucent) {
    Scene scene = small();
    Path band;
    band.points = {{0, 0}, {5, 0}, {5, 5}};
    band.fill = Role::series_1;
    band.opacity = 0.25F;
    scene.add(band);
    EXPECT_THAT(drawn(scene), HasSubstr("fill-opacity=\"0.25\""));
}

}  // namespace
}  // namespace lab::figures

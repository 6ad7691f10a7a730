#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "base/problem.h"
#include "figures/scene.h"
#include "support/temporary_folder.h"

namespace lab::figures {
namespace {

using testing::HasSubstr;
using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

double linear(double part) {
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}

Vector linear(const Colour& colour) {
    return {linear(colour.r), linear(colour.g), linear(colour.b)};
}

double luminance(const Colour& colour) {
    const auto [r, g, b] = linear(colour);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// As WCAG 2 defines it.
double contrast(const Colour& one, const Colour& other) {
    const auto [low, high] = std::minmax({luminance(one), luminance(other)});
    return (high + 0.05) / (low + 0.05);
}

// How linear RGB is seen: Machado, Oliveira, Fernandes, "A Physiologically-based Model for
// Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), the tables for severity 1.0.
struct Vision {
    const char* name;
    Matrix matrix;
};
constexpr std::array<Vision, 4> kVisions{{{"usual", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                                          {"protanopia",
                                           {{{0.152286, 1.052583, -0.204868},
                                             {0.114503, 0.786281, 0.099216},
                                             {-0.003882, -0.048116, 1.051998}}}},
                                          {"deuteranopia",
                                           {{{0.367322, 0.860646, -0.227968},
                                             {0.280085, 0.672501, 0.047413},
                                             {-0.011820, 0.042940, 0.968881}}}},
                                          {"tritanopia",
                                           {{{1.255528, -0.076749, -0.178779},
                                             {-0.078411, 0.930809, 0.147602},
                                             {0.004733, 0.691367, 0.303900}}}}}};

Vector times(const Matrix& matrix, const Vector& vector) {
    Vector out{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t i = 0; i < 3; ++i)
            out[row] += matrix[row][i] * vector[i];
    return out;
}

// CIE L*a*b*, white D65.
Vector lab_of(const Colour& colour, const Matrix& vision) {
    Vector rgb = times(vision, linear(colour));
    for (double& part : rgb)
        part = std::clamp(part, 0.0, 1.0);
    const Vector xyz = times({{{0.4124564, 0.3575761, 0.1804375},
                               {0.2126729, 0.7151522, 0.0721750},
                               {0.0193339, 0.1191920, 0.9503041}}},
                             rgb);
    const auto f = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Vector& one, const Vector& other) {
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

TEST(Palette, MeasuresAreRight) {
    EXPECT_NEAR(contrast({0, 0, 0, 1}, {1, 1, 1, 1}), 21, 1e-6);
    const Vector red = lab_of({1, 0, 0, 1}, kVisions[0].matrix);
    EXPECT_NEAR(red[0], 53.24, 0.05);
    EXPECT_NEAR(red[1], 80.09, 0.05);
    EXPECT_NEAR(red[2], 67.20, 0.05);
}

class PaletteThemes : public testing::TestWithParam<const char*> {
  protected:
    const Palette palette_ = load_palette(GetParam());
};
INSTANTIATE_TEST_SUITE_P(All, PaletteThemes, testing::ValuesIn(kThemes));

TEST_P(PaletteThemes, HasEveryRole) {
    EXPECT_EQ(palette_.name, GetParam());
    EXPECT_GE(palette_.stroke_scale, 1);
    EXPECT_GE(palette_.text_scale, 1);
    EXPECT_EQ(palette_[Role::none].a, 0);
    for (std::size_t role = 1; role < kRoles; ++role)
        EXPECT_EQ(palette_.colours[role].a, 1);
}

TEST_P(PaletteThemes, TextCanBeRead) {
    using enum Role;
    struct Use {
        Role text;
        std::vector<Role> on;
    };
    const std::vector<Use> uses{
        {text, {background, panel, act_fill, read_fill, wrote_fill, race_fill, idle_fill}},
        {muted, {background, panel, act_fill, read_fill, wrote_fill, race_fill, idle_fill}},
        {on_act, {act, wrote, race}},
        {act, {background, panel, act_fill}},
        {wrote, {background, panel, wrote_fill}},
        {race, {background, panel, race_fill}},
        {barrier_text, {background, panel}}};
    for (const Use& use : uses)
        for (const Role ground : use.on)
            EXPECT_GE(contrast(palette_[use.text], palette_[ground]), 4.5)
                << name_of(use.text) << " on " << name_of(ground);
}

// How far apart two meanings must be. Stone, Szafir, Setlur, "An Engineering Model for Color
// Difference as a Function of Size" (CIC 2014): half of all people see a difference between marks
// of s degrees if it is (5.1 + 0.8 / s, 5.3 + 1.5 / s, 5.4 + 2.9 / s) along L*, a* or b*. The
// smallest of our marks that is told by its colour, a work-item, is 22 points wide: about half a
// degree on a laptop, which asks for 6.6, 8.4 or 11.1. Shapes and words double every colour.
constexpr double kLeastDistance = 12;

TEST_P(PaletteThemes, MeaningsStayApartForEveryEye) {
    using enum Role;
    constexpr std::array meanings{act, read, wrote, barrier, race, idle};
    for (const Vision& vision : kVisions)
        for (std::size_t i = 0; i < meanings.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(lab_of(palette_[meanings[i]], vision.matrix),
                                   lab_of(palette_[meanings[j]], vision.matrix)),
                          kLeastDistance)
                    << name_of(meanings[i]) << " and " << name_of(meanings[j]) << ", "
                    << vision.name;
}

constexpr std::array kSeries{Role::series_1, Role::series_2, Role::series_3, Role::series_4,
                             Role::series_5, Role::series_6, Role::series_7};

// WCAG 2.1, success criterion 1.4.11: what a picture is understood by has 3:1.
TEST_P(PaletteThemes, SeriesStandOutFromTheirGround) {
    for (const Role series : kSeries)
        EXPECT_GE(contrast(palette_[series], palette_[Role::panel]), 3) << name_of(series);
}

// Apart from each other as far as meanings are, though markers of different shapes double them;
// and from what is wrong.
TEST_P(PaletteThemes, SeriesStayApartForEveryEye) {
    for (const Vision& vision : kVisions)
        for (std::size_t i = 0; i < kSeries.size(); ++i) {
            const Vector one = lab_of(palette_[kSeries[i]], vision.matrix);
            EXPECT_GE(distance(one, lab_of(palette_[Role::race], vision.matrix)), kLeastDistance)
                << name_of(kSeries[i]) << ", " << vision.name;
            for (std::size_t j = 0; j < i; ++j)
                EXPECT_GE(distance(one, lab_of(palette_[kSeries[j]], vision.matrix)),
                          kLeastDistance)
                    << name_of(kSeries[i]) << " and " << name_of(kSeries[j]) << ", " << vision.name;
        }
}

TEST(Palette, TheProjectorHasTheMostContrast) {
    const Palette light = load_palette("light"), projector = load_palette("projector");
    for (const Role role : {Role::text, Role::muted, Role::act, Role::wrote, Role::race,
                            Role::barrier, Role::read, Role::border, Role::idle})
        EXPECT_GT(contrast(projector[role], projector[Role::panel]),
                  contrast(light[role], light[Role::panel]))
            << name_of(role);
    EXPECT_GT(projector.stroke_scale, light.stroke_scale);
    EXPECT_GT(projector.text_scale, light.text_scale);
}

Problem problem_of(std::string_view theme) {
    try {
        load_palette(theme);
    } catch (const Problem& problem) {
        return problem;
    }
    return {};
}

TEST(Palette, AnUnknownThemeListsTheThemes) {
    EXPECT_THAT(problem_of("pink").hint, HasSubstr("light, dark, projector"));
}

TEST(Palette, ADamagedTableSaysWhere) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "assets" / "palette.json";
    ::setenv("REDUCTION_LAB_DATA", folder.path().c_str(), 1);
    for (const char* text :
         {"", "{", "[]", R"({"themes": {}})", R"({"themes": {"light": 1}})",
          R"({"themes": {"light": {"stroke_scale": 1, "text_scale": 1, "colours": {}}}})",
          R"({"themes": {"light": {"stroke_scale": 1, "text_scale": 1,
                                   "colours": {"background": "white"}}}})"}) {
        write_file(file, text);
        EXPECT_EQ(problem_of("light").where, file.string()) << text;
    }
    ::unsetenv("REDUCTION_LAB_DATA");
}

}  // namespace
}  // namespace lab::figures

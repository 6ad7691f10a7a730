#include "catalogue/launch_shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/problem.h"
#include "catalogue/plan.h"

namespace lab::catalogue {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kShapeText = R"(/* title:   A title
 * chapter: A 6
 * origin:  new
 * teaches: something
 * entry:   f
 * plan:    once
 * args:    data: const T[n] = input, out: T[1]
 * global:  PER_UNIT * units * group
 * local:   group
 * result:  out
 * depth:   n
 * toggle:  K = 4, 1, 8
 * toggle:  PER_UNIT = 2, 16
 * toggle:  WARP = none, ptx
 * needs:   atomics, ptx when WARP=ptx
 * shape:   cpu: group = 1, PER_UNIT = 16
 * shape:   gpu: group = 512, K = 8
 * shape:   nvidia: WARP = ptx
 * tune:    group, K
 * expect:  correct
 */
kernel void f(global const T* data, global T* out) {}
)";

std::string with_shape(const std::string& from, const std::string& to) {
    std::string text = kShapeText;
    text.replace(text.find(from), from.size(), to);
    return text;
}

Problem problem_with_shape(const std::string& from, const std::string& to) {
    try {
        (void)parse_variant("some_name.cl", with_shape(from, to));
    } catch (const Problem& problem) {
        return problem;
    }
    return {"no problem", "", "", ""};
}

std::vector<std::string> texts(const std::vector<LaunchShape>& shapes) {
    std::vector<std::string> result;
    for (const LaunchShape& shape : shapes)
        result.push_back(text_of(shape));
    return result;
}

TEST(LaunchShape, IsLayeredByKindOfDevice) {
    const Variant variant = parse_variant("v.cl", kShapeText);
    EXPECT_EQ(text_of(launch_shape(variant, {"cpu"})), "group=1 PER_UNIT=16");
    EXPECT_EQ(text_of(launch_shape(variant, {"gpu"})), "group=512 K=8");
    EXPECT_EQ(text_of(launch_shape(variant, {"gpu", "nvidia"})), "group=512 K=8 WARP=ptx");
    EXPECT_EQ(text_of(launch_shape(variant, {})), "");
    EXPECT_EQ(text_of(layered({64, {{"K", "1"}, {"WARP", "ptx"}}}, {0, {{"K", "8"}}})),
              "group=64 K=8 WARP=ptx");
}

TEST(LaunchShape, NeighboursDifferInOneThingWithinItsLimits) {
    const Variant variant = parse_variant("v.cl", kShapeText);
    const LaunchShape shape{512, {{"K", "8"}}};
    EXPECT_THAT(texts(neighbours(variant, shape, "group", 1024)),
                ElementsAre("group=256 K=8", "group=1024 K=8", "group=64 K=8"));
    EXPECT_THAT(texts(neighbours(variant, {1, {}}, "group", 4096)),
                ElementsAre("group=2", "group=8"));
    EXPECT_THAT(texts(neighbours(variant, shape, "K", 1024)),
                ElementsAre("group=512 K=4", "group=512 K=1"));
    EXPECT_THAT(texts(neighbours(variant, shape, "PER_UNIT", 1024)),
                ElementsAre("group=512 K=8 PER_UNIT=16"));
}

TEST(LaunchShape, AMistakeNamesItsLineAndWhatThereIs) {
    const auto why = [](const std::string& from, const std::string& to) {
        const Problem problem = problem_with_shape(from, to);
        EXPECT_THAT(problem.where, HasSubstr("some_name.cl:")) << to;
        return problem.why + "; " + problem.hint;
    };
    EXPECT_THAT(why("cpu: group", "toaster: group"), HasSubstr("'toaster' is no kind of device"));
    EXPECT_THAT(why("gpu: group", "cpu: group"), HasSubstr("'cpu' is there twice"));
    EXPECT_THAT(why("group = 512", "group = many"), HasSubstr("'many' is no number"));
    EXPECT_THAT(why("group = 512", "group = 0"), HasSubstr("'0' is no number"));
    EXPECT_THAT(why("K = 8", "J = 8"), HasSubstr("'J' is neither group nor a toggle"));
    EXPECT_THAT(why("group = 512, K = 8", "group = 512, K = 3"), HasSubstr("4, 1, 8"));
    EXPECT_THAT(why("group = 512, K = 8", "group = 512, K"), HasSubstr("'K' sets nothing"));
    EXPECT_THAT(why("tune:    group, K", "tune:    group, J"), HasSubstr("'J'"));
    EXPECT_THAT(why("ptx when WARP=ptx", "ptx when WARP=fast"), HasSubstr("'WARP=fast'"));
}

TEST(Needs, MayHangOnAToggle) {
    const Variant variant = parse_variant("v.cl", kShapeText);
    Shape shape;
    EXPECT_THAT(needs_of(variant, shape), ElementsAre(Need::atomics));
    shape.set["WARP"] = "ptx";
    EXPECT_THAT(needs_of(variant, shape), ElementsAre(Need::atomics, Need::ptx));
    EXPECT_THAT(kernel_text(variant, shape).needs, ElementsAre(Need::atomics, Need::ptx));
}

}  // namespace
}  // namespace lab::catalogue

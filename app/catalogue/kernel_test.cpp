#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/paths.h"
#include "base/problem.h"
#include "catalogue/kernel.h"
#include "catalogue/plan.h"
#include "support/shipped_kernels.h"
#include "support/temporary_folder.h"

namespace lab::catalogue {
namespace {

using testing::HasSubstr;

const std::string kGood = R"(/* title:   A title
 * chapter: A 6
 * origin:  document A
 * teaches: One thing
 *          over two lines.
 * entry:   reduce
 * plan:    per-pass
 * pass:    span = 2; span < 2 * n; span * 2
 * toggle:  BARRIER = none, group
 * toggle:  ITEMS = 4, 1
 * args:    data: T[n] = input, flags: uint[groups] = 0, span: uint, buf: local T[group]
 * global:  round_up(n, group)
 * local:   group
 * result:  data
 * depth:   1
 * legal:   n <= 100
 * expect:  races when BARRIER=none or ITEMS=1
 */
kernel void reduce() {}
)";

Problem problem_with_header(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const auto position = text.find(from);
    EXPECT_NE(position, std::string::npos) << from;
    text.replace(position, from.size(), to);
    try {
        parse_kernel("some_name.cl", text);
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no problem with " << to;
    return {};
}

TEST(Kernel, ReadsItsHeader) {
    const Kernel variant = parse_kernel("some_name.cl", kGood);
    EXPECT_EQ(variant.id, "some-name");
    EXPECT_EQ(variant.chapter, "A");
    EXPECT_EQ(variant.order, 6);
    EXPECT_EQ(variant.teaches, "One thing over two lines.");
    EXPECT_EQ(variant.plan.kind, PlanKind::per_pass);
    EXPECT_EQ(variant.plan.pass.name, "span");
    ASSERT_EQ(variant.plan.arguments.size(), 4U);
    EXPECT_EQ(variant.plan.arguments[0].fill, ArgumentPlan::Fill::input);
    EXPECT_FALSE(variant.plan.arguments[0].type.has_value());
    EXPECT_EQ(variant.plan.arguments[1].type, Type::uint_);
    EXPECT_EQ(variant.plan.arguments[1].fill, ArgumentPlan::Fill::number);
    EXPECT_EQ(variant.plan.arguments[3].kind, ArgumentPlan::Kind::local);
    EXPECT_EQ(variant.plan.expect.when({{"BARRIER", 1}, {"ITEMS", 4}}), 0);
    EXPECT_EQ(variant.plan.expect.when({{"BARRIER", 0}, {"ITEMS", 4}}), 1);
    EXPECT_EQ(variant.plan.expect.when({{"BARRIER", 1}, {"ITEMS", 1}}), 1);
}

TEST(Kernel, ExpectsRacesWhereAToggleHasAnyOtherValue) {
    std::string text = kGood;
    const std::string from = "BARRIER=none or ITEMS=1";
    text.replace(text.find(from), from.size(), "BARRIER!=group and groups != 1");
    const Kernel variant = parse_kernel("v.cl", text);
    EXPECT_EQ(variant.plan.expect.when({{"BARRIER", 0}, {"groups", 2}}), 1);
    EXPECT_EQ(variant.plan.expect.when({{"BARRIER", 1}, {"groups", 2}}), 0);
    EXPECT_EQ(variant.plan.expect.when({{"BARRIER", 0}, {"groups", 1}}), 0);
}

TEST(Kernel, NumbersToggleWords) {
    const Kernel variant = parse_kernel("v.cl", kGood);
    EXPECT_EQ(variant.toggle("BARRIER")->number_of("none"), 0);
    EXPECT_EQ(variant.toggle("BARRIER")->number_of("group"), 1);
    EXPECT_EQ(variant.toggle("ITEMS")->number_of("4"), 4);
    EXPECT_THROW((void)variant.toggle("ITEMS")->number_of("5"), Problem);
}

TEST(Kernel, NamesFileLineAndKeyOfAMistake) {
    const Problem plan = problem_with_header("per-pass", "sometimes");
    EXPECT_EQ(plan.where, "some_name.cl:7");
    EXPECT_THAT(plan.what_happened, HasSubstr("'plan'"));
    EXPECT_THAT(problem_with_header("span < 2 * n", "span < 2 * m").what_happened,
                HasSubstr("'pass'"));
    EXPECT_THAT(problem_with_header("chapter: A 6", "chapter: A").what_happened,
                HasSubstr("'chapter'"));
    EXPECT_THAT(problem_with_header("data: T[n]", "data: half[n]").what_happened,
                HasSubstr("'args'"));
    EXPECT_THAT(problem_with_header("result:  data", "result:  out").what_happened,
                HasSubstr("'result'"));
    EXPECT_THAT(problem_with_header("BARRIER=none", "BARRIER=some").what_happened,
                HasSubstr("'expect'"));
    EXPECT_THAT(
        problem_with_header("expect:  races when BARRIER=none or ITEMS=1", "expect:  partial")
            .what_happened,
        HasSubstr("'every'"));
    EXPECT_THAT(problem_with_header("legal:   n <= 100", "needs:   wings").what_happened,
                HasSubstr("'needs'"));
    EXPECT_THAT(problem_with_header("legal:   n <= 100", "stuck:   data").what_happened,
                HasSubstr("'stuck'"));
    EXPECT_THAT(problem_with_header("data: T[n] = input", "data: T[n + 1] = input").why,
                HasSubstr("'data'"));
    EXPECT_THAT(problem_with_header("data: T[n] = input", "data: T[n] = values").why,
                HasSubstr("partials"));
    EXPECT_THAT(problem_with_header("data: T[n] = input", "data: T[n] = input, data: uint = n").why,
                HasSubstr("twice"));
    EXPECT_THAT(problem_with_header("origin:", "orogin:").what_happened, HasSubstr("'orogin'"));
    EXPECT_THAT(problem_with_header(" * local:   group\n", "").what_happened, HasSubstr("'local'"));
    EXPECT_THAT(problem_with_header("legal:   n <= 100", "title: twice").what_happened,
                HasSubstr("twice"));
    EXPECT_THAT(problem_with_header("/* title:", "title:").what_happened, HasSubstr("no header"));
}

TEST(Catalogue, LoadsTheOthersWhenOneIsWrong) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "good_one.cl") << kGood;
    std::ofstream(folder.path() / "bad.cl") << "kernel void f() {}";
    std::ofstream(folder.path() / "notes.txt") << "no kernel";
    const Catalogue catalogue = load_catalogue(folder.path());
    ASSERT_EQ(catalogue.variants.size(), 1U);
    EXPECT_EQ(catalogue.variants[0].id, "good-one");
    ASSERT_EQ(catalogue.problems.size(), 1U);
    EXPECT_THAT(catalogue.problems[0].where, HasSubstr("bad.cl"));
}

TEST(Catalogue, ShippedKernelsAllLoad) {
    const fs::path folder = fs::path(LAB_SOURCE_DIR) / "kernels";
    const Catalogue catalogue = load_catalogue(folder);
    for (const Problem& problem : catalogue.problems)
        ADD_FAILURE() << problem.text();
    std::size_t texts = 0;
    for (const fs::directory_entry& file : fs::directory_iterator(folder))
        texts += file.path().extension() == ".cl";
    EXPECT_EQ(catalogue.variants.size(), texts);
    EXPECT_GE(texts, 27U);
    EXPECT_NO_THROW((void)catalogue.find("relaunch"));
    try {
        (void)catalogue.find("nothing");
        ADD_FAILURE();
    } catch (const Problem& problem) {
        EXPECT_THAT(problem.hint, HasSubstr("relaunch"));
    }
}

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
        (void)parse_kernel("some_name.cl", with_shape(from, to));
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
    const Kernel variant = parse_kernel("v.cl", kShapeText);
    EXPECT_EQ(text_of(launch_shape(variant, {"cpu"})), "group=1 PER_UNIT=16");
    EXPECT_EQ(text_of(launch_shape(variant, {"gpu"})), "group=512 K=8");
    EXPECT_EQ(text_of(launch_shape(variant, {"gpu", "nvidia"})), "group=512 K=8 WARP=ptx");
    EXPECT_EQ(text_of(launch_shape(variant, {})), "");
    EXPECT_EQ(text_of(layered({64, {{"K", "1"}, {"WARP", "ptx"}}}, {0, {{"K", "8"}}})),
              "group=64 K=8 WARP=ptx");
}

TEST(LaunchShape, NeighboursDifferInOneThingWithinItsLimits) {
    const Kernel variant = parse_kernel("v.cl", kShapeText);
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
    const Kernel variant = parse_kernel("v.cl", kShapeText);
    Shape shape;
    EXPECT_THAT(needs_of(variant, shape), ElementsAre(Need::atomics));
    shape.set["WARP"] = "ptx";
    EXPECT_THAT(needs_of(variant, shape), ElementsAre(Need::atomics, Need::ptx));
}

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::string kText = R"(/* title:   A title
 * chapter: A 6
 * origin:  new
 * teaches: something
 * entry:   f
 * plan:    once
 * args:    data: const T[n] = input, out: T[1]
 * global:  group
 * local:   group
 * result:  out
 * depth:   n
 * toggle:  SYNC = none, barrier
 * toggle:  K = 4, 1
 * expect:  correct
 * after:   the-first
 * gain:    gpu 1.7, cpu 1.0 when SYNC=barrier and K=4
 * why:     Half as many barriers,
 *          and no work more.
 */
kernel void f(global const T* data, global T* out) {}
)";

std::string with(const std::string& from, const std::string& to) {
    std::string text = kText;
    const auto position = text.find(from);
    EXPECT_NE(position, std::string::npos) << from;
    return text.replace(position, from.size(), to);
}

Problem problem_with(const std::string& from, const std::string& to) {
    try {
        (void)parse_kernel("some_name.cl", with(from, to));
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no problem with " << to;
    return {};
}

const std::string kWithout = with(
    " * after:   the-first\n * gain:    gpu 1.7, cpu 1.0 when SYNC=barrier and K=4\n * why:     "
    "Half "
    "as many barriers,\n *          and no work more.\n",
    "");

// Of files NAME.cl that come after another one, or after none.
Catalogue catalogue_of(const std::vector<std::pair<std::string, std::string>>& files) {
    const TemporaryFolder folder;
    int order = 1;
    for (const auto& [name, after] : files) {
        std::string text = after.empty() ? kWithout : with("the-first", after);
        text.replace(text.find("A 6"), 3, "A " + std::to_string(order++));
        std::ofstream(folder.path() / (name + ".cl")) << text;
    }
    return load_catalogue(folder.path());
}

std::vector<std::string> ids(const std::vector<GainStep>& steps) {
    std::vector<std::string> texts;
    for (const GainStep& step : steps)
        texts.push_back(step.id);
    return texts;
}

TEST(Gain, IsReadWithTheFormThatIsMeant) {
    const Gain gain = parse_kernel("v.cl", kText).gain;
    EXPECT_EQ(gain.after, "the-first");
    EXPECT_THAT(gain.predicted, ElementsAre(Pair("cpu", 1.0), Pair("gpu", 1.7)));
    // A default need not be asked for, and so rows of results do not name it.
    EXPECT_THAT(gain.set, ElementsAre(Pair("SYNC", "barrier")));
    EXPECT_EQ(gain.why, "Half as many barriers, and no work more.");
    EXPECT_EQ(gain.where, "v.cl:15");
    EXPECT_EQ(parse_kernel("v.cl", kWithout).gain.after, "");
}

TEST(Gain, AMistakeNamesItsLineAndWhatThereIs) {
    const auto why = [](const std::string& from, const std::string& to) {
        const Problem problem = problem_with(from, to);
        EXPECT_THAT(problem.where, HasSubstr("some_name.cl:")) << to;
        return problem.what_happened + "; " + problem.why + "; " + problem.hint;
    };
    EXPECT_THAT(why("gpu 1.7", "toaster 1.7"), HasSubstr("'toaster' is no kind of device"));
    EXPECT_THAT(why("gpu 1.7", "cpu 1.7"), HasSubstr("'cpu' is there twice"));
    EXPECT_THAT(why("gpu 1.7", "gpu fast"), HasSubstr("'fast' is no factor"));
    EXPECT_THAT(why("gpu 1.7", "gpu 0"), HasSubstr("'0' is no factor"));
    EXPECT_THAT(why("gpu 1.7", "gpu -2"), HasSubstr("'-2' is no factor"));
    EXPECT_THAT(why("gpu 1.7", "gpu nan"), HasSubstr("'nan' is no factor"));
    EXPECT_THAT(why("gpu 1.7", "gpu"), HasSubstr("'gpu' is no kind and factor"));
    EXPECT_THAT(why("SYNC=barrier", "SYNC=maybe"), HasSubstr("'SYNC=maybe'"));
    EXPECT_THAT(why("K=4", "J=4"), HasSubstr("'J=4'"));
    EXPECT_THAT(why(" * after:   the-first\n", ""), HasSubstr("'after' is missing"));
    EXPECT_THAT(why(" * gain:    gpu 1.7, cpu 1.0 when SYNC=barrier and K=4\n", ""),
                HasSubstr("'gain' is missing"));
    EXPECT_THAT(why("Half as many barriers,\n *          and no work more.", ""),
                HasSubstr("'why' has no value"));
}

TEST(Gain, StepsStandBehindWhatTheyComeAfter) {
    const Catalogue catalogue = catalogue_of(
        {{"b", ""}, {"a", ""}, {"c", "a"}, {"d", "b"}, {"e", "a"}, {"f", "c"}, {"g", "b"}});
    EXPECT_THAT(catalogue.problems, IsEmpty());
    const auto steps = gain_steps(catalogue);
    EXPECT_THAT(ids(steps), ElementsAre("c", "d", "e", "f", "g"));
    EXPECT_THAT(in_order(steps), ElementsAre("a", "c", "f", "e", "b", "d", "g"));
    EXPECT_EQ(find_step(steps, "a"), nullptr);
    EXPECT_EQ(find_step(steps, "f")->gain.after, "c");
}

TEST(Gain, WhatComesAfterNothingThereLoadsWithoutItsGain) {
    const Catalogue catalogue = catalogue_of({{"a", ""}, {"b", "nowhere"}, {"c", "b"}});
    EXPECT_EQ(catalogue.variants.size(), 3U);
    ASSERT_EQ(catalogue.problems.size(), 1U);
    EXPECT_THAT(catalogue.problems[0].what_happened, HasSubstr("'b' comes after 'nowhere'"));
    EXPECT_EQ(catalogue.problems[0].where, "b.cl:15");
    EXPECT_THAT(ids(gain_steps(catalogue)), ElementsAre("c"));
}

TEST(Gain, ACircleIsAProblemOfEachInItAndOfNoOther) {
    const Catalogue catalogue =
        catalogue_of({{"a", "c"}, {"b", "a"}, {"c", "b"}, {"d", "c"}, {"e", "e"}});
    EXPECT_EQ(catalogue.variants.size(), 5U);
    ASSERT_EQ(catalogue.problems.size(), 4U);
    EXPECT_EQ(catalogue.problems[0].what_happened, "'a' comes after itself");
    EXPECT_EQ(catalogue.problems[0].why, "a after c after b after a");
    EXPECT_EQ(catalogue.problems[3].why, "e after e");
    EXPECT_THAT(ids(gain_steps(catalogue)), ElementsAre("d"));
    EXPECT_THAT(in_order(gain_steps(catalogue)), ElementsAre("c", "d"));
}

TEST(Gain, AnOpenedFileMayComeAfterWhatIsThere) {
    Catalogue catalogue = catalogue_of({{"the_first", ""}});
    add_opened(catalogue, parse_opened(catalogue, "mine.cl", kText));
    EXPECT_THAT(ids(gain_steps(catalogue)), ElementsAre("mine"));
    EXPECT_THROW((void)parse_opened(catalogue, "other.cl", with("the-first", "nowhere")), Problem);
    EXPECT_THROW((void)parse_opened(catalogue, "mine.cl", with("the-first", "mine")), Problem);
    // Its newer text counts, not the one it takes the place of.
    add_opened(catalogue, parse_opened(catalogue, "other.cl", with("the-first", "mine")));
    EXPECT_THROW((void)parse_opened(catalogue, "mine.cl", with("the-first", "other")), Problem);
    EXPECT_NO_THROW((void)parse_opened(catalogue, "other.cl", kWithout));
}

TEST(Gain, EachShippedStepIsPredictedForAKindOfDevice) {
    const Catalogue& catalogue = shipped();
    const auto steps = gain_steps(catalogue);
    EXPECT_GE(steps.size(), 12U);
    for (const GainStep& step : steps) {
        EXPECT_FALSE(step.gain.predicted.empty()) << step.id;
        EXPECT_GT(step.gain.why.size(), 60U) << step.id;
    }
    const auto order = in_order(steps);
    EXPECT_EQ(order.size(), std::set<std::string>(order.begin(), order.end()).size());
}

}  // namespace
}  // namespace lab::catalogue

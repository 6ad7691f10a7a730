#include "catalogue/gain.h"

#include <gmock/gmock.h>

#include <fstream>
#include <set>

#include "base/paths.h"
#include "support/shipped_kernels.h"
#include "support/temporary_folder.h"

namespace lab::catalogue {
namespace {

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
        (void)parse_variant("some_name.cl", with(from, to));
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
    const Gain gain = parse_variant("v.cl", kText).gain;
    EXPECT_EQ(gain.after, "the-first");
    EXPECT_THAT(gain.predicted, ElementsAre(Pair("cpu", 1.0), Pair("gpu", 1.7)));
    // A default need not be asked for, and so rows of results do not name it.
    EXPECT_THAT(gain.set, ElementsAre(Pair("SYNC", "barrier")));
    EXPECT_EQ(gain.why, "Half as many barriers, and no work more.");
    EXPECT_EQ(gain.where, "v.cl:15");
    EXPECT_EQ(parse_variant("v.cl", kWithout).gain.after, "");
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

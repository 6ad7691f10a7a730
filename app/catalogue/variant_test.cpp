#include "catalogue/variant.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/paths.h"
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
        parse_variant("some_name.cl", text);
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << "no problem with " << to;
    return {};
}

TEST(Variant, ReadsItsHeader) {
    const Variant variant = parse_variant("some_name.cl", kGood);
    EXPECT_EQ(variant.id, "some-name");
    EXPECT_EQ(variant.chapter, "A");
    EXPECT_EQ(variant.order, 6);
    EXPECT_EQ(variant.teaches, "One thing over two lines.");
    EXPECT_EQ(variant.plan, PlanKind::per_pass);
    EXPECT_EQ(variant.pass.name, "span");
    ASSERT_EQ(variant.arguments.size(), 4U);
    EXPECT_EQ(variant.arguments[0].fill, Argument::Fill::input);
    EXPECT_FALSE(variant.arguments[0].type.has_value());
    EXPECT_EQ(variant.arguments[1].type, Type::uint_);
    EXPECT_EQ(variant.arguments[1].fill, Argument::Fill::number);
    EXPECT_EQ(variant.arguments[3].kind, Argument::Kind::local);
    EXPECT_EQ(variant.expect.when({{"BARRIER", 1}, {"ITEMS", 4}}), 0);
    EXPECT_EQ(variant.expect.when({{"BARRIER", 0}, {"ITEMS", 4}}), 1);
    EXPECT_EQ(variant.expect.when({{"BARRIER", 1}, {"ITEMS", 1}}), 1);
}

TEST(Variant, ExpectsRacesWhereAToggleHasAnyOtherValue) {
    std::string text = kGood;
    const std::string from = "BARRIER=none or ITEMS=1";
    text.replace(text.find(from), from.size(), "BARRIER!=group and groups != 1");
    const Variant variant = parse_variant("v.cl", text);
    EXPECT_EQ(variant.expect.when({{"BARRIER", 0}, {"groups", 2}}), 1);
    EXPECT_EQ(variant.expect.when({{"BARRIER", 1}, {"groups", 2}}), 0);
    EXPECT_EQ(variant.expect.when({{"BARRIER", 0}, {"groups", 1}}), 0);
}

TEST(Variant, NumbersToggleWords) {
    const Variant variant = parse_variant("v.cl", kGood);
    EXPECT_EQ(variant.toggle("BARRIER")->number_of("none"), 0);
    EXPECT_EQ(variant.toggle("BARRIER")->number_of("group"), 1);
    EXPECT_EQ(variant.toggle("ITEMS")->number_of("4"), 4);
    EXPECT_THROW((void)variant.toggle("ITEMS")->number_of("5"), Problem);
}

TEST(Variant, NamesFileLineAndKeyOfAMistake) {
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

}  // namespace
}  // namespace lab::catalogue

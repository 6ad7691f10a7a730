#include "shrink.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reductions.h"

namespace lab::differential {
namespace {

TEST(Shrink, LeavesWhatThePredicateWants) {
    GeneratedKernel kernel = generate(11);
    kernel.text = R"(int helper(int x) { return x + 1; }
kernel void test(global int* out) {
    int a = helper(3);
    if (a > 2) {
        for (int i = 0; i < 3; ++i) {
            a += rotate((a ^ 5), helper(a));
        }
    }
    out[0] = a;
}
)";
    const GeneratedKernel small = shrink(kernel, [](const GeneratedKernel& candidate) {
        return candidate.text.find("rotate(") != std::string::npos;
    });
    EXPECT_EQ(lines_of(small.text).size(), 1U) << small.text;
    EXPECT_EQ(small.text.find('^'), std::string::npos) << small.text;
}

TEST(Shrink, TextsStayBalanced) {
    const GeneratedKernel kernel = generate(12);
    unsigned asked = 0;
    shrink(
        kernel,
        [&](const GeneratedKernel& candidate) {
            ++asked;
            const std::string& text = candidate.text;
            EXPECT_EQ(std::count(text.begin(), text.end(), '('),
                      std::count(text.begin(), text.end(), ')'));
            EXPECT_EQ(std::count(text.begin(), text.end(), '{'),
                      std::count(text.begin(), text.end(), '}'));
            return candidate.text.find("hashes[gid] = ") != std::string::npos;
        },
        500);
    EXPECT_GT(asked, 10U);
    EXPECT_LE(asked, 500U);
}

TEST(Shrink, NothingElseFailsNothingChanges) {
    const GeneratedKernel kernel = generate(13);
    const GeneratedKernel same = shrink(
        kernel, [](const GeneratedKernel&) { return false; }, 300);
    EXPECT_EQ(same.text, kernel.text);
}

TEST(Shrink, KeptLinesGoWithTheirBlockOnly) {
    const std::vector<std::string> lines = {"{", "x = 1;", "barrier();  // keep", "}", "y = 2;"};
    EXPECT_TRUE(removable(lines, 0, 4));
    EXPECT_TRUE(removable(lines, 1, 2));
    EXPECT_FALSE(removable(lines, 1, 3));
    EXPECT_FALSE(removable(lines, 2, 3));
    EXPECT_FALSE(removable(lines, 0, 2));
    EXPECT_TRUE(removable(lines, 4, 5));
    EXPECT_EQ(block_end(lines, 0), 4U);
    EXPECT_EQ(block_end(lines, 1), 1U);
}

TEST(Shrink, GuardsStay) {
    for (const std::string& form : simpler("x = a / safe_divisor_int(b + (c * 2));"))
        EXPECT_EQ(form.find("/ b"), std::string::npos) << form;
    EXPECT_FALSE(has_expressions("int safe_divisor_int(int x) { return (x & 7) + 1; }"));
    EXPECT_FALSE(has_expressions("    for (int i = 0; i < (3); ++i) {"));
    EXPECT_FALSE(has_expressions("    while (left-- > 0) {"));
    EXPECT_FALSE(has_expressions("    const uint gid = (uint)get_global_id(0);"));
    EXPECT_TRUE(has_expressions("    int y = (x & 7);"));
}

TEST(Shrink, PartsBecomeTheirOperands) {
    const std::vector<std::string> forms = simpler("y = (a + f(b, 'c'));");
    for (const char* form : {"y = a;", "y = f(b, 'c');", "y = 1;", "y = (a + b);", "y = (a + 1);"})
        EXPECT_NE(std::find(forms.begin(), forms.end(), form), forms.end()) << form;
}

}  // namespace
}  // namespace lab::differential

#include "generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <regex>
#include <set>

namespace lab::differential {
namespace {

constexpr std::uint64_t seeds = 500;

TEST(Generate, SameSeedSameKernel) {
    const GeneratedKernel first = generate(7), second = generate(7);
    EXPECT_EQ(first.text, second.text);
    EXPECT_EQ(first.range, second.range);
    ASSERT_EQ(first.buffers.size(), second.buffers.size());
    for (std::size_t i = 0; i < first.buffers.size(); ++i)
        EXPECT_EQ(first.buffers[i].bytes, second.buffers[i].bytes);
}

TEST(Generate, DifferentSeedsDiffer) {
    std::set<std::string> texts;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
        texts.insert(generate(seed).text);
    EXPECT_EQ(texts.size(), 100U);
}

TEST(Generate, SizeIsHeeded) {
    const std::string small = generate(3, {1, 2, 0, 0}).text;
    const std::string large = generate(3, {30, 3, 3, 2}).text;
    EXPECT_LT(small.size(), large.size());
}

TEST(Generate, LaunchAndArgumentsFitTogether) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const GeneratedKernel kernel = generate(seed);
        EXPECT_EQ(kernel.range.global[0] % kernel.range.local[0], 0U) << seed;
        ASSERT_FALSE(kernel.buffers.empty()) << seed;
        for (const GeneratedBuffer& buffer : kernel.buffers) {
            EXPECT_FALSE(buffer.bytes.empty()) << seed;
            EXPECT_EQ(buffer.bytes.size() % buffer.count, 0U) << seed;
        }
        const std::size_t start = kernel.text.rfind("void test(");
        ASSERT_NE(start, std::string::npos) << seed;
        const std::string signature =
            kernel.text.substr(start, kernel.text.find('{', start) - start);
        const auto commas = std::count(signature.begin(), signature.end(), ',');
        EXPECT_EQ(commas + 1, std::ssize(kernel.buffers) + std::ssize(kernel.locals)) << seed;
    }
}

TEST(Generate, LaunchesOfSeveralDimensionsAreWholeGroups) {
    Size size;
    std::set<std::uint64_t> seen[3];
    for (size.dims = 2; size.dims <= 3; ++size.dims)
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
            const NDRange range = generate(seed, size).range;
            EXPECT_EQ(range.dims, size.dims) << seed;
            for (unsigned i = 0; i < 3; ++i) {
                EXPECT_EQ(range.global[i] % range.local[i], 0U) << seed;
                seen[i].insert(range.local[i]);
            }
        }
    for (const auto& sizes : seen)
        EXPECT_GT(sizes.size(), 3U);
}

TEST(Generate, BracketsBalance) {
    static constexpr std::array<const char*, 3> pairs = {"()", "[]", "{}"};
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const std::string text = generate(seed).text;
        for (const char* pair : pairs) {
            EXPECT_EQ(std::count(text.begin(), text.end(), pair[0]),
                      std::count(text.begin(), text.end(), pair[1]))
                << seed << " " << pair;
        }
    }
}

// What the kernels are to cover, as regular expressions on a line.
constexpr std::array constructs = {
    R"(\bif \()",
    R"(\} else if \()",
    R"(\} else \{)",
    R"(for \(int )",
    R"(while \(.*\) \{)",
    R"(\} while \()",
    R"(switch \()",
    R"(\bbreak;)",
    R"(\bcontinue;)",
    R"(default: \{)",
    R"(\) return;)",
    R"(^(char|uchar|short|ushort|int|uint|long|ulong|float|double)\d* helper\d+\()",
    R"(void poke\d+\([a-z])",
    R"(void poke\d+\(global )",
    R"(void poke\d+\(local )",
    R"(poke\d+\(&)",
    R"(from\[)",
    R"(struct S\d+ \{)",
    R"(typedef struct)",
    R"(global Cell\* cell)",
    R"(s\d+\.a\b)",
    R"(->b\b)",
    R"(union Bits u)",
    R"(enum Level)",
    R"(typedef .* alias)",
    R"(constant .* table)",
    R"(constant .*\* in\d)",
    R"(\* restrict )",
    R"(volatile )",
    R"(grid\d+\[\d\]\[\d\] = )",
    R"(\* p\d+ = &)",
    R"(\(\*p\d+\))",
    R"(\+\+ = )",
    R"(\(\(global const \w+4\*\))",
    R"(\(\(uchar\*\)&)",
    R"(vload\d+\()",
    R"(vstore\d+\()",
    R"(sizeof\()",
    R"(\bbool v)",
    R"(\bMIX\()",
    R"(SCRAMBLE\()",
    R"('a')",
    R"(0x[0-9a-f]+u)",
    R"(\d(ul|UL))",
    R"(\dL\b)",
    R"( <<= )",
    R"( %= )",
    R"( \? .* : )",
    R"(\.(lo|hi|even|odd) = )",
    R"(\.s[0-9a-f]{2} = )",
    R"(\)\.[xyzw]{2})",
    R"(\((char|int|float|double|ulong)16\)\()",
    R"(\((short|long|float)3\)\()",
    R"(convert_\w+_sat_rt)",
    R"(convert_\w+_rtz\()",
    R"(as_float\()",
    R"(as_u?char4\()",
    R"(--left)",
    R"(get_group_id)",
    R"(get_work_dim)",
    R"(barrier\(CLK_LOCAL_MEM_FENCE)",
    R"(barrier\(CLK_GLOBAL_MEM_FENCE)",
    R"(async_work_group_copy)",
    R"(local \w+\* shared)",
    R"(local \w+ shared\[)",
    R"(stride\d+ /= 2)",
    R"(atomic_add\(&counts)",
    R"(atomic_(min|max|or|xor)\(&tally)",
    R"(atomic_xchg\(&out)",
    R"(atomic_cmpxchg\(&out)",
    R"(atom_add\(&counts)",
    R"(abs_diff\()",
    R"(add_sat\()",
    R"(mad_hi\()",
    R"(mul24\()",
    R"(upsample\()",
    R"(popcount\()",
    R"(bitselect\()",
    R"(shuffle2\()",
    R"(isless\()",
    R"(\bany\()",
    R"(signbit\()",
    R"(fma\()",
    R"(sqrt\()",
    R"(nextafter\()",
    R"(frexp\()",
    R"(reqd_work_group_size)",
    R"(through_half\()",
    R"(__attribute__\(\(packed\)\))",
};

TEST(Generate, EveryConstructAppears) {
    std::vector<std::string> texts;
    for (std::uint64_t seed = 0; seed < seeds; ++seed)
        texts.push_back(generate(seed).text);
    for (const char* construct : constructs) {
        const std::regex pattern(construct, std::regex::ECMAScript | std::regex::multiline);
        EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
            return std::regex_search(text, pattern);
        })) << construct;
    }
}

}  // namespace
}  // namespace lab::differential

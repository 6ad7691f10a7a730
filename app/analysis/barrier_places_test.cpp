#include "analysis/barrier_places.h"

#include <random>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/ranges.h"
#include "catalogue/form.h"

namespace lab::analysis {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

RunSpec pair_of_items(std::string text, std::vector<std::string> arguments,
                      std::uint64_t items = 2) {
    RunSpec spec;
    spec.kernel = catalogue::kernel_of(catalogue::LaunchForm{.file = "k.cl",
                                                             .text = std::move(text),
                                                             .kernel = "",
                                                             .defines = {},
                                                             .global = items,
                                                             .local = items,
                                                             .arguments = std::move(arguments)});
    spec.machine.config.lanes = 1;
    spec.machine.config.resident = 0;
    spec.machine.order = machine::usual_order(spec.machine.config);
    return spec;
}

struct Found {
    std::vector<Hazard> hazards;
    bool fault = false;

    std::vector<Hazard> races() const {
        std::vector<Hazard> all;
        for (const Hazard& each : hazards)
            if (each.severity == Hazard::Severity::race) all.push_back(each);
        return all;
    }
};
Found found_in(const RunSpec& spec) {
    const HazardSearch search = search_hazards(job_of(spec), spec.machine.order);
    Found found{search.hazards, search.fault.has_value() || search.unfinished > 0};
    place_barriers(found.hazards, spec);
    return found;
}

std::string hint_of(const std::string& body,
                    std::vector<std::string> arguments = {"r:int[2]", "b:local int[2]"},
                    std::uint64_t items = 2) {
    const std::vector<Hazard> races =
        found_in(pair_of_items("kernel void k(global int* r, local int* b) {\n"
                               "  int i = get_local_id(0);\n" +
                                   body + "}\n",
                               std::move(arguments), items))
            .races();
    EXPECT_EQ(races.size(), 1U);
    return races.empty() ? std::string() : races[0].hint;
}

constexpr const char* kPut = "Put barrier(CLK_LOCAL_MEM_FENCE) before line";

TEST(BarrierPlaces, BetweenTheTwo) {
    EXPECT_THAT(hint_of("  b[i] = i;\n  r[i] = 1;\n  r[i] += b[1 - i];\n"),
                StartsWith(fmt::format("{} 5:", kPut)));
    // Before the loop, and not in it.
    EXPECT_THAT(hint_of("  b[i] = i;\n  for (int t = 0; t < 2; ++t) {\n    r[i] = t;\n"
                        "    r[i] += b[1 - i];\n  }\n"),
                StartsWith(fmt::format("{} 4:", kPut)));
}

TEST(BarrierPlaces, AtTheEndOfATurn) {
    EXPECT_THAT(
        hint_of("  b[i] = i;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                "  for (int w = 4; w > 0; w /= 2) {\n    if (i < w) b[i] += b[i + w];\n  }\n",
                {"r:int[8]", "b:local int[8]"}, 8),
        StartsWith(fmt::format("{} 7:", kPut)));
    // The barrier between the two is there already: in the inner loop, behind both.
    EXPECT_THAT(hint_of("  int s = 0;\n  b[i] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  for (int t = 0; t < 2; ++t) for (int u = 0; u < 2; ++u) {\n"
                        "    s += b[1 - i];\n    barrier(CLK_LOCAL_MEM_FENCE);\n    b[i] = u;\n"
                        "  }\n  r[i] = s;\n"),
                StartsWith(fmt::format("{} 10:", kPut)));
}

TEST(BarrierPlaces, BetweenTwoLoops) {
    EXPECT_THAT(hint_of("  int s = 0;\n  b[i] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  for (int t = 0; t < 2; ++t)\n    s += b[1 - i];\n"
                        "  for (int t = 0; t < 2; ++t)\n    b[i] = s + 2;\n  r[i] = s;\n"),
                StartsWith(fmt::format("{} 8:", kPut)));
}

TEST(BarrierPlaces, TwoWhereOneIsTooFew) {
    EXPECT_THAT(hint_of("  int s = 0;\n  for (int t = 0; t < 2; ++t) {\n    b[i] = t;\n"
                        "    s += b[1 - i];\n  }\n  r[i] = s;\n"),
                StartsWith("Put barrier(CLK_LOCAL_MEM_FENCE) before lines 6 and 7:"));
}

// At the end of a turn some had gone on; at its beginning all are there.
TEST(BarrierPlaces, WhereAllComeToIt) {
    EXPECT_THAT(hint_of("  for (int t = 0; t < 3; ++t) {\n"
                        "    if (t == i) { b[0] = t; continue; }\n    r[i] = 1;\n  }\n"),
                StartsWith(fmt::format("{} 4:", kPut)));
}

// A statement may stand between the two, but not all come to it; or none may.
TEST(BarrierPlaces, NoneInABranch) {
    for (const char* body :
         {"  int v = i == 0 ? (b[1] = 7) : b[1];\n  r[i] = v;\n",
          "  if (i == 0) {\n    b[1] = 7;\n  } else {\n    r[i] = b[1];\n  }\n"}) {
        const std::string hint = hint_of(body);
        EXPECT_THAT(hint, HasSubstr("between the two")) << body;
        EXPECT_THAT(hint, testing::Not(HasSubstr("line"))) << body;
    }
}

TEST(BarrierPlaces, TheOtherWayWhereOneIsAtomic) {
    const auto hint = [](const char* between) {
        return hint_of(fmt::format("  if (i == 0) atomic_add(b, 1);\n{}  r[i] = b[0];\n", between));
    };
    EXPECT_EQ(hint(""),
              "Make both atomic, the plain one by atomic_or(p, 0); or put "
              "barrier(CLK_LOCAL_MEM_FENCE) before line 4");
}

TEST(BarrierPlaces, InCudaIsItsOwnBarrier) {
    const std::vector<Hazard> races =
        found_in(pair_of_items("//! cuda\n__global__ void k(int* r) {\n  __shared__ int b[2];\n"
                               "  int i = threadIdx.x;\n  b[i] = i;\n  r[i] = b[1 - i];\n}\n",
                               {"r:int[2]"}))
            .races();
    ASSERT_EQ(races.size(), 1U);
    EXPECT_THAT(races[0].hint, StartsWith("Put __syncthreads() before line 6:"));
}

// Some statements on local memory, barriers, and loops that all work-items go through alike.
class LoopsAtRandom {
  public:
    explicit LoopsAtRandom(std::uint32_t seed) : random_(seed) { statements("  ", 0); }
    std::string text() const {
        return "kernel void k(global int* r, local int* b) {\n  int i = get_local_id(0);\n"
               "  int s = 0;\n  b[i] = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n" +
               text_ + "  r[i] = s;\n}\n";
    }

  private:
    unsigned any(unsigned below) { return static_cast<unsigned>(random_() % below); }
    void statements(const std::string& indent, unsigned depth) {
        for (unsigned left = 1 + any(3); left > 0; --left) {
            const unsigned kind = any(depth < 2 ? 10 : 8);
            if (kind < 3) {
                text_ += fmt::format("{}b[i] = s + {};\n", indent, any(3));
            } else if (kind < 6) {
                text_ += indent + "s += b[1 - i];\n";
            } else if (kind < 8) {
                text_ += indent + "barrier(CLK_LOCAL_MEM_FENCE);\n";
            } else {
                text_ += fmt::format("{0}for (int {1} = 0; {1} < 2; ++{1}) {{\n", indent,
                                     depth == 0 ? 't' : 'u');
                statements(indent + "  ", depth + 1);
                text_ += indent + "}\n";
            }
        }
    }

    std::mt19937 random_;
    std::string text_;
};

// A line of its own before each of the lines that a hint names; the others in their new places.
struct Followed {
    std::string text;
    std::vector<std::uint32_t> before;  // the lines that the hint names

    std::uint32_t now(std::uint32_t line) const {
        return line + static_cast<std::uint32_t>(
                          count_if(before, [&](std::uint32_t each) { return each <= line; }));
    }
};
Followed followed(const std::string& text, const std::string& hint) {
    static const std::regex kHint("Put (.*) before lines? (\\d+)(?: and (\\d+))?:.*");
    Followed made;
    std::smatch parts;
    if (!std::regex_match(hint, parts, kHint)) return made;
    for (const std::size_t i : {2U, 3U})
        if (parts[i].matched)
            made.before.push_back(static_cast<std::uint32_t>(std::stoul(parts[i])));
    std::size_t begin = 0;
    for (std::uint32_t line = 1; begin < text.size(); ++line) {
        const std::size_t end = text.find('\n', begin) + 1;
        if (any_of(made.before, [&](std::uint32_t each) { return each == line; }))
            made.text += parts[1].str() + ";\n";
        made.text += text.substr(begin, end - begin);
        begin = end;
    }
    return made;
}

TEST(BarrierPlaces, OfRandomLoopsCureWhatTheyAreFor) {
    constexpr std::uint32_t kKernels = 100;
    const std::vector<std::string> arguments{"r:int[2]", "b:local int[2]"};
    std::size_t races = 0, named = 0;
    for (std::uint32_t seed = 1; seed <= kKernels; ++seed) {
        std::string text = LoopsAtRandom(seed).text();
        SCOPED_TRACE(text);
        Found found = found_in(pair_of_items(text, arguments));
        while (!found.races().empty()) {
            const Hazard race = found.races().front();
            ++races;
            const Followed next = followed(text, race.hint);
            if (next.before.empty()) break;
            ++named;
            found = found_in(pair_of_items(next.text, arguments));
            ASSERT_FALSE(found.fault) << race.hint;
            for (const Hazard& each : found.races())
                ASSERT_FALSE(each.sides[0].line == next.now(race.sides[0].line) &&
                             each.sides[1].line == next.now(race.sides[1].line))
                    << race.hint;
            text = next.text;
        }
    }
    EXPECT_GT(named, kKernels / 3);
    EXPECT_GE(named * 10, races * 9);  // few need more than two
}

}  // namespace
}  // namespace lab::analysis

#include <gmock/gmock.h>

#include "lang/compile.h"

namespace lab::lang {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> options_of(const std::string& text, std::string_view kernel = {}) {
    std::vector<std::string> options;
    for (const HostMacro& macro : host_macros({"k.cl", text, ""}, kernel))
        options.push_back(option_of(macro));
    return options;
}

TEST(HostMacros, AreNamesWithWhichATextCompiles) {
    EXPECT_THAT(options_of("kernel void f(global REAL* a, global REAL4* b, global uint_t* c) {\n"
                           "  local REAL part[TILE];\n"
                           "  part[get_local_id(0) % TILE] = a[0] * SCALE;\n"
                           "  c[0] = 1u << LOG2_TILE; }\n"),
                ElementsAre("REAL=float", "REAL4=float4", "uint_t=uint", "TILE=16", "SCALE=16",
                            "LOG2_TILE=4"));
}

TEST(HostMacros, AreIntegersWhereFloatsDoNotCompile) {
    EXPECT_THAT(options_of("kernel void f(global T* a) { a[0] = a[0] % 3; }"),
                ElementsAre("T=int"));
}

TEST(HostMacros, MayBeAWordBeforeAType) {
    EXPECT_THAT(options_of("INLINE int twice(int x) { return 2 * x; }\n"
                           "kernel void f(global int* a) { a[0] = twice(a[0]); }"),
                ElementsAre("INLINE="));
}

TEST(HostMacros, AreNoneWhereOthersThingsAreWrong) {
    EXPECT_THAT(options_of("kernel void f(global int* a) { a[0] = 1; }"), IsEmpty());
    EXPECT_THAT(options_of("kernel void f(global int* a) { a[0] = N + ; }"), IsEmpty());
    EXPECT_THAT(options_of("kernel void f(global int* a) { a[0] = N.x; }"), IsEmpty());
}

TEST(HostMacros, AreNoNamesInSmallLetters) {
    EXPECT_THAT(options_of("kernel void f(global int* a) { a[0] = spam; }"), IsEmpty());
    EXPECT_THAT(options_of("kernel void f(global flaot* a) { a[0] = N; }"), IsEmpty());
}

TEST(HostMacros, AreThoseOfTheKernelThatIsAsked) {
    const std::string two =
        "kernel void f(global int* a) { a[0] = N; }\nkernel void g(global int* a) { a[0] = M; }";
    EXPECT_THAT(options_of(two), ElementsAre("N=16", "M=16"));
    EXPECT_THAT(options_of(two, "g"), ElementsAre("N=16", "M=16"));
}

}  // namespace
}  // namespace lab::lang

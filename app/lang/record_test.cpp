#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lang/record.h"

namespace lab::lang {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kMacros =
    "#define T int\n#define IDENTITY 0\n#define COMBINE(a, b) ((a) + (b))\n"
    "#define ATOMIC_COMBINE(p, x) atomic_add(p, x)\n";

RecordedText recorded(const std::string& text, const RecordOptions& options = {}) {
    return recorded_text({"k.cl", text, kMacros}, {}, options);
}

std::string why_unrecorded(const std::string& text) {
    try {
        return recorded(text).text.text;
    } catch (const Problem& problem) {
        return problem.why;
    }
}

// The kernel itself, which is the last function.
std::string kernel_of(const RecordedText& recorded) {
    return recorded.text.text.substr(recorded.text.text.rfind("kernel void"));
}

void expect_compiles(const RecordedText& recorded) {
    const Compiled compiled = compile(recorded.text);
    EXPECT_TRUE(compiled.code) << recorded.text.text
                               << (compiled.code
                                       ? std::string()
                                       : problem_of(compiled.diagnostics, compiled.sources).why);
}

// The simulator has the bits of halves as ushorts.
TEST(Record, HalvesInMemoryAreRecordedAsTheirBits) {
    const RecordedText text = recorded(
        "kernel void k(global half* h, global float* o, constant half* c, float f) {\n"
        "    vstore_half_rtz(f, 0, h);\n    vstorea_half3((float3)(f), 1, h);\n"
        "    o[0] = vload_half(0, c);\n    o[1] = vloada_half3(1, h).z + vload_half16(0, h).sf;\n"
        "    half own[2]; vstore_half(f, 1, own);\n}\n");
    expect_compiles(text);
    ASSERT_EQ(text.sites.size(), 7U);
    const std::uint8_t counts[] = {1, 3, 1, 1, 16, 3, 1};
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(text.sites[i].count, counts[i]) << i;
        EXPECT_EQ(text.sites[i].type, i == 3 || i == 6 ? Scalar::float_ : Scalar::ushort) << i;
    }
}

TEST(Record, AccessesAreCalls) {
    const RecordedText text = recorded(
        "kernel void k(global int* d, local int* buf) {\n"
        "    const uint i = get_global_id(0);\n"
        "    buf[i] = d[i + 1];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    d[i] += atomic_inc(d);\n"
        "}\n");
    expect_compiles(text);
    ASSERT_EQ(text.sites.size(), 6U);
    const Site::Kind kinds[] = {Site::Kind::load,   Site::Kind::store, Site::Kind::barrier,
                                Site::Kind::atomic, Site::Kind::load,  Site::Kind::store};
    const std::uint32_t lines[] = {3, 3, 4, 5, 5, 5};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(text.sites[i].kind, kinds[i]) << i;
        EXPECT_EQ(text.sites[i].place.line, lines[i]) << i;
    }
    EXPECT_EQ(text.sites[0].space, Space::global);
    EXPECT_EQ(text.sites[1].space, Space::local);
    EXPECT_EQ(text.parameters, 2U);
    EXPECT_EQ(text.globals, 1U);
    EXPECT_THAT(kernel_of(text),
                HasSubstr("lab_store_int_local(lab_trace, 1u, (&(*(buf + ((long)i)))), "
                          "lab_load_int_global(lab_trace, 0u, "));
    EXPECT_THAT(kernel_of(text), HasSubstr("barrier(1)"));
}

TEST(Record, WhatIsPrivateStaysAsItIs) {
    const RecordedText text = recorded(
        "struct pair { int a; float b[2]; };\n"
        "int twice(int* p, struct pair q) { *p *= 2; return q.a + (int)q.b[1]; }\n"
        "kernel void k(global int* d) {\n"
        "    int own[3] = {1, 2}; struct pair q = {5, {1.5f, 2.5f}}; float4 v = (float4)(1, 2, 3, "
        "4);\n"
        "    v.xy = v.yx; own[0]++; --own[1]; char c = 'a'; c <<= 1;\n"
        "    for (int i = 0, k = 3; i < k; ++i) own[i] -= i ? twice(own, q) : -1;\n"
        "    do { if (own[0] > 3 && !own[1] || ~own[2]) break; else continue; } while (own[1] != "
        "4);\n"
        "    switch (own[0]) { case 1: own[1] = 2; case -3: break; default: own[2] = "
        "convert_int_sat(v.w); }\n"
        "    d[0] = own[0] + (int)dot(v, v) + max(1, 2) + as_int(v.x);\n"
        "}\n");
    expect_compiles(text);
    EXPECT_EQ(text.sites.size(), 1U);
}

TEST(Record, TextsInQuotesHaveNamesOfTheirOwn) {
    const RecordedText text = recorded(
        "constant int text[1] = {4};\nkernel void k(global int* o) {\n"
        "    constant char* a = \"hello\"; constant char* b = o[0] ? \"no\" : \"yes\";\n"
        "    o[0] = a[1] + b[1] + text[0];\n}\n");
    expect_compiles(text);
    for (const char* declared :
         {"text[1]", "lab_text[6]", "[3] = {((char)110)", "[4] = {((char)121)", "? lab_text"})
        EXPECT_THAT(text.text.text, HasSubstr(declared));
}

TEST(Record, StructuresLieAsTheirTextHasThem) {
    const auto of = [](const std::string& structure) {
        return recorded(structure +
                        " s; kernel void k(global int* o) {\n"
                        "    s a[2]; a[1].i = 7; o[0] = a[1].i; }\n")
            .text.text;
    };
    EXPECT_THAT(of("typedef struct { char c; int i; }"), Not(HasSubstr("packed")));
    EXPECT_THAT(of("typedef struct __attribute__((packed)) { char c; int i; }"),
                HasSubstr("struct __attribute__((packed, aligned(1))) lab_s1\n{\n"
                          "    char c __attribute__((packed, aligned(1)));\n"
                          "    int i __attribute__((packed, aligned(1)));\n};"));
    EXPECT_THAT(of("typedef struct { char c; int i __attribute__((aligned(16))); }"),
                HasSubstr("int i __attribute__((packed, aligned(16)));\n};"));
    EXPECT_THAT(of("typedef struct __attribute__((aligned(32))) { char c; int i; }"),
                HasSubstr("struct __attribute__((packed, aligned(32))) lab_s1\n{\n"
                          "    char c __attribute__((packed, aligned(1)));\n"
                          "    int i __attribute__((packed, aligned(4)));\n};"));
}

TEST(Record, VectorsAreAccessedAsTheSimulatorDoes) {
    const RecordedText text = recorded(
        "kernel void k(global float4* d, global float* f, local float2* l) {\n"
        "    d[0] = d[1]; d[0].x = d[1].w; d[0].xy = d[1].zw; l[0].y += f[0];\n"
        "    vstore4(vload4(1, f), 0, f); d[0].z++;\n"
        "}\n");
    expect_compiles(text);
    std::vector<unsigned> counts;
    for (const Site& site : text.sites)
        counts.push_back(site.count);
    EXPECT_THAT(counts, testing::ElementsAre(4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 1, 1));
}

// In cells as the simulator has them, which are bytes where a structure has several types.
TEST(Record, ArraysTellTheNamesOfTheirCells) {
    const RecordedText text = recorded(
        "typedef struct { int sum; float n[2]; } pair;\n"
        "kernel void k(global float4* v, global pair* p) { local pair own[2];\n"
        "    own[1].n[1] = p[2].sum + v[1].y; p[0].sum = (int)own[1].n[1]; }\n");
    ASSERT_EQ(text.objects.size(), 3U);
    const auto name_at = [&](std::size_t object, std::uint64_t byte) {
        const Watched& of = text.objects[object];
        return of.name + of.shape.at(byte / of.unit);
    };
    EXPECT_EQ(name_at(0, 20), "v[1].y");
    EXPECT_EQ(name_at(1, 24), "p[2].sum");
    EXPECT_EQ(name_at(2, 20), "own[1].n[1]");
}

TEST(Record, LocalVariablesTellWhereTheyLie) {
    const RecordedText text = recorded(
        "kernel void k(global int* d) { local int a[4]; local int b; a[1] = b; d[0] = a[1]; }\n");
    expect_compiles(text);
    ASSERT_EQ(text.objects.size(), 3U);
    EXPECT_EQ(text.objects[2].name, "b");
    EXPECT_EQ(text.objects[2].bytes, 4U);
    EXPECT_THAT(kernel_of(text),
                HasSubstr("lab_base(lab_trace, 1u + lab_group() * 2u, (ulong)&a)"));
}

TEST(Record, WorkItemsAreNumberedOverAllDimensions) {
    RecordOptions options;
    options.delays = true;
    const RecordedText text = recorded(
        "kernel void k(global int* d) { d[get_global_id(1)] = get_global_id(2); }\n", options);
    expect_compiles(text);
    EXPECT_THAT(text.text.text, HasSubstr("lab_to[1] = lab_item();"));
    EXPECT_THAT(kernel_of(text), HasSubstr("if (lab_item() == 0u) lab_base(lab_trace, 0u, "));
    EXPECT_THAT(kernel_of(text), HasSubstr("lab_mixed(lab_group() * 64u"));
    EXPECT_THAT(kernel_of(text), Not(HasSubstr("get_global_id(0)")));
}

TEST(Record, DelaysAloneRecordNothing) {
    RecordOptions options;
    options.record = false;
    options.delays = true;
    const RecordedText text =
        recorded("kernel void k(global int* d) { d[0] = d[1]; barrier(1); }\n", options);
    expect_compiles(text);
    EXPECT_THAT(text.text.text, Not(HasSubstr("lab_ticket")));
    EXPECT_THAT(text.text.text, HasSubstr("lab_wait(lab_trace, lab_noise)"));
}

TEST(Record, WhatActsTogetherIsRefused) {
    EXPECT_THAT(
        why_unrecorded("kernel void k(global int* d) { d[0] = sub_group_reduce_add(1); }\n"),
        HasSubstr("act together"));
    EXPECT_THAT(why_unrecorded("struct s { int a; };\n"
                               "kernel void k(global struct s* d) { d[0] = d[1]; }\n"),
                HasSubstr("structure"));
}

TEST(Record, EveryShippedKernelIsWrittenAsOpenClC) {
    std::size_t kernels = 0;
    for (const auto& entry : std::filesystem::directory_iterator(LAB_SOURCE_DIR "/kernels")) {
        if (entry.path().extension() != ".cl") continue;
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const std::string macros = kMacros +
                                   "#define ITEMS 4\n#define BARRIER 1\n#define BARRIER_LOAD 1\n"
                                   "#define BARRIER_LOOP 1\n#define COARSEN 2\n#define LOADS 4\n";
        try {
            for (const RecordOptions options :
                 {RecordOptions{true, false}, RecordOptions{true, true},
                  RecordOptions{false, true}}) {
                SCOPED_TRACE(entry.path());
                expect_compiles(
                    recorded_text({entry.path(), text.str(), macros}, "reduce", options));
                ++kernels;
            }
        } catch (const Problem&) {
            continue;  // other macros, another entry, or it acts together
        }
    }
    EXPECT_GT(kernels, 30U);
}

TEST(Record, ATraceIsReadBack) {
    const RecordedText text =
        recorded("kernel void k(global float2* d, local int* l) { d[1] = 1.5f; l[2] = -3; }\n");
    namespace word = trace_words;
    // One group of two items, whose global array begins at 1000 and the local one at 64.
    std::vector<std::uint32_t> words{3, 8, 0, 8, 1000, 0, 64, 0};
    const auto entry = [&](std::uint32_t end, std::uint32_t item, std::uint32_t site,
                           std::uint32_t address, std::uint32_t value, std::uint32_t high) {
        for (const std::uint32_t each : {end, item, site, address, 0U, value, high, value, high})
            words.push_back(each);
    };
    entry(2, 1, 0, 1008, 0x3fc00000, 0);
    entry(2, 1, 0, 1012, 0x3fc00000, 0);
    entry(3, 0, 1, 72, 0xfffffffd, 0xffffffff);
    const std::uint64_t bytes[] = {32, 16};
    const RecordedLaunch launch = read_trace(text, words, bytes, 2);
    ASSERT_EQ(launch.accesses.size(), 2U);
    EXPECT_EQ(launch.accesses[0].object, 0);
    EXPECT_EQ(launch.accesses[0].offset, 8U);
    EXPECT_EQ(launch.accesses[0].end, 2U);
    EXPECT_EQ(launch.accesses[1].begin, 2U);
    EXPECT_EQ(launch.accesses[1].object, 1);
    EXPECT_EQ(launch.accesses[1].offset, 8U);
    EXPECT_EQ(launch.elements.size(), 3U);
    EXPECT_EQ(static_cast<std::int64_t>(launch.elements[2].after), -3);
}

}  // namespace
}  // namespace lab::lang

// What OpenCL C says, run: half in memory, packed and aligned structures, arrays in arrays, texts,
// printf, and the built-in functions besides arithmetic.
#include <gmock/gmock.h>

#include "support/example_job.h"
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

TEST(Language, HalfInMemory) {
    static constexpr Doing kAll[] = {
        {"ushort",
         "global half* h = (global half*)out; vstore_half(1.0f, 0, h); vstore_half(-2.5f, 1, h);"
         "vstore_half(65504.0f, 2, h); vstore_half(65520.0f, 3, h); vstore_half(1e-8f, 4, h);"
         "vstore_half(0x1p-24f, 5, h); vstore_half(0x1.8p-25f, 6, h); vstore_half(-0.0f, 7, h);"
         "vstore_half(NAN, 8, h); vstore_half(-INFINITY, 9, h); vstore_half(0x1.ff8p-15f, 10, h);",
         "15360 49408 31743 31744 0 1 1 32768 32256 64512 1023"},
        // 1 + 1/2048 lies between two halves, right in the middle.
        {"ushort",
         "global half* h = (global half*)out; const float x = 1 + 0x1p-11f;"
         "vstore_half(x, 0, h); vstore_half_rte(-x, 1, h); vstore_half_rtz(x, 2, h);"
         "vstore_half_rtz(-x, 3, h); vstore_half_rtp(x, 4, h); vstore_half_rtp(-x, 5, h);"
         "vstore_half_rtn(x, 6, h); vstore_half_rtn(-x, 7, h); vstore_half_rtz(1e9f, 8, h);"
         "vstore_half_rtn(1e9f, 9, h); vstore_half_rtp(-1e9f, 10, h); vstore_half_rtp(1e-9, 11, "
         "h);",
         "15360 48128 15360 48128 15361 48128 15360 48129 31743 31743 64511 1"},
        {"ushort",
         "global half* h = (global half*)out; vstore_half2((float2)(1, 2), 1, h);"
         "vstore_half3_rtz((double3)(3, 4, 5), 2, h); vstorea_half3((float3)(6, 7, 8), 3, h);",
         "0 0 15360 16384 0 0 16896 17408 17664 0 0 0 17920 18176 18432"},
        {"float",
         "const ushort in[5] = {0x3c00, 0xc100, 0x7c00, 1, 0x83ff};"
         "for (int i = 0; i < 5; ++i) out[i] = vload_half(i, (const half*)in);",
         "1 -2.5 inf 5.9604645e-08 -6.097555e-05"},
        {"float",
         "ushort in[8]; for (int i = 0; i < 8; ++i) in[i] = (ushort)(0x3c00 + (i << 8));"
         "const half* h = (half*)in; vstore4(vload_half4(1, h), 0, out);"
         "vstore3(vload_half3(1, h), 0, out + 4); vstore3(vloada_half3(1, h), 0, out + 7);"
         "out[10] = sizeof(half); out[11] = (&h[3] - h) + sizeof(*h);",
         "2 2.5 3 3.5 1.75 2 2.5 2 2.5 3 2 5"},
    };
    expect(kAll);
}

TEST(Language, PackedAndAlignedStructures) {
    static constexpr Program kAll[] = {
        {"typedef struct __attribute__((packed)) { char a; int b; short c; double d; } P;\n"
         "kernel void f(global int* out) { P p = {1, -2, 3, 2.5}; P q[2]; q[1] = p; q[1].b *= 3;\n"
         " q[0] = q[1]; q[0].d += q[0].c; P* at = &q[0]; at->c--; out[0] = sizeof(P);\n"
         " out[1] = q[0].a; out[2] = q[0].b; out[3] = q[0].c; out[4] = q[0].d * 10; }",
         "15 1 -6 2 55"},
        {"typedef struct { char a; int b; } __attribute__((packed)) P;\n"
         "typedef struct { char a; int b __attribute__((packed)); char c; } Q;\n"
         "typedef struct __attribute__((aligned(16))) { int a; } A;\n"
         "typedef struct { char a; int b __attribute__((aligned(8))); } B;\n"
         "typedef struct __attribute__((packed, aligned(4))) { char a; double b; } C;\n"
         "kernel void f(global int* out) { out[0] = sizeof(P); out[1] = sizeof(Q);\n"
         " out[2] = sizeof(A); out[3] = sizeof(B); out[4] = sizeof(C); Q q; q.b = 7; q.c = 2;\n"
         " out[5] = q.b * q.c; }",
         "5 6 16 16 12 14"},
        {"struct __attribute__((packed)) P { char tag; float4 v; int rows[3]; struct { short s; } "
         "in; };\n"
         "float sum(struct P p) { return p.v.x + p.v.w + p.rows[2]; }\n"
         "struct P made(int x) { struct P p; p.tag = 1; p.v = (float4)(x, 2, 3, 4); p.rows[0] = "
         "1;\n"
         " p.rows[1] = 2; p.rows[2] = 3; p.in.s = -4; p.v.yz = p.v.zy; return p; }\n"
         "kernel void f(global int* out) { local struct P l[2]; l[1] = made(5); l[0] = l[1];\n"
         " out[0] = sum(l[1]); out[1] = l[0].v.y; out[2] = l[0].in.s; l[0].rows[1] += 8;\n"
         " out[3] = l[0].rows[1]; out[4] = sizeof(struct P); }",
         "12 3 -4 10 31"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

// What is copied as it is keeps its lineage.
TEST(Language, PackedStructuresCarryLineage) {
    const Example example{
        "typedef struct __attribute__((packed)) { char tag; int value; } P;\n"
        "kernel void f(global int* in, global int* out)\n{\n"
        "    P p[2];\n    p[0].value = in[1];\n    p[1] = p[0];\n    out[0] = p[1].value + "
        "in[2];\n}\n",
        1,
        1,
        {{1, 2, 3}, {}},
        1};
    const auto run = play(job_of(example, 1), Order{});
    ASSERT_FALSE(run.fault());
    const Node node = run.end().memory[1].pages[0]->nodes.at(0);
    const Origin& both = run.machine().lineage()[node];
    EXPECT_EQ(run.machine().lineage()[both.left].index, 1U);
    EXPECT_EQ(run.machine().lineage()[both.right].index, 2U);
}

TEST(Language, AnIndexStaysWithinItsOwnArray) {
    const auto fault = [](const std::string& body) {
        return outcome("typedef struct { int a[3], b; struct { int c[2]; } in[2]; } S;\n" +
                           kernel_of("int", body),
                       4, {4, 4, 4});
    };
    EXPECT_EQ(fault("int t[4][4]; const int i = get_local_id(0); t[0][i + 1] = 1; out[i] = 0;"),
              "fault: Work-item 3 goes to t[…][4], which does not exist");
    EXPECT_EQ(fault("local int t[4][4]; const int i = get_local_id(0); t[0][i - 1] = 1;"),
              "fault: Work-item 0 goes to t[…][-1], which does not exist");
    EXPECT_EQ(fault("S s; s.b = 1; const int i = get_local_id(0); s.a[i] = i;"),
              "fault: Work-item 3 goes to s.a[3], which does not exist");
    EXPECT_EQ(fault("S s; s.in[1].c[get_local_id(0)] = 1;"),
              "fault: Work-item 2 goes to s.in[…].c[2], which does not exist");
    EXPECT_EQ(fault("S s; S* p = &s; out[0] = *(p->a + 4);"),
              "fault: Work-item 0 goes to p.a[4], which does not exist");
    EXPECT_EQ(fault("S s; for (int i = 0; i < 3; ++i) s.a[i] = i; int sum = 0;"
                    "for (const int* p = s.a; p != &s.a[3]; ++p) sum += *p;"
                    "out[get_local_id(0)] = sum;"),
              "3 3 3 3");
    EXPECT_EQ(fault("S s; out[0] = &s.a[4] - s.a;"),
              "fault: Work-item 0 goes to s.a[4], which does not exist");
}

TEST(Language, Texts) {
    static constexpr Program kAll[] = {
        {"constant char text[] = \"a\\x41\\101\\n\" \"b\";\nkernel void f(global int* out) {\n"
         " char t[4] = \"xy\"; uchar u[] = \"\\xff\"; for (int i = 0; i < 6; ++i) out[i] = "
         "text[i];\n"
         " out[6] = t[1]; out[7] = t[3]; out[8] = u[0]; out[9] = sizeof(text) * 10 + sizeof(u); }",
         "97 65 65 10 98 0 121 0 255 62"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(Language, DesignatorsAndLiterals) {
    static constexpr Program kAll[] = {
        {"typedef struct { int a, b; int c[3]; } S;\nconstant int t[6] = {[2] = 5, 6, [0] = 1};\n"
         "constant S s = {.b = 2, .c = {[1] = 4}};\nkernel void f(global int* out) {\n"
         " int u[] = {[3] = 7, [1] = 8, 9}; S v = {.c = {1, 2}, .a = 3};\n"
         " for (int i = 0; i < 4; ++i) out[i] = t[i]; out[4] = s.a + 10 * s.b + 100 * s.c[1];\n"
         " out[5] = sizeof(u); out[6] = u[1] + 10 * u[2] + 100 * u[3] + u[0];\n"
         " out[7] = v.a + v.b + v.c[1] * 10; }",
         "1 0 5 6 420 16 798 23"},
        {"typedef struct { int a; float b; } S;\ntypedef union { float f; int i; } U;\n"
         "int sum(S s) { return s.a + s.b; }\nS made(int x) { return (S){x, .b = 2}; }\n"
         "kernel void f(global int* out) { S s = (S){1, 2}; s = (S){.b = 4};\n"
         " for (int i = 0; i < 3; ++i) out[i] = sum((S){i, i}) + ((int[]){5, 6, 7})[i];\n"
         " out[3] = s.a + s.b; out[4] = made(3).a; int* p = (int[2]){8, 9}; out[5] = p[1];\n"
         " out[6] = ((U){.f = 1.0f}).i >> 20; out[7] = ((int4){1, 2, 3, 4}).z + (int){5}; }",
         "5 8 11 4 3 9 1016 8"},
    };
    for (const Program& program : kAll)
        EXPECT_EQ(outcome(program.text, words_in(program.gives), program.items), program.gives)
            << program.text;
}

TEST(Language, Geometry) {
    static constexpr Value kValues[] = {
        {"float", "length((float2)(3, 4))", "5"},
        {"float", "length(-2.5f) + fast_length((float3)(1, 2, 2))", "5.5"},
        {"double", "length((double4)(1, 1, 1, 1))", "2"},
        {"float", "distance((float3)(1, 2, 3), (float3)(1, 5, 7))", "5"},
        {"float", "fast_distance(1.0f, 4.0f)", "3"},
        {"float", "normalize((float2)(0, -3)).y", "-1"},
        {"float", "fast_normalize((float4)(0)).w", "0"},
        {"float", "dot((float2)(1, 2), (float2)(3, 4)) + dot(2.0f, 3.0f)", "17"},
        {"int", "vec_step(float3) * 100 + vec_step(char2) * 10 + vec_step(out[0])", "421"},
    };
    expect(kValues);
    static constexpr Doing kAll[] = {
        {"float", "vstore4(cross((float4)(1, 2, 3, 4), (float4)(5, 6, 8, 9)), 0, out);",
         "-2 7 -4 0"},
        {"float", "vstore3(cross((float3)(1, 0, 0), (float3)(0, 1, 0)), 0, out);", "0 0 1"},
        {"int",
         "int q; const float r = remquo(7.0f, 2.0f, &q); out[0] = q; out[1] = r * 10; int2 p;"
         "float2 s = remquo((float2)(-7, 9), (float2)(2, 4), &p); vstore2(p, 1, out);"
         "vstore2(convert_int2(s), 2, out);",
         "4 -10 -4 2 1 1"},
        {"int",
         "int s; float g = lgamma_r(-0.5f, &s); out[0] = s; out[1] = g * 1000; g = lgamma_r(4.0f, "
         "&s);"
         "out[2] = s; out[3] = exp(g) + 0.5f; lgamma_r(-1.5f, &s); out[4] = s;",
         "-1 1265 1 6 1"},
    };
    expect(kAll);
}

TEST(Language, BarriersWithComputedFlags) {
    const auto gives = [](const std::string& flags, std::uint32_t lanes) {
        return outcome(kernel_of("int",
                                 "local int t[4]; const int i = get_local_id(0); t[i] = i;"
                                 "barrier(" +
                                     flags + "); out[i] = t[3 - i];"),
                       4, {4, 4, lanes});
    };
    for (const std::uint32_t lanes : {1U, 3U, 4U}) {
        EXPECT_EQ(gives("out[0] == 0 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE", lanes),
                  "3 2 1 0");
        EXPECT_EQ(gives("i == 2 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE", lanes),
                  "fault: Work-item 2 comes to line 1 with other arguments than work-item 0");
    }
}

std::vector<std::string> printed(const std::string& body, std::uint32_t lanes = 1) {
    const Example example{kernel_of("int", body), 4, 2, {{1, 2, 3, 4}}};
    const auto run = play(job_of(example, lanes), order_of(Order::Kind::in_order));
    EXPECT_FALSE(run.fault());
    std::vector<std::string> texts;
    for (const Print& print : run.prints())
        texts.push_back(fmt::format("{}: {}", print.item, print.text));
    return texts;
}

TEST(Language, PrintfFormats) {
    const auto text = [](const std::string& arguments) {
        const std::vector<std::string> all =
            printed("if (get_global_id(0) == 0) printf(" + arguments + ");");
        EXPECT_EQ(all.size(), 1U);
        return all.empty() ? "" : all[0].substr(3);
    };
    EXPECT_EQ(text("\"plain %% \\n\""), "plain % \n");
    EXPECT_EQ(text("\"%d|%5d|%-5d|%05d|%+d|% d\", out[1], 7, 7, 7, 7, 7"),
              "2|    7|7    |00007|+7| 7");
    EXPECT_EQ(text("\"%u %x %X %o %#x\", -1, 255, 255, 8, 16"), "4294967295 ff FF 10 0x10");
    EXPECT_EQ(text("\"%ld %lu %hhd %hu\", LONG_MIN, ULONG_MAX, 300, 65537"),
              "-9223372036854775808 18446744073709551615 44 1");
    EXPECT_EQ(text("\"%f %.1f %e %g %8.3f|\", 0.5f, 2.25, 12345.678f, 1e-5, 3.14159f"),
              "0.500000 2.2 1.234568e+04 1e-05    3.142|");
    EXPECT_EQ(text("\"%c%c %s|%5s|%-4s|%.2s\", 'a', 66, \"text\", \"ab\", \"cd\", \"efgh\""),
              "aB text|   ab|cd  |ef");
    EXPECT_EQ(text("\"%v4d %.1v2hlf\", (int4)(1, -2, 3, 4), (float2)(0.5f, 1)"),
              "1,-2,3,4 0.5,1.0");
    EXPECT_EQ(text("\"%c[31m\", 27"), "?[31m");
    EXPECT_EQ(printed("if (get_global_id(0) == 3 && printf(\"x\") == 0) printf(\"y\");"),
              (std::vector<std::string>{"3: x", "3: y"}));
}

TEST(Language, PrintfFollowsTheSchedule) {
    const std::string body =
        "const int i = get_global_id(0); printf(\"%d\", out[i]);"
        "barrier(CLK_LOCAL_MEM_FENCE); printf(\"%d\", 10 * i);";
    EXPECT_THAT(printed(body), testing::ElementsAre("0: 1", "1: 2", "0: 0", "1: 10", "2: 3", "3: 4",
                                                    "2: 20", "3: 30"));
    EXPECT_EQ(printed(body, 2), printed(body));
}

// What a step back does again is not printed again.
TEST(Language, PrintfIsKeptOnce) {
    const Example example{
        kernel_of("int", "printf(\"%d\", out[get_global_id(0)]);"), 4, 2, {{1, 2, 3, 4}}};
    auto run = play(job_of(example, 1), Order{});
    ASSERT_EQ(run.prints().size(), 4U);
    (void)run.state_at(3);
    EXPECT_EQ(run.prints().size(), 4U);
}

}  // namespace
}  // namespace lab::machine

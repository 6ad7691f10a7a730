// Expressions among variables of every type, and the types that they have.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "lang/compile.h"
#include "lang/parser.h"

namespace lab::lang {

// One variable of each type, named by it.
inline constexpr const char* kBefore = R"(
typedef uint number;
enum color { RED, GREEN = 4, BLUE };
struct S { int a; float f; struct { char c; }; int arr[3]; };
union U { float f; int i; uchar bytes[4]; };
int twice(int x);
float4 shade(struct S s);
struct S made(void);
kernel void f(global int* gi, global const float* gf, local uint* lu, constant uchar* cc) {
    bool b; char c; uchar uc; short s; ushort us; int i; uint ui; long l; ulong ul;
    float f; double d; number n; enum color e; size_t z;
    int2 i2; int4 i4; uint4 ui4; char4 c4; uchar4 uc4; short4 s4; long2 l2; int16 i16;
    float2 f2; float3 f3; float4 f4; float8 f8; double2 d2;
    int arr[5]; int grid[2][3]; float4 quads[2]; int* p; const int* pc; int** pp; void* pv;
    struct S st; struct S* ps; global struct S* gs; union U un;
)";

inline const Expression* expression_of(const Compiled& compiled) {
    const FunctionDefinition* kernel = compiled.tree ? compiled.tree->find("f") : nullptr;
    if (kernel == nullptr || kernel->body == nullptr) return nullptr;
    return kernel->body->statements.back()->condition;
}

inline Compiled typed(const std::string& expression) {
    return compile({"k.cl", fmt::format("{}    {};\n}}\n", kBefore, expression), ""});
}

inline std::string type_of(const std::string& expression) {
    const Compiled compiled = typed(expression);
    const Expression* of = expression_of(compiled);
    if (of == nullptr || of->type == nullptr)
        return text_of(compiled.diagnostics, compiled.sources);
    return of->type->name;
}

struct Typed {
    const char* expression;
    const char* type;
};

inline void check(std::span<const Typed> all) {
    for (const Typed& typed : all)
        EXPECT_EQ(type_of(typed.expression), typed.type) << typed.expression;
}

}  // namespace lab::lang

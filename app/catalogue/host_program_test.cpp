#include <gmock/gmock.h>

#include "base/paths.h"
#include "base/problem.h"
#include "catalogue/host_program.h"
#include "support/shipped_kernels.h"
#include "support/temporary_folder.h"

namespace lab::catalogue {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text(const std::string& id, const Shape& shape = {}) {
    return host_program(shipped().find(id), shape).text;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

Problem problem_of(const std::string& id, const Shape& shape) {
    try {
        (void)text(id, shape);
    } catch (const Problem& problem) {
        return problem;
    }
    ADD_FAILURE() << id << " has a program";
    return {};
}

TEST(HostProgram, LaunchesInOnePlaceHoweverManyLaunchesThereAre) {
    for (const Kernel& variant : shipped().variants) {
        const HostProgram program = host_program(variant, {});
        EXPECT_EQ(count(program.text, "enqueueNDRangeKernel"), 1U) << variant.id;
        EXPECT_EQ(program.kernel_text, variant.text);
        for (std::size_t at = 0; at < program.text.size();) {
            const std::size_t end = program.text.find('\n', at);
            EXPECT_LE(end - at, 82U) << variant.id << ": " << program.text.substr(at, end - at);
            at = end + 1;
        }
    }
}

TEST(HostProgram, AKernelInCudaComesInOpenClC) {
    const std::string file = LAB_SOURCE_DIR "/assets/lessons/04-many-groups/many_blocks.cu";
    Shape shape;
    shape.type = Type::float_;
    const HostProgram program = host_program(parse_kernel(file, read_file(file)), shape);
    EXPECT_EQ(program.kernel_file, "many_blocks.cl");
    EXPECT_THAT(program.text, HasSubstr("\"many_blocks.cl\""));
    EXPECT_THAT(program.kernel_text, HasSubstr("kernel void many_blocks(float global *in, "));
    EXPECT_THAT(program.kernel_text, HasSubstr("local float part[8];"));
    EXPECT_THAT(program.kernel_text, Not(HasSubstr("__global__")));
}

TEST(HostProgram, CountsPassesAsTheHeaderDoes) {
    EXPECT_THAT(text("relaunch"), HasSubstr("for (int64_t span = 2; span < 2 * n; span *= 2) {\n"
                                            "        kernel.setArg(2, cl_uint(span));\n"));
    EXPECT_THAT(text("two-stage"), HasSubstr("while (n > 1) {"));
    EXPECT_THAT(text("sync-leaders"), HasSubstr("const int64_t ROUNDS = 8;"));
}

TEST(HostProgram, TriesWhetherAFenceForAllGroupsCompiles) {
    const std::string program = text("single-pass");
    EXPECT_THAT(program, HasSubstr("memory_order_acq_rel, memory_scope_device);"));
    EXPECT_THAT(program, HasSubstr("? \"-cl-std=CL3.0\" : \"-cl-std=CL2.0\";"));
    EXPECT_THAT(program, HasSubstr("    if (!compiles(context, device, scope_trial, options)) {\n"
                                   "        options = \"-cl-std=CL1.2\";\n"
                                   "        source = scope_stand_in + source;\n"));
    EXPECT_THAT(text("relaunch"), Not(HasSubstr("scope_trial")));
    EXPECT_THAT(text("relaunch"), HasSubstr("-cl-std=CL1.2"));
}

TEST(HostProgram, TakesWhatTheShapeSays) {
    Shape shape;
    shape.n = 100;
    shape.group = 32;
    shape.type = Type::ulong_;
    shape.op = Op::max;
    shape.device = "1:2";
    const std::string program = text("groups-atomic", shape);
    EXPECT_THAT(program, HasSubstr("number(argv[1]) : 100;"));
    EXPECT_THAT(program, HasSubstr("number(argv[2]) : 32;"));
    EXPECT_THAT(program, HasSubstr("using T = cl_ulong;"));
    EXPECT_THAT(program, HasSubstr("#define T ulong\n"));
    EXPECT_THAT(program, HasSubstr("return a > b ? a : b;"));
    EXPECT_THAT(program, HasSubstr("platforms[1].getDevices"));
    EXPECT_THAT(program, HasSubstr("cl_khr_int64_base_atomics"));
    EXPECT_THAT(text("groups-atomic"), Not(HasSubstr("cl_khr_int64_base_atomics")));
}

TEST(HostProgram, HasAToggleWhereItIsNeeded) {
    Shape shape;
    shape.set["COARSEN"] = "8";
    const std::string both = text("groups-coarsened", shape);
    EXPECT_THAT(both, HasSubstr("const int64_t COARSEN = 8;  // or 2, 1, 4, 16\n"));
    EXPECT_THAT(both, HasSubstr("-D COARSEN="));
    EXPECT_THAT(both, Not(HasSubstr("#define COARSEN")));
    EXPECT_THAT(text("span-modulo"), HasSubstr("#define BARRIER 0  // none; group is 1\n"));
    EXPECT_THAT(text("tile"), Not(HasSubstr("-D PER_UNIT")));
    EXPECT_THAT(text("relaunch"), Not(HasSubstr("IDENTITY")));
}

TEST(HostProgram, TakesItsNumberOfElementsFromNumbersThatAreListed) {
    Shape shape;
    shape.input = parse_input("7,1,6,8");
    const std::string program = text("relaunch", shape);
    EXPECT_THAT(program, HasSubstr("std::vector<T> input = {7, 1, 6, 8};"));
    EXPECT_THAT(program, HasSubstr("const int64_t n = input.size();"));
    EXPECT_THAT(program, HasSubstr("number(argv[1]) : 4;"));
}

TEST(HostProgram, SaysWhyThereIsNone) {
    Shape shape;
    shape.n = 100;
    shape.group = 4;
    EXPECT_THAT(problem_of("block-local", shape).why, HasSubstr("n <= 2 * group"));
    shape.n = 0;
    EXPECT_THAT(problem_of("relaunch", shape).what_happened, HasSubstr("nothing to launch"));
    shape = {};
    shape.device = "all";
    EXPECT_EQ(problem_of("relaunch", shape).where, "--device");
    shape = {};
    shape.type = Type::float_;
    shape.input = parse_input("1,nan");
    EXPECT_THAT(problem_of("relaunch", shape).what_happened, HasSubstr("NaN"));
    shape = {};
    std::string many = "1";
    for (int i = 0; i < 1024; ++i)
        many += ",1";
    shape.input = parse_input(many);
    EXPECT_THAT(problem_of("relaunch", shape).what_happened, HasSubstr("1025 numbers"));
}

TEST(HostProgram, IsSavedBesideItsKernelAndNeverOverAnotherText) {
    const TemporaryFolder folder;
    const HostProgram program = host_program(shipped().find("relaunch"), {});
    save_program(program, folder.path() / "mine.cpp");
    EXPECT_EQ(read_file(folder.path() / "mine.cpp"), program.text);
    EXPECT_EQ(read_file(folder.path() / "relaunch.cl"), program.kernel_text);
    save_program(program, folder.path() / "again.cpp");  // the kernel is there, as it is

    write_file(folder.path() / "relaunch.cl", "kernel void mine() {}\n");
    EXPECT_THROW(save_program(program, folder.path() / "third.cpp"), Problem);
    EXPECT_EQ(read_file(folder.path() / "relaunch.cl"), "kernel void mine() {}\n");
    EXPECT_FALSE(fs::exists(folder.path() / "third.cpp"));
}

}  // namespace
}  // namespace lab::catalogue

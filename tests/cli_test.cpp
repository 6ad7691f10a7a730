// reduction-lab-cli from outside: what it prints, and how it ends.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <tuple>

#include "base/child_process.h"
#include "base/paths.h"
#include "program.h"

namespace lab {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::vector<std::string> kStory{"step",    "relaunch", "--input", "7,1,6,8,5,6,7,1",
                                      "--group", "4"};

std::vector<std::string> story_and(std::vector<std::string> more) {
    more.insert(more.begin(), kStory.begin(), kStory.end());
    return more;
}

RunOptions without_driver(const TemporaryFolder& empty) {
    RunOptions options;
    options.environment["OCL_ICD_VENDORS"] = empty.path().string();
    return options;
}

TEST(Cli, StepShowsTheStory) {
    const Finished done = cli(kStory);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, ContainsRegex("span = 2 +data +8 +1 +14 +8 +11 +6 +8 +1\n"));
    EXPECT_THAT(done.out, ContainsRegex("span = 4 +data +22 +1 +14 +8 +19 +6 +8 +1\n"));
    EXPECT_THAT(done.out, ContainsRegex("span = 8 +data +41 "));
    EXPECT_THAT(done.out, HasSubstr("result 41, right"));
}

TEST(Cli, StepAsJson) {
    const json passes = json::parse(cli(story_and({"--json"})).out);
    EXPECT_EQ(passes["schema"], 1);
    EXPECT_EQ(passes["source"], "machine");
    EXPECT_EQ(passes["witness"]["verdict"], "same");
    ASSERT_EQ(passes["passes"].size(), 4U);
    EXPECT_EQ(passes["passes"][1]["cells"][4]["value"], 11);
    EXPECT_EQ(passes["passes"][1]["cells"][4]["from"], json({4, 5}));
    EXPECT_EQ(passes["passes"][3]["cells"][0]["from"], json({0, 4}));
}

TEST(Cli, StepDrawsFiles) {
    const TemporaryFolder folder;
    const std::string svg = folder.path() / "f.svg";
    const std::string png = folder.path() / "f.PNG";
    const std::string pdf = folder.path() / "new/f.pdf";
    const Finished done = cli(story_and({"-o", svg, "-o", png, "-o", pdf, "--lang", "zh"}));
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(read_file(svg), HasSubstr("</svg>"));
    EXPECT_EQ(read_file(png).substr(1, 3), "PNG");
    EXPECT_EQ(read_file(pdf).substr(0, 4), "%PDF");
}

TEST(Cli, AnUnknownSuffixIsSaidBeforeAnythingRuns) {
    const Finished done = cli(story_and({"-o", "f.bmp"}));
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.out, IsEmpty());
    EXPECT_THAT(done.err, HasSubstr(".svg"));
}

TEST(Cli, AnUnwritablePlaceIsAProblemAndLeavesNothing) {
    const Finished done = cli(story_and({"-o", "/proc/f.svg"}));
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.err, HasSubstr("/proc/f.svg"));
}

TEST(Cli, StepOfNothingGivesTheIdentity) {
    const Finished done = cli({"step", "relaunch", "--n", "0", "--op", "product"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("result 1, right"));
}

TEST(Cli, VariantsListsTheShippedOnes) {
    const Finished done = cli({"variants"});
    EXPECT_EQ(done.status, 0);
    EXPECT_THAT(done.out, HasSubstr("relaunch"));
    EXPECT_THAT(done.out, HasSubstr("local-tree"));
    const json all = json::parse(cli({"variants", "--json"}).out);
    EXPECT_EQ(all["problems"].size(), 0U);
}

TEST(Cli, DevicesTellsWhatThereIs) {
    const json found = json::parse(cli({"devices", "--json"}).out);
    ASSERT_GE(found["devices"].size(), 1U);
    EXPECT_THAT(cli({"devices"}).out, HasSubstr("compute units"));
}

TEST(Cli, WithoutADriverItSaysWhatToInstallAndEndsWith3) {
    const TemporaryFolder empty;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"devices"}, story_and({"--source", "device"}),
          std::vector<std::string>{"measure", "local-tree"}}) {
        const Finished done = cli(arguments, without_driver(empty));
        EXPECT_EQ(done.status, 3) << arguments[0];
        EXPECT_THAT(done.err, HasSubstr("pocl-opencl-icd"));
    }
}

TEST(Cli, ADriverThatCannotBeLoadedIsNoCrash) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "bad.icd") << "/nowhere/libdriver.so\n";
    const Finished done = cli({"devices"}, without_driver(folder));
    EXPECT_EQ(done.status, 3) << done.err;
}

TEST(Cli, APlatformWithoutADeviceIsSaidPlainly) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "empty.icd") << LAB_EMPTY_PLATFORM << '\n';
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"devices"}, story_and({"--source", "device"})}) {
        const Finished done = cli(arguments, without_driver(folder));
        EXPECT_EQ(done.status, 3) << arguments[0];
        EXPECT_THAT(done.err, HasSubstr("'Empty platform' has no device"));
    }
}

TEST(Cli, WrongArgumentsEndWith2AndSayWhatIsRight) {
    const std::vector<std::pair<std::vector<std::string>, const char*>> wrong{
        {{}, "No command"},
        {{"fly"}, "measure"},
        {{"step"}, "variant"},
        {{"step", "nothing"}, "relaunch"},
        {{"step", "relaunch", "--input", "1,x"}, "input:1:3"},
        {{"step", "relaunch", "--input", "@/nowhere"}, "/nowhere"},
        {{"step", "relaunch", "--input", "1,2", "--n", "3"}, "n is 3"},
        {{"step", "relaunch", "--n", "lots"}, "2^20"},
        {{"step", "relaunch", "--n", "5000"}, "4096"},
        {{"step", "relaunch", "--group", "0"}, "group"},
        {{"step", "relaunch", "--group", "2^30"}, "at most"},
        {{"step", "relaunch", "--op", "plus"}, "product"},
        {{"step", "relaunch", "--type", "half"}, "double"},
        {{"sizes", "relaunch", "--op", "add,plus"}, "product"},
        {{"sizes", "relaunch", "--type", "int,half"}, "double"},
        {{"step", "relaunch", "--set", "X"}, "NAME=VALUE"},
        {{"step", "local-tree", "--set", "ITEMS=3"}, "16"},
        {{"step", "local-tree", "--group", "48"}, "power_of_two"},
        {{"step", "relaunch", "--device", "7:7"}, "0:0"},
        {{"step", "relaunch", "--source", "moon"}, "device"},
        {{"step", "relaunch", "-o", "f.svg", "--theme", "pink"}, "projector"},
        {{"step", "relaunch", "-o", "f.svg", "--lang", "xx"}, "zh"},
        {{"measure", "local-tree", "--sizes", "8..4"}, "2^16..2^26"},
        {{"measure", "local-tree", "--repeat", "0"}, "repeat"},
        {{"measure", "all", "--n", "8", "--sizes", "16"}, "twice"},
        {{"measure", "all", "--input", "1,2", "--sizes", "16"}, "twice"},
        {{"measure", "all", "--set", "NOTHING=1"}, "toggle"},
        {{"step", "relaunch", "--theme", "pink"}, "projector"},
        {{"step", "relaunch", "--input", "-1", "--type", "uint"}, "int"},
        {{"measure", "local-tree", "-o", "r.xml"}, ".json"},
        {{"measure", "local-tree", "-o", "r.gif"}, ".svg"},
        {{"measure", "local-tree", "--chart", "pie"}, "bandwidth"},
        {{"measure", "local-tree", "--size", "big"}, "--size"},
        {{"measure", "local-tree", "--group", "64,0"}, "group"},
        {{"measure", "local-tree,nothing"}, "relaunch"},
        {{"measure", "local-tree", "--precision", "7"}, "precision"},
        {{"measure", "block-local", "--n", "2^20"}, "n <= 2 * group"},
        {{"check", "nothing"}, "relaunch"},
        {{"check", "span-modulo", "--set", "BARRIER=wat"}, "no value of BARRIER"},
        {{"check", "relaunch", "--set", "BARRIER=group"}, "toggle"},
        {{"check", "relaunch", "--n", "8", "--group", "1000000"}, "No case"},
        {{"measure", "local-tree", "--limit", "nan"}, "--limit"},
        {{"step", "relaunch", "--n", "1e14Gi"}, "too large"},
        {{"check", "relaunch", "--input", "1,2,3"}, "random:SEED"},
        {{"check", "relaunch", "--type", "half"}, "double"},
        {{"trials", "relaunch", "--count", "0"}, "count"},
        {{"trials", "relaunch", "--n", "8", "--input", "bits:x"}, "bits:42"},

    };
    for (const auto& [arguments, words] : wrong) {
        const Finished done = cli(arguments);
        const std::string line = testing::PrintToString(arguments);
        EXPECT_EQ(done.status, 2) << line << done.err;
        EXPECT_THAT(done.err + done.out, HasSubstr(words)) << line;
    }
}

// A copy of the program's data in which `from` of kernels/relaunch.cl is `to`.
RunOptions with_kernel(const TemporaryFolder& folder, const std::string& from,
                       const std::string& to) {
    fs::copy(fs::path(LAB_BIN_DIR) / "../share/reduction-lab", folder.path(),
             fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    fs::remove_all(folder.path() / "kernels");
    fs::create_directory(folder.path() / "kernels");
    std::string text = read_file(fs::path(LAB_SOURCE_DIR) / "kernels/relaunch.cl");
    const auto position = text.find(from);
    EXPECT_NE(position, std::string::npos);
    text.replace(position, from.size(), to);
    std::ofstream(folder.path() / "kernels/relaunch.cl") << text;
    RunOptions options;
    options.environment["REDUCTION_LAB_DATA"] = folder.path().string();
    return options;
}

TEST(Cli, ACommandWithoutItsKernelSaysHowToFindOne) {
    for (const char* command : {"step", "text", "host", "hazards", "outcomes", "sizes", "inputs",
                                "barriers", "trials", "record", "check", "measure"}) {
        const Finished none = cli({command});
        EXPECT_EQ(none.status, 2) << command;
        EXPECT_THAT(none.err,
                    HasSubstr(fmt::format("reduction-lab-cli {} needs a kernel", command)));
        EXPECT_THAT(none.err, HasSubstr("reduction-lab-cli variants lists all kernels"));
    }
    EXPECT_THAT(cli({"plot"}).err, HasSubstr("reduction-lab-cli plot needs results"));
    EXPECT_THAT(cli({"lesson", "check"}).err,
                HasSubstr("reduction-lab-cli lesson check needs FOLDER"));
}

TEST(Cli, AKernelThatDoesNotCompileNamesItsLine) {
    const TemporaryFolder folder;
    const Finished done =
        cli({"step", "relaunch"}, with_kernel(folder, "get_global_id", "get_globl_id"));
    EXPECT_EQ(done.status, 4) << done.err;
    EXPECT_THAT(done.err, HasSubstr("kernels/relaunch.cl:19:"));
}

TEST(Cli, AKernelThatCrashesTheDriverIsAProblem) {
    const TemporaryFolder folder;
    const Finished done =
        cli({"step", "relaunch", "--source", "device"},
            with_kernel(folder, "data[id] =", "data[id + 1000000000] = data[id] ="));
    EXPECT_EQ(done.status, 4) << done.err;
    EXPECT_THAT(done.err, HasSubstr("signal"));
}

TEST(Cli, AHeaderWithAMistakeIsNamedAndTheCommandEndsWith2) {
    const TemporaryFolder folder;
    const Finished done = cli({"variants"}, with_kernel(folder, "per-pass", "sometimes"));
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.err, HasSubstr("relaunch.cl:6"));
    EXPECT_THAT(done.err, HasSubstr("'plan'"));
}

TEST(Cli, AFullDiskIsNoSuccess) {
    const Finished done = run_program(
        "bash", {"-c", std::string(LAB_BIN_DIR) + "/reduction-lab-cli variants > /dev/full"});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.err, HasSubstr("could not be written"));
    for (const char* call : {"reduction-lab-cli --help", "reduction-lab-cli --version",
                             "reduction-lab-cli step --help", "reduction-lab --help"}) {
        const Finished help =
            run_program("bash", {"-c", std::string(LAB_BIN_DIR) + "/" + call + " > /dev/full"});
        EXPECT_EQ(help.status, 2) << call;
        EXPECT_THAT(help.err, HasSubstr("could not be written")) << call;
    }
}

TEST(Cli, MeasureOfMoreThanFitsLeavesTheOtherRows) {
    const Finished done = cli({"measure", "local-tree", "--sizes", "2^10,2^40"});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.out, HasSubstr("right"));
    EXPECT_THAT(done.err, HasSubstr("a buffer"));
}

TEST(Cli, VariantsListsTheWholeLadder) {
    const json all = json::parse(cli({"variants", "--json"}).out);
    std::vector<std::string> ids;
    for (const json& variant : all["variants"])
        ids.push_back(variant["id"]);
    // Every file of kernels/, by chapter and place in it.
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto& entry : fs::directory_iterator(LAB_SOURCE_DIR "/kernels")) {
        if (entry.path().extension() != ".cl") continue;
        const std::string text = read_file(entry.path());
        const auto place = text.find("chapter:");
        ASSERT_NE(place, std::string::npos) << entry.path();
        const auto begin = text.find_first_not_of(' ', place + 8);
        std::string id = entry.path().stem();
        std::replace(id.begin(), id.end(), '_', '-');
        files.emplace_back(text.substr(begin, text.find('\n', begin) - begin), id);
    }
    std::sort(files.begin(), files.end());
    std::vector<std::string> expected;
    for (const auto& [chapter, id] : files)
        expected.push_back(id);
    EXPECT_GE(ids.size(), 27U);
    EXPECT_EQ(ids, expected);
}

TEST(Cli, MeasureTimesAndVerifies) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "r.json";
    const std::string table = folder.path() / "r.csv";
    const Finished done =
        cli({"measure", "all", "--sizes", "2^10..2^11", "--repeat", "2", "-o", file, "-o", table});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("GB/s"));
    EXPECT_THAT(done.out, HasSubstr("left out: "));
    EXPECT_THAT(done.out, HasSubstr("NVIDIA RTX 4090"));
    const json results = json::parse(read_file(file));
    EXPECT_EQ(results["complete"], true);
    std::set<std::string> variants;
    for (const json& row : results["rows"]) {
        EXPECT_TRUE(row["right"] == true || row["expect"] == "races") << row.dump();
        EXPECT_GE(row["wall_ms"].size(), 2U);
        variants.insert(row["variant"]);
    }
    for (const char* id : {"relaunch", "tile", "ladder-4-first-add", "read-ceiling", "cpu-serial",
                           "cpu-openmp", "cpu-tbb"})
        EXPECT_TRUE(variants.contains(id)) << id;
    const std::string csv = read_file(table);
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'),
              static_cast<std::ptrdiff_t>(results["rows"].size() + 1));
}

TEST(Cli, MeasureTimesAKernelWithoutAHeaderAsItsLaunchSays) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "twice.cl";
    std::ofstream(file) << "kernel void twice(global const int* in, global int* out)\n"
                           "{ out[get_global_id(0)] = 2 * in[get_global_id(0)]; }\n";
    const std::vector<std::string> launch{"measure", file,          "--global", "64",
                                          "--local", "8",           "--arg",    "in:int[64]=ramp",
                                          "--arg",   "out:int[64]", "--repeat", "3"};
    const Finished done = cli(launch);
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("twice.cl"));
    EXPECT_THAT(done.out, HasSubstr("bytes of its buffers"));
    EXPECT_THAT(done.out, HasSubstr("not known; as on the simulator"));
    std::vector<std::string> also = launch;
    also.insert(also.end(), {"--sizes", "2^10"});
    EXPECT_THAT(cli(also).err, HasSubstr("are for variants"));
    EXPECT_THAT(cli({"step", file, "--global", "8", "--local", "4", "--arg", "in:int[8]=ramp",
                     "--arg", "out:int[8]", "--device", "0:0"})
                    .out,
                HasSubstr("rows compared"));
    const Finished guessed =
        cli({"measure", file, "--n", "1000", "--group", "64", "--repeat", "3"});
    ASSERT_EQ(guessed.status, 0) << guessed.err;
    EXPECT_THAT(guessed.err, HasSubstr("--global 1024 --local 64 --arg in:int[1024]=ramp --arg "
                                       "out:int[1024]"));
    const Finished missing = cli({"measure", file, "--global", "64", "--local", "8"});
    EXPECT_NE(missing.status, 0);
    EXPECT_THAT(missing.err, HasSubstr("takes 2 arguments"));
}

TEST(Cli, SizesKeepsWhatIsGivenOneValue) {
    const auto first_lines = [](std::vector<std::string> options) {
        options.insert(options.begin(), {"sizes", "span-modulo"});
        const std::string out = cli(options).out;
        return out.substr(0, out.find('\n', out.find('\n') + 1));
    };
    EXPECT_THAT(first_lines({"--n", "1..4", "--group", "1,2"}), HasSubstr("group down, n across"));
    EXPECT_THAT(first_lines({"--n", "6"}), HasSubstr("group down, lanes across"));
    EXPECT_THAT(first_lines({"--n", "5,6", "--group", "2"}), HasSubstr("n down, lanes across"));
    EXPECT_THAT(first_lines({"--n", "6", "--rows", "n", "--columns", "lanes"}),
                HasSubstr("n down, lanes across"));
    EXPECT_THAT(
        cli({"sizes", "span-modulo", "--n", "6", "--group", "2", "--lanes", "1", "--resident", "1"})
            .err,
        HasSubstr("Everything has one value"));
    EXPECT_THAT(first_lines({"--n", "6", "--op", "add,max", "--type", "int,float"}),
                HasSubstr("op down, type across"));
}

TEST(Cli, SizesSaysWhyShapesAreNotLaunched) {
    const Finished done = cli({"sizes", "block-local", "--n", "1..8", "--group", "1,2"});
    EXPECT_THAT(done.out, HasSubstr("  10 not launched: It asks for n <= 2 * group\n"));
    EXPECT_THAT(cli({"sizes", "block-local", "-o", "x.bmp"}).err,
                HasSubstr(".svg, .png, .pdf, .csv, .json"));
}

// What is unknown is said, and no success.
TEST(Cli, WhatIsUnknownCountsAsFound) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "odd.cl";
    std::ofstream(file) << "/* title:    T\n * chapter:  U 1\n * origin:   new\n * teaches:  t\n"
                           " * entry:    k\n * plan:     once\n"
                           " * args:     in: const T[n] = input, out: T[1]\n * global:   1\n"
                           " * local:    1\n * result:   out\n * depth:    n\n"
                           " * legal:    n == 1\n * expect:   correct\n */\n"
                           "kernel void k(global const T* in, global T* out)\n{\n"
                           "    T rest = in[0];\n    while (rest % 2 != 0) rest -= 2;\n"
                           "    out[0] = in[0];\n}\n";
    const Finished map = cli({"sizes", file, "--group", "1,2", "--lanes", "1,2", "--input", "1"});
    EXPECT_EQ(map.status, 1) << map.err;
    EXPECT_THAT(map.out, HasSubstr(": unknown."));
    for (const char* input : {"1", "2"}) {
        const Finished rows = cli({"inputs", file, "--input", input, "--tries", "12"});
        EXPECT_EQ(rows.status, 1) << rows.err;
        EXPECT_THAT(rows.out, HasSubstr("as it was asked: " +
                                        std::string(*input == '1' ? "unknown" : "right")));
        EXPECT_THAT(rows.out, HasSubstr("of them not judged, as that takes too long\n"
                                        "None of the rest went wrong"));
    }
    const Finished proof = cli({"prove", "subgroup", "local-tree"});
    if (proof.status == 2) GTEST_SKIP() << proof.err;  // without z3
    EXPECT_EQ(proof.status, 1) << proof.err;
    EXPECT_THAT(proof.out, HasSubstr("subgroup: not of that kind"));
    EXPECT_EQ(cli({"prove", "local-tree"}).status, 0);
}

TEST(Cli, BarriersSaysThatEachIsTakenAwayAlone) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "two.cl";
    const auto judged = [&](const char* more) {
        std::ofstream(file)
            << "kernel void k(global const int* in, global int* out, local int* t)\n{\n"
               "    int l = get_local_id(0);\n    t[l] = in[get_global_id(0)];\n"
               "    barrier(CLK_LOCAL_MEM_FENCE);\n    "
            << more << "\n    out[get_global_id(0)] = t[get_local_size(0) - 1 - l];\n}\n";
        return cli({"barriers", file, "--global", "2", "--local", "2", "--arg", "in:int[2]=1,2",
                    "--arg", "out:int[2]", "--arg", "t:local:int[2]"});
    };
    const Finished two = judged("barrier(CLK_LOCAL_MEM_FENCE);");
    EXPECT_EQ(two.status, 1) << two.err;
    EXPECT_THAT(two.out, HasSubstr("Each was taken away or made narrower alone"));
    const Finished one = judged("");
    EXPECT_EQ(one.status, 0) << one.err;
    EXPECT_THAT(one.out, testing::Not(HasSubstr("alone")));
}

TEST(Cli, AFileInCudaIsSteppedSearchedAndRunOnTheDevice) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "sum.cu";
    std::ofstream(file)
        << "template <typename T> __device__ T block_sum(T own) {\n"
           "    __shared__ T part[8];\n"
           "    part[threadIdx.x] = own;\n"
           "    for (int step = blockDim.x / 2; step > 0; step /= 2) {\n"
           "        __syncthreads();\n"
           "        if (threadIdx.x < step) part[threadIdx.x] += "
           "part[threadIdx.x + step];\n"
           "    }\n"
           "    return part[0];\n"
           "}\n"
           "__global__ void sum(const float* in, float* out) {\n"
           "    float total = block_sum(in[blockIdx.x * blockDim.x + threadIdx.x]);\n"
           "    if (threadIdx.x == 0) atomicAdd(out, total);\n"
           "}\n"
           "int main() {\n"
           "    float *in, *out;\n"
           "    cudaMalloc(&in, 16 * sizeof(float));\n"
           "    cudaMalloc(&out, sizeof(float));\n"
           "    sum<<<2, 8>>>(in, out);\n"
           "}\n";
    const Finished stepped = cli({"step", file});
    EXPECT_EQ(stepped.status, 0) << stepped.err;
    EXPECT_THAT(stepped.err, HasSubstr("--global 16 --local 8 --arg in:float[16]=ramp "
                                       "--arg out:float[1]=0"));
    EXPECT_THAT(stepped.out, HasSubstr("out (float[1]): 136"));
    // Nothing keeps the last addition before those who return the sum.
    const Finished raced = cli({"hazards", file});
    EXPECT_EQ(raced.status, 1);
    EXPECT_THAT(raced.out, HasSubstr("1 line pair in a race"));
    const Finished tried = cli({"trials", file, "--count", "5"});
    EXPECT_THAT(tried.out, HasSubstr("the same in 5 of 5 runs"));
    EXPECT_THAT(tried.out, HasSubstr("16 threads in blocks of 8"));
    const Finished recorded = cli({"record", file, "--until", "run:1"});
    EXPECT_EQ(recorded.status, 0) << recorded.err;
    EXPECT_THAT(recorded.out, HasSubstr("136"));
    const Finished text = cli({"text", file, "--as", "opencl"});
    EXPECT_THAT(text.out, HasSubstr("kernel void sum(float global const *in, float global *out)"));
    const std::string written = folder.path() / "sum.cl";
    std::ofstream(written) << text.out;
    const Finished twin = cli({"step", written, "--global", "16", "--local", "8", "--arg",
                               "in:float[16]=ramp", "--arg", "out:float[1]=0"});
    EXPECT_THAT(twin.out, HasSubstr("out (float[1]): 136"));
}

// Each text beside lesson 4, on the simulator and on a device.
TEST(Cli, DocumentBInCudaIsSteppedSearchedRecordedAndTimed) {
    struct Listing {
        const char* name;
        std::vector<std::string> shape;
        const char* sum;
    };
    const std::vector<std::string> pairs{"--n", "16", "--group", "8"},
        odd{"--n", "37", "--group", "4"}, alone{"--n", "16", "--group", "1"};
    for (const Listing& each :
         {Listing{"one_loop", alone, "136"}, Listing{"one_block", pairs, "136"},
          Listing{"one_block_shrinking", pairs, "136"}, Listing{"one_block_shared", pairs, "136"},
          Listing{"many_blocks", odd, "703"}, Listing{"many_blocks_coarsened", odd, "703"}}) {
        SCOPED_TRACE(each.name);
        const std::string file =
            fmt::format("{}/assets/lessons/04-many-groups/{}.cu", LAB_SOURCE_DIR, each.name);
        const auto of = [&](const std::string& command, const std::vector<std::string>& more = {}) {
            std::vector<std::string> words{command, file, "--type", "float"};
            words.insert(words.end(), each.shape.begin(), each.shape.end());
            words.insert(words.end(), more.begin(), more.end());
            return cli(words);
        };
        EXPECT_THAT(of("step").out, HasSubstr(fmt::format("result {}, right", each.sum)));
        EXPECT_THAT(of("hazards").out, HasSubstr("no race in any schedule of this shape"));
        EXPECT_THAT(of("outcomes").out, HasSubstr("COMPLETE: 1 result"));
        EXPECT_THAT(of("trials", {"--count", "5"}).out, HasSubstr("right in 5 of 5 runs"));
        EXPECT_THAT(of("record", {"--until", "run:1"}).out,
                    HasSubstr("replayed by the simulator: each access has the same value"));
        const Finished timed = cli({"measure", file, "--type", "float", "--sizes", each.shape[1],
                                    "--group", each.shape[3], "--repeat", "3", "--json"});
        ASSERT_EQ(timed.status, 0) << timed.err;
        EXPECT_THAT(timed.out, HasSubstr("right"));
    }
}

TEST(Cli, MeasureSaysThatAGuessedLaunchRaces) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "k.cu";
    const auto measured = [&](const char* statement) {
        std::ofstream(file) << "__global__ void k(const int* in, int* out, int n) {\n"
                               "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                               "    if (i < n) "
                            << statement << ";\n}\n";
        return cli({"measure", file, "--n", "1024", "--repeat", "2"});
    };
    EXPECT_THAT(measured("out[0] += in[i]").err, HasSubstr("note: this launch races in line 3"));
    EXPECT_THAT(measured("atomicAdd(out, in[i])").err, Not(HasSubstr("races")));
}

TEST(Cli, MeasureTakesWhatAFileIncludesAlong) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "twice.h") << "#pragma once\n#define TWICE(x) (2 * (x))\n";
    const std::string file = folder.path() / "twice.cl";
    std::ofstream(file) << "#include \"twice.h\"\n"
                           "kernel void twice(global const int* in, global int* out)\n"
                           "{ out[get_global_id(0)] = TWICE(in[get_global_id(0)]); }\n";
    const Finished done = cli({"measure", file, "--global", "64", "--local", "8", "--arg",
                               "in:int[64]=ramp", "--arg", "out:int[64]", "--repeat", "3"});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("not known; as on the simulator"));
}

TEST(Cli, MeasureTakesAFileWithAHeaderBesideTheProgramsOwn) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "mine.cl";
    fs::copy_file(LAB_SOURCE_DIR "/kernels/local_tree.cl", file);
    const Finished done = cli(
        {"measure", file + ",local-tree", "--sizes", "2^10", "--repeat", "2", "--no-references"});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("local-tree"));
    EXPECT_THAT(done.out, HasSubstr("\nmine "));
}

TEST(Cli, MeasureSplitsOneReductionOverAllDevices) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "r.json", table = folder.path() / "r.csv";
    const std::string picture = folder.path() / "r.svg";
    RunOptions two;
    two.environment["POCL_DEVICES"] = "pthread pthread";
    const Finished done =
        cli({"measure", "tile,two-stage", "--device", "all", "--sizes", "2^16..2^18", "--repeat",
             "3", "-o", file, "-o", table, "-o", picture},
            two);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("on 2 devices: "));
    EXPECT_THAT(done.out, HasSubstr("% of linear by the devices' clocks"));
    EXPECT_THAT(done.out, HasSubstr("share its processors"));
    const json results = json::parse(read_file(file));
    EXPECT_EQ(results["device"]["id"], "all");
    std::size_t joint = 0;
    for (const json& row : results["rows"]) {
        EXPECT_EQ(row["right"], true) << row.dump();
        if (!row.contains("parts")) continue;
        ++joint;
        EXPECT_EQ(row["parts"][0]["n"].get<int>() + row["parts"][1]["n"].get<int>(), row["n"]);
    }
    EXPECT_EQ(joint, 6U);
    EXPECT_EQ(cli({"plot", file, "-o", picture}).status, 0);
    EXPECT_EQ(
        cli({"measure", "tile", "--device", "0:1,0:0", "--sizes", "1000", "--repeat", "1"}, two)
            .status,
        0);
}

TEST(Cli, OnlyMeasureTakesSeveralDevices) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"check", "tile"},
                                                    {"trials", "tile"},
                                                    {"step", "tile", "--source", "device"}}) {
        std::vector<std::string> asked = command;
        asked.insert(asked.end(), {"--device", "all"});
        const Finished done = cli(asked);
        EXPECT_EQ(done.status, 2) << command.front();
        EXPECT_THAT(done.err, HasSubstr("Only measure splits its work"));
    }
}

TEST(Cli, MeasureDrawsItsChartsInOneGo) {
    const TemporaryFolder folder;
    const std::string svg = folder.path() / "c.svg", pdf = folder.path() / "c.pdf";
    const std::string json_file = folder.path() / "c.json";
    const Finished done = cli({"measure", "relaunch,tile", "--sizes", "2^10,2^12", "--repeat", "5",
                               "-o", svg, "-o", pdf, "-o", json_file, "--lang", "ru"});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(read_file(svg), HasSubstr("Эффективная пропускная способность"));
    EXPECT_THAT(read_file(pdf), testing::StartsWith("%PDF-"));
    EXPECT_EQ(json::parse(read_file(json_file))["complete"], true);
}

TEST(Cli, MeasureOfOneSizeDrawsSpeedUps) {
    const TemporaryFolder folder;
    const std::string svg = folder.path() / "c.svg";
    const Finished done = cli({"measure", "relaunch,tile", "--n", "2^12", "--repeat", "5",
                               "--baseline", "tile", "-o", svg});
    ASSERT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(read_file(svg), HasSubstr("Speed-up against “Wide tiles”, n = 4 Ki"));
}

TEST(Cli, AChartThatCannotBeDrawnCostsNoResults) {
    const TemporaryFolder folder;
    const std::string svg = folder.path() / "c.svg", good = folder.path() / "c.json";
    const Finished done = cli({"measure", "relaunch", "--n", "2^10", "--repeat", "1", "--chart",
                               "groups", "-o", svg, "-o", good});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.err, HasSubstr("--group"));
    EXPECT_FALSE(fs::exists(svg));
    EXPECT_EQ(json::parse(read_file(good))["complete"], true);
}

// What was measured for the README, on two devices.
const std::string kPocl = LAB_SOURCE_DIR "/bench/results/pocl.json";
const std::string kH200 = LAB_SOURCE_DIR "/bench/results/h200.json";

TEST(Cli, PlotDrawsEachChartToEachFormat) {
    const TemporaryFolder folder;
    for (const char* chart : {"time", "bandwidth", "speedup", "error", "ladder"}) {
        const std::string file = folder.path() / chart;
        const Finished done = cli({"plot", kPocl, "--chart", chart, "-o", file + ".svg", "-o",
                                   file + ".png", "-o", file + ".pdf", "--theme", "dark"});
        ASSERT_EQ(done.status, 0) << done.err;
        EXPECT_THAT(read_file(file + ".svg"), HasSubstr("PoCL, AMD EPYC"));
        EXPECT_THAT(read_file(file + ".png"), testing::StartsWith("\x89PNG"));
        EXPECT_THAT(read_file(file + ".pdf"), testing::StartsWith("%PDF-"));
    }
}

TEST(Cli, TheLaddersChartHasWhatTheHeadersPredict) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "c.svg";
    const Finished done = cli({"plot", kPocl, kH200, "--chart", "ladder", "-o", file});
    ASSERT_EQ(done.status, 0) << done.err;
    const json listed = json::parse(cli({"variants", "--json"}).out)["variants"];
    const auto step = std::find_if(listed.begin(), listed.end(), [](const json& variant) {
        return variant["id"] == "ladder-3-sequential";
    });
    ASSERT_NE(step, listed.end());
    EXPECT_EQ((*step)["after"], "ladder-2-strided");
    EXPECT_FALSE((*step)["why"].get<std::string>().empty());
    const std::string svg = read_file(file);
    for (const auto& [kind, factor] : (*step)["predicted"].items())
        EXPECT_THAT(svg, HasSubstr(fmt::format("predicted {:g}×", factor.get<double>()))) << kind;
    EXPECT_THAT(svg, HasSubstr("NVIDIA H200 · n = 256 Mi"));
    EXPECT_THAT(svg, HasSubstr("wrong: not ranked"));
}

TEST(Cli, PlotOverlaysDevices) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "c.svg";
    const Finished done = cli({"plot", kPocl, kH200, "--variants", "tile,span-modulo",
                               "--no-documents", "--size", "900x500", "-o", file});
    ASSERT_EQ(done.status, 0) << done.err;
    const std::string svg = read_file(file);
    EXPECT_THAT(svg, HasSubstr(">Wide tiles · NVIDIA H200<"));
    EXPECT_THAT(svg, HasSubstr(">Wide tiles · PoCL, AMD EPYC<"));
    EXPECT_THAT(svg, HasSubstr("datasheet 4800 GB/s"));
    EXPECT_THAT(svg, HasSubstr("(wrong)"));
    EXPECT_THAT(svg, HasSubstr("viewBox=\"0 0 900 "));
    EXPECT_THAT(svg, Not(HasSubstr("Tree in local memory")));
}

// Threads are independent, but for a kernel that asks for its warp.
TEST(Cli, WarpsOfCudaHave32LanesAndConstantsWithoutAValueAreNoted) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "warp.cu", plain = folder.path() / "plain.cu";
    std::ofstream(file) << "__constant__ int c[2];\n"
                           "__global__ void k(int* o) { o[threadIdx.x] = warpSize + c[1]; }\n";
    std::ofstream(plain) << "__global__ void k(int* o) { o[threadIdx.x] = 1; }\n";
    const Finished done = cli({"hazards", file, "--json"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("machine: 32 lanes"));
    EXPECT_THAT(done.out, HasSubstr("\"group\": 32"));
    EXPECT_THAT(done.err, HasSubstr("warp.cu:1: constant 'c' has no value: it is 0 here. Write = "
                                    "and what the host copies to it\n"));
    EXPECT_THAT(cli({"step", file}).out, HasSubstr(" 32"));
    const Finished other = cli({"hazards", plain, "--json"});
    EXPECT_THAT(other.out, HasSubstr("machine: independent items"));
    EXPECT_THAT(other.err, Not(HasSubstr("constant")));
    // The name of CUDA's own groups is none of OpenCL's terms.
    std::ofstream(plain) << "__global__ void k() { cooperative_groups::this_cluster(); }\n";
    EXPECT_THAT(cli({"step", plain}).err, HasSubstr("these cooperative groups are left out"));
}

// What is said of a race in CUDA is in CUDA's words as a whole, behind its label.
TEST(Cli, HintsOfCudaNameItsScopes) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "flag.cu";
    std::ofstream(file)
        << "#include <cuda/atomic>\n"
           "__global__ void k(int *data, int *flag, int *out) {\n"
           "    cuda::atomic_ref<int, cuda::thread_scope_block> mine(*flag);\n"
           "    cuda::atomic_ref<int, cuda::thread_scope_device> all(*flag);\n"
           "    if (blockIdx.x == 0) { data[0] = 7; mine.store(1, cuda::memory_order_release); }\n"
           "    else if (all.load(cuda::memory_order_acquire) == 1) out[0] = data[0];\n}\n";
    const Finished done = cli({"hazards", file, "--global", "2", "--local", "1", "--arg",
                               "data:int[1]=0", "--arg", "flag:int[1]=0", "--arg", "out:int[1]=0"});
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_THAT(done.out, HasSubstr("  why:  Both are atomic, but not for each other: they must "
                                    "have one size and scopes with both threads within them\n"));
    EXPECT_THAT(done.out, HasSubstr("  hint: Give both the scope of the device"));
    const Finished banks = cli({"sizes", "local-tree", "--banks", "16,32"});
    EXPECT_EQ(banks.status, 2);
    EXPECT_THAT(banks.err, HasSubstr("error: --banks: "));
}

TEST(Cli, PlotSaysWhatIsWrong) {
    const TemporaryFolder folder;
    const std::string out = folder.path() / "c.svg", bad = folder.path() / "bad.json";
    std::ofstream(bad) << "{\"schema\": 2";
    struct Case {
        std::vector<std::string> arguments;
        const char* says;
    };
    const std::string sync = LAB_SOURCE_DIR "/bench/results/h100-sync.json";
    const std::vector<Case> cases{
        {{"plot", kH200, "-o", "c.gif"}, ".svg, .png, .pdf"},
        {{"plot", kH200}, "--output"},
        {{"plot", "nothing.json", "-o", out}, "nothing.json"},
        {{"plot", bad, "-o", out}, "bad.json"},
        {{"plot", kH200, sync, "-o", out}, "add of float, and add of int"},
        {{"plot", kH200, "-o", out, "--chart", "groups"}, "--group"},
        {{"plot", kH200, "-o", out, "--chart", "pie"}, "bandwidth"},
        {{"plot", kH200, "-o", out, "--variants", "moon"}, "ladder-1-modulo"},
        {{"plot", kH200, "-o", out, "--chart", "speedup", "--baseline", "span-modulo"}, "tile"},
        {{"plot", kH200, "-o", out, "--chart", "speedup", "--n", "77"}, "256 Mi"},
        {{"plot", kH200, "-o", out, "--chart", "time", "--n", "2^20"}, "--chart speedup"},
        {{"plot", kH200, "-o", out, "--chart", "time", "--baseline", "tile"}, "--chart speedup"},
        {{"measure", "tile", "-o", out, "--baseline", "tiel"}, "tiel"},
        {{"plot", kH200, "-o", out, "--size", "10x10"}, "--size"}};
    for (const Case& test_case : cases) {
        const Finished done = cli(test_case.arguments);
        EXPECT_EQ(done.status, 2) << test_case.says;
        EXPECT_THAT(done.err, HasSubstr(test_case.says));
        EXPECT_FALSE(fs::exists(out)) << test_case.says;
    }
}

TEST(Cli, MeasureThatIsInterruptedKeepsItsRows) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "r.json";
    // As from a terminal: the interrupt goes to the whole group of processes. A machine that is
    // too slow for five rows is given twice the time.
    Finished done;
    json results;
    for (int seconds = 4; seconds <= 64 && results["rows"].size() < 5; seconds *= 2) {
        done = run_program(
            "bash",
            {"-c", std::string("set -m; ") + LAB_BIN_DIR +
                       "/reduction-lab-cli measure local-tree --sizes 2^10..2^28 "
                       "--limit 1 --precision 0.000001 -o " +
                       file + " & sleep " + std::to_string(seconds) + "; kill -INT -$!; wait $!"});
        if (fs::exists(file)) results = json::parse(read_file(file));
    }
    EXPECT_EQ(done.status, 130) << done.err;
    EXPECT_THAT(done.out, HasSubstr("NOT COMPLETE"));
    EXPECT_THAT(done.err, HasSubstr("interrupted"));
    EXPECT_EQ(results["complete"], false);
    EXPECT_GE(results["rows"].size(), 5U);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

// Each answers within a second, and says what it has after 150 ticks of processor time.
TEST(Cli, RunsAndSearchesThatAreInterruptedSayWhatTheyHave) {
    const TemporaryFolder folder;
    const std::string prints = folder.path() / "prints.cl", rounds = folder.path() / "rounds.cl";
    std::ofstream(prints)
        << "kernel void k(global int* x) {\n    for (int i = 0; i < 3000; i++)\n"
           "        printf(\"%200d%200d%200d%200d\\n\", i, i, i, x[0]);\n    x[0] = 1;\n}\n";
    std::ofstream(rounds) << "kernel void k(global int* x, local int* b) {\n"
                             "    const int l = get_local_id(0), i = get_global_id(0);\n"
                             "    for (int r = 0; r < 100000; r++) {\n"
                             "        b[l] = x[i] + r;\n        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "        x[i] = b[(l + 1) % 64];\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n    }\n}\n";
    const std::string launch = rounds +
                               " --global 4096 --local 64 --arg x:int[4096]=0 "
                               "--arg b:local:int[64]";
    const std::pair<std::string, std::string> cases[] = {
        {"outcomes " + prints + " --global 4 --local 2 --arg x:int[1]=0 --states 2000000",
         "INCOMPLETE"},
        {"step " + launch + " --budget 100000000000", ""},
        {"hazards " + launch + " --budget 100000000000", "no race until then"},
        {"sizes " + launch + " --budget 100000000000", ""},
    };
    for (const auto& [arguments, said] : cases) {
        const Finished done =
            run_program("bash", {"-c", "set -m; " LAB_BIN_DIR "/reduction-lab-cli " + arguments +
                                           " & while kill -0 $!; do read -ra of < /proc/$!/stat; "
                                           "(( of[13] + of[14] >= 150 )) && break; sleep 0.1; "
                                           "done; kill -INT $!; wait $!"});
        EXPECT_EQ(done.status, 130) << arguments << done.err;
        EXPECT_THAT(done.out, HasSubstr(said)) << arguments;
        EXPECT_THAT(done.err, HasSubstr("interrupted")) << arguments;
    }
}

// Where no schedule comes to its end, "no race" goes no further than that, and both are said.
TEST(Cli, HazardsSayWhenNoScheduleCameToItsEnd) {
    const TemporaryFolder folder;
    const std::string kernel = folder.path() / "outside.cl";
    std::ofstream(kernel) << "kernel void k(global int* d) {\n    const int i = get_global_id(0);\n"
                             "    if (i == 3) d[100] = 1;\n    d[i] = i;\n}\n";
    const Finished done =
        cli({"hazards", kernel, "--global", "4", "--local", "2", "--arg", "d:int[8]=0"});
    EXPECT_EQ(done.status, 4) << done.err;
    EXPECT_THAT(done.out, HasSubstr("no race until they stopped in 7 schedules"));
    EXPECT_THAT(done.out, HasSubstr("6 others stopped before the end"));
    EXPECT_THAT(done.err, HasSubstr("writes d[100], which does not exist"));
}

// A line of any length is shown around the place that is meant.
TEST(Cli, LongLinesAreQuotedInPart) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "long.cl";
    const std::string comment = "/*" + std::string(100'000, 'a') + "*/";
    std::string sum = "get_global_id(0)";
    for (int i = 0; i < 100; ++i)
        sum += " + 0";
    std::ofstream(file) << "kernel void k(global int* x) { " << comment
                        << " x[0] = get_local_id(0); " << comment
                        << " barrier(CLK_LOCAL_MEM_FENCE); if (" << sum << " == 1) x[1] = 0; }";
    for (const char* command : {"hazards", "barriers", "step"}) {
        std::vector<std::string> arguments{command, file,    "--global",     "4",       "--local",
                                           "2",     "--arg", "x:int[2]=5,5", "--lanes", "2"};
        if (command == std::string("step")) arguments.insert(arguments.end(), {"--show", "lanes"});
        const Finished done = cli(arguments);
        EXPECT_LT(done.out.size() + done.err.size(), 5000U) << command;
        if (command == std::string("hazards")) {
            EXPECT_THAT(done.out, HasSubstr("*/ x[0] = get_local_id(0); /*aaa"));
            EXPECT_THAT(done.out, HasSubstr("aaa..."));
        }
    }
}

TEST(Cli, MeasureSaysWhichBarrierCannotBeKept) {
    const Finished done = cli(
        {"measure", "sync-every-item,relaunch", "--n", "2^16", "--repeat", "1", "--no-references"});
    if (done.status == 0) GTEST_SKIP() << "this device runs 256 groups at once";
    EXPECT_EQ(done.status, 4);
    EXPECT_THAT(done.err, HasSubstr("not co-resident"));
    EXPECT_THAT(done.out, HasSubstr("relaunch"));
}

TEST(Cli, StepIsHeldAgainstWhatADevicesMemoryHeldAfterEachBarrier) {
    const std::vector<std::string> call{"step",    "local-tree", "--n",      "32",
                                        "--group", "8",          "--source", "device"};
    const Finished done = cli(call);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, ContainsRegex("launch 1, pass 3 +buf +256 +272 +136 +144 +68"));
    EXPECT_THAT(done.out, ContainsRegex("launch 1, pass 5 +out +528"));
    std::vector<std::string> as_json = call;
    as_json.push_back("--json");
    const json rows = json::parse(cli(as_json).out);
    EXPECT_EQ(rows["witness"]["verdict"], "same");
    EXPECT_GE(rows["witness"]["rows"], 5);
    EXPECT_EQ(rows["passes"].size(), 6U);
    EXPECT_EQ(rows["passes"][3]["cells"][0]["from"], (json{0, 2}));
    EXPECT_EQ(rows["witness"]["note"], "");
}

// What a device did is of no use without a run that shows it.
TEST(Cli, StepOfARunThatIsTooLongSaysSo) {
    const Finished done =
        cli({"step", "sync-leaders", "--n", "4", "--group", "4", "--set", "ROUNDS=500000"});
    EXPECT_EQ(done.status, 4);
    EXPECT_THAT(done.err, HasSubstr("has not ended after"));
    EXPECT_THAT(done.err, HasSubstr("still at work"));
    EXPECT_THAT(done.err, testing::Not(HasSubstr("keeps reading")));
}

// The main lesson: the picture is one run, and where the device went another way it is that one.
TEST(Cli, StepShowsHowABrokenKernelWentOnTheDevice) {
    for (const std::string barrier : {"group", "none"})
        for (const std::string id : {"span-modulo", "span-scatter", "span-halving"}) {
            // The other two launch half as many work-items: two groups all the same.
            const Finished done =
                cli({"step", id, "--set", "BARRIER=" + barrier, "--input", "7,1,6,8,5,6,7,1",
                     "--group", id == "span-modulo" ? "4" : "2", "--json"});
            EXPECT_EQ(done.status, 1) << id << done.err;
            const json shown = json::parse(done.out);
            const json& witness = shown["witness"];
            EXPECT_FALSE(shown["right"]) << id << barrier;
            if (witness["right"]) {
                EXPECT_EQ(witness["verdict"], "lucky") << id << barrier;
                continue;
            }
            EXPECT_EQ(witness["verdict"], "same") << id << barrier << done.out;
            EXPECT_EQ(witness["origin"], "device") << id << barrier;
            EXPECT_EQ(std::to_string(shown["result"].get<int>()),
                      witness["result"].get<std::string>());
            EXPECT_FALSE(shown["passes"].back()["stale"].empty() &&
                         shown["passes"][2]["stale"].empty() && shown["passes"][1]["stale"].empty())
                << id << barrier;
        }
}

// A text that its compiler gets wrong is no race: no schedule gives what the device has.
TEST(Cli, StepSaysWhereNoScheduleGivesWhatTheDeviceHas) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "wrong_there.cl";
    std::string text = read_file(LAB_SOURCE_DIR "/kernels/relaunch.cl");
    // The device is given another text than the simulator: what a wrong compiler makes of it.
    const std::string sum = "data[id] = COMBINE(data[id], data[other])";
    const std::size_t index = text.find(sum);
    ASSERT_NE(index, std::string::npos);
    text.insert(index + sum.size(), "\n#ifndef __REDUCTION_LAB__\n + 1\n#endif\n");
    write_file(file, text);
    const Finished done = cli({"step", file, "--source", "device", "--input", "7,1,6,8,5,6,7,1",
                               "--group", "4", "--json"});
    EXPECT_EQ(done.status, 1) << done.err;
    const json shown = json::parse(done.out);
    EXPECT_EQ(shown["witness"]["verdict"], "unexplained") << done.out;
    EXPECT_TRUE(shown["witness"]["complete"]);
    EXPECT_EQ(shown["witness"]["differs"]["cell"], 0);
    EXPECT_EQ(shown["result"], 41);
}

TEST(Cli, CheckComparesPassesWithTheMachine) {
    const Finished done = cli({"check", "local-tree", "--set", "ITEMS=1", "--n", "23"});
    EXPECT_EQ(done.status, 0) << done.err << done.out;
    EXPECT_THAT(done.out, HasSubstr(" passes compared with the machine; "));
    EXPECT_THAT(done.out, HasSubstr(" cases left out that race"));

    const TemporaryFolder folder;
    RunOptions options = with_kernel(folder, "", "");
    fs::copy(fs::path(LAB_SOURCE_DIR) / "tests/kernels/size_in_condition.cl",
             folder.path() / "kernels/size_in_condition.cl");
    const Finished bad = cli({"check", "size-in-condition", "--n", "8", "--json"}, options);
    const json line = json::parse(bad.out)["lines"][0];
    EXPECT_GT(line["passes"], 0);
    if (line["wrong"] == 0) GTEST_SKIP() << "this device is not known to miscompile it";
    EXPECT_EQ(bad.status, 1);
    // What it makes of the text is not recorded, so whole launches are compared.
    EXPECT_EQ(line["differences"][0]["launch"], 1);
    EXPECT_EQ(line["differences"][0]["array"], "out");
    EXPECT_THAT(cli({"check", "size-in-condition", "--n", "8"}, options).out,
                HasSubstr("DIFFERS: size-in-condition , add of int, n = 8, group 4: launch 1, "
                          "out, cell 0: the device has "));
}

TEST(Cli, CheckEndsWith1WhereADeviceBreaksAPromise) {
    EXPECT_EQ(cli({"check", "two-stage", "--n", "0,1,1000", "--type", "int"}).status, 0);
    const TemporaryFolder folder;
    const Finished done = cli({"check", "relaunch", "--n", "1,100", "--op", "add", "--type", "int"},
                              with_kernel(folder, "other < n", "other + 1 < n"));
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_THAT(done.out, HasSubstr("WRONG: relaunch"));
    EXPECT_THAT(done.out, HasSubstr("NOT as the headers promise"));
}

TEST(Cli, CheckGoesOnAfterAKernelThatCrashes) {
    const TemporaryFolder folder;
    const RunOptions options =
        with_kernel(folder, "data[id] =", "data[id + 1000000000] = data[id] =");
    fs::copy(fs::path(LAB_SOURCE_DIR) / "kernels/two_stage.cl",
             folder.path() / "kernels/two_stage.cl");
    const Finished done =
        cli({"check", "all", "--n", "100", "--op", "add", "--type", "int"}, options);
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_THAT(done.out, ContainsRegex("relaunch .*FAILED"));
    EXPECT_THAT(done.out, ContainsRegex("two-stage .*ok"));
    EXPECT_THAT(done.out, HasSubstr("signal"));
}

TEST(Cli, AFileThatCannotBeWrittenCostsNoOther) {
    const TemporaryFolder folder;
    const std::string good = folder.path() / "good.json";
    const Finished done = cli(
        {"measure", "local-tree", "--n", "100", "--repeat", "1", "-o", "/proc/x.csv", "-o", good});
    EXPECT_EQ(done.status, 2);
    EXPECT_EQ(json::parse(read_file(good))["complete"], true);
}

TEST(Cli, APartialResultIsSaidToBeOne) {
    EXPECT_THAT(cli({"step", "one-pass"}).out, HasSubstr("result 36 in all parts together, right"));
}

TEST(Cli, ABarrierThatCannotBeKeptIsNoWrongSum) {
    const Finished done = cli({"step", "sync-every-item", "--n", "64", "--source", "device"});
    if (done.status == 0) GTEST_SKIP() << "this device runs 16 groups at once";
    EXPECT_EQ(done.status, 4);
    EXPECT_THAT(done.err, HasSubstr("not co-resident"));
}

TEST(Cli, TrialsCountsResults) {
    const Finished right = cli({"trials", "relaunch", "--count", "20"});
    EXPECT_EQ(right.status, 0) << right.err;
    EXPECT_THAT(right.out, HasSubstr("right in 20 of 20 runs, 1 different results"));
    const json object = json::parse(cli({"trials", "span-modulo", "--input", "7,1,6,8,5,6,7,1",
                                         "--set", "BARRIER=group", "--count", "30", "--json"})
                                        .out);
    EXPECT_EQ(object["count"], 30);
    EXPECT_EQ(object["expect"], "races");
    EXPECT_EQ(object["predicted"]["results"].size(), 3U);
    EXPECT_TRUE(object["unforeseen"].empty());
}

TEST(Cli, TrialsMarksRunsWithDelays) {
    const std::vector<std::string> asked{
        "trials",        "span-modulo", "--input", "7,1,6,8,5,6,7,1", "--set",
        "BARRIER=group", "--count",     "30",      "--delays",        "3"};
    const Finished done = cli(asked);
    EXPECT_THAT(done.out, HasSubstr("with delays (seed 3; ~): right in "));
    EXPECT_THAT(done.out, HasSubstr(" of 30 runs"));
    std::vector<std::string> as_json = asked;
    as_json.emplace_back("--json");
    const json object = json::parse(cli(as_json).out);
    EXPECT_EQ(object["delays"], 3);
    EXPECT_EQ(object["delayed"], 30);
    EXPECT_TRUE(object["unforeseen"].empty());
}

const std::vector<std::string> kDocumentA{"span-modulo",   "--n",     "8",
                                          "--group",       "4",       "--set",
                                          "BARRIER=group", "--input", "7,1,6,8,5,6,7,1"};

std::vector<std::string> with(const std::string& command, std::vector<std::string> more = {}) {
    std::vector<std::string> all{command};
    all.insert(all.end(), kDocumentA.begin(), kDocumentA.end());
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

// Whatever came of that run: the simulator's is the same, and so is what the saved turns give.
TEST(Cli, RecordReplaysARunOfTheDevice) {
    const TemporaryFolder folder;
    const std::string turns = folder.path() / "turns", picture = folder.path() / "run.svg";
    const Finished done =
        cli(with("record", {"--until", "run:2", "--save-order", turns, "-o", picture, "--json"}));
    const json object = json::parse(done.out);
    EXPECT_EQ(object["difference"], "");
    EXPECT_EQ(object["run"], 2);
    EXPECT_GT(object["accesses"], 0);
    EXPECT_EQ(object["plain"]["runs"], object["recorded"]["runs"]);
    EXPECT_EQ(done.status, object["right"].get<bool>() ? 0 : 1) << done.err;
    EXPECT_THAT(read_file(picture), HasSubstr("run 2"));
    const json again = json::parse(
        cli(with("step", {"--machine", "independent", "--order", turns, "--json"})).out);
    EXPECT_EQ(again["result"].dump(), object["result"].get<std::string>());
    EXPECT_EQ(again["turns"], object["turns"]);
}

TEST(Cli, RecordSaysWhatItFound) {
    const Finished right = cli(with("record", {"--until", "run:1"}));
    EXPECT_THAT(right.out, HasSubstr("recorded on "));
    EXPECT_THAT(right.out, HasSubstr("replayed by the simulator: each access has the same value"));
    EXPECT_THAT(right.out, HasSubstr("runs with recording, in "));
    const Finished none =
        cli({"record", "local-tree", "--n", "64", "--group", "16", "--count", "3"});
    EXPECT_EQ(none.status, 0) << none.err;
    EXPECT_THAT(none.out, HasSubstr("None of 3 recorded runs ended as asked for (wrong)"));
    EXPECT_THAT(none.out, HasSubstr("NOT recorded"));
    // The run that was asked for is right: nothing is found.
    const Finished first =
        cli({"record", "local-tree", "--n", "64", "--group", "16", "--until", "run:1"});
    EXPECT_EQ(first.status, 0) << first.out << first.err;
    EXPECT_EQ(cli({"record", "local-tree", "--count", "0"}).status, 2);
    EXPECT_EQ(cli({"record", "local-tree", "--until", "run:x"}).status, 2);
    EXPECT_EQ(cli({"record", "local-tree", "--until", "33x"}).status, 2);
}

TEST(Cli, HazardsNameBothLinesAndAdviseNoBarrierAcrossGroups) {
    const Finished across = cli(with("hazards"));
    EXPECT_EQ(across.status, 1) << across.err;
    EXPECT_THAT(across.out, HasSubstr("WAR (or RAW), across groups, kernels/span_modulo.cl:24:13 "
                                      "with line 25:32"));
    EXPECT_THAT(across.out, HasSubstr("7 of 7 schedules; this is --order in-order"));
    EXPECT_THAT(across.out, HasSubstr("(7 schedules: round-robin, in-order, reversed, random:1"));
    const Finished one = cli(with("hazards", {"--only-order"}));
    EXPECT_THAT(one.out, HasSubstr("RAW (or WAR), across groups"));
    EXPECT_THAT(one.out, HasSubstr("(one schedule: round-robin)"));
    EXPECT_THAT(across.out, testing::Not(HasSubstr("hint: Put barrier")));
    EXPECT_EQ(cli({"hazards", "span-modulo", "--n", "8", "--group", "8", "--set", "BARRIER=group"})
                  .status,
              0);
    EXPECT_EQ(cli({"hazards", "relaunch", "--n", "8", "--group", "4"}).status, 0);
    const Finished load = cli({"hazards", "local-tree", "--set", "BARRIER_LOAD=off"});
    EXPECT_EQ(load.status, 1);
    EXPECT_THAT(load.out, HasSubstr("race: RAW (or WAR), kernels/local_tree.cl:40:5 with line 47"));
    const Finished loop = cli({"hazards", "local-tree", "--n", "32", "--group", "8", "--lanes", "1",
                               "--set", "BARRIER_LOOP=off"});
    EXPECT_EQ(loop.status, 1);
    EXPECT_THAT(loop.out, HasSubstr("WAR, kernels/local_tree.cl:48:13 with line 47:29"));
    const Finished none = cli({"hazards", "local-tree"});
    EXPECT_EQ(none.status, 0);
    EXPECT_THAT(none.out, HasSubstr("no race in any schedule of this shape"));
    EXPECT_THAT(load.out, HasSubstr("hidden here by lockstep (4 lanes): with 2 lanes it shows"));
    EXPECT_EQ(cli({"hazards", "sync-leaders", "--set", "ROUNDS=1"}).status, 0);
    EXPECT_EQ(cli({"hazards", "sync-every-item", "--set", "LOOK=volatile"}).status, 1);
    const json object = json::parse(cli(with("hazards", {"--json"})).out);
    EXPECT_EQ(object["races"], 1);
    EXPECT_EQ(object["hazards"][0]["sides"][1]["line"], 25);
}

TEST(Cli, OutcomesAreAllAndEachScheduleReplays) {
    const TemporaryFolder folder;
    const Finished found = cli(with("outcomes", {"--save-orders", folder.path().string()}));
    EXPECT_EQ(found.status, 1) << found.err;
    EXPECT_THAT(found.out, HasSubstr("COMPLETE: 3 results"));
    std::set<std::string> results;
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
        const std::string name = file.path().stem().string();
        const std::string result = name.substr(name.find('-') + 1);
        results.insert(result);
        EXPECT_THAT(cli(with("step", {"--order", file.path().string()})).out,
                    HasSubstr("result " + result + ","));
    }
    EXPECT_EQ(results, (std::set<std::string>{"27", "33", "41"}));
    const Finished one = cli({"outcomes", "relaunch", "--n", "8", "--group", "4"});
    EXPECT_EQ(one.status, 0);
    EXPECT_THAT(one.out, HasSubstr("COMPLETE: 1 result over"));
    const Finished few = cli(with("outcomes", {"--states", "5", "--samples", "10"}));
    EXPECT_EQ(few.status, 1);
    EXPECT_THAT(few.out, HasSubstr("INCOMPLETE"));
    EXPECT_THAT(few.out, HasSubstr("met its bound: --states"));
    for (const char* option : {"--states", "--memory", "--samples", "--lanes", "--n", "--group"})
        EXPECT_THAT(cli({"outcomes", "relaunch", option, "x"}).err,
                    HasSubstr(option + std::string(": 'x' is no size")));
    const Finished small = cli(with("outcomes", {"--memory", "1Ki", "--samples", "10"}));
    EXPECT_EQ(small.status, 1);
    EXPECT_THAT(small.out, HasSubstr("INCOMPLETE"));
    EXPECT_THAT(small.out, HasSubstr("bound of memory"));
    EXPECT_EQ(cli(with("outcomes", {"--order", "in-order"})).status, 2);
}

// A kernel of one's own, launched with one group of so many work-items.
std::vector<std::string> launched(const std::string& command, const std::string& file,
                                  const std::string& items, std::vector<std::string> arguments,
                                  const std::vector<std::string>& more = {}) {
    std::vector<std::string> call{command, file, "--global", items, "--local", items};
    for (std::string& each : arguments) {
        call.emplace_back("--arg");
        call.push_back(std::move(each));
    }
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

TEST(Cli, OutcomesTellAWaitThatWasGivenUpFromAnOrderOfAtomics) {
    const Finished found =
        cli({"outcomes", "sync-every-item", "--set", "ROUNDS=1", "--n", "4", "--group", "2"});
    EXPECT_EQ(found.status, 1);
    EXPECT_THAT(found.out,
                HasSubstr("No race was found: 1 result more only where somebody gives up waiting"));
    EXPECT_THAT(found.out, testing::Not(HasSubstr("at least 2 results")));
}

TEST(Cli, SavingTheOrderChangesNoRun) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "turns.txt";
    const std::vector<std::string> step{"step", "span-modulo", "--n", "8", "--group", "4"};
    std::vector<std::string> saving = step;
    saving.insert(saving.end(), {"--save-order", file});
    // The device's runs may differ; what the simulator was asked for does not depend on the file.
    EXPECT_EQ(cli(saving).out.find("compared") != std::string::npos,
              cli(step).out.find("compared") != std::string::npos);
    EXPECT_THAT(read_file(file), HasSubstr("--lanes"));
}

TEST(Cli, OutcomesAreThoseOfIndependentItemsAndLockstepSaysSo) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "shifted.cl";
    write_file(file,
               "kernel void shifted(global int* a, global int* b)\n{\n"
               "    const int me = get_local_id(0);\n    a[me + 1] = me + 1;\n"
               "    b[me] = 2 * a[me];\n}\n");
    const auto outcomes = [&](const std::vector<std::string>& more) {
        return cli(launched("outcomes", file, "4", {"a:int[5]=10,20,30,40,50", "b:int[4]"}, more));
    };
    const Finished usual = outcomes({});
    EXPECT_EQ(usual.status, 1);
    EXPECT_THAT(usual.out, HasSubstr("machine: independent items, all groups at once"));
    EXPECT_THAT(usual.out, HasSubstr("COMPLETE: 8 results for these numbers over all schedules"));
    EXPECT_THAT(usual.out, HasSubstr("There is a race: hazards names its lines"));
    const Finished lockstep = outcomes({"--lanes", "4"});
    EXPECT_EQ(lockstep.status, 1);
    EXPECT_THAT(lockstep.out, HasSubstr("machine: 4 lanes, 2 groups at once"));
    EXPECT_THAT(lockstep.out, HasSubstr("COMPLETE: 1 result for these numbers"));
    EXPECT_THAT(lockstep.out, HasSubstr("On 4 lanes in lockstep; independent items have 8 results: "
                                        "--machine independent shows them\n"));
    EXPECT_THAT(outcomes({"--machine", "nvidia"}).out,
                HasSubstr("On 32 lanes in lockstep; independent items have 8 results"));
    const json object = json::parse(outcomes({"--lanes", "4", "--json"}).out);
    EXPECT_EQ(object["independent"],
              (json{{"lanes", 1}, {"results", 8}, {"complete", true}, {"same", false}}));
    EXPECT_EQ(object["for_these_numbers"], true);
    EXPECT_EQ(object["races"], true);
    EXPECT_FALSE(json::parse(outcomes({"--json"}).out).contains("independent"));
    // A shipped kernel keeps its lanes, and no longer says that all is well.
    const Finished shipped = cli({"outcomes", "local-tree", "--n", "8", "--group", "8", "--set",
                                  "BARRIER_LOOP=off", "--set", "ITEMS=1"});
    EXPECT_EQ(shipped.status, 1);
    EXPECT_THAT(shipped.out, HasSubstr("COMPLETE: 1 result"));
    EXPECT_THAT(shipped.out, testing::ContainsRegex(
                                 "On 4 lanes in lockstep; independent items have [0-9]+ results"));
    const Finished right = cli({"outcomes", "local-tree", "--n", "8", "--group", "4"});
    EXPECT_EQ(right.status, 0);
    EXPECT_THAT(right.out, HasSubstr("COMPLETE: 1 result over all"));
    EXPECT_THAT(right.out,
                HasSubstr("On 4 lanes in lockstep; independent items have the same result"));
    // With independent items a kernel with sub-groups would be another one.
    const Finished sub_groups = cli({"outcomes", "subgroup", "--n", "8", "--group", "4"});
    EXPECT_EQ(sub_groups.status, 0);
    EXPECT_THAT(sub_groups.out, HasSubstr("On 4 lanes in lockstep, as sub-groups may be"));
}

TEST(Cli, ARaceSeveralResultsAndAWrongOneAreThreeThings) {
    const TemporaryFolder folder;
    const std::string tickets = folder.path() / "tickets.cl";
    write_file(tickets,
               "kernel void tickets(global int* next, global int* got)\n{\n"
               "    got[get_local_id(0)] = atomic_inc(next);\n}\n");
    const Finished several =
        cli(launched("outcomes", tickets, "3", {"next:int[1]=0", "got:int[3]"}));
    EXPECT_EQ(several.status, 1);
    EXPECT_THAT(several.out, HasSubstr("COMPLETE: 6 results for these numbers"));
    EXPECT_THAT(
        several.out,
        HasSubstr("No race was found, yet 6 results: who comes first at an atomic decides"));
    EXPECT_THAT(several.out, testing::Not(HasSubstr("wrong")));
    const Finished none = cli(launched("hazards", tickets, "3", {"next:int[1]=0", "got:int[3]"}));
    EXPECT_EQ(none.status, 0);
    EXPECT_THAT(none.out, testing::Not(HasSubstr("result")));
    EXPECT_THAT(none.out, testing::Not(HasSubstr("OpenCL 1.x")));
    const Finished groups = cli({"hazards", tickets, "--global", "3", "--local", "1", "--arg",
                                 "next:int[1]=0", "--arg", "got:int[3]"});
    EXPECT_THAT(groups.out, HasSubstr("Atomics of OpenCL 1.x, such as atomic_inc, meet between"));

    const std::string same = folder.path() / "same.cl";
    write_file(same,
               "kernel void same(global int* x)\n{\n    if (x[0] == 0)\n"
               "        atomic_max(x, 7);\n}\n");
    const Finished one = cli(launched("outcomes", same, "2", {"x:int[1]=0"}));
    EXPECT_EQ(one.status, 0);
    EXPECT_THAT(one.out,
                HasSubstr("There is a race that changes nothing here: hazards names its lines"));

    const std::string sum = folder.path() / "sum.cl";
    write_file(sum,
               "kernel void sum(global const int* in, global int* out)\n{\n"
               "    if (get_local_id(0) == 0)\n        out[0] = in[0] + in[1];\n}\n");
    const Finished plain = cli(launched("outcomes", sum, "2", {"in:int[2]=1,2", "out:int[1]"}));
    EXPECT_EQ(plain.status, 0);
    // Whatever the numbers are, there is one result.
    EXPECT_THAT(plain.out, HasSubstr("COMPLETE: 1 result over all"));
    EXPECT_THAT(plain.out, testing::Not(HasSubstr("race")));
    EXPECT_THAT(plain.out, testing::Not(HasSubstr("right")));
}

// Found by hazards, though not in the schedule that was asked for.
TEST(Cli, AFaultInAnotherScheduleIsFound) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "early.cl";
    write_file(file,
               "kernel void early(global atomic_int* f, global int* r)\n{\n"
               "    const int i = get_local_id(0);\n    if (i == 0) atomic_store(f, 4);\n"
               "    if (atomic_load(f) == 0) r[100] = 1;\n    r[i] = 0;\n}\n");
    std::vector<std::string> words = launched("hazards", file, "2", {"f:int[1]=0", "r:int[2]"});
    words.insert(words.end(), {"--order", "in-order"});
    const Finished found = cli(words);
    EXPECT_EQ(found.status, 1);
    EXPECT_THAT(found.out, HasSubstr("of these schedules stopped before the end"));
    words.push_back("--only-order");
    EXPECT_EQ(cli(words).status, 0);
}

TEST(Cli, WhatIsLeftOpenBesidesTheScheduleIsSaid) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "open.cl";
    write_file(file,
               "kernel void open(global atomic_int* x, global float* r)\n{\n    int e = 0;\n"
               "    atomic_compare_exchange_weak(x, &e, 7);\n"
               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
               "    r[get_local_id(0)] = work_group_reduce_add(0.5f) + atomic_load(x);\n}\n");
    const Finished found = cli(launched("outcomes", file, "2", {"x:int[1]=0", "r:float[2]"}));
    EXPECT_THAT(found.out, HasSubstr("around a barrier or a collective that does not name"));
    EXPECT_THAT(found.out, HasSubstr("A weak compare-exchange may fail for no reason"));
    EXPECT_THAT(found.out, HasSubstr("a collective adds or multiplies floats is left open"));
}

TEST(Cli, WhatDependsOnTheNumbersIsSaidToBeForThese) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "digits.cl";
    write_file(file,
               "kernel void digits(global const int* keys, global int* table, local int* bins)\n"
               "{\n    const int me = get_local_id(0);\n    bins[me] = 0;\n"
               "    atomic_inc(&bins[keys[me]]);\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
               "    table[me] = bins[me];\n}\n");
    const auto hazards = [&](const std::string& keys, const std::vector<std::string>& more) {
        return cli(launched("hazards", file, "4",
                            {"keys:int[4]=" + keys, "table:int[4]", "bins:local int[4]"}, more));
    };
    const Finished none = hazards("0,1,2,3", {});
    EXPECT_EQ(none.status, 0);
    EXPECT_THAT(none.out, testing::ContainsRegex("no race [a-z ]*for these numbers"));
    EXPECT_THAT(none.out, testing::Not(HasSubstr("of this shape")));
    const Finished some = hazards("1,2,3,0", {});
    EXPECT_EQ(some.status, 1);
    EXPECT_THAT(some.out, HasSubstr("in a race for these numbers"));
    EXPECT_EQ(json::parse(hazards("1,2,3,0", {"--json"}).out)["for_these_numbers"], true);
    const json tree = json::parse(cli({"hazards", "local-tree", "--json"}).out);
    EXPECT_EQ(tree["for_these_numbers"], false);
}

TEST(Cli, ArgumentsHaveTheirParametersNames) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "fill.cl";
    write_file(file, "kernel void fill(global int* x, int n) { x[get_global_id(0)] = n; }\n");
    const Finished wrong = cli(launched("step", file, "4", {"y:int[16]", "3"}));
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, HasSubstr("The kernel has no parameter 'y': 'x' comes here"));
    EXPECT_THAT(wrong.err, HasSubstr("hint: Write 'x:int[16]'"));
    EXPECT_THAT(cli(launched("step", file, "4", {"x:int[16]", "m=3"})).err,
                HasSubstr("hint: Write 'n=3'"));
    EXPECT_EQ(cli(launched("step", file, "4", {"x:int[16]", "n=3"})).status, 0);
    EXPECT_THAT(cli(launched("step", file, "4", {"x:int[16]", "3"}, {"--global", "8"})).err,
                AllOf(HasSubstr("--global: "), HasSubstr("why:  An option is given once")));
}

TEST(Cli, OutcomesNameWhoSeesThatACopyIsNotDoneYet) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "copies.cl";
    const auto outcomes = [&](const char* before_the_wait) {
        write_file(file,
                   std::string("kernel void k(global int* in, global int* out, local int* t)\n"
                               "{\n    const int i = get_local_id(0);\n"
                               "    event_t e = async_work_group_copy(t, in, 2, 0);\n    ") +
                       before_the_wait +
                       "\n    wait_group_events(1, &e);\n    out[i] = t[1 - i];\n}\n");
        return cli({"outcomes", file, "--global", "2", "--local", "2", "--arg", "in:int[2]=ramp",
                    "--arg", "out:int[2]", "--arg", "t:local int[2]"});
    };
    const Finished unseen = outcomes("");
    EXPECT_EQ(unseen.status, 0);
    EXPECT_THAT(unseen.out, HasSubstr("COMPLETE: 1 result over"));
    const Finished seen = outcomes("if (i == 0) in[1] = 7;");
    EXPECT_EQ(seen.status, 1);
    EXPECT_THAT(seen.out, HasSubstr("INCOMPLETE"));
    EXPECT_THAT(seen.out, HasSubstr("Line 5 touches what the copy in line 4 reads or writes"));
}

TEST(Cli, DevicesAsJsonSayTheirSchema) {
    EXPECT_EQ(json::parse(cli({"devices", "--json"}).out)["schema"], 1);
}

TEST(Cli, AWrongChoiceNamesTheNearestAndAll) {
    EXPECT_THAT(cli({"measure", "relaunch", "--chart", "tmie"}).err,
                HasSubstr("Did you mean time? Choose one of: time, bandwidth"));
    EXPECT_THAT(cli({"stpe"}).err, HasSubstr("Did you mean step? Choose one of: devices"));
}

TEST(Cli, FarTooManyElementsForADeviceSayWhatTheyNeedAndWhatThereIs) {
    if (json::parse(cli({"devices", "--json"}).out)["devices"].empty()) GTEST_SKIP();
    const Finished finished = cli({"trials", "groups-atomic", "--n", "100000000000"});
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.err, HasSubstr("They take 372.5 GiB"));
    EXPECT_THAT(finished.err, HasSubstr("per buffer\n  hint: Choose at most"));
    const Finished step = cli({"step", "groups-atomic", "--n", "100000000000"});
    EXPECT_EQ(step.status, 2);
    EXPECT_THAT(step.err, HasSubstr("too many to step through"));
}

TEST(Cli, AVariantThatTheDeviceCannotRunSaysWhy) {
    const json found = json::parse(cli({"devices", "--json"}).out);
    if (found["devices"][0]["sub_groups"] == true) GTEST_SKIP() << "this device has sub-groups";
    EXPECT_THAT(cli({"step", "subgroup"}).out, HasSubstr("not compared with a device"));
    const Finished done = cli({"step", "subgroup", "--source", "device"});
    EXPECT_EQ(done.status, 2);
    EXPECT_THAT(done.err, HasSubstr("sub-groups (cl_khr_subgroups)"));
}

TEST(Cli, ServeAnswersLines) {
    RunOptions options;
    options.input =
        R"({"id": 1, "method": "step", "parameters": {"variant": "relaunch", "shape": {"n": 8}}}
nonsense
{"id": 2, "method": "fly", "parameters": {}}
{"id": 3, "method": "step", "parameters": {}}
{"id": 4, "method": "step", "parameters": {"variant": 7, "shape": {"n": "x"}}}
{"id": 5, "method": "step", "parameters": {"variant": "relaunch", "shape": {"n": -1}}}
{"id": 6, "method": "devices", "parameters": {}})";
    const Finished done = cli({"serve"}, options);
    EXPECT_EQ(done.status, 0) << done.err;
    std::vector<json> answers;
    std::istringstream lines(done.out);
    for (std::string line; std::getline(lines, line);)
        answers.push_back(json::parse(line));
    ASSERT_EQ(answers.size(), 7U);
    EXPECT_EQ(answers[0]["result"]["result"], 36);
    for (const std::size_t bad : {1U, 2U, 3U, 4U, 5U})
        EXPECT_TRUE(answers[bad].contains("problem"));
    EXPECT_TRUE(answers[6].contains("result"));
}

// The machine.

std::vector<std::string> races(const std::string& order) {
    return {"step",          "span-modulo", "--input", "7,1,6,8,5,6,7,1", "--group", "4", "--set",
            "BARRIER=group", "--order",     order,     "--source",        "machine"};
}

TEST(Cli, TheOrderOfGroupsDecidesWhatARaceGives) {
    const Finished right = cli(races("round-robin"));
    EXPECT_EQ(right.status, 0) << right.err;
    EXPECT_THAT(right.out, HasSubstr("result 41, right"));
    const Finished wrong = cli(races("in-order"));
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(wrong.out, HasSubstr("result 27, WRONG: 41 expected"));
    const Finished chosen = cli(races(LAB_SOURCE_DIR "/tests/orders/document_a_33.txt"));
    EXPECT_EQ(chosen.status, 1) << chosen.err;
    EXPECT_THAT(chosen.out, HasSubstr("result 33, WRONG: 41 expected"));
}

TEST(Cli, AnOrderThatWasSavedGivesTheSameAgain) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "order.txt";
    const std::vector<std::string> base{"step",    "span-modulo", "--n",     "16",
                                        "--group", "4",           "--lanes", "1"};
    std::vector<std::string> first = base, again = base;
    first.insert(first.end(), {"--order", "random:11", "--save-order", file, "--json"});
    again.insert(again.end(), {"--order", file, "--json"});
    const json one = json::parse(cli(first).out);
    const json two = json::parse(cli(again).out);
    EXPECT_EQ(one["passes"], two["passes"]);
    EXPECT_EQ(one["result"], two["result"]);
}

TEST(Cli, EveryVariantStepsOnTheMachineWithoutADriver) {
    const TemporaryFolder empty;
    const json all = json::parse(cli({"variants", "--json"}).out);
    ASSERT_GE(all["variants"].size(), 27U);
    for (const json& variant : all["variants"]) {
        const std::string id = variant["id"];
        const Finished done =
            cli({"step", id, "--source", "machine", "--json"}, without_driver(empty));
        EXPECT_EQ(done.status, 0) << id << done.err;
        const json passes = json::parse(done.out);
        EXPECT_EQ(passes["source"], "machine");
        EXPECT_TRUE(passes["right"]) << id;
        EXPECT_GE(passes["passes"].size(), 2U) << id;
        EXPECT_THAT(done.err, IsEmpty()) << id;
    }
}

TEST(Cli, AnUnrolledWarpIsRightInLockstepOnly) {
    const std::vector<std::string> base{"step", "ladder-5-unrolled", "--set", "SYNC=none",
                                        "--lanes"};
    std::vector<std::string> lockstep = base, alone = base;
    lockstep.push_back("32");
    alone.push_back("1");
    EXPECT_EQ(cli(lockstep).status, 0);
    EXPECT_EQ(cli(alone).status, 1);
}

TEST(Cli, GroupsThatWaitInVainAreNamed) {
    const Finished done =
        cli({"step", "sync-leaders", "--n", "16", "--group", "4", "--resident", "2"});
    EXPECT_EQ(done.status, 4);
    EXPECT_THAT(done.out, HasSubstr("no result"));
    EXPECT_THAT(done.err, HasSubstr("kernels/sync_leaders.cl:45:"));
    EXPECT_THAT(done.err,
                HasSubstr("Work-item 4 (group 1) spins in line 45: it keeps reading come[0], "
                          "which stays 2"));
    EXPECT_THAT(done.err, HasSubstr("2 of 4 groups have not begun"));
    EXPECT_EQ(cli({"step", "sync-leaders", "--n", "16", "--group", "4", "--resident", "4"}).status,
              0);
}

TEST(Cli, AFileOfOnesOwnIsStepped) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "mine.cl";
    std::ofstream(file) << "kernel void other(global int* x) { x[0] = 1; }\n"
                           "kernel void scaled(global const float* in, global float* out,\n"
                           "                   local float* tmp, float by, uint n)\n"
                           "{\n"
                           "    const uint lid = get_local_id(0);\n"
                           "    tmp[lid] = get_global_id(0) < n ? in[get_global_id(0)] : 0;\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    if (lid == 0)\n"
                           "        out[get_group_id(0)] = (tmp[0] + tmp[1]) * by;\n"
                           "}\n";
    const std::vector<std::string> call{"step",     file,
                                        "--kernel", "scaled",
                                        "--global", "6",
                                        "--local",  "2",
                                        "--arg",    "in:float[6]=ramp",
                                        "--arg",    "out:float[4]",
                                        "--arg",    "tmp:local float[2]",
                                        "--arg",    "2.5",
                                        "--arg",    "5"};
    const Finished done = cli(call);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("out (float[4]): 7.5 17.5 12.5 ?\n"));
    EXPECT_THAT(done.out, HasSubstr("in (float[6]), unchanged: 1 2 3 4 5 6\n"));
    std::vector<std::string> as_json = call;
    as_json.push_back("--json");
    EXPECT_EQ(json::parse(cli(as_json).out)["buffers"][1]["values"],
              json({"7.5", "17.5", "12.5", "?"}));
    // What is missing is said with what to write.
    const Finished none =
        cli({"step", file, "--kernel", "scaled", "--global", "6", "--local", "2"});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("--arg in:float[1024]=ramp --arg out:float[1024] --arg "
                                    "'tmp:local float[64]' --arg by=1024 --arg n=1024"));
    const Finished which = cli({"step", file, "--global", "6", "--local", "2"});
    EXPECT_EQ(which.status, 4);
    EXPECT_THAT(which.err, HasSubstr("Name one with --kernel: other, scaled"));
}

TEST(Cli, AFileWithoutALaunchRunsAsGuessed) {
    const TemporaryFolder folder;
    fs::create_directory(folder.path() / "inc");
    std::ofstream(folder.path() / "inc/twice.h") << "#define TWICE(x) (2 * (x))\n";
    const std::string file = folder.path() / "mine.cl";
    std::ofstream(file)
        << "#include <twice.h>\n"
           "kernel void f(global const int* in, global int* out, int n)\n"
           "{ const int i = get_global_id(0); if (i < n) out[3 * i] = TWICE(in[i]); "
           "}\n";
    const Finished done = cli({"step", file, "--include", folder.path() / "inc", "--json"});
    EXPECT_EQ(done.status, 0) << done.err;
    const std::string launch =
        "--global 64 --local 16 --arg in:int[64]=ramp --arg out:int[256] --arg n=64";
    EXPECT_THAT(done.err, HasSubstr("note: the launch is guessed: " + launch + "\n"));
    const json ran = json::parse(done.out);
    EXPECT_EQ(ran["launch"], launch);
    EXPECT_EQ(ran["buffers"][1]["values"][189], "128");
    const Finished missing = cli({"step", file});
    EXPECT_EQ(missing.status, 4);
    EXPECT_THAT(missing.err, HasSubstr("#include <twice.h> is not found"));
}

constexpr const char* kTransposeText =
    "kernel void transpose(global const int* in, global int* out, int width)\n"
    "{\n"
    "    local int tile[2][3];\n"
    "    const int lx = get_local_id(0), ly = get_local_id(1);\n"
    "    tile[ly][lx] = in[get_global_id(1) * width + get_global_id(0)];\n"
    "    SYNC;\n"
    "    const int x = get_group_id(1) * 2 + lx, y = get_group_id(0) * 2 + ly;\n"
    "    out[y * width + x] = tile[lx][ly];\n"
    "    if (lx == 1 && ly == 0) printf(\"%d\", out[y * width + x]);\n"
    "}\n";

TEST(Cli, AKernelIsLaunchedInTwoDimensions) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "transpose.cl";
    std::ofstream(file) << kTransposeText;
    const auto call = [&](const std::string& command, const std::string& sync,
                          const std::vector<std::string>& more) {
        std::vector<std::string> words{
            command,           file,    "--set",       "SYNC=" + sync, "--arg",
            "in:int[16]=ramp", "--arg", "out:int[16]", "--arg",        "4"};
        words.insert(words.end(), more.begin(), more.end());
        return cli(words);
    };
    const std::vector<std::string> sizes{"--global", "4x4", "--local", "2x2"};
    const std::string wait = "barrier(CLK_LOCAL_MEM_FENCE)";
    const Finished done = call("step", wait, sizes);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("16 elements in groups of 2x2"));
    EXPECT_THAT(done.out, HasSubstr("out (int[16]): 1 5 9 13 2 6 10 14 3 7 11 15 4 8 12 16\n"));
    EXPECT_THAT(done.out, HasSubstr("work-item (3,0), line 9: 7"));
    // A missing barrier is a race within the tile; both work-items have their coordinates.
    std::vector<std::string> in_step = sizes;
    in_step.insert(in_step.end(), {"--machine", "classroom"});
    const Finished race = call("hazards", "", in_step);
    EXPECT_EQ(race.status, 1) << race.err;
    EXPECT_THAT(race.out, HasSubstr("4x4 work-items in groups of 2x2"));
    EXPECT_THAT(race.out, HasSubstr(":5:5 with line 8:26"));
    EXPECT_THAT(race.out, HasSubstr("(work-item (0,1) of group (0,0), pass 1)"));
    EXPECT_THAT(race.out, HasSubstr("(work-item (1,0) of group (0,0), pass 1)"));
    EXPECT_EQ(call("hazards", wait, sizes).status, 0);
    in_step.emplace_back("--json");
    const json found = json::parse(call("hazards", "", in_step).out);
    EXPECT_EQ(found["global"], json({4, 4}));
    EXPECT_EQ(found["hazards"][0]["sides"][0]["global_id"], json({0, 1}));
    EXPECT_EQ(found["hazards"][0]["sides"][0]["group_id"], json({0, 0}));
    // The device is launched the same way, and the simulator agrees.
    std::vector<std::string> timed = sizes;
    timed.insert(timed.end(), {"--repeat", "2"});
    const Finished measured = call("measure", wait, timed);
    EXPECT_EQ(measured.status, 0) << measured.err;
    EXPECT_THAT(measured.out, HasSubstr("as on the simulator"));
}

// The device's own run: its rows, its witness, and the turns that give it again.
TEST(Cli, AKernelOfTwoDimensionsIsRecordedAndWitnessed) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "shift.cl", turns = folder.path() / "turns";
    std::ofstream(file) << "kernel void shift(global int* a)\n{\n"
                           "    const int x = get_global_id(0) - 1, y = get_global_id(1);\n"
                           "    a[y * 8 + x] += a[y * 8 + (x + 1) % 8];\n}\n";
    const auto call = [&](const std::string& command, const std::vector<std::string>& more) {
        std::vector<std::string> words{command, file,    "--global",       "8x4",      "--local",
                                       "4x2",   "--arg", "a:int[32]=ramp", "--offset", "1x0"};
        words.insert(words.end(), more.begin(), more.end());
        return cli(words);
    };
    const Finished done = call("record", {"--until", "run:2", "--save-order", turns, "--json"});
    const json recorded = json::parse(done.out);
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_EQ(recorded["difference"], "");
    EXPECT_EQ(recorded["accesses"], 96);
    EXPECT_EQ(recorded["launch"], "8x4 work-items in groups of 4x2, from 1x0 on");
    const json again =
        json::parse(call("step", {"--machine", "independent", "--order", turns, "--json"}).out);
    std::string values = "a:";
    for (const json& value : again["buffers"][0]["values"])
        values += ' ' + value.get<std::string>();
    EXPECT_EQ(recorded["result"], values);
    EXPECT_THAT(read_file(turns), HasSubstr("--global 8x4 --local 4x2 --offset 1x0"));
    // Its rows have a schedule, which is the run that is shown.
    const Finished witnessed = call("step", {"--source", "device", "--json"});
    EXPECT_EQ(witnessed.status, 0) << witnessed.err;
    const json steps = json::parse(witnessed.out);
    EXPECT_EQ(steps["witness"]["verdict"], "same");
    EXPECT_EQ(steps["launch"].get<std::string>().find("--global 8x4 --local 4x2"), 0U);
    const Finished text = call("record", {"--until", "right", "--count", "1"});
    EXPECT_THAT(text.out, HasSubstr("the simulator in its usual order"));
    EXPECT_EQ(call("record", {"--n", "4"}).status, 2);
    const Finished tried = call("trials", {"--count", "20", "--delays", "1", "--json"});
    const json trials = json::parse(tried.out);
    EXPECT_EQ(trials["launch"], recorded["launch"]);
    EXPECT_EQ(trials["count"], 20);
    EXPECT_EQ(trials["delayed"], 20);
    EXPECT_EQ(trials["unforeseen"], json::array());
    EXPECT_THAT(call("trials", {"--count", "3"}).out,
                HasSubstr("3 runs; the simulator in its usual order has a: "));
}

TEST(Cli, SizesOfALaunchThatDoNotFitSayWhatToWrite) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "fill.cl";
    std::ofstream(file) << "kernel void fill(global int* out)\n{\n"
                           "    out[get_global_linear_id()] = get_global_id(0);\n}\n";
    const auto call = [&](std::vector<std::string> sizes) {
        sizes.insert(sizes.begin(), {"step", file, "--arg", "out:int[16]"});
        return cli(sizes);
    };
    const Finished offset = call({"--global", "4x2x2", "--local", "2x2x1", "--offset", "5x0x0"});
    EXPECT_EQ(offset.status, 0) << offset.err;
    EXPECT_THAT(offset.out, HasSubstr("out (int[16]): 5 6 7 8 5 6 7 8 5 6 7 8 5 6 7 8\n"));
    EXPECT_THAT(call({"--global", "16", "--local", "4", "--offset", "5"}).out,
                HasSubstr("out (int[16]): 5 6 7 8 9 10"));
    struct Wrong {
        std::vector<std::string> sizes;
        const char* text;
    };
    const Wrong wrong[] = {
        {{"--global", "4x4", "--local", "4"}, "--global 4x4 has 2, --local 4 has 1"},
        {{"--global", "4x3", "--local", "2x2"}, "In y, 3 is no multiple of 2"},
        {{"--global", "4x0", "--local", "2x2"}, "In y a size is 0"},
        {{"--global", "4x4", "--local", "2x2", "--offset", "1"}, "--offset 1 has 1"},
        {{"--global", "2x2x2x2", "--local", "2"}, "'2x2x2x2' has too many dimensions"},
        {{"--global", "4x", "--local", "2x2"}, "'4x' is no size of a launch"},
        {{"--global", "64x64", "--local", "64x64"}, "A group of 64x64 work-items is too large"},
    };
    for (const Wrong& each : wrong) {
        const Finished refused = call(each.sizes);
        EXPECT_EQ(refused.status, 2) << each.text;
        EXPECT_THAT(refused.err, HasSubstr(each.text));
        EXPECT_THAT(refused.err, HasSubstr("hint: "));
    }
}

TEST(Cli, StepShowsWhatAKernelPrints) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "prints.cl";
    std::ofstream(file) << "kernel void f(global int* x)\n{\n    const int i = get_global_id(0);\n"
                           "    if (i != 1) printf(\"%d of\\n%s\\n\", x[i], \"three\");\n}\n";
    const std::vector<std::string> call{"step", file,    "--global",      "3",       "--local",
                                        "1",    "--arg", "x:int[3]=ramp", "--order", "reversed"};
    const Finished done = cli(call);
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("printed\n  work-item 2, line 4: 3 of\n    three\n"
                                    "  work-item 0, line 4: 1 of\n    three\n"));
    std::vector<std::string> as_json = call;
    as_json.push_back("--json");
    const json printed = json::parse(cli(as_json).out)["printed"];
    ASSERT_EQ(printed.size(), 2U);
    EXPECT_EQ(printed[0]["item"], 2);
    EXPECT_EQ(printed[0]["line"], 4);
    EXPECT_EQ(printed[0]["text"], "3 of\nthree\n");
}

TEST(Cli, ErrorsOfAFileAreShownAllAtOnceWithTheirLines) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "bad.cl";
    std::ofstream(file) << "kernel void f(global int* a)\n{\n    a[0] = b;\n    a[1] = 2\n"
                           "    a[2] = sin(a);\n}\n";
    const Finished done = cli({"step", file, "--global", "1", "--local", "1", "--arg", "a:int[4]"});
    EXPECT_EQ(done.status, 4);
    EXPECT_THAT(done.err, HasSubstr("bad.cl:3:12: error: 'b' is not declared"));
    EXPECT_THAT(done.err, HasSubstr("bad.cl:4:13: error: expected ';' after the expression"));
    EXPECT_THAT(done.err, HasSubstr("a[0] = b;"));
}

TEST(Cli, AFaultKeepsTheRowsBeforeIt) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "bad.cl";
    std::ofstream(file) << "kernel void f(global int* a)\n{\n    a[get_global_id(0)] += 1;\n"
                           "    barrier(CLK_GLOBAL_MEM_FENCE);\n    a[get_global_id(0) + 1] += 1;\n"
                           "}\n";
    const Finished done =
        cli({"step", file, "--global", "4", "--local", "4", "--arg", "a:int[4]=1,2,3,4"});
    EXPECT_EQ(done.status, 4);
    EXPECT_THAT(done.out, ContainsRegex("launch 1, pass 1 +a +2 +3 +4 +5"));
    EXPECT_THAT(done.err, HasSubstr("Work-item 3 reads a[4], which does not exist"));
}

// What a run shows beside its rows.

std::vector<std::string> races_and(const std::string& order, std::vector<std::string> more) {
    std::vector<std::string> call = races(order);
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

TEST(Cli, AWrongResultIsExplainedInALine) {
    EXPECT_THAT(cli(races("in-order")).out,
                HasSubstr("WRONG: 41 expected\ndata[5], data[6], data[7] are not in it\n"));
    EXPECT_THAT(cli(races("round-robin")).out, Not(HasSubstr(" in it")));
    const Finished unwritten = cli({"step", "local-master", "--n", "8", "--set", "BARRIER_LOAD=off",
                                    "--lanes", "1", "--order", "random:1"});
    EXPECT_THAT(unwritten.out, HasSubstr("\ninput[2] is not in it; a value that nobody had written "
                                         "is in it\n"));
    const Finished twice = cli({"step", "ladder-5-unrolled", "--set", "SYNC=none", "--lanes", "1",
                                "--group", "64", "--n", "256"});
    EXPECT_THAT(twice.out, ContainsRegex("are in it 2 to [0-9]+ times each\n"));
    // For a maximum it does no harm that something is in it twice.
    const Finished most = cli({"step", "span-modulo", "--input", "1,2,3,9", "--group", "1", "--op",
                               "max", "--order", "in-order", "--resident", "1"});
    EXPECT_THAT(most.out, HasSubstr("result 3, WRONG: 9 expected\ndata[3] is not in it\n"));
}

TEST(Cli, LanesAndTrafficOfARunAreShown) {
    // Three passes of 2 groups: in the first, of 4 lanes, 2 add; then 1.
    const Finished done = cli(races_and("in-order", {"--show", "lanes,traffic"}));
    EXPECT_THAT(done.out, ContainsRegex("1 +1 +0 +0 +3 +6 +6 +0 +0 +50 %\n"));
    EXPECT_THAT(done.out, ContainsRegex("1 +3 +0 +0 +3 +3 +9 +0 +0 +25 %\n"));
    EXPECT_THAT(done.out, ContainsRegex("23 +id % span == 0 && other < n +6 +5 +1 to 2\n"));
    EXPECT_THAT(done.out, ContainsRegex("24 +data +store +5 +28 +5 +5 +100 %"));
    const json out =
        json::parse(cli(races_and("in-order", {"--show", "lanes,traffic", "--json"})).out);
    EXPECT_EQ(out["lanes"]["total"]["active"], 21);
    EXPECT_EQ(out["lanes"]["total"]["offered"], 60);
    EXPECT_EQ(out["lanes"]["branches"][0]["line"], 23);
    EXPECT_EQ(out["traffic"]["global"]["sectors"], 15);
    EXPECT_FALSE(out.contains("lineage"));
}

TEST(Cli, LineageTellsWhereAnInputWasLost) {
    const Finished done = cli(races_and("in-order", {"--show", "lineage"}));
    EXPECT_THAT(done.out, HasSubstr("  once in it: data[0] to data[4]\n"));
    EXPECT_THAT(done.out,
                HasSubstr("lost data[6], data[7]: data[4] read too early by work-item 0 in line 25 "
                          "(launch 1, pass 3, action 9), before it was stored there by work-item 4 "
                          "in line 24 (launch 1, pass 2, action 18)\n"));
    const json out = json::parse(cli(races_and("in-order", {"--show", "lineage", "--json"})).out);
    EXPECT_EQ(out["lineage"]["missing"].size(), 3U);
    EXPECT_EQ(out["lineage"]["losses"][0]["read"]["line"], 25);
    EXPECT_EQ(out["lineage"]["cells"][0]["value"], "27");
    EXPECT_EQ(out["lineage"]["cells"][0]["tree"]["of"][1]["input"], "data[4]");
}

TEST(Cli, LineageOfAnyCellAtAnyTime) {
    const Finished done = cli(races_and("in-order", {"--cell", "data[4]@15"}));
    EXPECT_THAT(done.out, HasSubstr("lineage of data[4] after 15 actions: 11\n"
                                    "  once in it: data[4], data[5]\n"
                                    "  11\n    data[4] = 5\n    data[5] = 6\n"));
    // The second of two groups of 4 adds four elements an item, 8 apart: 5 to 8, 13 to 16, 21 to 24
    // and 29 to 32, which come to 26 + 58 + 90 + 122.
    const Finished local =
        cli({"step", "local-tree", "--n", "32", "--group", "4", "--cell", "buf/1[0]"});
    EXPECT_THAT(local.out, ContainsRegex("lineage of buf/1.0. after [0-9]+ actions: 296\n"));
    const TemporaryFolder folder;
    const std::string file = folder.path() / "mine.cl";
    std::ofstream(file) << "kernel void f(global int* a) { a[0] += a[1] * 2; }\n";
    const std::vector<std::string> names{"step",    file, "--global", "1",
                                         "--local", "1",  "--arg",    "a:int[2]=3,4"};
    std::vector<std::string> cell = names, none = names;
    cell.insert(cell.end(), {"--cell", "a[0]"});
    none.insert(none.end(), {"--show", "lineage"});
    EXPECT_THAT(cli(cell).out, HasSubstr("after 3 actions: 11\n  once in it: a[0], a[1]\n"));
    // Each name that hazards has for a cell is one here.
    const std::string shapes = folder.path() / "shapes.cl";
    std::ofstream(shapes) << "struct P { char tag; int sum; float4 v[2]; };\n"
                             "global int c;\n"
                             "kernel void f(global int* a, global struct P* p) {\n"
                             "    local int tile[2][4]; local struct P pairs[4];\n"
                             "    tile[1][3] = 5; pairs[3].sum = 6; pairs[2].v[1].z = 7; c = 8;\n"
                             "    a[0] = 9; p[1].sum = 10; }\n";
    for (const auto& [name, value] :
         std::vector<std::pair<std::string, std::string>>{{"tile[1][3]", "5"},
                                                          {"tile/0[1][3]", "5"},
                                                          {"pairs/0[2].v[1].z", "7"},
                                                          {"c", "8"},
                                                          {"a", "9"}})
        EXPECT_THAT(cli({"step", shapes, "--global", "1", "--local", "1", "--arg", "a:int[1]",
                         "--arg", "p:uchar[96]", "--cell", name})
                        .out,
                    HasSubstr(fmt::format("lineage of {}", name.substr(0, 1))))
            << name;
    EXPECT_EQ(cli(none).status, 2);
    EXPECT_THAT(cli(none).err, HasSubstr("--cell out[0]"));
}

// Each line that finds wrong numbers is options of the same kernel that run them.
TEST(Cli, InputsPrintsOptionsThatRunWhatItFound) {
    const TemporaryFolder folder;
    const std::string file = folder.path() / "mine.cl";
    std::ofstream(file) << "kernel void top(global const int* a, global int* out, uint n) {\n"
                           "    local int best;\n"
                           "    if (get_local_id(0) == 0) best = 0;\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    const uint i = get_global_id(0);\n"
                           "    if (i < n && a[i] > best) best = a[i];\n"
                           "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                           "    if (get_local_id(0) == 0) atomic_max(&out[0], best);\n}\n";
    for (const std::string& kernel : {file, std::string("ladder-5-unrolled")}) {
        std::vector<std::string> call{"inputs", kernel, "--tries", "60"};
        if (kernel != file) call.insert(call.end(), {"--set", "SYNC=none", "--n", "128"});
        const Finished found = cli(call);
        EXPECT_EQ(found.status, 1) << found.err;
        std::size_t runs = 0;
        static const std::regex kLine("\n(--[^\n]*?)  [a-z]");
        for (std::sregex_iterator at(found.out.begin(), found.out.end(), kLine), end; at != end;
             ++at) {
            std::string again =
                fmt::format("reduction-lab-cli hazards '{}' {}", kernel, (*at)[1].str());
            if (kernel != file) again += " --set SYNC=none";
            const Finished done = run_program("sh", {"-c", LAB_BIN_DIR "/" + again});
            EXPECT_LE(done.status, 1) << again << done.err;
            EXPECT_THAT(done.out, HasSubstr("race")) << again;
            ++runs;
        }
        EXPECT_GT(runs, 0U) << found.out;
    }
}

TEST(Cli, CellsAndSectionsThatThereAreNotAreProblems) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"--show", "moon"}, "lanes, traffic and lineage"},
        {{"--cell", "buf"}, "buf/0"},
        {{"--cell", "input"}, "Write input[0]"},
        {{"--cell", "input["}, "data[3]@57"},
        {{"--cell", "input[0][1]"}, "Choose one of them"},
        {{"--cell", "input[0].x"}, "Choose one of them"},
        {{"--cell", "buf[-1]"}, "data[3]@57"},
        {{"--cell", "nothing[0]"}, "input, out, out#2, buf/0"},
        {{"--cell", "buf[0]"}, "buf/0"},
        {{"--cell", "input[8]"}, "Choose one of them"},
        {{"--cell", "buf/0[4]"}, "Choose one of them"},
        {{"--cell", "buf/7[0]"}, "Groups count from 0"},
        {{"--cell", "buf/1[0]@0"}, "Choose a time from"},
        {{"--cell", "input[0]@100000"}, "Choose a time from 0 to"}};
    for (const auto& [options, hint] : wrong) {
        std::vector<std::string> call{"step", "local-master", "--n", "8", "--group", "4"};
        call.insert(call.end(), options.begin(), options.end());
        const Finished done = cli(call);
        EXPECT_EQ(done.status, 2) << options[1];
        EXPECT_THAT(done.err, HasSubstr("hint:")) << options[1];
        EXPECT_THAT(done.err, HasSubstr(hint)) << options[1];
    }
}

TEST(Cli, FiguresOfARunAreDrawn) {
    const TemporaryFolder folder;
    const std::vector<std::pair<const char*, const char*>> figures{{"lanes", "12.5 %"},
                                                                   {"banks", "sectors: 1, as few"},
                                                                   {"lineage", "wrong: 27"},
                                                                   {"schedule", "from the write"}};
    for (const auto& [name, words] : figures) {
        const std::string svg = folder.path() / (std::string(name) + ".svg");
        const Finished done = cli({"step", "span-modulo", "--input", "7,1,6,8,5,6,7,1", "--group",
                                   "4", "--order", "in-order", "--figure", name, "-o", svg});
        EXPECT_EQ(done.status, 1) << name << done.err;  // the sum is wrong
        EXPECT_THAT(read_file(svg), HasSubstr(words)) << name;
        const std::string pdf = folder.path() / (std::string(name) + ".pdf");
        const std::string png = folder.path() / (std::string(name) + ".png");
        EXPECT_EQ(cli({"step", "local-tree", "--n", "32", "--group", "8", "--figure", name,
                       "--theme", "projector", "--lang", "zh", "-o", pdf, "-o", png})
                      .status,
                  0)
            << name;
        EXPECT_EQ(read_file(pdf).substr(0, 4), "%PDF");
        EXPECT_EQ(read_file(png).substr(1, 3), "PNG");
    }
}

TEST(Cli, TheFigureOfALineOrACellIsOfThatOne) {
    const TemporaryFolder folder;
    const std::string svg = folder.path() / "f.svg";
    const std::vector<std::string> step{
        "step", "ladder-2-strided", "--n",   "512", "--group", "256", "--lanes",
        "32",   "--figure",         "banks", "-o",  svg};
    EXPECT_EQ(cli(step).status, 0);
    EXPECT_THAT(read_file(svg), HasSubstr("8 turns where 1 would do"));
    std::vector<std::string> line = step;
    line.insert(line.end(), {"--line", "29"});
    EXPECT_EQ(cli(line).status, 0);
    EXPECT_THAT(read_file(svg), HasSubstr("1 turn, as few as can be"));
    EXPECT_EQ(cli({"step", "relaunch", "--input", "7,1,6,8", "--group", "4", "--figure", "lineage",
                   "--cell", "data[2]", "-o", svg})
                  .status,
              0);
    EXPECT_THAT(read_file(svg), HasSubstr("Inputs in data[2]: 2"));
}

TEST(Cli, FiguresThatCannotBeAreProblemsBeforeAnythingIsWritten) {
    const TemporaryFolder folder;
    const std::string svg = folder.path() / "f.svg";
    const std::vector<std::pair<std::vector<std::string>, const char*>> cases{
        {{"relaunch", "--figure", "trees", "-o", svg}, "schedule"},
        {{"relaunch", "--figure", "lanes"}, "-o lanes.svg"},
        {{"relaunch", "--line", "23", "-o", svg}, "--figure banks"},
        {{"relaunch", "--figure", "lanes", "--line", "23", "-o", svg}, "--figure banks"},
        {{"relaunch", "--figure", "banks", "--line", "2", "-o", svg}, "Lines that do: 23"},
        {{"relaunch", "--figure", "lanes", "--cell", "data[0]", "-o", svg}, "--figure lineage"},
        {{"relaunch", "--figure", "lineage", "--cell", "data[99]", "-o", svg}, "no element 99"},
        {{"sync-leaders", "--n", "16", "--resident", "all", "--figure", "lineage", "-o", svg},
         "--cell"},
        {{"relaunch", "--n", "0", "--figure", "schedule", "-o", svg}, "Nothing was launched"},
    };
    for (const auto& [options, words] : cases) {
        std::vector<std::string> step{"step"};
        step.insert(step.end(), options.begin(), options.end());
        const Finished done = cli(step);
        EXPECT_EQ(done.status, 2) << words;
        EXPECT_THAT(done.out, IsEmpty()) << words;
        EXPECT_THAT(done.err, HasSubstr(words));
        EXPECT_FALSE(fs::exists(svg)) << words;
    }
}

TEST(Cli, WhereNothingWasLaunchedThatIsSaid) {
    const Finished done =
        cli({"step", "relaunch", "--n", "0", "--show", "lanes,lineage", "--source", "machine"});
    EXPECT_EQ(done.status, 0);
    EXPECT_THAT(done.out, HasSubstr("lanes: none, for nothing was launched\n"));
}

TEST(Cli, WhatTheMachineCannotBeIsAProblem) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
        {{"--lanes", "65"}, "--lanes"},         {{"--lanes", "0"}, "--lanes"},
        {{"--machine", "abacus"}, "--machine"}, {{"--order", "backwards"}, "--order"},
        {{"--resident", "0"}, "--resident"},    {{"--arg", "1"}, "relaunch"}};
    for (const auto& [options, where] : wrong) {
        std::vector<std::string> call{"step", "relaunch"};
        call.insert(call.end(), options.begin(), options.end());
        const Finished done = cli(call);
        EXPECT_EQ(done.status, 2) << options[0];
        EXPECT_THAT(done.err, HasSubstr(where + ": ")) << options[0];
        EXPECT_THAT(done.err, HasSubstr("hint:")) << options[0];
    }
}

TEST(Cli, TextIsShownAsItIsOrExpanded) {
    const Finished raw = cli({"text", "relaunch"});
    EXPECT_EQ(raw.status, 0);
    EXPECT_THAT(raw.out, HasSubstr("COMBINE(data[id], data[other])"));
    const Finished expanded =
        cli({"text", "relaunch", "--expanded", "--op", "max", "--type", "float"});
    EXPECT_EQ(expanded.status, 0);
    EXPECT_THAT(expanded.out, HasSubstr("global float* data"));
    EXPECT_THAT(expanded.out, HasSubstr("fmax((data[id]), (data[other]))"));
    EXPECT_THAT(expanded.out, HasSubstr("// No loop: the host launches this again"));
}

TEST(Cli, WithoutADeviceTheBrokenFormStillGoesWrong) {
    const TemporaryFolder empty;
    const Finished done = cli({"step", "span-modulo", "--set", "BARRIER=group", "--input",
                               "7,1,6,8,5,6,7,1", "--group", "4"},
                              without_driver(empty));
    EXPECT_EQ(done.status, 1) << done.err;
    EXPECT_THAT(done.out, HasSubstr("an order that goes wrong"));
    EXPECT_THAT(done.out, HasSubstr("WRONG: 41 expected"));
    EXPECT_THAT(done.out, HasSubstr("not compared with a device"));
    const Finished asked = cli({"step", "relaunch", "--source", "device"}, without_driver(empty));
    EXPECT_EQ(asked.status, 3);
}

// ---- Lessons.

const std::string kLessons = LAB_SOURCE_DIR "/assets/lessons";

std::string text_of_pdf(const std::string& file) {
    return run_program("pdftotext", {"-layout", file, "-"}).out;
}

TEST(Cli, WorksheetsDifferInTheirNumbersAndEachHasItsKey) {
    const TemporaryFolder folder;
    const std::string sheet = folder.path() / "sheet.pdf";
    const std::string lesson = kLessons + "/07-the-ladder";
    const Finished enough = cli({"lesson", "print", lesson, "-o", sheet, "--variants", "2"});
    EXPECT_EQ(enough.status, 0);
    EXPECT_THAT(enough.err, Not(HasSubstr("differ")));
    EXPECT_FALSE(std::filesystem::exists(sheet));
    EXPECT_EQ(cli({"lesson", "print", lesson, "-o", sheet, "--variants", "2", "--key"}).status, 2);
    EXPECT_EQ(cli({"lesson", "print", lesson, "-o", sheet, "--variants", "0"}).status, 2);
    write_file(folder.path() / "one" / "lesson.md",
               "---\ntitle: T\n---\n\n## P\nW.\n\n```show\nkernel: local-tree\n"
               "input: 7,1,6,8\ngroup: 4\n```\n```ask number\nvalue: result\n```\n");
    const Finished alike =
        cli({"lesson", "print", folder.path() / "one", "-o", sheet, "--variants", "2"});
    EXPECT_EQ(alike.status, 2);
    EXPECT_THAT(alike.err, HasSubstr("All variants would be alike"));
    write_file(folder.path() / "two" / "lesson.md",
               "---\ntitle: T\n---\n\n## P\nW.\n\n```show\nkernel: local-tree\n"
               "input: 7,1,6,8\ngroup: 4\nvary: input=7,1,6,8|1,2,3,4\n```\n"
               "```ask number\nvalue: result\n```\n");
    const Finished few = cli({"lesson", "print", folder.path() / "two", "-o",
                              folder.path() / "few.pdf", "--variants", "3"});
    EXPECT_EQ(few.status, 0);
    EXPECT_THAT(few.err, HasSubstr("Only 2 of the 3 sheets differ"));
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    std::set<std::string> texts;  // but for the number of the variant
    for (const char* name : {"sheet-1.pdf", "sheet-1-key.pdf", "sheet-2.pdf", "sheet-2-key.pdf"})
        texts.insert(std::regex_replace(text_of_pdf(folder.path() / name),
                                        std::regex("( · [12])?[ \n]+"), " "));
    EXPECT_EQ(texts.size(), 4U);
    EXPECT_THAT(text_of_pdf(folder.path() / "sheet-2-key.pdf"), HasSubstr("The ladder · 2"));
}

TEST(Cli, AWorksheetIsInTheTermsThatAreChosen) {
    const TemporaryFolder folder;
    const std::string lesson = kLessons + "/03-two-groups", sheet = folder.path() / "sheet.pdf";
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    for (const auto& [terms, title, other] :
         {std::tuple("opencl", "Две группы, одна гонка", "лок 1"),
          std::tuple("cuda", "Два блока, одна гонка", "рупп")}) {
        EXPECT_EQ(
            cli({"lesson", "print", lesson, "-o", sheet, "--language", "ru", "--terms", terms})
                .status,
            0);
        const std::string text = text_of_pdf(sheet);
        EXPECT_THAT(text, HasSubstr(title));
        EXPECT_THAT(text, Not(HasSubstr(other)));
    }
}

TEST(Cli, AWorksheetHasBlanksAndItsKeyTheAnswers) {
    const TemporaryFolder folder;
    const std::string sheet = folder.path() / "sheet.pdf", key = folder.path() / "key.pdf";
    const std::string lesson = kLessons + "/03-two-groups";
    EXPECT_EQ(cli({"lesson", "print", lesson, "-o", sheet}).status, 0);
    EXPECT_EQ(cli({"lesson", "print", lesson, "-o", key, "--key"}).status, 0);
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    // Where lines part is no matter.
    const auto words_of = [](const std::string& file) {
        return std::regex_replace(text_of_pdf(file), std::regex("[ \n]+"), " ");
    };
    const std::string blank = words_of(sheet), filled = words_of(key);
    for (const std::string& text : {blank, filled}) {
        EXPECT_THAT(text, HasSubstr("Two groups, one race"));
        EXPECT_THAT(text, HasSubstr("What can the sum be?"));
        EXPECT_THAT(text, HasSubstr("group 1"));
        EXPECT_GE(std::count(text.begin(), text.end(), '\f'), 4);  // pages
    }
    EXPECT_THAT(blank, HasSubstr("Name"));
    // What only the key says: a page's `after`, with its answer, and a line of the solution.
    EXPECT_THAT(blank, Not(HasSubstr("this is the whole list")));
    EXPECT_THAT(filled, HasSubstr("this is the whole list"));
    EXPECT_THAT(blank, Not(HasSubstr("atomic_add(out, data[id])")));
    EXPECT_THAT(filled, HasSubstr("atomic_add(out, data[id])"));
    // Reasons are there to be ticked, and the key names what stands behind the wrong ones.
    EXPECT_THAT(blank, HasSubstr("Because … A barrier with CLK_GLOBAL_MEM_FENCE waits for all"));
    EXPECT_THAT(blank, Not(HasSubstr("same-code-same-pace")));
    EXPECT_THAT(filled, HasSubstr("they are equally far on. (same-code-same-pace)"));
    // What an edit is to reach, and how the runs are set.
    EXPECT_THAT(blank, HasSubstr("one result over all schedules"));
    EXPECT_THAT(blank, HasSubstr("n = 8 · groups of 4 · add · int · BARRIER=group"));
}

TEST(Cli, AWorksheetHasStepsAndLinesToNumber) {
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    const TemporaryFolder folder;
    const auto printed = [&](const std::string& lesson, std::vector<std::string> options) {
        const std::string file = folder.path() / "s.pdf";
        options.insert(options.begin(), {"lesson", "print", kLessons + "/" + lesson, "-o", file});
        EXPECT_EQ(cli(options).status, 0);
        return text_of_pdf(file);
    };
    // What stands behind each of the lines that begin so, from the task on.
    const auto numbers = [](const std::string& text, const std::string& task,
                            const std::string& line) {
        std::vector<std::string> found;
        std::istringstream rest(text.substr(std::min(text.find(task), text.size())));
        std::string each;
        while (std::getline(rest, each) && each.find('\f') == std::string::npos) {
            const auto begin = each.find_first_not_of(' ');
            if (begin == std::string::npos || each.compare(begin, line.size(), line) != 0) continue;
            const auto end = each.find("   ", begin);
            const std::string behind = end == std::string::npos ? "" : each.substr(end);
            found.push_back(behind.substr(std::min(behind.find_first_not_of(' '), behind.size())));
        }
        return found;
    };
    using Numbers = std::vector<std::string>;

    const std::string steps = "Number them in the order in which they happen.";
    const std::string sheet = printed("01-a-tree", {}), key = printed("01-a-tree", {"--key"});
    EXPECT_EQ(numbers(sheet, steps, "28: barrier("), Numbers(3));
    EXPECT_EQ(numbers(sheet, steps, "24: data[id] ="), Numbers(2));
    EXPECT_EQ(numbers(key, steps, "28: barrier("), (Numbers{"2", "4", "5"}));
    EXPECT_EQ(numbers(key, steps, "24: data[id] ="), (Numbers{"1", "3"}));

    const std::string lines = "Number the lines that are needed, in their order.";
    const std::string own = printed("09-write-your-own", {});
    const std::string solved = printed("09-write-your-own", {"--key"});
    EXPECT_EQ(numbers(own, lines, "barrier(CLK_LOCAL"), Numbers(3));
    EXPECT_EQ(numbers(own, lines, "buf[lid] ="), Numbers(1));
    EXPECT_EQ(numbers(solved, lines, "barrier(CLK_LOCAL"), (Numbers{"2", "4", "6"}));
    EXPECT_EQ(numbers(solved, lines, "buf[lid] ="), (Numbers{"1"}));
    EXPECT_EQ(numbers(solved, lines, "barrier(CLK_GLOBAL"), Numbers(1));  // is left over
    for (const std::string& text : {own, solved})  // the kernel above has none of them
        EXPECT_THAT(text,
                    ContainsRegex("18 +const uint lid = get_local_id\\(0\\);\n +19\n +20 +}"));
    // What comes after the answer speaks of a run of the same shape.
    EXPECT_THAT(solved, HasSubstr("Copy, wait, then 3 passes"));
}

TEST(Cli, AWorksheetHasItsUnitsInItsLanguage) {
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    const TemporaryFolder folder;
    const std::string sheet = folder.path() / "sheet.pdf";
    EXPECT_EQ(
        cli({"lesson", "print", kLessons + "/04-many-groups", "-o", sheet, "--language", "ru"})
            .status,
        0);
    const std::string text = text_of_pdf(sheet);
    EXPECT_THAT(text, HasSubstr("попыток"));
    EXPECT_THAT(text, Not(HasSubstr("tries")));
}

// A line that a toggle excludes is not printed as though it were there.
TEST(Cli, AWorksheetSaysHowTogglesAreSet) {
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    const TemporaryFolder folder;
    const auto sheet = [&](const std::string& set, const std::string& ask) {
        write_file(folder.path() / "one" / "lesson.md",
                   "---\ntitle: T\n---\n\n## P\nW.\n\n```show\nkernel: local-tree\nset: " + set +
                       "\ninput: 7,1,6,8\ngroup: 4\nlanes: 2\nlines: 44-52\n```\n" + ask);
        EXPECT_EQ(cli({"lesson", "print", folder.path(), "-o", folder.path() / "s.pdf"}).status, 0);
        return text_of_pdf(folder.path() / "s.pdf");
    };
    const std::string line = "```ask line\nright: race\n```\n";
    for (const std::string& ask : {std::string(), line}) {
        const std::string off = sheet("ITEMS=1, BARRIER_LOOP=off", ask);
        EXPECT_THAT(off, HasSubstr("#if BARRIER_LOOP // BARRIER_LOOP = off"));
        EXPECT_THAT(off, HasSubstr("BARRIER_LOOP=off ITEMS=1 · 2 lanes per warp"));
        EXPECT_THAT(off, HasSubstr("· round robin"));
    }
    EXPECT_THAT(sheet("ITEMS=1", ""), HasSubstr("#if BARRIER_LOOP // BARRIER_LOOP = on"));
    // Who acts when is what the student writes.
    EXPECT_THAT(sheet("BARRIER_LOOP=off", "```ask schedule\nuntil: wrong\n```\n"),
                Not(HasSubstr("round robin")));
}

// Items may take two cells each: the cells then have half as many groups as they would fill.
TEST(Cli, AWorksheetHasTheGroupsOfTheLaunch) {
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    const TemporaryFolder folder;
    write_file(folder.path() / "one" / "lesson.md",
               "---\ntitle: T\n---\n\n## P\nW.\n\n```show\nkernel: block-interleaved\n"
               "input: 7,1,6,8,5,6,4,9\ngroup: 4\nat: start\n```\n");
    EXPECT_EQ(cli({"lesson", "print", folder.path(), "-o", folder.path() / "s.pdf"}).status, 0);
    const std::string text = text_of_pdf(folder.path() / "s.pdf");
    EXPECT_THAT(text, HasSubstr("group 0"));
    EXPECT_THAT(text, Not(HasSubstr("group 1")));
    EXPECT_THAT(text, Not(HasSubstr("pass 1")));
}

// The start of that page has no atomics; what comes after its answer speaks of the solution, with
// the numbers and groups of the page.
TEST(Cli, AKeyCountsInTheSolution) {
    if (!installed("pdftotext")) GTEST_SKIP() << "needs pdftotext: apt-get install poppler-utils";
    const TemporaryFolder folder;
    const std::string key = folder.path() / "key.pdf";
    EXPECT_EQ(cli({"lesson", "print", kLessons + "/09-write-your-own", "-o", key, "--key"}).status,
              0);
    EXPECT_THAT(text_of_pdf(key), HasSubstr("One launch, 4 atomics for 4 groups"));
}

TEST(Cli, ASheetOfNoLessonIsAProblem) {
    const TemporaryFolder folder;
    EXPECT_EQ(cli({"lesson", "print", kLessons, "-o", "sheet.png"}).status, 2);
    const std::string file = folder.path() / "s.pdf";
    const Finished none = cli({"lesson", "print", folder.path(), "-o", file});
    EXPECT_EQ(none.status, 2);
    EXPECT_THAT(none.err, HasSubstr("There is no lesson in"));
    write_file(folder.path() / "bad/lesson.md", "---\ntitle: T\n---\n## P\n```shwo\n```\n");
    const Finished bad = cli({"lesson", "print", folder.path() / "bad", "-o", file});
    EXPECT_EQ(bad.status, 2);
    EXPECT_THAT(bad.err, HasSubstr("bad/lesson.md:5:1"));
    EXPECT_FALSE(fs::exists(file));
}

TEST(Cli, LessonsAreCheckedAgainAtEverySave) {
    const TemporaryFolder folder;
    const fs::path lesson = folder.path() / "l" / "lesson.md";
    write_file(lesson, "---\ntitle: T\n---\n## P\n");
    const ChildProcess watching =
        start_process(LAB_BIN_DIR "/reduction-lab-cli",
                      {"lesson", "check", "--watch", lesson.parent_path().string()});
    std::string said;
    const auto wait_for = [&](const std::string& words) {
        std::array<char, 4096> bytes{};
        for (ssize_t count = 1; count > 0 && said.find(words) == std::string::npos;) {
            count = ::read(watching.out.number(), bytes.data(), bytes.size());
            said.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
        }
        EXPECT_THAT(said, HasSubstr(words));
    };
    wait_for("T (en), 1 page\n");
    write_file(lesson, "---\ntitle: T\n---\n## P\n## Q\n");
    wait_for("T (en), 2 pages\n");
    kill_group(watching.id);
    ::waitpid(watching.id, nullptr, 0);
}

TEST(Cli, HandInsAreGradedAndBadFilesNamed) {
    const TemporaryFolder folder;
    const std::string good = folder.path() / "ada.json", bad = folder.path() / "bad.json";
    const std::string csv = folder.path() / "class.csv";
    write_file(
        good,
        json{{"reduction-lab", "answers"},
             {"version", 1},
             {"name", "Ada"},
             {"lessons",
              {{{"lesson", "01-a-tree"},
                {"pages",
                 {{"one-after-another", {{"answer", {{"texts", {"99"}}}}}},
                  {"in-pairs",
                   {{"right", true},
                    {"answer", {{"texts", {"8", "1", "14", "8", "11", "6", "8", "0"}}}}}}}}}}}}
            .dump());
    write_file(bad, "{");
    const Finished done = cli({"lesson", "grade", good, "--lessons", kLessons, "-o", csv});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_THAT(done.out, ContainsRegex("Ada +\\+x\\."));
    EXPECT_THAT(done.out, HasSubstr("1 × 8, 1, 14, 8, 11, 6, 8, 0"));
    EXPECT_THAT(read_file(csv), HasSubstr("Ada,ada.json,right,wrong,not reached"));
    const Finished both = cli({"lesson", "grade", bad, good, "--lessons", kLessons});
    EXPECT_EQ(both.status, 2);
    EXPECT_THAT(both.err, HasSubstr(bad));
    EXPECT_EQ(both.out, done.out);
    EXPECT_EQ(cli({"lesson", "grade", good, "-o", "class.xls"}).status, 2);
    const std::string results = folder.path() / "results.json";
    EXPECT_EQ(cli({"lesson", "grade", good, "--lessons", kLessons, "-o", results}).status, 0);
    const json tests = json::parse(read_file(results)).at("tests");
    EXPECT_EQ(tests[0].at("name"), "01-a-tree: One after another");
    EXPECT_EQ(tests[0].at("score"), 1);
    EXPECT_EQ(tests[1].at("score"), 0);
    EXPECT_THAT(tests[1].at("output").get<std::string>(), HasSubstr("8, 1, 14, 8, 11, 6, 8, 0"));
}

}  // namespace
}  // namespace lab

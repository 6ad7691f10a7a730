// Random kernels in CUDA: what they leave is what their twins in OpenCL C do, which a hand would
// write, and those that are printed.
#include <gmock/gmock.h>

#include "lang/record.h"
#include "support/cuda_twins.h"
#include "support/small_kernels.h"

namespace lab::machine {
namespace {

// What it leaves under that schedule, and how many actions it took.
std::pair<std::string, std::size_t> left_by(const lang::Text& text, unsigned seed) {
    lang::Compiled compiled = lang::compile(text);
    if (!compiled.code) return {text_of(compiled.diagnostics, compiled.sources), 0};
    const Items items{kTwinItems, kTwinGroup, kTwinLanes};
    SchedulingPolicy policy;
    policy.kind = SchedulingPolicy::Kind::random;
    policy.seed = seed;
    const Run run(small_job(std::move(*compiled.code), kTwinNumbers, items), policy);
    if (run.fault()) return {run.fault()->what + ": " + run.fault()->why, 0};
    return {numbers(Scalar::int_, run.machine().bytes(run.end(), 0)), run.trace().size()};
}

TEST(CudaTwins, LeaveWhatIsWrittenInOpenClCLeaves) {
    for (unsigned seed = 0; seed < 150; ++seed) {
        const CudaTwins twins = CudaTwinMaker(seed, seed % 2 == 0).twins();
        const lang::Text cuda{"k.cu", twins.cuda, ""};
        const auto own = left_by(cuda, seed), other = left_by({"k.cl", twins.opencl, ""}, seed);
        EXPECT_EQ(own, other) << seed << ":\n" << twins.cuda << twins.opencl;
        const lang::Text printed = opencl_text(cuda).text;
        EXPECT_EQ(left_by(printed, seed).first, own.first) << seed << ":\n"
                                                           << twins.cuda << printed.text;
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace lab::machine

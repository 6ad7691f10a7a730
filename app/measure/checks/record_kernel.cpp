#include <fmt/format.h>

#include <algorithm>

#include "device/needs.h"
#include "measure/checks/record_case.h"
#include "measure/timing/kernel_launch.h"
#include "simulation/user_kernel_code.h"

namespace lab::measure {
namespace {

class KernelCase : public RecordCase {
  public:
    KernelCase(const device::Device& device, const simulation::UserKernel& kernel)
        : device_(device),
          kernel_(kernel),
          target_(device::target_of(device.info)),
          job_(simulation::job_of(kernel, simulation::replay_options(target_).config)),
          text_(kernel_text_of(kernel)) {
        check_needs(device_.info, text_);
        machine::Job usual = job_;
        usual.config = machine::Config();
        usual.config.max_group = job_.config.max_group;
        usual_ = simulated(std::move(usual));
        if (!usual_)
            throw Problem(
                "The launch is too large to be recorded",
                fmt::format("{}: the simulator has to replay every access",
                            lab::text_of(job_.launches.front().range)),
                "Choose a smaller launch: what races with thousands of work-items races with "
                "dozens",
                "--global");
        expected_ = simulation::contents_of(usual_->machine(), usual_->end());
        catalogue::Variant entry;
        entry.entry = job_.launches.front().code->kernel;
        program_ = device::build(device_, entry, text_);
    }

    void describe(results::Recorded& recorded) const override {
        const NDRange& range = job_.launches.front().range;
        recorded.variant = simulation::title_of(kernel_);
        recorded.launch = lab::text_of(range);
        recorded.expect = "unknown";
        recorded.n = elements_of(job_);
        recorded.group = range.group_items();
        recorded.groups = range.groups();
        recorded.expected = expected_;
        describe_target(target_, recorded);
    }

    std::unique_ptr<device::Recorder> recorder(const lang::RecordOptions& options,
                                               device::Optimise optimise) const override {
        return std::make_unique<device::Recorder>(device_, simulation::text_of(kernel_),
                                                  job_.launches.front().code->kernel,
                                                  launch_of(job_), options, optimise);
    }

    catalogue::Outcome outcome(const std::vector<std::vector<std::byte>>& contents) const override {
        catalogue::Outcome outcome;
        outcome.result = simulation::contents_on_device(usual_->machine(), usual_->end(), contents,
                                                        device::kUnwrittenByte);
        outcome.verdict.right = outcome.result == expected_;
        return outcome;
    }

    simulation::Replay replay(const simulation::RecordedRun& recorded) const override {
        return simulation::replay(job_, simulation::contents_of, recorded);
    }

    std::optional<catalogue::Outcome> run_plainly() override {
        if (!plain_) plain_.emplace(device_, program_, launch_of(job_));
        plain_->prepare();
        plain_->run(false);
        return outcome(plain_->all_contents());
    }

    // No spin of such a kernel gives up.
    Problem not_resident() const override {
        return {"A spin of the kernel gave up", "", "Choose fewer groups", "--global"};
    }

  private:
    const device::Device& device_;
    const simulation::UserKernel& kernel_;
    catalogue::Target target_;
    machine::Job job_;
    catalogue::KernelText text_;
    std::unique_ptr<machine::Run> usual_;
    std::string expected_;
    device::Program program_;
    std::optional<device::KernelRun> plain_;
};

}  // namespace

std::unique_ptr<RecordCase> kernel_case(const device::Device& device,
                                        const simulation::UserKernel& kernel) {
    return std::make_unique<KernelCase>(device, kernel);
}

}  // namespace lab::measure

#include <fmt/format.h>

#include <algorithm>

#include "device/needs.h"
#include "device/resident.h"
#include "measure/checks/device_outcome.h"
#include "measure/checks/record_case.h"
#include "measure/timing/size.h"

namespace lab::measure {
namespace {

constexpr std::uint64_t kMostRecordedElements = 65'536;  // of a plan that is to be replayed

class VariantCase : public RecordCase {
  public:
    VariantCase(const device::Device& device, const catalogue::Variant& variant,
                const catalogue::Shape& asked)
        : device_(device), variant_(variant) {
        if (const auto problem = device::lacking(device_.info, variant_, asked))
            throw Problem(*problem);
        program_ = device::build(device_, variant_, kernel_text(variant_, asked));
        target_ = device::target_of(device_.info, program_.group);
        check_fits(device_.info, asked.type, asked.n, "--n");
        if (asked.n.value_or(0) <= kMostRecordedElements)
            input_ = make_values(asked.input, asked.type, asked.n, asked.op);
        n_ = std::max(asked.n.value_or(0), catalogue::count_of(input_));
        if (n_ > kMostRecordedElements)
            throw Problem(fmt::format("{} elements are too many to be recorded", n_),
                          fmt::format("Every access is kept, and {} elements are the most",
                                      kMostRecordedElements),
                          "Choose a smaller n: what races with thousands races with dozens", "--n");
        shape_ = small_shape(variant_, asked, n_, target_);
        plan_ = make_plan(variant_, shape_, n_, target_);
        if (plan_.launches.empty())
            throw Problem("There is nothing to record", "Nothing is launched for no elements",
                          "Choose at least one element", "--n");
        right_ = right_for(plan_, shape_, input_);
    }

    void describe(results::Recorded& recorded) const override {
        recorded.variant = variant_.id;
        recorded.op = name_of(shape_.op);
        recorded.type = info(shape_.type).name;
        recorded.input = text_of(shape_.input);
        recorded.set = toggle_settings(variant_, shape_);
        recorded.expect = name_of(plan_.expect);
        recorded.n = n_;
        recorded.group = plan_.group;
        recorded.groups = plan_.launches[0].global / plan_.launches[0].local;
        recorded.expected = catalogue::text_of(right_.value, 0);
        describe_target(target_, recorded);
    }

    std::unique_ptr<device::Recorder> recorder(const lang::RecordOptions& options,
                                               device::Optimise optimise) const override {
        return std::make_unique<device::Recorder>(device_, variant_, shape_, plan_, input_, options,
                                                  optimise);
    }

    catalogue::Outcome outcome(const std::vector<std::vector<std::byte>>& contents) const override {
        return outcome_of(values_from(shape_.type, contents[*plan_.result]), plan_, shape_, right_);
    }

    simulation::Replay replay(const simulation::RecordedRun& recorded) const override {
        return simulation::replay(
            simulation::prepare(variant_, shape_, simulation::replay_options(target_)), recorded);
    }

    std::optional<catalogue::Outcome> run_plainly() override {
        if (!plain_) plain_.emplace(*this);
        if (!device::try_run(plain_->reduction)) return {};
        return outcome_of(plain_->reduction, shape_, right_);
    }

    Problem not_resident() const override {
        return device::not_resident(variant_, plan_,
                                    device::most_groups(device_, program_, variant_, shape_, n_));
    }

  private:
    struct Plain {
        explicit Plain(const VariantCase& of)
            : neutral(identity(of.shape_.op, of.shape_.type)),
              inputs(of.device_, device::elements_of(of.input_, neutral)),
              reduction(of.device_, of.program_, of.plan_, inputs) {}
        catalogue::Values neutral;
        device::Inputs inputs;
        device::Reduction reduction;
    };

    const device::Device& device_;
    const catalogue::Variant& variant_;
    device::Program program_;
    catalogue::Target target_;
    catalogue::Shape shape_;
    catalogue::Plan plan_;
    catalogue::Values input_;
    catalogue::Reference right_;
    std::uint64_t n_ = 0;
    std::optional<Plain> plain_;
};

}  // namespace

std::unique_ptr<RecordCase> variant_case(const device::Device& device,
                                         const catalogue::Variant& variant,
                                         const catalogue::Shape& asked) {
    return std::make_unique<VariantCase>(device, variant, asked);
}

}  // namespace lab::measure

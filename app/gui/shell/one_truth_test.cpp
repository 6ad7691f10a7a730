// Everything that is shown of a run is true of its trace: rows, arrows, marks, sentences, tips,
// lineage, lanes and races. Of every variant, every value of its toggles, several shapes and
// schedules, those that were looked for included.
#include "simulation/shown_run.h"
#include "support/sanitized.h"
#include "support/trace_truth.h"

namespace lab::gui {
namespace {

// Of longer runs, of groups that wait for each other a hundred times, the check takes too long.
constexpr std::uint64_t kMostEvents = 1500;
constexpr std::uint64_t kBudget = 100'000;  // instructions: who waits in vain is found out soon

const catalogue::Catalogue& kernels() {
    static const catalogue::Catalogue all = [] {
        setenv("REDUCTION_LAB_DATA", LAB_SHARE_DIR, 1);
        return catalogue::load_catalogue();
    }();
    return all;
}

// Every variant with every value of its toggles, one at a time.
template <typename Each>
void for_all(Each each) {
    for (const catalogue::Variant& variant : kernels().variants) {
        each(variant, std::map<std::string, std::string>());
        for (const catalogue::Toggle& toggle : variant.toggles)
            for (const std::string& value : toggle.values)
                if (toggle.name != "ROUNDS" || value == "1")  // they are all alike
                    each(variant, {{toggle.name, value}});
    }
}

// By the header, as too long a run, or by what only one maker's devices know.
bool is_ruled_out(const Problem& problem) {
    return problem.exit == Exit::usage ||
           problem.text().find("inline assembly") != std::string::npos;
}

std::shared_ptr<MachineRun> run(const catalogue::Variant& variant, const catalogue::Shape& shape,
                                const simulation::Options& options) {
    simulation::Subject subject;
    subject.variant = variant;
    subject.shape = shape;
    subject.machine = options;
    return simulation::run_on_machine(subject);
}

struct Counts {
    std::size_t runs = 0, wrong = 0, late = 0;
};

// With those lanes: a small input under several schedules, and an odd number of elements.
Counts check_all(std::uint32_t lanes) {
    constexpr const char* kSmall = "7,1,6,8,5,6,7,1";
    constexpr const char* kOdd = "1,2,4,8,16,32,64,128,256,512,1024";
    const std::pair<const char*, const char*> cases[] = {
        {kSmall, "round-robin"}, {kSmall, "in-order"}, {kSmall, "random:1"}, {kOdd, "random:2"}};
    Counts counts;
    for_all([&](const catalogue::Variant& variant, const std::map<std::string, std::string>& set) {
        for (const auto& [input, order] : cases) {
            if (testing::Test::HasFailure()) return;
            catalogue::Shape shape;
            shape.input = catalogue::parse_input(input);
            shape.set = set;
            simulation::Options options;
            options.config.lanes = lanes;
            options.config.resident = lanes == 1 ? 0 : 2;
            options.order = machine::parse_order(order);
            options.budget = kBudget;
            std::shared_ptr<MachineRun> machine_run;
            try {
                machine_run = run(variant, shape, options);
            } catch (const Problem& problem) {
                ASSERT_TRUE(is_ruled_out(problem)) << variant.id << problem.text();
                continue;
            }
            if (machine_run->run == nullptr || machine_run->run->trace().events() > kMostEvents)
                continue;
            std::string what = variant.id + ", " + order;
            for (const auto& [name, value] : set)
                what += ", " + name + "=" + value;
            Truth(*machine_run, what).check();
            ++counts.runs;
            counts.wrong += machine_run->table.right || !machine_run->table.fault.empty() ? 0U : 1U;
            for (const analysis::Row& row : machine_run->table.rows)
                for (const analysis::Cell& cell : row.cells)
                    counts.late += cell.late_item >= 0 ? 1U : 0U;
        }
    });
    return counts;
}

TEST(OneTruth, OfEveryVariantAndToggleWithIndependentItems) {
    const Counts counts = check_all(1);
    EXPECT_GT(counts.runs, 200U);
    EXPECT_GT(counts.wrong, 10U);
    EXPECT_GT(counts.late, 0U);
}

TEST(OneTruth, OfEveryVariantAndToggleInLockstep) {
    const Counts counts = check_all(4);
    EXPECT_GT(counts.runs, 200U);
    EXPECT_GT(counts.wrong, 3U);
}

// What is looked for where a device went another way: its rows are those of a random schedule.
TEST(OneTruth, OfRunsThatAreAsOnTheDevice) {
    std::size_t explained = 0;
    for_all([&](const catalogue::Variant& variant, const std::map<std::string, std::string>& set) {
        catalogue::Shape shape;
        shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
        shape.set = set;
        simulation::Options asked, there;
        asked.target = there.target = simulation::target_of(asked.config);
        asked.budget = there.budget = kBudget;
        there.config.lanes = 1;
        there.config.resident = 0;
        for (const char* order : {"in-order", "random:5"}) {
            if (kSanitized && order != std::string_view("in-order")) continue;
            there.order = machine::parse_order(order);
            try {
                analysis::StepTable device = simulation::table_of(
                    variant, simulation::simulate(variant, shape, there), there);
                if (!device.fault.empty()) continue;
                const simulation::ShownRun shown =
                    simulation::shown_run(variant, shape, asked, true, &device);
                const auto result = run(variant, shape, shown.options);
                if (result->run == nullptr || result->run->trace().events() > kMostEvents) continue;
                Truth(*result, variant.id + " as on the device").check();
                if (shown.witness.verdict != analysis::Witness::Verdict::same) continue;
                EXPECT_EQ(result->table.result, device.result) << variant.id << order;
                explained += shown.witness.origin == analysis::Witness::Origin::device ? 1U : 0U;
            } catch (const Problem& problem) {
                ASSERT_TRUE(is_ruled_out(problem)) << variant.id << problem.text();
            }
        }
    });
    EXPECT_GT(explained, 5U);
}

}  // namespace
}  // namespace lab::gui

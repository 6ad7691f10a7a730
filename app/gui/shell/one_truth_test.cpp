// Everything that is shown of a run is true of its trace: rows, arrows, marks, sentences, tips,
// lineage, lanes and races. Of every variant, every value of its toggles, several shapes and
// schedules, those that were looked for included.
#include <array>

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

// Shapes, types, operators, lanes and schedules, each with another variant or toggle.
TEST(OneTruth, OfShapesTypesAndOperators) {
    constexpr std::array<std::uint64_t, 7> kElements{1, 2, 3, 5, 8, 12, 16};
    constexpr std::array<std::uint64_t, 5> kGroups{2, 4, 1, 8, 32};
    constexpr std::array<std::uint32_t, 3> kLanes{1, 4, 64};
    constexpr std::array<std::uint32_t, 3> kResident{0, 2, 1};
    constexpr std::array kOrders{"in-order", "reversed", "round-robin", "random:3", "random:8"};
    constexpr std::array kTypes{"int", "uint", "long", "float", "double"};
    constexpr std::array kOps{"add", "max", "min", "product"};
    std::size_t runs = 0, wrong = 0, by_hand = 0, tried = 0;
    for_all([&](const catalogue::Variant& variant, const std::map<std::string, std::string>& set) {
        for (int again = 0; again < (kSanitized ? 2 : 12); ++again) {
            if (testing::Test::HasFailure()) return;
            const std::size_t k = ++tried;
            catalogue::Shape shape;
            shape.n = kElements[k % kElements.size()];
            shape.group = kGroups[k / 2 % kGroups.size()];
            shape.type = catalogue::parse_type(kTypes[k / 3 % kTypes.size()]);
            shape.op = catalogue::parse_op(k % 3 == 0 ? kOps[k / 3 % kOps.size()] : "add");
            shape.input = catalogue::parse_input(k % 2 == 0 ? "ramp" : "random:7");
            shape.set = set;
            simulation::Options options;
            options.config.lanes = kLanes[k / 5 % kLanes.size()];
            options.config.resident = kResident[k / 7 % kResident.size()];
            options.order = machine::parse_order(kOrders[k / 11 % kOrders.size()]);
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
            std::string what = fmt::format(
                "{} --n {} --group {} --type {} --op {} --lanes {} --resident {} --order {}",
                variant.id, *shape.n, shape.group, kTypes[k / 3 % kTypes.size()], name_of(shape.op),
                options.config.lanes, options.config.resident, kOrders[k / 11 % kOrders.size()]);
            for (const auto& [name, value] : set)
                what += " --set " + name + "=" + value;
            Truth(*machine_run, what).check();
            ++runs;
            wrong += machine_run->table.right || !machine_run->table.fault.empty() ? 0U : 1U;
            for (const analysis::Row& row : machine_run->table.rows)
                by_hand += row.by_hand.empty() ? 0U : 1U;
        }
    });
    EXPECT_GT(runs, kSanitized ? 50U : 200U);
    if (!kSanitized) {
        EXPECT_GT(wrong, 10U);
        EXPECT_GT(by_hand, 4U);
    }
}

// What is looked for where a device went another way: its rows are those of a random schedule.
std::size_t check_as_on_device(const char* order) {
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
        there.order = machine::parse_order(order);
        try {
            analysis::StepTable device =
                simulation::table_of(variant, simulation::simulate(variant, shape, there), there);
            if (!device.fault.empty()) return;
            const simulation::ShownRun shown =
                simulation::shown_run(variant, shape, asked, true, &device);
            const auto result = run(variant, shape, shown.options);
            if (result->run == nullptr || result->run->trace().events() > kMostEvents) return;
            Truth(*result, variant.id + " as on the device").check();
            if (shown.witness.verdict != analysis::Witness::Verdict::same) return;
            EXPECT_EQ(result->table.result, device.result) << variant.id << order;
            explained += shown.witness.origin == analysis::Witness::Origin::device ? 1U : 0U;
        } catch (const Problem& problem) {
            ASSERT_TRUE(is_ruled_out(problem)) << variant.id << problem.text();
        }
    });
    return explained;
}

TEST(OneTruth, OfRunsThatAreAsOnTheDeviceInOrder) {
    EXPECT_GT(check_as_on_device("in-order"), 1U);
}

TEST(OneTruth, OfRunsThatAreAsOnTheDeviceAtRandom) {
    if (!kSanitized) {
        EXPECT_GT(check_as_on_device("random:5"), 1U);
    }
}

}  // namespace
}  // namespace lab::gui

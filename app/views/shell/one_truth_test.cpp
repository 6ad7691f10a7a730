// Everything that is shown of a run is true of its trace: rows, arrows, marks, sentences, tips,
// legend, verdict, badges, lineage, lanes and races. Of every variant, every value of its toggles,
// several shapes and schedules, those that were looked for included; of runs that never end and of
// kernels that break off.
#include <array>

#include "analysis/machine_run.h"
#include "support/sanitized.h"
#include "support/trace_truth.h"
#include "views/shell/shell.h"

namespace lab::gui {
namespace {

// Instructions: who waits in vain is found out soon, and nobody waits for a hundred rounds.
constexpr std::uint64_t kBudget = 20'000;

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
    for (const catalogue::Kernel& variant : kernels().variants) {
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

std::shared_ptr<MachineRun> run(const catalogue::Kernel& variant, const catalogue::Shape& shape,
                                const analysis::SimulatorOptions& options) {
    return analysis::run_on_machine({variant, shape, options});
}

// What was met with, so that no check of it is idle.
struct Counts {
    std::size_t runs = 0, wrong = 0, late = 0, other_reads = 0, endless = 0, stopped = 0,
                by_hand = 0;

    void add(const MachineRun& run) {
        const analysis::StepTable& table = run.table;
        ++runs;
        wrong += table.right || !table.fault.empty() ? 0U : 1U;
        endless += table.never_ends ? 1U : 0U;
        stopped += !table.fault.empty() && !table.never_ends ? 1U : 0U;
        for (const analysis::Row& row : table.rows) {
            by_hand += row.by_hand.empty() ? 0U : 1U;
            other_reads += row.other_reads.size();
            for (const analysis::Cell& cell : row.cells)
                late += cell.late_item >= 0 ? 1U : 0U;
        }
    }
};

// With those lanes: a small input under several schedules, and an odd number of elements.
Counts check_all(std::uint32_t lanes) {
    constexpr const char* kSmall = "7,1,6,8,5,6,7,1";
    constexpr const char* kOdd = "1,2,4,8,16,32,64,128,256,512,1024";
    const std::pair<const char*, const char*> cases[] = {
        {kSmall, "round-robin"}, {kSmall, "in-order"}, {kSmall, "random:1"}, {kOdd, "random:2"}};
    Counts counts;
    for_all([&](const catalogue::Kernel& variant, const std::map<std::string, std::string>& set) {
        for (const auto& [input, order] : cases) {
            if (testing::Test::HasFailure()) return;
            catalogue::Shape shape;
            shape.input = catalogue::parse_input(input);
            shape.set = set;
            analysis::SimulatorOptions options;
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
            if (machine_run->run == nullptr) continue;
            std::string what = variant.id + ", " + order;
            for (const auto& [name, value] : set)
                what += ", " + name + "=" + value;
            Truth(*machine_run, what).check();
            counts.add(*machine_run);
        }
    });
    return counts;
}

TEST(OneTruth, OfEveryVariantAndToggleWithIndependentItems) {
    const Counts counts = check_all(1);
    EXPECT_GT(counts.runs, 300U);
    EXPECT_GT(counts.wrong, 18U);
    EXPECT_GT(counts.late, 6U);
    EXPECT_GT(counts.endless, 20U);
    EXPECT_GT(counts.by_hand, 75U);
}

TEST(OneTruth, OfEveryVariantAndToggleInLockstep) {
    const Counts counts = check_all(4);
    EXPECT_GT(counts.runs, 300U);
    EXPECT_GT(counts.wrong, 3U);
    EXPECT_GT(counts.endless, 18U);
    EXPECT_GT(counts.by_hand, 50U);
}

// While presenting: the screen is about that many points wide and high whatever its pixels are, and
// a sentence of three lines leaves that much to the picture.
TEST(OneTruth, OfEveryVariantThePictureFitsTheScreen) {
    const figures::Fonts fonts;
    const std::vector<Translations> languages(std::begin(kLanguages), std::end(kLanguages));
    for (const catalogue::Kernel& variant : kernels().variants)
        for (const std::uint64_t n : {8U, 11U, 16U}) {
            if (kSanitized && n != 8) continue;
            catalogue::Shape shape;
            shape.n = n;
            std::shared_ptr<MachineRun> machine_run;
            try {
                machine_run = run(variant, shape, {});
            } catch (const Problem& problem) {
                ASSERT_TRUE(is_ruled_out(problem)) << variant.id << problem.text();
                continue;
            }
            for (const Translations& tr : languages) {
                figures::PassFigureOptions options;
                options.width = 820;
                options.height = 300;
                options.legend = false;
                const figures::Scene scene = pass_figure(machine_run->table, options, fonts, tr);
                const float fit =
                    std::min(options.width / scene.width, options.height / scene.height);
                EXPECT_GE(fit, 0.75F) << variant.id << n << tr.language();
                for (const figures::Shape& shown : scene.shapes)
                    if (const auto* text = std::get_if<figures::Text>(&shown.what);
                        text != nullptr && text->face == figures::Face::mono &&
                        shown.name.empty() && text->role == figures::Role::text) {
                        EXPECT_GE(text->size * fit, 7.5F) << variant.id << n << text->text;
                    }
            }
        }
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
    Counts counts;
    std::size_t tried = 0;
    for_all([&](const catalogue::Kernel& variant, const std::map<std::string, std::string>& set) {
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
            analysis::SimulatorOptions options;
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
            if (machine_run->run == nullptr) continue;
            std::string what = fmt::format(
                "{} --n {} --group {} --type {} --op {} --lanes {} --resident {} --order {}",
                variant.id, *shape.n, shape.group, kTypes[k / 3 % kTypes.size()], name_of(shape.op),
                options.config.lanes, options.config.resident, kOrders[k / 11 % kOrders.size()]);
            for (const auto& [name, value] : set)
                what += " --set " + name + "=" + value;
            Truth(*machine_run, what).check();
            counts.add(*machine_run);
        }
    });
    EXPECT_GT(counts.runs, kSanitized ? 50U : 750U);
    if (!kSanitized) {
        EXPECT_GT(counts.wrong, 18U);
        EXPECT_GT(counts.late, 22U);
        EXPECT_GT(counts.endless, 28U);
        EXPECT_GT(counts.by_hand, 40U);
    }
}

// Kernels with a right result that break off, or do not come to an end, each in its own way.
struct Breaking {
    const char* name;
    const char* body;
};
constexpr std::array kBreaking{
    Breaking{"at once beyond the end", "data[id + n] = COMBINE(data[id], data[id + n]);"},
    Breaking{"beyond the end in a second pass",
             "data[id] = COMBINE(data[id], data[id ^ 1]); barrier(CLK_GLOBAL_MEM_FENCE);"
             "data[3 * id] = COMBINE(data[id], data[3 * id]);"},
    Breaking{"beyond the end of local memory",
             "part[lid + 1] = data[id]; barrier(CLK_LOCAL_MEM_FENCE); data[id] = part[lid];"},
    Breaking{"through a null pointer",
             "data[id] = COMBINE(data[id], data[0]); if (id == 2) *(global T*)0 = data[id];"},
    Breaking{"a barrier that some do not reach",
             "data[id] = COMBINE(data[id], data[id ^ 1]);"
             "if (lid < 2) barrier(CLK_GLOBAL_MEM_FENCE); data[id] = COMBINE(data[id], data[0]);"},
    Breaking{"a barrier in a loop of unlike length",
             "for (uint i = 0; i <= lid; ++i) { data[id] = COMBINE(data[id], data[id ^ 1]);"
             "barrier(CLK_GLOBAL_MEM_FENCE); }"},
    Breaking{"division by zero", "data[id] = (T)(8 / ((int)id - 5));"},
    Breaking{"division by what was read", "data[id] = (T)(8 % (int)(data[id] - data[0]));"},
    Breaking{"waits for a cell that nobody writes",
             "data[id] = COMBINE(data[id], data[id ^ 1]); while (data[0] != (T)77);"},
    Breaking{"item 0 waits for an item of its warp",
             "if (lid == 0) while (flag[0] == 0u); atomic_or(flag, 1u);"
             "data[id] = COMBINE(data[id], data[0]);"},
    Breaking{
        "the first group waits for the last",
        "if (get_group_id(0) == 0) while (atomic_or(flag, 0u) == 0u); else atomic_or(flag, 1u);"
        "data[id] = COMBINE(data[id], data[0]);"},
    Breaking{"one group waits, the other is at a barrier",
             "if (lid == 0) while (atomic_or(flag, 0u) < 9u); barrier(CLK_GLOBAL_MEM_FENCE);"
             "data[id] = COMBINE(data[id], data[0]);"},
    Breaking{"goes round without reading", "data[id] = COMBINE(data[id], data[0]); while (1);"},
    Breaking{"adds for ever", "while (1) data[id] = COMBINE(data[id], data[id ^ 1]);"},
    Breaking{"adds for ever, with a barrier",
             "while (1) { data[id] = COMBINE(data[id], data[id ^ 1]);"
             "barrier(CLK_GLOBAL_MEM_FENCE); }"}};

catalogue::Kernel breaking(const Breaking& of) {
    return catalogue::parse_kernel(
        "breaking.cl",
        fmt::format("/* title:    {}\n"
                    " * chapter:  A 1\n"
                    " * origin:   a test\n"
                    " * teaches:  how runs stop\n"
                    " * entry:    breaks\n"
                    " * plan:     once\n"
                    " * args:     data: T[n] = input, flag: uint[1] = 0, n: uint = n\n"
                    " * global:   n\n"
                    " * local:    group\n"
                    " * result:   data\n"
                    " * depth:    n\n"
                    " * expect:   races\n"
                    " */\n"
                    "constant T kOne = 1;\n"
                    "kernel void breaks(global T* data, volatile global uint* flag,"
                    " uint n)\n"
                    "{{\n"
                    "    local T part[4];\n"
                    "    const uint id = get_global_id(0), lid = get_local_id(0);\n"
                    "    {}\n"
                    "}}\n",
                    of.name, of.body));
}

TEST(OneTruth, OfKernelsThatBreakOffOrNeverEnd) {
    Counts counts;
    (void)kernels();  // where the program's own data are
    std::size_t tried = 0;
    for (const Breaking& each : kBreaking) {
        const catalogue::Kernel variant = breaking(each);
        for (const std::uint32_t lanes : {1U, 2U, 4U})
            for (const char* order : {"round-robin", "reversed", "random:1"}) {
                if (HasFailure()) return;
                if (++tried % 5 != 0 && kSanitized) continue;
                catalogue::Shape shape;
                shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
                shape.group = 4;
                shape.type = catalogue::parse_type(tried % 3 == 0 ? "float" : "int");
                analysis::SimulatorOptions options;
                options.config.lanes = lanes;
                options.config.resident = tried % 2;
                options.order = machine::parse_order(order);
                options.budget = kBudget / 4;
                const auto machine_run = run(variant, shape, options);
                Truth(*machine_run, fmt::format("{}, {} lanes, {} at once, {}, type {}", each.name,
                                                lanes, tried % 2, order, tried % 3))
                    .check();
                counts.add(*machine_run);
            }
    }
    EXPECT_GT(counts.stopped, kSanitized ? 5U : 60U);
    EXPECT_GT(counts.endless, kSanitized ? 5U : 45U);
    if (!kSanitized) {
        EXPECT_GT(counts.other_reads, 5U);
    }
}

// What the badge of the device says is so.
void check_badge(const analysis::DeviceComparison& witness, const analysis::StepTable& shown,
                 const std::string& what) {
    const std::string key = witness_key(witness, !shown.fault.empty());
    const bool alike = key == "witness.same" || key == "witness.device";
    if (alike || key == "witness.lucky") {
        EXPECT_TRUE(shown.fault.empty()) << what << key;
    }
    if (alike) {
        EXPECT_EQ(shown.result, witness.result) << what << key;
        EXPECT_EQ(shown.right, witness.right) << what << key;
    }
    EXPECT_EQ(key == "witness.lucky", witness.right && !shown.right && shown.fault.empty())
        << what << key;
    if (key == "witness.explained" || key == "witness.unexplained" || key == "witness.unfound") {
        EXPECT_NE(witness.agreement.device, witness.agreement.machine) << what << key;
    }
    if (key == "witness.stopped") {
        EXPECT_FALSE(shown.fault.empty()) << what << key;
    }
}

// What is shown where a device went another way: its rows are those of a random schedule.
std::size_t check_as_on_device(const char* order) {
    std::size_t explained = 0;
    for_all([&](const catalogue::Kernel& variant, const std::map<std::string, std::string>& set) {
        catalogue::Shape shape;
        shape.input = catalogue::parse_input("7,1,6,8,5,6,7,1");
        shape.set = set;
        analysis::SimulatorOptions asked, there;
        asked.target = there.target = analysis::target_of(asked.config);
        asked.budget = there.budget = kBudget;
        there.config.lanes = 1;
        there.config.resident = 0;
        there.order = machine::parse_order(order);
        try {
            const analysis::RunSpec spec{variant, shape, there};
            const analysis::Simulation simulation = analysis::simulate(spec);
            analysis::StepTable device = analysis::table_of(spec, simulation);
            if (!device.fault.empty() || !simulation.run) return;
            device.turns = machine::text_of(machine::turns_of(simulation.run->trace()));
            const analysis::ShownRun shown =
                analysis::shown_run({variant, shape, asked}, true, &device);
            const auto result = run(variant, shape, shown.options);
            if (result->run == nullptr) return;
            Truth(*result, variant.id + " as on the device").check();
            check_badge(shown.witness, result->table, variant.id);
            if (shown.witness.verdict != analysis::DeviceComparison::Verdict::same) return;
            EXPECT_EQ(result->table.result, device.result) << variant.id << order;
            explained +=
                shown.witness.origin == analysis::DeviceComparison::Origin::device ? 1U : 0U;
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

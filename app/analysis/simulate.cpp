#include "analysis/simulate.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "analysis/hazards.h"
#include "analysis/rows.h"
#include "base/json_fields.h"
#include "base/ranges.h"
#include "lang/code.h"
#include "lang/dataflow.h"

namespace lab::analysis {

std::string text_of(const machine::MachineShape& machine) {
    const std::string groups = machine.resident == 0 ? std::string("all groups at once")
                               : machine.resident == 1
                                   ? std::string("one group after another")
                                   : fmt::format("{} groups at once", machine.resident);
    const std::string lanes = machine.lanes == 1 ? std::string("independent items")
                                                 : fmt::format("{} lanes", machine.lanes);
    std::string text = fmt::format("machine: {}, {}", lanes, groups);
    for (const catalogue::MachineOption& option : catalogue::machine_options())
        if (option.offered.empty() && !option.is_usual(machine))
            text += fmt::format(", {}: {}", option.id, option.text_of(machine.*option.field));
    return text;
}

SimulatorOptions options_of(const MachineUsed& machine) {
    SimulatorOptions options;
    options.config.shape() = machine;
    options.order = machine.order == kAutomatic ? machine::usual_order(options.config)
                                                : machine::parse_order(machine.order);
    return options;
}

std::string text_of(const SimulatorOptions& options) {
    using Order = machine::SchedulingPolicy::Kind;
    const std::string order =
        options.order.kind == Order::in_order      ? "in order"
        : options.order.kind == Order::reversed    ? "reversed order"
        : options.order.kind == Order::round_robin ? "round robin"
        : options.order.kind == Order::random ? fmt::format("random order {}", options.order.seed)
        : options.order.name == kAsOnDevice   ? "as on the device"
        : options.order.name == kGoesWrong    ? "an order that goes wrong"
        : !recorded_in(options.order.name).empty() ? recorded_in(options.order.name)
                                                   : "order of " + options.order.name;
    return fmt::format("{}, {}", text_of(options.config), order);
}

LAB_JSON_FIELDS_OR_DEFAULT(OpenedVariant, file, text)

void to_json(nlohmann::json& json, const RunChoice& choice) {
    json = {{"variant", choice.variant}, {"shape", choice.shape}, {"machine", choice.machine}};
    if (choice.user_kernel) json["own"] = *choice.user_kernel;
    if (choice.opened) json["opened"] = *choice.opened;
}

void from_json(const nlohmann::json& json, RunChoice& choice) {
    choice.variant = json.value("variant", choice.variant);
    if (json.contains("shape")) choice.shape = json.at("shape").get<catalogue::Shape>();
    if (json.contains("machine")) json.at("machine").get_to(choice.machine);
    if (json.contains("own")) choice.user_kernel = json.at("own").get<catalogue::LaunchForm>();
    if (json.contains("opened")) choice.opened = json.at("opened").get<OpenedVariant>();
}

bool same_but_order(const RunChoice& a, const RunChoice& b) {
    RunChoice same = a;
    same.machine.order = b.machine.order;
    return same == b;
}

bool is_automatic(const RunChoice& choice) {
    return choice.machine.order == kAutomatic;
}

catalogue::Kernel kernel_of(const RunChoice& choice, const catalogue::Catalogue& catalogue) {
    if (choice.user_kernel) return catalogue::kernel_of(*choice.user_kernel);
    if (choice.opened) return parse_opened(catalogue, choice.opened->file, choice.opened->text);
    return catalogue.find(choice.variant);
}

RunSpec spec_of(const RunChoice& choice, const catalogue::Catalogue& catalogue) {
    return {kernel_of(choice, catalogue), choice.shape, options_of(choice.machine)};
}

const std::string& file_of(const RunChoice& choice) {
    static const std::string kNone;
    return choice.user_kernel ? choice.user_kernel->file
           : choice.opened    ? choice.opened->file
                              : kNone;
}

const std::string& text_of(const RunChoice& choice) {
    static const std::string kNone;
    return choice.user_kernel ? choice.user_kernel->text
           : choice.opened    ? choice.opened->text
                              : kNone;
}

std::string chosen_name(const RunChoice& choice) {
    return choice.user_kernel ? std::filesystem::path(choice.user_kernel->file).stem().string()
                              : choice.variant;
}

catalogue::Target target_of(const machine::Config& config) {
    constexpr std::uint32_t kUnits = 8;  // of a machine on which all groups are resident
    catalogue::Target target;
    target.units = config.resident != 0 ? config.resident : kUnits;
    target.max_group = config.max_group;
    target.cpu = config.cpu;
    return target;
}

machine::Job job_of(const RunSpec& spec, const catalogue::CompiledKernel& code) {
    machine::check(spec.machine.config);
    const catalogue::Kernel& kernel = spec.kernel;
    const catalogue::Shape& asked = spec.shape;
    const catalogue::Target target = spec.machine.target.value_or(target_of(spec.machine.config));
    machine::Job job;
    if (kernel.by_form()) {
        job = plan_job(kernel, asked, 0, target, code);
    } else {
        catalogue::Values input;
        if (asked.n.value_or(0) <= kMostElements)
            input = make_values(asked.input, asked.type, asked.n, asked.op);
        const auto n = std::max<std::uint64_t>(asked.n.value_or(0), catalogue::count_of(input));
        if (n > kMostElements)
            throw Problem(
                fmt::format("{} elements are too many for the machine", n),
                fmt::format("It takes up to {}, one work-item after another", kMostElements),
                "Choose a smaller n: what races with thousands races with dozens", "--n");
        const catalogue::Shape shape = small_shape(kernel, asked, n, target);
        (void)plan_job(kernel, shape, n, target);  // its errors come before the text's
        job = plan_job(kernel, shape, n, target, code ? code : compile(kernel, shape));
        catalogue::fill(job, input);
        job.right = right_for(job, input);
    }
    job.config = spec.machine.config;
    job.budget = spec.machine.budget;
    return job;
}

std::string expected_of(const machine::Job& job) {
    const bool known = job.right && job.expect != catalogue::Expect::nothing;
    return known ? catalogue::text_of(job.right->value, 0) : std::string();
}

catalogue::Outcome outcome_at(const machine::Machine& machine, const machine::State& state) {
    const machine::Job& job = machine.job();
    return outcome_of(values_from(job.type, machine.bytes(state, *job.result)), job);
}

EndingOf ending_of(const machine::Job& job, bool prints) {
    if (job.right)
        return [](const machine::Machine& machine, const machine::State& state) {
            const catalogue::Outcome outcome = outcome_at(machine, state);
            Ending ending{outcome.result, outcome.verdict.right};
            if (machine.job().expect == catalogue::Expect::nothing) ending.right.reset();
            return ending;
        };
    return [prints](const machine::Machine& machine, const machine::State& state) {
        return Ending{prints ? result_text(machine, state) : contents_of(machine, state), {}};
    };
}

Simulation begun_simulation(machine::Job job, const machine::SchedulingPolicy& order,
                            const machine::Recording& recording) {
    Simulation simulation;
    if (!job.launches.empty()) {
        simulation.run = machine::Run::begun(std::move(job), order, recording);
        return simulation;
    }
    const bool elements = job.result && job.buffers[*job.result].takes_elements;
    simulation.outcome = outcome_without_launch(
        job,
        elements ? values_from(job.type, job.buffers[*job.result].initial) : catalogue::Values());
    simulation.idle = std::move(job);
    return simulation;
}

void finish(Simulation& simulation) {
    const machine::Run* run = simulation.run.get();
    if (run == nullptr || run->fault() || run->cancelled() || !simulation.job().right) return;
    simulation.outcome = outcome_at(run->machine(), run->end());
}

Simulation simulate(const RunSpec& spec, const machine::Recording& recording) {
    Simulation simulation = begun_simulation(job_of(spec), spec.machine.order, recording);
    if (simulation.run) simulation.run->go_on(UINT64_MAX);
    finish(simulation);
    return simulation;
}

void check_steppable(std::uint64_t elements) {
    if (elements > kMostSteppedElements)
        throw Problem(fmt::format("{} elements are too many to step through", elements),
                      fmt::format("The step view holds up to {}", kMostSteppedElements),
                      "Choose a smaller n; measure takes any size", "--n");
}

// What stopped a run, in the table of its rows.
static void note_fault(StepTable& table, const machine::Fault& fault) {
    table.fault = fault.what;
    table.fault_phrases = fault.phrases;
    table.never_ends =
        fault.kind == machine::Fault::Kind::budget || fault.kind == machine::Fault::Kind::deadlock;
}

StepTable head_of(const RunSpec& spec, const Simulation& simulation) {
    StepTable table;
    const machine::Job& job = simulation.job();
    table.title = spec.kernel.title;
    table.group = job.group;
    table.source = "machine";
    table.device = text_of(spec.machine);
    table.machine = machine_used(spec.machine.config, spec.machine.order);
    if (!job.right) {
        table.variant = job.launches.front().code->kernel;
        if (!job.buffers.empty()) {
            table.type = lang::info(job.buffers[job.start].element).name;
            table.n = job.n;
        }
        table.space = simulation.run->machine().space();
        table.right = !simulation.run->fault();
        if (simulation.run->fault()) note_fault(table, *simulation.run->fault());
        return table;
    }
    table.variant = spec.kernel.id;
    table.op = name_of(job.op);
    table.type = info(job.type).name;
    table.settings = catalogue::settings_text(spec.shape.set);
    table.n = job.n;
    table.expected = expected_of(job);
    table.parts = job.expect == catalogue::Expect::partial;
    if (simulation.outcome) {
        table.result = simulation.outcome->result;
        table.right = simulation.outcome->verdict.right;
        table.exactness = exactness_of(*simulation.outcome, *job.right);
    } else if (simulation.run && simulation.run->fault()) {
        note_fault(table, *simulation.run->fault());
    } else {
        table.fault = "The run was cancelled";
        table.fault_phrases.what = {"problem.run_cancelled", {}, {}};
    }
    return table;
}

std::vector<Cell> cells_of(const machine::Buffer& buffer) {
    std::vector<Cell> cells(buffer.cells());
    for (std::size_t i = 0; i < cells.size(); ++i)
        cells[i].value = value_in(buffer.initial, i, buffer.element);
    return cells;
}

StepTable table_of(const RunSpec& spec, const Simulation& simulation) {
    const machine::Job& job = simulation.job();
    if (job.right) check_steppable(job.n);
    StepTable table = head_of(spec, simulation);
    if (simulation.run && !job.buffers.empty())
        table.rows = stale_rows(*simulation.run, job.start, &table.stale_known);
    if (simulation.run) return table;
    table.rows.emplace_back();
    if (!job.buffers.empty()) table.rows.back().cells = cells_of(job.buffers[job.start]);
    return table;
}

// For each element the text of its value, "?" where nobody has written.
static std::vector<std::string> values_of(const machine::Machine& machine,
                                          const machine::State& state, std::size_t buffer) {
    const machine::Buffer& of = machine.job().buffers[buffer];
    const machine::PagedBuffer& memory = state.memory[buffer];
    const unsigned size = lang::info(of.element).bytes;
    std::vector<std::string> values;
    for (std::uint64_t i = 0; i * size < of.bytes; ++i) {
        const std::uint64_t index = i * size;
        const machine::Page& page = *memory.pages[index >> machine::kPageBits];
        bool known = false;  // of one that is written in part the rest is what was there
        for (unsigned byte = 0; byte < size; ++byte)
            known = known || page.written.all((index + byte) & (machine::kPageBytes - 1), 1);
        values.push_back(known ? lang::text_of(machine.value(state, buffer, i), of.element) : "?");
    }
    return values;
}

// Of the buffers that the kernel may write.
static std::string text_of_written(
    const machine::Job& job,
    const std::function<std::vector<std::string>(std::size_t buffer)>& values) {
    std::string text;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const auto& parameters = job.launches[0].code->parameters;
        const auto& arguments = job.launches[0].arguments;
        bool written = false;
        for (std::size_t k = 0; k < arguments.size(); ++k)
            written = written || (arguments[k].kind == machine::Argument::Kind::buffer &&
                                  arguments[k].buffer == i && !parameters[k].read_only);
        if (!written) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", job.buffers[i].name,
                            fmt::join(values(i), " "));
    }
    return text;
}

std::string contents_of(const machine::Machine& machine, const machine::State& state) {
    return text_of_written(machine.job(),
                           [&](std::size_t buffer) { return values_of(machine, state, buffer); });
}

std::string result_text(const machine::Machine& machine, const machine::State& state) {
    std::string text = contents_of(machine, state);
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    const std::vector<machine::Buffer>& buffers = machine.job().buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].of_program)
            add(fmt::format("{}: {}", buffers[i].name,
                            fmt::join(values_of(machine, state, i), " ")));
    std::map<std::uint64_t, std::string> printed;  // by work-item
    for (const machine::Print& each : state.prints.all())
        printed[each.item] += each.text;
    for (const auto& [item, what] : printed) {
        std::string shown;
        for (const char c : what)
            shown += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '"' ? "\\\"" : std::string(1, c);
        add(fmt::format("work-item {} prints \"{}\"", machine.space().item_name(item), shown));
    }
    return text;
}

std::string contents_on_device(const machine::Machine& machine, const machine::State& usual,
                               const std::vector<std::vector<std::byte>>& contents,
                               std::byte unwritten) {
    return text_of_written(machine.job(), [&](std::size_t buffer) {
        std::vector<std::string> values = values_of(machine, usual, buffer);
        const machine::Scalar type = machine.job().buffers[buffer].element;
        const unsigned size = lang::info(type).bytes;
        for (std::size_t i = 0; i < values.size() && (i + 1) * size <= contents[buffer].size();
             ++i) {
            const std::byte* at = contents[buffer].data() + i * size;
            const std::string value = text_of(value_in(contents[buffer], i, type));
            const bool untouched =
                machine.job().buffers[buffer].initial.empty() &&
                std::all_of(at, at + size, [&](std::byte each) { return each == unwritten; });
            values[i] = untouched && values[i] != value ? "?" : value;
        }
        return values;
    });
}

std::vector<BufferContents> buffers_of(const machine::Run& run) {
    const machine::Machine& machine = run.machine();
    const machine::Job& job = machine.job();
    std::vector<BufferContents> all;
    for (std::size_t i = 0; i < job.buffers.size(); ++i) {
        const machine::Buffer& buffer = job.buffers[i];
        BufferContents contents{buffer.name, lang::info(buffer.element).name, false,
                                buffer.shape.scalar, values_of(machine, run.end(), i)};
        contents.written = buffer.initial.empty() || buffer.initial != machine.bytes(run.end(), i);
        all.push_back(std::move(contents));
    }
    return all;
}

namespace {

// Of the second search. Where the machine has several results, or once it has one that the machine
// lacks, it only counts how many.
constexpr std::uint64_t kMoreStates = 300'000, kMoreSamples = 500;
constexpr std::uint64_t kMoreEffort = kSecondOfEffort / 4;
constexpr std::uint64_t kCountEffort = kSecondOfEffort / 50;
constexpr std::uint64_t kLeastRaceSteps = 50'000;
// Of the schedules in which `outcomes` looks for a race besides, in instructions; beyond it says
// nothing of races.
constexpr std::uint64_t kMostRaceSteps = 4'000'000;

// What is only counted, or looked at besides, takes some twentieth of the time of the search.
std::uint64_t count_effort(const Outcomes& found) {
    return std::clamp(found.effort / 20, kCountEffort / 4, kCountEffort);
}
std::uint64_t race_steps(const Outcomes& found) {
    constexpr std::uint64_t kStepsInEffort = 2;
    return std::clamp(found.effort / 20 * kStepsInEffort, kLeastRaceSteps, kMostRaceSteps);
}

using ResultKey = std::tuple<std::string, bool, bool>;

std::set<ResultKey> keys_of(const std::vector<PossibleResult>& results) {
    std::set<ResultKey> keys;
    for (const PossibleResult& each : results)
        keys.emplace(each.ending.result, each.fault, each.never_ends);
    return keys;
}

// What independent items do, all groups at once, where the machine hides some of it.
std::optional<IndependentOutcomes> independent_of(const machine::Job& job, const Outcomes& found,
                                                  const OutcomesOptions& options) {
    IndependentOutcomes result;
    if (has_sub_groups(job)) result.lanes = job.config.lanes;
    const std::optional<machine::Job> all_at_once = independent_job(job);
    if (!all_at_once) {
        const bool lockstep = result.lanes > 1 && any_of(job.launches, [](const auto& launch) {
                                  return launch.range.group_items() > 1;
                              });
        if (!lockstep) return std::nullopt;
        result.results = found.results.size();
        result.complete = found.complete;
        result.same = true;
        return result;
    }
    OutcomesOptions less = options;
    less.most_states = std::min(options.most_states, kMoreStates);
    const bool one = found.complete && found.results.size() == 1;
    less.most_effort = one ? kMoreEffort : count_effort(found);
    const std::set<ResultKey> known = keys_of(found.results);
    less.enough = [&](const std::vector<PossibleResult>& results) {
        const std::set<ResultKey> keys = keys_of(results);
        return !std::includes(known.begin(), known.end(), keys.begin(), keys.end());
    };
    less.enough_after = kCountEffort;
    less.samples = std::min(options.samples, kMoreSamples);
    less.shortest = false;
    less.on_progress = nullptr;
    Outcomes all;
    try {
        all = outcomes_of(*all_at_once, ending_of(*all_at_once), less);
    } catch (const Problem&) {  // all groups at once take more memory than there is
    }
    std::set<ResultKey> keys = keys_of(all.results);
    // What lanes in lockstep give, independent items that take turns like them give, too.
    if (!all.complete)
        for (const auto& [text, fault, never_ends] : known)
            if (!fault && !never_ends) keys.emplace(text, fault, never_ends);
    result.results = keys.size();
    result.complete = all.complete;
    result.same = all.complete && keys == known;
    return result;
}

std::set<std::uint32_t> registers_read(const lang::Code& code) {
    std::set<std::uint32_t> read;
    for (const lang::Instruction& each : code.instructions)
        lang::for_inputs(each, [&](std::uint32_t reg) { read.insert(reg); });
    return read;
}

// The atomics of one memory, or of both.
class AtomicsIn {
  public:
    AtomicsIn(const lang::Code& code, std::uint8_t memory)
        : code_(code), memory_(memory), read_(registers_read(code)) {
        for (const lang::Instruction& each : code.instructions)
            if (is_one(each)) note(each);
    }

    // Whether the order of some can be seen: in a value that somebody uses, or in what a cell holds
    // in the end, unless all of that cell add, or all choose the least and so on.
    bool tell() const { return tells_ || (any_cell_ && kinds_.size() > 1); }
    bool of_several_cells() const { return any_cell_ || cells_.size() > 1; }
    bool all_sequential() const { return all_sequential_; }

    // Whether some way through the text leads from one to another by what makes work-items wait
    // for each other without naming that memory, and by nothing that names it.
    bool meet_unordered() const {
        const std::vector<lang::Instruction>& all = code_.instructions;
        constexpr std::uint8_t kCame = 1, kWaited = 2;  // to one; and for each other behind it
        std::vector<std::uint8_t> before(all.size() + 1);
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < all.size(); ++i) {
                std::uint8_t now = before[i];
                if (is_one(all[i])) {
                    if ((now & kWaited) != 0) return true;
                    now |= kCame;
                } else if (const auto names = names_memory(i); names && now != 0) {
                    now = *names ? std::uint8_t{0} : std::uint8_t{kCame | kWaited};
                }
                for (const std::size_t next : lang::successors(code_, i)) {
                    changed = changed || (before[next] | now) != before[next];
                    before[next] |= now;
                }
            }
        }
        return false;
    }

  private:
    bool is_one(const lang::Instruction& each) const {
        return each.op == lang::Op::atomic && (each.flags & memory_) != 0;
    }

    void note(const lang::Instruction& each) {
        using lang::Builtin;
        const bool known = (each.a & lang::kUniform) != 0;  // which cell
        any_cell_ = any_cell_ || !known;
        cells_.insert(each.a);
        const auto sequential = [](std::uint64_t does) { return (does & lang::kSeqCst) != 0; };
        const std::uint64_t of_failure = each.imm >> lang::kFailureShift;
        all_sequential_ =
            all_sequential_ && sequential(each.imm) && (of_failure == 0 || sequential(of_failure));
        auto what = static_cast<Builtin>(each.extra);
        tells_ = tells_ || read_.contains(each.to);
        if (what == Builtin::atomic_load) return;
        if (what == Builtin::atomic_sub || what == Builtin::atomic_inc ||
            what == Builtin::atomic_dec)
            what = Builtin::atomic_add;
        const bool commutes = (what == Builtin::atomic_add ||
                               (what >= Builtin::atomic_min && what <= Builtin::atomic_xor)) &&
                              !lang::info(each.type).floating;
        const auto [of_cell, news] = kind_of_cell_.try_emplace(each.a, what);
        tells_ = tells_ || !commutes || (!news && of_cell->second != what);
        kinds_.insert(what);
    }

    // Of what makes work-items wait for each other; nothing of other instructions. The barrier of a
    // sub-group is a call and a fence.
    std::optional<bool> names_memory(std::size_t at) const {
        const lang::Instruction& each = code_.instructions[at];
        const auto names = [this](std::uint16_t flags) {
            return (flags & (memory_ == lang::kInLocal ? lang::kFenceLocal : lang::kFenceGlobal)) !=
                   0;
        };
        if (each.op == lang::Op::barrier)
            return (each.extra & lang::kFenceComputed) == 0 && names(each.extra);
        if (each.op != lang::Op::sub_collective)
            return lang::is_waiting(each.op) ? std::optional(false) : std::nullopt;
        const lang::Instruction& behind = code_.instructions[at + 1];
        const bool barrier = behind.op == lang::Op::fence && (behind.extra & lang::kTogether) != 0;
        // It holds others of the group in no case.
        return barrier && names(behind.extra) ? std::nullopt : std::optional(false);
    }

    const lang::Code& code_;
    const std::uint8_t memory_;  // lang::kInLocal, lang::kInGlobal
    const std::set<std::uint32_t> read_;
    std::set<std::uint32_t> cells_;
    std::map<std::uint32_t, lang::Builtin> kind_of_cell_;
    std::set<lang::Builtin> kinds_;
    bool any_cell_ = false, tells_ = false, all_sequential_ = true;
};

// Whether atomics may be seen in an order that no interleaving has. What is free of races and has
// none but memory_order_seq_cst behaves as if interleaved (OpenCL 3.0, 3.3.4; C11 5.1.2.4), and so
// does each cell by itself, as far as work-items that wait for each other name its memory.
bool has_weaker_orders(const lang::Code& code) {
    const AtomicsIn both(code, lang::kInLocal | lang::kInGlobal);
    if (!both.tell()) return false;
    if (both.of_several_cells() && !both.all_sequential()) return true;
    return any_of(std::array{lang::kInLocal, lang::kInGlobal}, [&](std::uint8_t memory) {
        const AtomicsIn own(code, memory);
        return own.tell() && own.meet_unordered();
    });
}

// Whether a compare-exchange may fail for no reason.
bool has_weak_exchange(const lang::Code& code) {
    return any_of(code.instructions, [](const lang::Instruction& each) {
        return each.op == lang::Op::atomic && (each.flags & lang::kMayFail) != 0;
    });
}

// Whether a sum or product of floats is made in an order that the language leaves open.
bool has_float_collective(const lang::Code& code) {
    using How = lang::Collective::How;
    return any_of(code.instructions, [](const lang::Instruction& each) {
        const auto what = static_cast<lang::Builtin>(each.extra);
        const auto how = static_cast<How>(each.imm);
        return (each.op == lang::Op::group_collective || each.op == lang::Op::sub_collective) &&
               what >= lang::Builtin::reduce && what <= lang::Builtin::scan_exclusive &&
               lang::info(each.type).floating && (how == How::add || how == How::mul);
    });
}

}  // namespace

bool atomics_tell(const lang::Code& code) {
    const std::set<std::uint32_t> read = registers_read(code);
    return any_of(code.instructions, [&](const lang::Instruction& each) {
        return each.op == lang::Op::atomic &&
               (lang::info(each.type).floating || read.contains(each.to));
    });
}

bool any_code(const machine::Job& job, bool (*holds)(const lang::Code& code)) {
    return any_of(job.launches, [&](const machine::Launch& launch) { return holds(*launch.code); });
}

bool has_sub_groups(const machine::Job& job) {
    return any_code(job, lang::depends_on_lanes);
}

std::optional<machine::Job> independent_job(const machine::Job& job) {
    const machine::Config& config = job.config;
    const std::uint32_t lanes = has_sub_groups(job) ? config.lanes : 1;
    const bool hides = any_of(job.launches, [&](const machine::Launch& launch) {
        return (config.lanes != lanes && launch.range.group_items() > 1) ||
               (config.resident != 0 && config.resident < launch.range.groups());
    });
    if (!hides) return std::nullopt;
    machine::Job independent = job;
    independent.config.lanes = lanes;
    independent.config.resident = 0;
    return independent;
}

Outcomes judged_outcomes(const machine::Job& job, const OutcomesOptions& options) {
    Outcomes found = outcomes_of(job, ending_of(job), options);
    // Where nothing came to an end in that time, one schedule after another would not, either.
    if (found.cancelled || found.results.empty()) return found;
    found.independent = independent_of(job, found, options);
    HazardSearchOptions some;
    some.most_steps = race_steps(found);
    some.first_race = true;
    some.cancel = options.cancel;
    const HazardSearch races = search_hazards(job, machine::usual_order(job.config), some);
    const bool racy =
        races_in(races.hazards) > 0 ||
        (found.results.size() > 1 && !races_of_results(job, found.results, options.cancel).empty());
    if (racy || (!races.fault && !races.cancelled)) found.races = racy;
    found.for_these_numbers = racy || races.for_these_numbers || any_code(job, atomics_tell);
    found.weaker_orders = !racy && any_code(job, has_weaker_orders);
    found.weak_exchanges = any_code(job, has_weak_exchange);
    found.float_collectives = any_code(job, has_float_collective);
    // Lanes of a sub-group may take other turns than lockstep's, which was not searched.
    if (found.independent && found.independent->lanes > 1 && (racy || any_code(job, atomics_tell)))
        found.independent->same = false;
    return found;
}

std::vector<MemoryCell> result_cells(const Simulation& simulation) {
    if (!simulation.run || !simulation.job().result || simulation.job().rounds > 0 ||
        simulation.job().expect == catalogue::Expect::nothing)
        return {};
    MemoryCell cell;
    cell.array = static_cast<std::uint32_t>(*simulation.job().result);
    if (simulation.job().expect != catalogue::Expect::partial) return {cell};
    std::vector<MemoryCell> cells;
    for (; cell.index < simulation.job().buffers[*simulation.job().result].cells();
         cell.index += simulation.job().every)
        cells.push_back(cell);
    return cells;
}

static std::optional<ResultLineage> lineage_of(const Simulation& simulation,
                                               std::vector<MemoryCell> cells) {
    ResultLineage lineage;
    lineage.cells = std::move(cells);
    if (lineage.cells.empty()) return std::nullopt;
    const machine::Machine& machine = simulation.run->machine();
    const auto& buffers = machine.job().buffers;
    const auto input = std::find_if(buffers.begin(), buffers.end(),
                                    [](const machine::Buffer& each) { return each.is_input; });
    if (input == buffers.end()) return std::nullopt;
    for (const MemoryCell& cell : lineage.cells)
        if (const auto contents = contents_of(machine, simulation.run->end(), cell))
            lineage.nodes.push_back(contents->node);
    lineage.composition = composition_of(machine.lineage(), lineage.nodes);
    lineage.account =
        account_of(lineage.composition, static_cast<std::uint32_t>(input - buffers.begin()),
                   simulation.job().n);
    return lineage;
}

std::optional<ResultLineage> result_lineage(const Simulation& simulation) {
    return lineage_of(simulation, result_cells(simulation));
}

// In a round each cell becomes the sum of three, so that each value goes into three.
std::optional<ResultLineage> whole_lineage(const Simulation& simulation) {
    if (!simulation.run || !simulation.job().result || simulation.job().rounds == 0)
        return result_lineage(simulation);
    std::vector<MemoryCell> cells(simulation.job().buffers[*simulation.job().result].cells());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i].array = static_cast<std::uint32_t>(*simulation.job().result);
        cells[i].index = i;
    }
    auto lineage = lineage_of(simulation, std::move(cells));
    if (!lineage) return lineage;
    std::uint64_t right = 1;
    for (std::uint64_t round = 0; round < simulation.job().rounds; ++round)
        right = saturated_sum(right, saturated_sum(right, right));
    InputCoverage& account = lineage->account;
    account.repeated.clear();
    for (const Ingredient& each : lineage->composition.inputs)
        if (each.times != right)
            (each.times < right ? account.missing : account.repeated).push_back(each);
    return lineage;
}

}  // namespace lab::analysis

#include "analysis/witness.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/conflicts.h"
#include "analysis/outcomes.h"
#include "analysis/rows.h"
#include "analysis/step_table.h"
#include "lang/code.h"
#include "machine/machine.h"

namespace lab::analysis {

const char* name_of(Witness::Verdict verdict) {
    static constexpr std::array<const char*, 6> kNames{"absent", "unknown",   "same",
                                                       "lucky",  "explained", "unexplained"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

const char* name_of(Witness::Origin origin) {
    static constexpr std::array<const char*, 4> kNames{"chosen", "usual", "device", "goes wrong"};
    return kNames.at(static_cast<std::size_t>(origin));
}

std::string recorded_in(const std::string& order) {
    const std::string remark = fmt::format("{}# ", machine::kTurnsPrefix);
    std::string name = order;
    if (order.starts_with(remark)) {
        name = order.substr(remark.size());
        name = name.substr(0, name.find('\n'));
    }
    return name.starts_with(kRecordedOn) ? name : std::string();
}

void to_json(nlohmann::json& made, const Witness& witness) {
    made = {{"verdict", name_of(witness.verdict)},
            {"origin", name_of(witness.origin)},
            {"device", witness.device},
            {"result", witness.result},
            {"right", witness.right},
            {"rows", witness.agreement.rows},
            {"complete", witness.complete},
            {"note", witness.note},
            {"why", witness.why}};
    if (witness.agreement.kind == Agreement::Kind::differs ||
        witness.agreement.kind == Agreement::Kind::rounding)
        made["differs"] = {{"row", witness.agreement.row},
                           {"cell", witness.agreement.cell},
                           {"device", witness.agreement.device},
                           {"run", witness.agreement.machine},
                           {"rounding", witness.agreement.kind == Agreement::Kind::rounding}};
    if (witness.like_device)
        made["like_device"] = {{"lanes", witness.like_device->config.lanes},
                               {"resident", witness.like_device->config.resident},
                               {"turns", machine::text_of(witness.like_device->turns)}};
}

namespace {

using machine::Access;
using machine::Action;
using machine::ActionKind;
using machine::Choice;
using machine::State;

constexpr std::uint64_t kMostExplainEvents = 1'000'000;  // of a run's trace
constexpr std::uint32_t kAnyPass = 0xffff'ffff;

// A store to a cell, as far as rows tell one from another.
struct StoreKey {
    std::uint32_t launch = 0, pass = kAnyPass;  // kAnyPass: whichever store of the launch
    std::uint64_t array = 0;                    // a buffer, or an object of the launch
    std::uint64_t cell = 0;                     // of the row
    bool operator==(const StoreKey&) const = default;
};
struct StoreKeyHash {
    std::size_t operator()(const StoreKey& key) const {
        std::size_t all = key.cell * 0x9e3779b97f4a7c15U + key.pass;
        all = (all ^ key.array) * 0xff51afd7ed558ccdU + key.launch;
        return all ^ (all >> 31U);
    }
};

constexpr std::uint64_t kLocalArray = std::uint64_t{1} << 32U;

bool writes(const Action& action) {
    return action.kind == ActionKind::store || action.kind == ActionKind::atomic;
}

// The array of a store, as keys have it, and its cell in that array's row. Nothing for a store of a
// size that rows have no cells for.
std::optional<StoreKey> key_of(const machine::Context& context, const Action& action,
                               const Access& access) {
    const machine::ObjectInfo& object = context.objects[action.object];
    const std::uint64_t element = lang::info(object.element).bytes;
    if (lang::info(action.type).bytes != element) return std::nullopt;
    StoreKey key;
    key.launch = action.launch;
    key.pass = action.pass;
    key.cell = access.index;
    if (object.space == machine::Space::local) {
        key.array = kLocalArray | action.object;
        key.cell += action.group * (object.bytes / element);
    } else {
        key.array = object.buffer;
    }
    return key;
}

// What the device's rows ask of the last of certain stores.
class Wanted {
  public:
    Wanted(const machine::Run& run, std::size_t start, const StepTable& device) {
        std::vector<RowTrace> traces;
        StepTable table;
        table.rows = trace_rows(run, start, &traces);
        for (const Row& row : device.rows)
            if (const std::optional<std::size_t> same = row_like(row, table); same && *same > 0)
                add(run, row, table.rows[*same], traces[*same - 1]);
        count(run);
    }

    // No schedule leaves what the device has: it is in a cell that nobody writes.
    bool impossible() const { return impossible_; }
    // How many stores each wish still waits for, at the beginning.
    const std::vector<std::uint32_t>& stores() const { return stores_; }

    // Takes a store off `left`; whether the device's rows can still come.
    bool take(const machine::Context& context, const Action& action, const Access& access,
              std::vector<std::uint32_t>& left) const {
        std::optional<StoreKey> key = key_of(context, action, access);
        if (!key) return true;
        const machine::Scalar element = context.objects[action.object].element;
        for (const std::uint32_t pass : {key->pass, kAnyPass}) {
            key->pass = pass;
            const auto found = wishes_.find(*key);
            if (found == wishes_.end()) continue;
            std::uint32_t& stores = left[found->second.number];
            if (stores > 0) --stores;
            if (stores == 0 && !alike(found->second.value, access.after, element)) return false;
        }
        return true;
    }

  private:
    struct Wish {
        std::uint32_t number = 0;
        CellValue value;
    };

    static bool alike(const CellValue& wanted, std::uint64_t bits, machine::Scalar element) {
        const CellValue now{lang::canonical(element, bits), element};
        return now == wanted || (lang::info(element).floating && rounds_to(wanted, now));
    }

    void add(const machine::Run& run, const Row& device, const Row& machine,
             const RowTrace& trace) {
        const machine::Context& context = run.machine().context(trace.launch);
        StoreKey key;
        key.launch = trace.launch;
        key.array = trace.buffer;
        if (trace.local)
            for (std::size_t i = 1; i < context.objects.size(); ++i)
                if (context.objects[i].space == machine::Space::local &&
                    context.objects[i].name == machine.array)
                    key.array = kLocalArray | i;
        for (std::size_t cell = 0; cell < device.cells.size(); ++cell) {
            const CellValue& value = device.cells[cell].value;
            if (!value.bits || !machine.cells[cell].value.bits) continue;
            const CellTrace& cell_trace = trace.cells[cell];
            if (!cell_trace.written) {
                impossible_ = impossible_ || value != machine.cells[cell].value;
                continue;
            }
            const bool end = device.number == 0 || (trace.last && !cell_trace.later);
            key.pass = end ? kAnyPass : cell_trace.pass;
            key.cell = cell;
            const auto [at, news] =
                wishes_.try_emplace(key, Wish{static_cast<std::uint32_t>(wishes_.size()), value});
            impossible_ = impossible_ || (!news && at->second.value != value);
        }
    }

    // Every schedule stores as often as this run.
    void count(const machine::Run& run) {
        stores_.assign(wishes_.size(), 0);
        const machine::Trace& trace = run.trace();
        for (std::uint64_t time = 0; time < trace.size(); ++time) {
            const Action& action = trace.action(time);
            if (!writes(action)) continue;
            const machine::Context& context = run.machine().context(action.launch);
            for (const Access& access : trace.accesses(action)) {
                std::optional<StoreKey> key = key_of(context, action, access);
                if (!key) continue;
                for (const std::uint32_t pass : {key->pass, kAnyPass}) {
                    key->pass = pass;
                    if (const auto found = wishes_.find(*key); found != wishes_.end())
                        ++stores_[found->second.number];
                }
            }
        }
    }

    std::unordered_map<StoreKey, Wish, StoreKeyHash> wishes_;
    std::vector<std::uint32_t> stores_;
    bool impossible_ = false;
};

class RowSearch {
  public:
    RowSearch(const machine::Job& job, const machine::Run& run, const Wanted& wanted,
              const ExplainOptions& options)
        : options_(options), wanted_(wanted), machine_(job, false), keys_(machine_) {
        const std::vector<bool> known = launches_known(job);
        conflicts_.resize(known.size());
        for (std::uint32_t launch = 0; launch < known.size(); ++launch) {
            known_ = known_ && known[launch];
            if (known[launch]) conflicts_[launch].emplace(run, launch);
        }
    }

    Explanation run() {
        Node start;
        start.left = wanted_.stores();
        try {
            machine_.start(start.state);
        } catch (const machine::Fault&) {
            return {};
        }
        start.done = no_actions_done(machine_, start.state);
        if (arrive(start)) enter(std::move(start));
        while (!found_ && !forks_.empty() && !stopped()) {
            Node next;
            if (go_on(next) && arrive(next)) enter(std::move(next));
        }
        Explanation explanation;
        explanation.states = seen_.size();
        // Where accesses depend on data, the run that the wishes were taken from may not be like
        // others, so that a way may have been given up too soon.
        explanation.complete = !found_ && forks_.empty() && known_;
        if (found_) explanation.turns = turns();
        return explanation;
    }

  private:
    struct Node {
        State state;
        std::vector<std::uint32_t> done;  // actions of each warp of the launch
        std::vector<std::uint32_t> left;  // stores that each wish waits for
    };
    struct Fork {
        Node node;
        std::vector<Choice> left;  // to be tried, the next one last
        std::size_t way = 0;       // steps to it
    };
    struct Step {
        std::uint32_t group = 0, warp = 0;
    };

    bool stopped() const {
        return seen_.size() > options_.most_states || actions_ > options_.most_actions ||
               (options_.cancel != nullptr && options_.cancel->load());
    }

    bool go_on(Node& next) {
        Fork& from = forks_.back();
        way_.resize(from.way);
        const Choice choice = from.left.back();
        from.left.pop_back();
        if (from.left.empty()) {
            next = std::move(from.node);
            forks_.pop_back();
        } else {
            next = from.node;
        }
        return act(next, choice);
    }

    // For a state what is to come, and what the device's rows still ask of it.
    machine::StateKey key(const Node& node) const {
        machine::StateKey state_key = keys_.of(node.state);
        for (const std::vector<std::uint32_t>* counts : {&node.done, &node.left})
            for (const std::uint32_t count : *counts) {
                state_key.low = (state_key.low ^ count) * 0x9e3779b97f4a7c15U;
                state_key.low ^= state_key.low >> 29U;
                state_key.high = (state_key.high + state_key.low) * 0xff51afd7ed558ccdU;
            }
        return state_key;
    }

    void enter(Node node) {
        if (!seen_.insert(key(node)).fresh) return;
        if (machine_.done(node.state)) {
            found_ = true;
            return;
        }
        Fork fork;
        fork.left = choices_of(node);
        if (fork.left.empty()) return;
        // Whoever acted last goes on, as a runtime lets it.
        if (!way_.empty()) {
            const Step last = way_.back();
            std::stable_partition(fork.left.begin(), fork.left.end(), [&](const Choice& each) {
                return node.state.groups[each.slot]->id == last.group && each.warp == last.warp;
            });
        }
        std::reverse(fork.left.begin(), fork.left.end());
        fork.way = way_.size();
        fork.node = std::move(node);
        forks_.push_back(std::move(fork));
    }

    std::vector<Choice> choices_of(const Node& node) const {
        const auto& conflicts = conflicts_[node.state.launch];
        std::vector<Choice> ready;
        for (std::size_t slot = 0; slot < node.state.groups.size(); ++slot)
            for (std::uint32_t warp = 0; warp < node.state.groups[slot]->warps.size(); ++warp) {
                const Choice choice{slot, warp};
                if (!machine::is_ready(node.state, choice)) continue;
                if (conflicts &&
                    conflicts->is_independent(warp_number(machine_, node.state, choice), node.done))
                    return {choice};
                ready.push_back(choice);
            }
        if (!conflicts || ready.empty()) return ready;
        const KnownInterference interference(*conflicts, node.done);
        return StubbornSets(machine_, node.state, interference).smallest(ready, ready);
    }

    // Whether the device's rows can still come.
    bool act(Node& node, const Choice& choice) {
        const std::uint32_t launch = node.state.launch;
        const std::uint64_t steps = node.state.steps;
        way_.push_back({node.state.groups[choice.slot]->id, choice.warp});
        ++node.done[warp_number(machine_, node.state, choice)];
        ++actions_;
        parts_.clear();
        try {
            machine_.act(node.state, choice, parts_);
        } catch (const machine::Fault&) {
            actions_ += (node.state.steps - steps) / kUsualInstructions;
            return false;
        }
        actions_ += (node.state.steps - steps) / kUsualInstructions;
        const machine::Context& context = machine_.context(launch);
        for (const machine::Part& part : parts_.parts) {
            if (!writes(part.action)) continue;
            for (std::size_t i = part.first; i < part.end; ++i)
                if (!wanted_.take(context, part.action, parts_.accesses[i], node.left))
                    return false;
        }
        if (node.state.launch != launch) node.done = no_actions_done(machine_, node.state);
        return true;
    }

    // Who comes to a barrier touches nothing: it does so at once.
    bool arrive(Node& node) {
        while (const std::optional<Choice> choice = arriving(machine_, node.state))
            if (!act(node, *choice)) return false;
        return true;
    }

    std::vector<machine::Turn> turns() const {
        std::vector<machine::Turn> result;
        for (const Step& each : way_)
            if (!result.empty() && result.back().group == each.group &&
                result.back().warp == each.warp)
                ++result.back().count;
            else
                result.push_back({each.group, each.warp, 1, 0});
        return result;
    }

    const ExplainOptions& options_;
    const Wanted& wanted_;
    machine::Machine machine_;
    machine::StateKeys keys_;
    std::vector<std::optional<Conflicts>> conflicts_;
    bool known_ = true;
    KnownStates seen_;
    std::vector<Fork> forks_;
    std::vector<Step> way_;
    machine::Done parts_;
    std::uint64_t actions_ = 0;
    bool found_ = false;
};

machine::Recording explain_recording(const std::atomic<bool>* cancel) {
    machine::Recording recording;
    recording.most_events = kMostExplainEvents;
    recording.cancel = cancel;
    return recording;
}

}  // namespace

bool gives_rows(const machine::Job& job, std::size_t start, const machine::Order& order,
                const StepTable& device, const std::atomic<bool>* cancel) {
    const machine::Run run(job, order, explain_recording(cancel));
    if (run.fault() || run.cancelled()) return false;
    StepTable table;
    table.rows = trace_rows(run, start);
    return agrees(agreement_of(device, table));
}

Explanation explain(const machine::Job& job, std::size_t start, const StepTable& device,
                    const ExplainOptions& options) {
    machine::Order order;
    order.kind = machine::Order::Kind::in_order;
    const machine::Run run(job, order, explain_recording(options.cancel));
    if (run.fault() || run.cancelled()) return {};
    const Wanted wanted(run, start, device);
    if (wanted.impossible()) {
        Explanation none;
        none.complete = !accesses_depend_on_data(job);
        return none;
    }
    Explanation explanation = RowSearch(job, run, wanted, options).run();
    if (!explanation.turns) return explanation;
    // The rows themselves have the last word.
    machine::Order found;
    found.kind = machine::Order::Kind::list;
    found.turns = *explanation.turns;
    if (!gives_rows(job, start, found, device, options.cancel)) explanation.turns.reset();
    return explanation;
}

}  // namespace lab::analysis

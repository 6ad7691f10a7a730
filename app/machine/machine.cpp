#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "lang/code/value.h"
#include "machine/execute/copies.h"
#include "machine/execute/divergence.h"
#include "machine/execute/together.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of all resident groups

void check_memory(const Config& config, const Context& context, bool lineage) {
    const std::uint64_t resident =
        config.resident == 0 ? context.groups : std::min(config.resident, context.groups);
    const std::uint64_t each = group_bytes(context, lineage);
    if (each <= kMostBytes / resident) return;
    throw Problem(
        fmt::format("The kernel '{}' needs too much memory", context.code->kernel),
        fmt::format("{} groups at once take {} MiB each for variables, local memory and private "
                    "arrays; this machine has {} MiB",
                    resident, (each >> 20U) + 1, kMostBytes >> 20U),
        "Let fewer groups run at once, make them smaller, or pass a buffer", "--resident");
}

}  // namespace

std::uint64_t default_budget(const Job& job) {
    std::uint64_t budget = 4'000'000;
    for (const Launch& launch : job.launches)
        budget += 1000 * launch.range.items();
    return budget;
}

std::vector<bool> written_buffers(const Job& job) {
    std::vector<bool> written(job.buffers.size());
    for (const Launch& launch : job.launches)
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            if (launch.arguments[i].kind == Argument::Kind::buffer &&
                !launch.code->parameters[i].read_only)
                written[launch.arguments[i].buffer] = true;
    for (std::size_t i = 0; i < job.buffers.size(); ++i)
        if (job.buffers[i].of_program) written[i] = true;
    return written;
}

Machine::Machine(Job job, bool lineage)
    : job_(std::move(job)),
      with_lineage_(lineage),
      budget_(job_.budget != 0 ? job_.budget : default_budget(job_)) {
    check(job_.config);
    if (job_.launches.size() > 65'535)
        throw Problem(fmt::format("{} launches are too many", job_.launches.size()),
                      "65535 at most", "Reduce fewer elements");
    for (const Buffer& buffer : job_.buffers)
        if (buffer.bytes / std::max<std::uint64_t>(1, lang::info(buffer.element).bytes) >
            0xffffffffU)
            throw Problem(fmt::format("The buffer '{}' is too large for this machine", buffer.name),
                          "2^32 elements at most", "Choose a smaller n");
    add_program_variables();
    for (std::uint32_t i = 0; i < job_.launches.size(); ++i)
        contexts_.push_back(std::make_unique<Context>(make_context(job_, i)));
    for (const auto& context : contexts_)
        check_memory(job_.config, *context, lineage);
}

IndexSpace Machine::space() const {
    const std::vector<Launch>& all = job_.launches;
    const bool alike = !all.empty() && std::all_of(all.begin(), all.end(), [&](const Launch& each) {
        return each.range == all.front().range;
    });
    return alike ? IndexSpace(all.front().range) : IndexSpace();
}

// Variables outside of functions are buffers that nobody passes: one for each, since kernels of one
// text name the same. They begin with their values, or zeros.
void Machine::add_program_variables() {
    for (const Launch& launch : job_.launches)
        for (const lang::Object& object : launch.code->objects) {
            if (object.space != Space::global) continue;
            const bool known =
                std::any_of(job_.buffers.begin(), job_.buffers.end(), [&](const Buffer& each) {
                    return each.of_program && each.name == object.name &&
                           each.bytes == object.bytes;
                });
            if (known) continue;
            job_.buffers.push_back({object.name, object.element,
                                    std::max<std::uint64_t>(1, lang::info(object.element).bytes),
                                    object.bytes, object.initial, false, true});
        }
}

PagedBuffer Machine::paged(const Buffer& buffer, std::uint32_t number, State& state) {
    PagedBuffer paged_buffer;
    paged_buffer.bytes = buffer.bytes;
    paged_buffer.shift = static_cast<std::uint8_t>(
        std::countr_zero(std::max<unsigned>(1U, lang::info(buffer.element).bytes)));
    const std::uint64_t pages = (buffer.bytes + kPageBytes - 1) / kPageBytes;
    const std::uint64_t cells = kPageBytes >> paged_buffer.shift;
    Page empty;
    empty.bytes.fill(kPoison);
    const Shared<Page> unwritten(empty);
    for (std::uint64_t i = 0; i < pages; ++i) {
        if (buffer.initial.empty()) {
            paged_buffer.pages.push_back(unwritten);
            continue;
        }
        Page page = empty;
        const std::uint64_t count = std::min(kPageBytes, buffer.bytes - i * kPageBytes);
        std::memcpy(page.bytes.data(), buffer.initial.data() + i * kPageBytes, count);
        page.written.set_all();
        if (with_lineage_ && buffer.is_input) {
            page.nodes.resize(cells);
            for (std::uint64_t k = 0; k < count >> paged_buffer.shift; ++k) {
                page.nodes[k] = lineage_.input(state.next_node, number,
                                               static_cast<std::uint32_t>(i * cells + k));
                state.next_node = page.nodes[k] + 1;
            }
        }
        paged_buffer.pages.emplace_back(std::move(page));
    }
    return paged_buffer;
}

State Machine::start() {
    State state;
    start(state);
    return state;
}

void Machine::start(State& state, std::vector<Finding>* findings) {
    state = {};
    for (std::size_t i = 0; i < job_.buffers.size(); ++i)
        state.memory.push_back(paged(job_.buffers[i], static_cast<std::uint32_t>(i), state));
    fill(state, findings);
}

// Lets groups begin while there is room, and the next launch once this one is through.
void Machine::fill(State& state, std::vector<Finding>* findings) {
    while (!done(state)) {
        const Context& context = *contexts_[state.launch];
        const std::size_t room = job_.config.resident == 0 ? context.groups : job_.config.resident;
        while (state.groups.size() < room && state.next_group < context.groups) {
            state.groups.emplace_back(Group());
            Group& group = state.groups.back().write();
            begin(state, group, state.next_group++, findings);
            if (group.done == group.warps.size()) state.groups.pop_back();
        }
        if (!state.groups.empty()) return;
        ++state.launch;
        state.next_group = 0;
    }
}

template <typename Call>
void Machine::with_kind(std::uint32_t launch, Call call) {
    using Yes = std::true_type;
    using No = std::false_type;
    if (contexts_[launch]->lanes == 1)
        with_lineage_ ? call(Yes(), Yes()) : call(No(), Yes());
    else
        with_lineage_ ? call(Yes(), No()) : call(No(), No());
}

ExecutionContext Machine::execution_context(State& state, std::vector<Finding>* findings,
                                            Done* done) {
    return {*contexts_[state.launch],
            state,
            budget_,
            job_.budget != 0 ? UINT64_MAX : kMostAlone,
            with_lineage_ ? &lineage_ : nullptr,
            findings,
            flow_,
            done,
            cancel_};
}

void Machine::begin(State& state, Group& group, std::uint32_t id, std::vector<Finding>* findings) {
    const Context& context = *contexts_[state.launch];
    const std::size_t warps = context.warps, lanes = context.lanes;
    group.id = id;
    group.epoch_local = group.epoch_global = group.passes = group.waiting = group.done = 0;
    group.copies.clear();
    group.events = 0;
    group.warps.assign(warps, {});
    group.ready.assign((warps + 63) / 64, 0);
    group.registers.assign(warps * context.registers * lanes, 0);
    group.nodes.assign(with_lineage_ ? group.registers.size() : 0, 0);
    group.masks.assign(warps * context.masks, 0);
    group.left.assign(warps * lanes, 0);
    group.local = {std::vector<std::byte>(context.local_bytes, kPoison),
                   Written(context.local_bytes),
                   std::vector<Node>(with_lineage_ ? context.local_nodes : 0)};
    const std::size_t items = warps * lanes;
    group.own = {std::vector<std::byte>(items * context.private_bytes, kPoison),
                 Written(items * context.private_bytes),
                 std::vector<Node>(with_lineage_ ? items * context.private_nodes : 0)};
    for (std::size_t warp = 0; warp < warps; ++warp) {
        const std::size_t count = std::min<std::size_t>(lanes, context.local - warp * lanes);
        Warp& result = group.warps[warp];
        result.live = result.exec =
            count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    }
    const ExecutionContext execution = execution_context(state, findings, nullptr);
    with_kind(state.launch, [&](auto lineage, auto one_lane) {
        advance_all<lineage(), one_lane()>(execution, group);
    });
}

bool Machine::groups_begin(std::uint32_t launch) {
    Group group;
    for (std::uint32_t id = 0; id < contexts_[launch]->groups; ++id) {
        State state;
        state.launch = launch;
        try {
            begin(state, group, id, nullptr);
        } catch (const Fault&) {
            return false;
        }
    }
    return true;
}

void Machine::act(State& state, const Choice& choice, Done& done, std::vector<Finding>* findings) {
    Group& group = state.groups[choice.slot].write();
    const ExecutionContext execution = execution_context(state, findings, &done);
    with_kind(state.launch, [&](auto lineage, auto one_lane) {
        act_as<lineage(), one_lane()>(execution, group, choice.warp, 0);
    });
    if (none_runs(group)) settle(state, choice.slot, done, findings);
}

void Machine::act_in_order(State& state, std::size_t slot, std::size_t parts, Done& done,
                           std::vector<Finding>* findings) {
    Group& group = state.groups[slot].write();
    const ExecutionContext execution = execution_context(state, findings, &done);
    with_kind(state.launch, [&](auto lineage, auto one_lane) {
        do  // nobody below it becomes ready before the barrier opens
            act_as<lineage(), one_lane()>(execution, group, ready_from(group, 0), parts);
        while (done.parts.size() < parts && !none_runs(group));
    });
    if (none_runs(group)) settle(state, slot, done, findings);
}

template <bool kLineage, bool kOneLane>
void Machine::act_as(const ExecutionContext& execution, Group& group, std::uint32_t index,
                     std::size_t parts) {
    Warp& warp = group.warps[index];
    const Instruction* const code = execution.context.code->instructions.data();
    if (lang::is_waiting(code[warp.pc].op)) {
        arrive<kLineage, kOneLane>(execution, group, index, parts);
        return;
    }
    Executor<kLineage, kOneLane> executor(execution, group, index);
    Done& done = *execution.done;
    do {
        const Op op = code[warp.pc].op;
        const std::size_t before = done.parts.size();
        if (op == Op::sub_collective)
            executor.sub_collective(done);
        else if (lang::is_visible(op))  // else it ran out of budget between actions
            executor.access(done);
        execution.state.time += done.parts.size() - before;
        executor.advance();
    } while (done.parts.size() < parts && warp.status == Status::ready &&
             !lang::is_waiting(code[warp.pc].op));
    if (warp.status == Status::done) {
        set_ready(group, index, false);
        ++group.done;
    }
}

// A group in which nobody runs: it is through, or some wait for those who never come.
void Machine::settle(State& state, std::size_t slot, Done& done, std::vector<Finding>* findings) {
    const Group& group = *state.groups[slot];
    if (group.waiting > 0) check_group(*contexts_[state.launch], group);
    if (group.done < group.warps.size()) return;
    if (!group.copies.empty()) refuse_unfinished(*contexts_[state.launch], group);
    Detail ended;
    ended.kind = Detail::Kind::ended;
    ended.launch = state.launch;
    ended.group = group.id;
    done.details.push_back({done.parts.size(), ended});
    state.groups.erase(state.groups.begin() + static_cast<std::ptrdiff_t>(slot));
    fill(state, findings);
}

const Instruction& Machine::next(const State& state, const Choice& choice) const {
    const Group& group = *state.groups[choice.slot];
    return contexts_[state.launch]->code->instructions[group.warps[choice.warp].pc];
}

std::vector<std::uint64_t> Machine::next_objects(const State& state, const Choice& choice) const {
    const Instruction& instruction = next(state, choice);
    std::vector<std::uint64_t> objects;
    if (instruction.op != Op::load && instruction.op != Op::store && instruction.op != Op::atomic)
        return objects;
    const Context& context = *contexts_[state.launch];
    const Group& group = *state.groups[choice.slot];
    const std::uint64_t* pointers =
        (instruction.a & lang::kUniform) != 0
            ? context.uniforms.data() + std::size_t{instruction.a & ~lang::kUniform} * context.lanes
            : group.registers.data() +
                  (std::size_t{choice.warp} * context.registers + instruction.a) * context.lanes;
    for (std::uint64_t left = group.warps[choice.warp].exec; left != 0; left &= left - 1)
        objects.push_back(object_in(pointers[std::countr_zero(left)]));
    return objects;
}

std::vector<std::byte> Machine::bytes(const State& state, std::size_t buffer) const {
    const PagedBuffer& from = state.memory[buffer];
    std::vector<std::byte> all(from.bytes);
    for (std::uint64_t i = 0; i < from.pages.size(); ++i)
        std::memcpy(all.data() + i * kPageBytes, from.pages[i]->bytes.data(),
                    std::min(kPageBytes, from.bytes - i * kPageBytes));
    return all;
}

std::uint64_t Machine::value(const State& state, std::size_t buffer, std::uint64_t index) const {
    const PagedBuffer& from = state.memory[buffer];
    const Scalar type = job_.buffers[buffer].element;
    const std::uint64_t position = index * lang::info(type).bytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits,
                from.pages[position >> kPageBits]->bytes.data() + (position & (kPageBytes - 1)),
                lang::info(type).bytes);
    return lang::canonical(type, bits);
}

}  // namespace lab::machine

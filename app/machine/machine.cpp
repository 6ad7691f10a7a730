#include "machine/machine.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "base/ranges.h"
#include "lang/code.h"
#include "machine/collectives.h"

namespace lab::machine {

using lang::Instruction;
using lang::Op;

// Bytes of variables, local memory and private arrays, of all groups that run at once; more are
// refused.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

static void check_memory(const Config& config, const Context& context, bool lineage) {
    const std::uint64_t resident =
        config.resident == 0 ? context.groups : std::min(config.resident, context.groups);
    const std::uint64_t each = group_bytes(context, lineage);
    if (each <= kMostBytes / resident) return;
    throw Problem(
        fmt::format("The kernel '{}' needs too much memory", context.code->kernel),
        fmt::format("{} groups at once take {} KiB each for variables, local memory and private "
                    "arrays; this machine has {} MiB",
                    resident, (each + 1023) >> 10U, kMostBytes >> 20U),
        "Let fewer groups run at once, make them smaller, or pass a buffer", "--resident");
}

// CUDA launches a grid that waits for itself cooperatively, which fails if it does not fit.
static void check_grid(const Config& config, const Context& context) {
    const std::vector<Instruction>& code = context.code->instructions;
    if (config.resident == 0 || config.resident >= context.groups) return;
    const auto waits = std::find_if(code.begin(), code.end(), lang::is_of_grid);
    if (waits == code.end()) return;
    throw Problem(
        fmt::format("A cooperative launch of {} groups needs all of them at once", context.groups),
        fmt::format("All groups wait for each other in line {}, and this machine runs {} at once",
                    context.code->place(*waits).line, config.resident),
        "Launch fewer groups, or let all run at once", "--resident");
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
    name_members();
    for (std::uint32_t i = 0; i < job_.launches.size(); ++i)
        contexts_.push_back(std::make_unique<Context>(make_context(job_, i)));
    for (const auto& context : contexts_) {
        check_grid(job_.config, *context);
        check_memory(job_.config, *context, lineage);
    }
}

IndexSpace Machine::space() const {
    const std::vector<Launch>& all = job_.launches;
    const bool alike = !all.empty() && all_of(all, [&](const Launch& each) {
        return each.range == all.front().range;
    });
    return alike ? IndexSpace(all.front().range) : IndexSpace();
}

// A buffer's cells are named as the first kernel that takes it as structures or vectors has them.
void Machine::name_members() {
    for (const Launch& launch : job_.launches)
        for (std::size_t i = 0; i < launch.arguments.size() && i < launch.code->parameters.size();
             ++i) {
            const lang::Parameter& parameter = launch.code->parameters[i];
            if (launch.arguments[i].kind != Argument::Kind::buffer) continue;
            Buffer& buffer = job_.buffers.at(launch.arguments[i].buffer);
            if (buffer.shape.is_plain() &&
                lang::info(buffer.element).bytes == lang::info(parameter.type).bytes)
                buffer.shape = parameter.shape;
        }
}

// Variables outside of functions are buffers that nobody passes: one for each, since kernels of one
// text name the same. They begin with their values, or zeros.
void Machine::add_program_variables() {
    for (const Launch& launch : job_.launches)
        for (const lang::Object& object : launch.code->objects) {
            if (object.space != Space::global) continue;
            const bool known = any_of(job_.buffers, [&](const Buffer& each) {
                return each.of_program && each.name == object.name && each.bytes == object.bytes;
            });
            if (known) continue;
            job_.buffers.push_back({object.name, object.element,
                                    std::max<std::uint64_t>(1, lang::info(object.element).bytes),
                                    object.bytes, object.initial, false, true});
            job_.buffers.back().shape = object.shape;
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
            Group& group = state.groups.add();
            begin(state, group, state.next_group++, findings);
            if (group.done == group.warps.size()) state.groups.erase(state.groups.size() - 1);
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
                                            StepResult* done) {
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

void Machine::act(State& state, const WarpRef& choice, StepResult& done,
                  std::vector<Finding>* findings) {
    Group& group = state.groups[choice.slot].write();
    const ExecutionContext execution = execution_context(state, findings, &done);
    with_kind(state.launch, [&](auto lineage, auto one_lane) {
        act_as<lineage(), one_lane()>(execution, group, choice.warp, 0);
    });
    if (none_runs(group)) settle(state, choice.slot, done, findings);
}

void Machine::act_in_order(State& state, std::size_t slot, std::size_t parts, StepResult& done,
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
    StepResult& done = *execution.done;
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
void Machine::settle(State& state, std::size_t slot, StepResult& done,
                     std::vector<Finding>* findings) {
    if (state.groups[slot]->waiting > 0) {
        check_group(*contexts_[state.launch], *state.groups[slot]);
        if (lang::is_of_grid(waited_at(*contexts_[state.launch], *state.groups[slot]))) {
            open_grid(state, done, findings);
            return;
        }
        // The last that they might have waited for has ended.
        const ExecutionContext execution = execution_context(state, findings, &done);
        with_kind(state.launch, [&](auto lineage, auto one_lane) {
            release<lineage(), one_lane()>(execution, state.groups[slot].write());
        });
    }
    const Group& group = *state.groups[slot];
    if (group.done < group.warps.size()) return;
    if (!group.copies.empty()) refuse_unfinished(*contexts_[state.launch], group);
    done.details.push_back(
        {done.parts.size(),
         {.kind = Detail::Kind::ended, .launch = state.launch, .group = group.id}});
    state.groups.erase(slot);
    fill(state, findings);
    open_grid(state, done, findings);
}

// Where nobody runs, all groups wait at the grid's barrier: it opens, or some never come to it.
void Machine::open_grid(State& state, StepResult& done, std::vector<Finding>* findings) {
    if (state.groups.empty()) return;
    for (const Shared<Group>& group : state.groups)
        if (!none_runs(*group) || group->waiting == 0) return;
    const Context& context = *contexts_[state.launch];
    check_groups(context, state);
    done.details.push_back(
        {done.parts.size(), {.kind = Detail::Kind::grid, .launch = state.launch}});
    const ExecutionContext execution = execution_context(state, findings, &done);
    with_kind(state.launch, [&](auto lineage, auto one_lane) {
        for (std::size_t slot = 0; slot < state.groups.size(); ++slot)
            release<lineage(), one_lane()>(execution, state.groups[slot].write());
    });
    for (std::size_t slot = state.groups.size(); slot-- > 0;)
        if (none_runs(*state.groups[slot])) settle(state, slot, done, findings);
}

const Instruction& Machine::next(const State& state, const WarpRef& choice) const {
    const Group& group = *state.groups[choice.slot];
    return contexts_[state.launch]->code->instructions[group.warps[choice.warp].pc];
}

std::vector<std::uint64_t> Machine::next_objects(const State& state, const WarpRef& choice) const {
    const Instruction& instruction = next(state, choice);
    std::vector<std::uint64_t> objects;
    if (instruction.op != Op::load && instruction.op != Op::store && instruction.op != Op::atomic)
        return objects;
    const Context& context = *contexts_[state.launch];
    const Group& group = *state.groups[choice.slot];
    for (const std::uint32_t lane : set_bits(group.warps[choice.warp].exec))
        objects.push_back(object_in(value_in(context, group, choice.warp, instruction.a, lane)));
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

// What the warps of a group wait for together: barriers, collectives, asynchronous copies.

template <bool kLineage, bool kOneLane>
void Machine::arrive(const ExecutionContext& execution, Group& group, std::uint32_t index,
                     std::size_t parts) {
    const Context& context = execution.context;
    const std::uint32_t pc = group.warps[index].pc;
    const Instruction& instruction = context.code->instructions[pc];
    if (group.warps[index].exec != group.warps[index].live) check_warp(context, group, index);
    const bool barrier = instruction.op == Op::barrier;
    std::vector<Part>& result = execution.done->parts;
    Action& first = add_part(context, group, index, instruction,
                             barrier ? ActionKind::barrier : ActionKind::collective,
                             group.warps[index].exec, *execution.done);
    if (barrier)
        first.object = static_cast<std::uint8_t>(fence_flags(context, group, index, instruction));
    for (const Part part = result.back();;) {
        ++execution.state.time;
        group.warps[index].status = Status::waiting;
        set_ready(group, index, false);
        ++group.waiting;
        if (result.size() >= parts || none_runs(group)) break;
        index = ready_from(group, index);
        const Warp& next = group.warps[index];
        if (next.pc != pc || next.exec != next.live) break;
        Action& action = result.emplace_back(part).action;
        if (barrier)
            action.object =
                static_cast<std::uint8_t>(fence_flags(context, group, index, instruction));
        action.mask = next.exec;
        action.warp = index & 0x3ffU;
        action.turn = static_cast<std::uint16_t>(std::min(next.turn, kLastTurn));
    }
    if (!none_runs(group)) return;
    check_group(context, group);
    if (!lang::is_of_grid(instruction)) release<kLineage, kOneLane>(execution, group);
}

template <bool kLineage, bool kOneLane>
void Machine::release(const ExecutionContext& execution, Group& group) {
    const Context& context = execution.context;
    const Instruction& instruction = waited_at(context, group);
    switch (instruction.op) {
        case Op::group_collective:
            compute_together<kLineage>(execution.state, group, instruction);
            break;
        case Op::group_copy:
            begin_copy(context, execution.state, group, instruction);
            break;
        case Op::group_wait:
            finish_copies<kLineage, kOneLane>(execution, group, instruction);
            break;
        default: {
            const std::uint32_t flags = agreed_flags(context, group, instruction);
            if ((flags & lang::kFenceLocal) != 0) ++group.epoch_local;
            if ((flags & lang::kFenceGlobal) != 0) ++group.epoch_global;
            if (group.done == 0) break;
            execution.done->details.push_back({execution.done->parts.size(),
                                               {.kind = Detail::Kind::opened,
                                                .flags = flags,
                                                .launch = context.launch,
                                                .group = group.id}});
        }
    }
    if (instruction.op != Op::group_copy) ++group.passes;
    group.waiting = 0;
    for (Warp& warp : group.warps)
        if (warp.status == Status::waiting) ++warp.pc;
    advance_all<kLineage, kOneLane>(execution, group);
}

// All elements of the copies of an event, as if work-item i copied element i of each round.
template <bool kLineage, bool kOneLane>
void Machine::finish_copies(const ExecutionContext& execution, Group& group,
                            const Instruction& instruction) {
    const Context& context = execution.context;
    for (const Copy& copy : waited_for(context, group, instruction)) {
        if (copy.elements == 0) continue;
        StepResult& done = *execution.done;
        done.details.push_back({done.parts.size(),
                                {.kind = Detail::Kind::copy,
                                 .launch = context.launch,
                                 .group = group.id,
                                 .mask = copy.time}});
        const CopyAccesses accesses(context, copy);
        const std::uint32_t lanes = context.lanes;
        std::vector<std::uint64_t> from(lanes), to(lanes);
        for (std::uint64_t first = 0; first < copy.elements; first += context.local)
            for (std::uint32_t warp = 0; warp < context.warps; ++warp) {
                std::uint64_t mask = 0;
                for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                    const std::uint64_t item = std::uint64_t{warp} * lanes + lane;
                    if (item >= context.local || first + item >= copy.elements) break;
                    mask |= std::uint64_t{1} << lane;
                    from[lane] = accesses.from(first + item);
                    to[lane] = accesses.to(first + item);
                }
                if (mask == 0) break;
                execution.state.steps += static_cast<unsigned>(std::popcount(mask));
                Executor<kLineage, kOneLane>(execution, group, warp)
                    .copy(accesses.load, accesses.store, mask, from.data(), to.data(), copy, done);
            }
    }
}

template <bool kLineage>
void Machine::compute_together(State& state, Group& group, const Instruction& instruction) {
    const Context& context = *contexts_[state.launch];
    const std::size_t lanes = context.lanes;
    std::vector<Member> members;
    const auto place = [&](std::size_t item, std::uint32_t reg) {
        return context.place(item / lanes, reg, item % lanes);
    };
    for (std::size_t i = 0; i < context.local; ++i) {
        const Warp& warp = group.warps[i / lanes];
        if (warp.status != Status::waiting || (warp.exec >> i % lanes & 1U) == 0) continue;
        Member& member = members.emplace_back();
        member.lane = static_cast<std::uint32_t>(i);
        member.value = value_in(context, group, i / lanes, instruction.a, i % lanes);
        member.second = value_in(context, group, i / lanes, instruction.b, i % lanes);
        if (kLineage && (instruction.a & lang::kUniform) == 0)
            member.node = group.nodes[place(i, instruction.a)];
    }
    check_broadcast(context, group, instruction, members, 0, context.local);
    collect(instruction, context.local, members, state, kLineage ? &lineage_ : nullptr);
    for (const Member& each : members) {
        group.registers[place(each.lane, instruction.to)] = each.result;
        if constexpr (kLineage) group.nodes[place(each.lane, instruction.to)] = each.made;
    }
}

template void Machine::arrive<false, false>(const ExecutionContext&, Group&, std::uint32_t,
                                            std::size_t);
template void Machine::arrive<false, true>(const ExecutionContext&, Group&, std::uint32_t,
                                           std::size_t);
template void Machine::arrive<true, false>(const ExecutionContext&, Group&, std::uint32_t,
                                           std::size_t);
template void Machine::arrive<true, true>(const ExecutionContext&, Group&, std::uint32_t,
                                          std::size_t);

static void add_warp(Digest& digest, const Context& context, const Group& group,
                     std::uint32_t index, const lang::Liveness& liveness) {
    const Warp& warp = group.warps[index];
    digest.add(std::uint64_t{warp.pc} << 8U | static_cast<unsigned>(warp.status));
    digest.add(warp.exec);
    digest.add(warp.live);
    if (warp.status == Status::done) return;
    const lang::Liveness::Alive& alive = liveness.before(warp.pc);
    const std::uint64_t* registers =
        group.registers.data() + std::size_t{index} * context.registers * context.lanes;
    const auto add = [&](const std::vector<std::uint32_t>& which, std::uint64_t lanes) {
        if (lanes == 0) return;
        for (const std::uint32_t reg : which)
            for (const std::uint32_t lane : set_bits(lanes))
                digest.add(registers[std::size_t{reg} * context.lanes + lane]);
    };
    add(alive.running, warp.exec);
    add(alive.resting, warp.live & ~warp.exec);
    for (const std::uint32_t slot : alive.masks)
        digest.add(group.masks[std::size_t{index} * context.masks + slot]);
}

StateKeys::StateKeys(const Machine& machine)
    : machine_(machine), written_(written_buffers(machine.job())) {
    std::map<const lang::Code*, std::shared_ptr<const lang::Liveness>> known;
    for (std::uint32_t i = 0; i < machine.job().launches.size(); ++i) {
        const lang::Code& code = *machine.context(i).code;
        auto& of = known[&code];
        if (!of) of = std::make_shared<const lang::Liveness>(code);
        liveness_.push_back(of);
    }
}

StateKey StateKeys::of(const State& state) const {
    Digest digest;
    digest.add(std::uint64_t{state.launch} << 32U | state.next_group);
    for (std::size_t number = 0; number < state.memory.size(); ++number) {
        const PagedBuffer& buffer = state.memory[number];
        for (std::size_t i = 0; i < buffer.pages.size() && written_[number]; ++i) {
            const Page& page = *buffer.pages[i];
            const std::size_t bytes =
                std::min<std::size_t>(kPageBytes, buffer.bytes - i * kPageBytes);
            digest.add(page.bytes.data(), bytes);
            digest.add(page.written, bytes);
        }
    }
    for (const Shared<Group>& shared : state.groups) {
        const Group& group = *shared;
        digest.add(group.id);
        const Context& context = machine_.context(state.launch);
        for (std::uint32_t warp = 0; warp < group.warps.size(); ++warp)
            add_warp(digest, context, group, warp, *liveness_[state.launch]);
        digest.add(group.copies.size());
        for (const Copy& copy : group.copies)
            for (const std::uint64_t word :
                 {copy.event, copy.to, copy.from, copy.elements, copy.stride})
                digest.add(word);
        for (const Block* block : {&group.local, &group.own}) {
            digest.add(block->bytes.data(), block->bytes.size());
            digest.add(block->written, block->bytes.size());
        }
    }
    digest.add(state.prints.digest().low);
    digest.add(state.prints.digest().high);
    return digest.key();
}

}  // namespace lab::machine

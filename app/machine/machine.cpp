#include "machine/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "lang/value.h"
#include "machine/collective.h"

namespace lab::machine {
namespace {

using lang::Instruction;
using lang::Op;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of all resident groups

void set_ready(Group& group, std::uint32_t warp, bool ready) {
    std::uint64_t& word = group.ready[warp / 64];
    const std::uint64_t bit = std::uint64_t{1} << (warp % 64U);
    word = ready ? word | bit : word & ~bit;
}

bool none_runs(const Group& group) {
    return group.waiting + group.done == group.warps.size();
}

std::uint64_t first_item(const Context& context, const Group& group, std::uint32_t warp,
                         std::uint64_t mask) {
    return std::uint64_t{group.id} * context.local + std::uint64_t{warp} * context.lanes +
           static_cast<unsigned>(std::countr_zero(mask));
}

std::string items_text(const Context& context, const Group& group, std::uint32_t warp,
                       std::uint64_t mask) {
    const std::uint64_t first = first_item(context, group, warp, mask);
    const int count = std::popcount(mask);
    if (count == 1) return fmt::format("work-item {}", first);
    return fmt::format("{} work-items, {} among them,", count, first);
}

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

std::string place_text(const lang::Place& place) {
    return place.line == 0 ? std::string("elsewhere") : fmt::format("in line {}", place.line);
}

[[noreturn]] void diverged(const Context& context, const Group& group, const lang::Place& at,
                           const std::string& why, std::uint64_t item, Phrase why_said) {
    Said said = said_of("fault.divergence",
                        {{"group", std::to_string(group.id)}, {"line", std::to_string(at.line)}});
    said.why = {std::move(why_said)};
    throw Fault{Fault::Kind::divergence,
                fmt::format("Not all work-items of group {} come to the barrier in line {}",
                            group.id, at.line),
                why,
                "A barrier must be met by all work-items of a group or by none: move it out of the "
                "condition, or let all of them come",
                at,
                context.launch,
                item,
                std::move(said)};
}

// Of those who wait, and of those who do not come, one each.
Phrase apart(const char* key, std::uint64_t here, std::uint64_t other, std::uint32_t line) {
    return {key,
            {{"here", std::to_string(here)},
             {"other", std::to_string(other)},
             {"line", std::to_string(line)}},
            {}};
}

}  // namespace

std::uint64_t default_budget(const Job& job) {
    std::uint64_t budget = 4'000'000;
    for (const Launch& launch : job.launches)
        budget += 1000 * launch.global;
    return budget;
}

std::vector<bool> written_buffers(const Job& job) {
    std::vector<bool> written(job.buffers.size());
    for (const Launch& launch : job.launches)
        for (std::size_t i = 0; i < launch.arguments.size(); ++i)
            if (launch.arguments[i].kind == Argument::Kind::buffer &&
                !launch.code->parameters[i].read_only)
                written[launch.arguments[i].buffer] = true;
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
    for (std::uint32_t i = 0; i < job_.launches.size(); ++i)
        contexts_.push_back(std::make_unique<Context>(make_context(job_, i)));
    for (const auto& context : contexts_)
        check_memory(job_.config, *context, lineage);
}

PagedBuffer Machine::paged(const Buffer& buffer, std::uint32_t number, State& state) {
    PagedBuffer made;
    made.bytes = buffer.bytes;
    made.shift = static_cast<std::uint8_t>(
        std::countr_zero(std::max<unsigned>(1U, lang::info(buffer.element).bytes)));
    const std::uint64_t pages = (buffer.bytes + kPageBytes - 1) / kPageBytes;
    const std::uint64_t cells = kPageBytes >> made.shift;
    Page empty;
    empty.bytes.fill(kPoison);
    const Shared<Page> unwritten(empty);
    for (std::uint64_t i = 0; i < pages; ++i) {
        if (buffer.initial.empty()) {
            made.pages.push_back(unwritten);
            continue;
        }
        Page page = empty;
        const std::uint64_t count = std::min(kPageBytes, buffer.bytes - i * kPageBytes);
        std::memcpy(page.bytes.data(), buffer.initial.data() + i * kPageBytes, count);
        page.written.set_all();
        if (with_lineage_ && buffer.is_input) {
            page.nodes.resize(cells);
            for (std::uint64_t k = 0; k < count >> made.shift; ++k) {
                page.nodes[k] = lineage_.input(state.next_node, number,
                                               static_cast<std::uint32_t>(i * cells + k));
                state.next_node = page.nodes[k] + 1;
            }
        }
        made.pages.emplace_back(std::move(page));
    }
    return made;
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

void Machine::begin(State& state, Group& group, std::uint32_t id, std::vector<Finding>* findings) {
    const Context& context = *contexts_[state.launch];
    const std::size_t warps = context.warps, lanes = context.lanes;
    group.id = id;
    group.epoch_local = group.epoch_global = group.passes = group.waiting = group.done = 0;
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
    const Surroundings around{context,  state, budget_, with_lineage_ ? &lineage_ : nullptr,
                              findings, flow_};
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        const std::size_t count = std::min<std::size_t>(lanes, context.local - warp * lanes);
        Warp& made = group.warps[warp];
        made.live = made.exec = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        if (with_lineage_)
            Executor<true>(around, group, warp).advance();
        else
            Executor<false>(around, group, warp).advance();
        if (made.status == Status::done)
            ++group.done;
        else
            set_ready(group, warp, true);
    }
}

void Machine::act(State& state, const Choice& choice, Done& done, std::vector<Finding>* findings) {
    if (with_lineage_)
        act_as<true>(state, choice, done, findings);
    else
        act_as<false>(state, choice, done, findings);
}

template <bool kLineage>
void Machine::act_as(State& state, const Choice& choice, Done& done,
                     std::vector<Finding>* findings) {
    const Context& context = *contexts_[state.launch];
    Group& group = state.groups[choice.slot].write();
    Warp& warp = group.warps[choice.warp];
    const Op op = context.code->instructions[warp.pc].op;
    if (op == Op::barrier || op == Op::group_collective) {
        arrive<kLineage>(state, group, choice, done, findings);
        if (none_runs(group)) settle(state, choice.slot, findings);
        return;
    }
    const Surroundings around{context,  state, budget_, kLineage ? &lineage_ : nullptr,
                              findings, flow_, &done};
    Executor<kLineage> executor(around, group, choice.warp);
    const std::size_t parts = done.parts.size();
    if (op == Op::sub_collective)
        executor.sub_collective(done);
    else if (lang::is_visible(op))  // else it ran out of budget between actions
        executor.access(done);
    state.time += done.parts.size() - parts;
    executor.advance();
    if (warp.status == Status::done) {
        set_ready(group, choice.warp, false);
        ++group.done;
    }
    if (none_runs(group)) settle(state, choice.slot, findings);
}

template <bool kLineage>
void Machine::arrive(State& state, Group& group, const Choice& choice, Done& done,
                     std::vector<Finding>* findings) {
    const Context& context = *contexts_[state.launch];
    Warp& warp = group.warps[choice.warp];
    const Instruction& of = context.code->instructions[warp.pc];
    const Surroundings around{context,  state, budget_, kLineage ? &lineage_ : nullptr,
                              findings, flow_, &done};
    if (const std::uint64_t missing = warp.live & ~warp.exec; missing != 0) {
        const lang::Place other =
            Executor<kLineage>(around, group, choice.warp)
                .whereabouts(static_cast<std::uint32_t>(std::countr_zero(missing)));
        diverged(
            context, group, context.code->place(of),
            fmt::format("{} came to it, but {} went another way {}",
                        items_text(context, group, choice.warp, warp.exec),
                        items_text(context, group, choice.warp, missing), place_text(other)),
            std::uint64_t{group.id} * context.local + std::uint64_t{choice.warp} * context.lanes,
            apart(other.line == 0 ? "fault.divergence_elsewhere" : "fault.divergence_way",
                  first_item(context, group, choice.warp, warp.exec),
                  first_item(context, group, choice.warp, missing), other.line));
    }
    const bool barrier = of.op == Op::barrier;
    done.parts.push_back(part_at(context, group, choice.warp, of,
                                 barrier ? ActionKind::barrier : ActionKind::collective, warp.exec,
                                 done));
    if (barrier) done.parts.back().action.object = static_cast<std::uint8_t>(of.extra);
    ++state.time;
    warp.status = Status::waiting;
    set_ready(group, choice.warp, false);
    ++group.waiting;
    if (!none_runs(group)) return;
    check_divergence(state, group);
    release<kLineage>(state, group, around, done);
}

// Whether those who wait in a group where nobody runs do so at one place, all of them.
void Machine::check_divergence(const State& state, const Group& group) const {
    const Context& context = *contexts_[state.launch];
    const auto waits = std::find_if(group.warps.begin(), group.warps.end(), [](const Warp& each) {
        return each.status == Status::waiting;
    });
    const auto first = static_cast<std::uint32_t>(waits - group.warps.begin());
    const lang::Place& at = context.code->place(context.code->instructions[waits->pc]);
    for (std::uint32_t i = 0; i < group.warps.size(); ++i) {
        const Warp& warp = group.warps[i];
        const std::uint64_t item =
            std::uint64_t{group.id} * context.local + std::uint64_t{i} * context.lanes;
        if (warp.status == Status::waiting && warp.pc == waits->pc) continue;
        const std::string waiting = items_text(context, group, first, waits->live);
        const std::string other = items_text(context, group, i, warp.live);
        const auto why = [&](const char* key, std::uint32_t line) {
            return apart(key, first_item(context, group, first, waits->live),
                         first_item(context, group, i, warp.live), line);
        };
        if (warp.status == Status::waiting) {
            const lang::Place& there = context.code->place(context.code->instructions[warp.pc]);
            diverged(context, group, at,
                     fmt::format("{} stopped there, but {} stopped at the barrier in line {}",
                                 waiting, other, there.line),
                     item, why("fault.divergence_barrier", there.line));
        }
        const std::uint32_t left = group.left[std::size_t{i} * context.lanes];
        const std::uint32_t line = context.code->places[left].line;
        const std::string where =
            left == 0 ? "came to the end of the kernel"
                      : fmt::format("went another way {}", place_text(context.code->places[left]));
        diverged(context, group, at,
                 fmt::format("{} stopped there, but {} {}", waiting, other, where), item,
                 why(left == 0   ? "fault.divergence_end"
                     : line == 0 ? "fault.divergence_elsewhere"
                                 : "fault.divergence_way",
                     line));
    }
}

template <bool kLineage>
void Machine::release(State& state, Group& group, const Surroundings& around, Done&) {
    const Context& context = around.context;
    const Instruction& of = context.code->instructions[group.warps[0].pc];
    if (of.op == Op::group_collective) {
        compute_together<kLineage>(state, group, of);
    } else {
        if ((of.extra & lang::kFenceLocal) != 0) ++group.epoch_local;
        if ((of.extra & lang::kFenceGlobal) != 0) ++group.epoch_global;
    }
    ++group.passes;
    group.waiting = 0;
    for (std::uint32_t i = 0; i < group.warps.size(); ++i) {
        Warp& warp = group.warps[i];
        ++warp.pc;
        warp.status = Status::ready;
        Executor<kLineage>(around, group, i).advance();
        if (warp.status == Status::done)
            ++group.done;
        else
            set_ready(group, i, true);
    }
}

template <bool kLineage>
void Machine::compute_together(State& state, Group& group, const Instruction& of) {
    const Context& context = *contexts_[state.launch];
    const std::size_t lanes = context.lanes;
    std::vector<Member> members(context.local);
    const auto place = [&](std::size_t item, std::uint32_t reg) {
        return ((item / lanes) * context.registers + reg) * lanes + item % lanes;
    };
    const auto read = [&](std::size_t item, std::uint32_t reg) {
        return (reg & lang::kUniform) != 0
                   ? context.uniforms[std::size_t{reg & ~lang::kUniform} * lanes]
                   : group.registers[place(item, reg)];
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        members[i].value = read(i, of.a);
        members[i].second = read(i, of.b);
        if (kLineage && (of.a & lang::kUniform) == 0) members[i].node = group.nodes[place(i, of.a)];
    }
    collect(of, members, state, kLineage ? &lineage_ : nullptr);
    for (std::size_t i = 0; i < members.size(); ++i) {
        group.registers[place(i, of.to)] = members[i].result;
        if constexpr (kLineage) group.nodes[place(i, of.to)] = members[i].made;
    }
}

// A group in which nobody runs: it is through, or some wait for those who never come.
void Machine::settle(State& state, std::size_t slot, std::vector<Finding>* findings) {
    const Group& group = *state.groups[slot];
    if (group.waiting > 0) check_divergence(state, group);
    if (group.done < group.warps.size()) return;
    state.groups.erase(state.groups.begin() + static_cast<std::ptrdiff_t>(slot));
    fill(state, findings);
}

const Instruction& Machine::next(const State& state, const Choice& choice) const {
    const Group& group = *state.groups[choice.slot];
    return contexts_[state.launch]->code->instructions[group.warps[choice.warp].pc];
}

std::vector<std::uint64_t> Machine::next_objects(const State& state, const Choice& choice) const {
    const Instruction& of = next(state, choice);
    std::vector<std::uint64_t> objects;
    if (of.op != Op::load && of.op != Op::store && of.op != Op::atomic) return objects;
    const Context& context = *contexts_[state.launch];
    const Group& group = *state.groups[choice.slot];
    const std::uint64_t* pointers =
        (of.a & lang::kUniform) != 0
            ? context.uniforms.data() + std::size_t{of.a & ~lang::kUniform} * context.lanes
            : group.registers.data() +
                  (std::size_t{choice.warp} * context.registers + of.a) * context.lanes;
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
    const std::uint64_t at = index * lang::info(type).bytes;
    std::uint64_t bits = 0;
    std::memcpy(&bits, from.pages[at >> kPageBits]->bytes.data() + (at & (kPageBytes - 1)),
                lang::info(type).bytes);
    return lang::canonical(type, bits);
}

}  // namespace lab::machine

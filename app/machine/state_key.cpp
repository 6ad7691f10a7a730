#include "machine/state_key.h"

#include <bit>
#include <cstring>
#include <map>

namespace lab::machine {
namespace {

// Two streams of multiply and shift, as in the finishing step of SplitMix64 (Steele, Lea, Flood
// 2014), over one sequence of words.
class Digest {
  public:
    void add(std::uint64_t word) {
        low_ = mix(low_ ^ word, 0xbf58476d1ce4e5b9U) + 0x9e3779b97f4a7c15U;
        high_ = mix(high_ + word, 0x94d049bb133111ebU) ^ 0xd1342543de82ef95U;
    }
    void add(const std::byte* bytes, std::size_t count) {
        for (; count >= 8; bytes += 8, count -= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            add(word);
        }
        if (count == 0) return;
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, count);
        add(word);
    }
    // Which of so many bytes were written.
    void add(const Written& written, std::size_t bytes) {
        add(reinterpret_cast<const std::byte*>(written.bits().data()), (bytes + 7) / 8);
    }
    StateKey key() const {
        return {mix(low_, 0x94d049bb133111ebU), mix(high_, 0xbf58476d1ce4e5b9U)};
    }

  private:
    static std::uint64_t mix(std::uint64_t word, std::uint64_t by) {
        word = (word ^ (word >> 30U)) * by;
        return word ^ (word >> 31U);
    }
    std::uint64_t low_ = 0x243f6a8885a308d3U, high_ = 0x13198a2e03707344U;
};

void add_warp(Digest& digest, const Context& context, const Group& group, std::uint32_t index,
              const lang::Liveness& liveness) {
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
            for (std::uint64_t left = lanes; left != 0; left &= left - 1)
                digest.add(registers[std::size_t{reg} * context.lanes +
                                     static_cast<std::size_t>(std::countr_zero(left))]);
    };
    add(alive.running, warp.exec);
    add(alive.resting, warp.live & ~warp.exec);
    for (const std::uint32_t slot : alive.masks)
        digest.add(group.masks[std::size_t{index} * context.masks + slot]);
}

// What each work-item printed, in its order. Who printed first is no part of a result, so it is a
// sum over all texts, each with its number among those of its work-item.
void add_prints(Digest& digest, const std::vector<Print>& prints) {
    std::map<std::uint64_t, std::uint64_t> count;  // by work-item
    StateKey sum;
    for (const Print& print : prints) {
        Digest one;
        one.add(print.item);
        one.add(count[print.item]++);
        one.add(reinterpret_cast<const std::byte*>(print.text.data()), print.text.size());
        one.add(print.text.size());
        const StateKey key = one.key();
        sum.low += key.low;
        sum.high += key.high;
    }
    digest.add(sum.low);
    digest.add(sum.high);
}

}  // namespace

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
    if (state.prints) add_prints(digest, *state.prints);
    return digest.key();
}

}  // namespace lab::machine

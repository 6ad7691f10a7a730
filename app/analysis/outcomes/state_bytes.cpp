#include "analysis/outcomes/state_bytes.h"

#include <vector>

namespace lab::analysis {
namespace {

using machine::Block;
using machine::Group;
using machine::Page;
using machine::PagedBuffer;
using machine::Shared;
using machine::State;

constexpr std::uint64_t kBesides = 16;  // what an allocation takes besides what was asked for

template <typename T>
std::uint64_t bytes_of(const std::vector<T>& of) {
    return of.capacity() == 0 ? 0 : of.capacity() * sizeof(T) + kBesides;
}

std::uint64_t bytes_of(const Block& block) {
    return bytes_of(block.bytes) + bytes_of(block.nodes) + block.written.bytes() + kBesides;
}

std::uint64_t bytes_of(const Group& group) {
    return sizeof(Group) + 2 * kBesides + bytes_of(group.warps) + bytes_of(group.ready) +
           bytes_of(group.registers) + bytes_of(group.nodes) + bytes_of(group.masks) +
           bytes_of(group.left) + bytes_of(group.copies) + bytes_of(group.local) +
           bytes_of(group.own);
}

std::uint64_t bytes_of(const Page& page) {
    return sizeof(Page) + 2 * kBesides + page.written.bytes() + kBesides + bytes_of(page.nodes);
}

// For the lists that every copy has for itself.
std::uint64_t bytes_of_lists(const State& state) {
    std::uint64_t sum = bytes_of(state.groups) + bytes_of(state.memory);
    for (const PagedBuffer& each : state.memory)
        sum += bytes_of(each.pages);
    return sum;
}

// Both are in the order of their ids; those that have come to an end are missing.
std::uint64_t groups_added(const State& state, const State& beside) {
    std::uint64_t sum = 0;
    std::size_t index = 0;
    for (const Shared<Group>& each : state.groups) {
        while (index < beside.groups.size() && beside.groups[index]->id < each->id)
            ++index;
        const bool both = index < beside.groups.size() && each.same(beside.groups[index]);
        if (!both) sum += bytes_of(*each);
    }
    return sum;
}

}  // namespace

std::uint64_t bytes_added(const State& state, const State* beside) {
    static const State nothing;
    const State& other = beside != nullptr ? *beside : nothing;
    std::uint64_t sum = bytes_of_lists(state) + groups_added(state, other);
    for (std::size_t number = 0; number < state.memory.size(); ++number) {
        const std::vector<Shared<Page>>& pages = state.memory[number].pages;
        const bool known = number < other.memory.size();
        for (std::size_t i = 0; i < pages.size(); ++i)
            if (!known || !pages[i].same(other.memory[number].pages[i])) sum += bytes_of(*pages[i]);
    }
    return sum;
}

std::uint64_t bytes_dropped(const State& state) {
    std::uint64_t sum = bytes_of_lists(state);
    for (const Shared<Group>& each : state.groups)
        if (each.alone()) sum += bytes_of(*each);
    for (const PagedBuffer& buffer : state.memory)
        for (const Shared<Page>& each : buffer.pages)
            if (each.alone()) sum += bytes_of(*each);
    return sum;
}

}  // namespace lab::analysis

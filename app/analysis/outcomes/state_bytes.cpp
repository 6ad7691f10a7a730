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

std::uint64_t bytes_of(const Block& of) {
    return bytes_of(of.bytes) + bytes_of(of.nodes) + of.written.bytes() + kBesides;
}

std::uint64_t bytes_of(const Group& of) {
    return sizeof(Group) + 2 * kBesides + bytes_of(of.warps) + bytes_of(of.ready) +
           bytes_of(of.registers) + bytes_of(of.nodes) + bytes_of(of.masks) + bytes_of(of.left) +
           bytes_of(of.local) + bytes_of(of.own);
}

std::uint64_t bytes_of(const Page& of) {
    return sizeof(Page) + 2 * kBesides + of.written.bytes() + kBesides + bytes_of(of.nodes);
}

// Of the lists that every copy has for itself.
std::uint64_t bytes_of_lists(const State& of) {
    std::uint64_t sum = bytes_of(of.groups) + bytes_of(of.memory);
    for (const PagedBuffer& each : of.memory)
        sum += bytes_of(each.pages);
    return sum;
}

// Both are in the order of their ids; those that have come to an end are missing.
std::uint64_t groups_added(const State& of, const State& beside) {
    std::uint64_t sum = 0;
    std::size_t at = 0;
    for (const Shared<Group>& each : of.groups) {
        while (at < beside.groups.size() && beside.groups[at]->id < each->id)
            ++at;
        const bool both = at < beside.groups.size() && each.same(beside.groups[at]);
        if (!both) sum += bytes_of(*each);
    }
    return sum;
}

}  // namespace

std::uint64_t bytes_added(const State& of, const State* beside) {
    static const State nothing;
    const State& other = beside != nullptr ? *beside : nothing;
    std::uint64_t sum = bytes_of_lists(of) + groups_added(of, other);
    for (std::size_t number = 0; number < of.memory.size(); ++number) {
        const std::vector<Shared<Page>>& pages = of.memory[number].pages;
        const bool known = number < other.memory.size();
        for (std::size_t i = 0; i < pages.size(); ++i)
            if (!known || !pages[i].same(other.memory[number].pages[i])) sum += bytes_of(*pages[i]);
    }
    return sum;
}

std::uint64_t bytes_dropped(const State& of) {
    std::uint64_t sum = bytes_of_lists(of);
    for (const Shared<Group>& each : of.groups)
        if (each.alone()) sum += bytes_of(*each);
    for (const PagedBuffer& buffer : of.memory)
        for (const Shared<Page>& each : buffer.pages)
            if (each.alone()) sum += bytes_of(*each);
    return sum;
}

}  // namespace lab::analysis

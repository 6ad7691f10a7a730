// Algorithms over whole ranges, since the page's libc++ has no std::ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace lab {

template <typename Range, typename Is>
bool any_of(const Range& range, Is&& is) {
    return std::any_of(std::begin(range), std::end(range), is);
}
template <typename Range, typename Is>
bool all_of(const Range& range, Is&& is) {
    return std::all_of(std::begin(range), std::end(range), is);
}
template <typename Range, typename Is>
bool none_of(const Range& range, Is&& is) {
    return std::none_of(std::begin(range), std::end(range), is);
}
template <typename Range, typename Is>
std::size_t count_if(const Range& range, Is&& is) {
    return static_cast<std::size_t>(std::count_if(std::begin(range), std::end(range), is));
}

// Returns the first element for which it holds; null if there is none.
template <typename Range, typename Is>
auto* find_if(Range& range, Is&& is) {
    const auto found = std::find_if(std::begin(range), std::end(range), is);
    return found == std::end(range) ? nullptr : &*found;
}

// Puts the value in the place of the element that has its key; at the end if none has.
template <typename List, typename Key>
void put_by(List& list, typename List::value_type value, Key&& key) {
    if (auto* same = find_if(list, [&](const auto& each) { return key(each) == key(value); }))
        *same = std::move(value);
    else
        list.push_back(std::move(value));
}

// Returns the place of the first that equals `value`; the range's size if none does.
template <typename Range, typename Value>
std::size_t position_of(const Range& range, const Value& value) {
    return static_cast<std::size_t>(std::find(std::begin(range), std::end(range), value) -
                                    std::begin(range));
}
template <typename Range, typename Value>
bool contains(const Range& range, const Value& value) {
    return std::find(std::begin(range), std::end(range), value) != std::end(range);
}

template <typename Range, typename Of>
std::uint64_t sum_of(const Range& range, Of&& of) {
    std::uint64_t sum = 0;
    for (const auto& each : range)
        sum += std::invoke(of, each);
    return sum;
}

// Returns what `of`, a function or a member, makes of each.
template <typename To, typename Range, typename Of>
std::vector<To> mapped(const Range& range, Of&& of) {
    std::vector<To> all;
    for (const auto& each : range)
        all.emplace_back(std::invoke(of, each));
    return all;
}

template <typename Range, typename... Less>
void sort(Range& range, Less&&... less) {
    std::sort(std::begin(range), std::end(range), less...);
}
template <typename Range, typename... Less>
void stable_sort(Range& range, Less&&... less) {
    std::stable_sort(std::begin(range), std::end(range), less...);
}
// Each value once, in order.
template <typename List>
void sort_unique(List& list) {
    sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace lab

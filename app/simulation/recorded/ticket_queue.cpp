#include "simulation/recorded/ticket_queue.h"

#include <algorithm>

namespace lab::simulation {

TicketQueue::TicketQueue(const std::vector<lang::Site>& sites, const lang::RecordedLaunch& launch,
                         std::uint32_t slack)
    : sites_(sites), launch_(launch), slack_(slack) {
    std::uint32_t most = 0;
    for (const lang::RecordedAccess& each : launch.accesses)
        most = std::max(most, each.item);
    items_.resize(launch.accesses.empty() ? 0 : most + 1);
    expected_.resize(items_.size() / launch.local + 1);
    arrived_.resize(expected_.size());
    std::vector<std::size_t> barriers(items_.size());
    for (std::uint32_t i = 0; i < launch.accesses.size(); ++i) {
        const std::uint32_t item = launch.accesses[i].item;
        items_[item].accesses.push_back(i);
        if (!is_barrier(i)) continue;
        auto& expected = expected_[item / launch.local];
        if (expected.size() <= barriers[item]) expected.push_back(0);
        ++expected[barriers[item]++];
    }
    for (std::size_t group = 0; group < arrived_.size(); ++group)
        arrived_[group].resize(expected_[group].size());
    for (std::uint32_t item = 0; item < items_.size(); ++item)
        enter(item);
}

bool TicketQueue::is_barrier(std::uint32_t access) const {
    return sites_[launch_.accesses[access].site].kind == lang::Site::Kind::barrier;
}

void TicketQueue::enter(std::uint32_t item) {
    const Item& each = items_[item];
    if (each.next == each.accesses.size()) return;
    const lang::RecordedAccess& access = launch_.accesses[each.accesses[each.next]];
    begins_.insert({access.begin, item});
    ends_.insert({access.end, item});
}

void TicketQueue::leave(std::uint32_t item) {
    const Item& each = items_[item];
    if (each.next == each.accesses.size()) return;
    const lang::RecordedAccess& access = launch_.accesses[each.accesses[each.next]];
    begins_.erase({access.begin, item});
    ends_.erase({access.end, item});
}

bool TicketQueue::waits(std::uint32_t item) const {
    const Item& each = items_[item];
    if (each.next == 0 || !is_barrier(each.accesses[each.next - 1])) return false;
    const std::size_t group = item / launch_.local, number = each.barriers - 1;
    return arrived_[group][number] < expected_[group][number];
}

std::optional<std::uint32_t> TicketQueue::candidate(std::uint32_t item) const {
    const Item& each = items_[item];
    if (each.next == each.accesses.size() || waits(item)) return std::nullopt;
    const std::uint32_t access = each.accesses[each.next];
    if (launch_.accesses[access].begin >= limit()) return std::nullopt;
    return access;
}

std::vector<std::uint32_t> TicketQueue::candidates() const {
    std::vector<std::uint32_t> all;
    for (const auto& [begin, item] : begins_) {
        if (begin >= limit()) break;
        if (const auto next = candidate(item)) all.push_back(*next);
    }
    return all;
}

void TicketQueue::take(std::uint32_t access) {
    const std::uint32_t number = launch_.accesses[access].item;
    Item& item = items_[number];
    leave(number);
    ++item.next;
    enter(number);
    if (is_barrier(access)) ++arrived_[number / launch_.local][item.barriers++];
}

void TicketQueue::put_back(std::uint32_t access) {
    const std::uint32_t number = launch_.accesses[access].item;
    Item& item = items_[number];
    leave(number);
    --item.next;
    enter(number);
    if (is_barrier(access)) --arrived_[number / launch_.local][--item.barriers];
}

}  // namespace lab::simulation

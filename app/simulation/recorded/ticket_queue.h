// Which accesses may come next: each work-item's own in order, nobody past a barrier before his
// group is there, and nobody whose ticket was taken after the end of one that is still to come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lang/record.h"

namespace lab::simulation {

class TicketQueue {
  public:
    // `slack`: as TicketOrder has it.
    TicketQueue(const std::vector<lang::Site>& sites, const lang::RecordedLaunch& launch,
                std::uint32_t slack);

    std::vector<std::uint32_t> candidates() const;  // accesses that may come now, by ticket
    std::optional<std::uint32_t> candidate(std::uint32_t item) const;
    void take(std::uint32_t access);      // which is a candidate
    void put_back(std::uint32_t access);  // which was the last to be taken

    // Tickets from this one on come after an access with that end.
    std::uint64_t bound(std::uint32_t end) const { return std::uint64_t{end} + slack_; }

  private:
    struct Item {
        std::vector<std::uint32_t> accesses;
        std::size_t next = 0;
        std::size_t barriers = 0;  // arrived at
    };

    bool is_barrier(std::uint32_t access) const;
    void enter(std::uint32_t item);
    void leave(std::uint32_t item);
    bool waits(std::uint32_t item) const;
    // Whoever begins later has to wait for the one that ends first.
    std::uint64_t limit() const { return ends_.empty() ? 0 : bound(ends_.begin()->first); }

    const std::vector<lang::Site>& sites_;
    const lang::RecordedLaunch& launch_;
    std::uint32_t slack_;
    std::vector<Item> items_;
    std::vector<std::vector<std::size_t>> arrived_, expected_;  // by group and barrier
    // Items by the begin and by the end of what they do next.
    std::set<std::pair<std::uint32_t, std::uint32_t>> begins_, ends_;
};

}  // namespace lab::simulation

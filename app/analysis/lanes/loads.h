// From which cell each value was last read, by any work-item and by each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "machine/run.h"

namespace lab::analysis {

// The caller numbers arrays as it likes, below 2^32.
class Loads {
  public:
    void clear() {
        by_array_.clear();
        by_item_.clear();
    }

    // `time`: of the load, in the run. Loads come by pass, not by time.
    void note(std::uint64_t item, machine::Node node, std::uint64_t array, std::uint64_t cell,
              std::uint64_t time) {
        const auto [any, news] = by_array_.try_emplace(key(array, node), Read{cell, time});
        if (!news) any->second = {cell, std::min(any->second.first, time)};
        by_item_[key(item, node)] = {array, cell, time};
    }

    // The cell of the array from which a value stored at `time` came: preferably as read by the
    // work-item itself. What was only read later is no source.
    std::optional<std::uint64_t> from(std::uint64_t item, machine::Node node, std::uint64_t array,
                                      std::uint64_t time) const {
        const auto own = by_item_.find(key(item, node));
        if (own != by_item_.end() && own->second.array == array && own->second.time <= time)
            return own->second.cell;
        const auto any = by_array_.find(key(array, node));
        if (any == by_array_.end() || any->second.first > time) return std::nullopt;
        return any->second.cell;
    }

    // Returns whether the work-item read the value from that cell last.
    bool is_last_read(std::uint64_t item, machine::Node node, std::uint64_t array,
                      std::uint64_t cell) const {
        const auto own = by_item_.find(key(item, node));
        return own != by_item_.end() && own->second.array == array && own->second.cell == cell;
    }

  private:
    struct Source {
        std::uint64_t array = 0, cell = 0, time = 0;
    };
    struct Read {
        std::uint64_t cell = 0;   // of the last one
        std::uint64_t first = 0;  // time of the earliest one
    };
    static std::uint64_t key(std::uint64_t high, machine::Node node) { return high << 32U | node; }

    std::unordered_map<std::uint64_t, Read> by_array_;
    std::unordered_map<std::uint64_t, Source> by_item_;
};

}  // namespace lab::analysis

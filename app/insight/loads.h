// From which cell each value was read last, by everybody and by each work-item.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "machine/run.h"

namespace lab {

// Arrays are known by a number of the caller's choice, below 2^32.
class Loads {
  public:
    void clear() {
        by_array_.clear();
        by_item_.clear();
    }

    void note(std::uint64_t item, machine::Node node, std::uint64_t array, std::uint64_t cell) {
        by_array_[key(array, node)] = cell;
        by_item_[key(item, node)] = {array, cell};
    }

    // The cell of that array from which the value came: rather as the work-item itself read it than
    // as another did.
    std::optional<std::uint64_t> from(std::uint64_t item, machine::Node node,
                                      std::uint64_t array) const {
        const auto own = by_item_.find(key(item, node));
        if (own != by_item_.end() && own->second.array == array) return own->second.cell;
        const auto any = by_array_.find(key(array, node));
        if (any == by_array_.end()) return std::nullopt;
        return any->second;
    }

  private:
    struct Source {
        std::uint64_t array = 0, cell = 0;
    };
    static std::uint64_t key(std::uint64_t high, machine::Node node) { return high << 32U | node; }

    std::unordered_map<std::uint64_t, std::uint64_t> by_array_;
    std::unordered_map<std::uint64_t, Source> by_item_;
};

}  // namespace lab

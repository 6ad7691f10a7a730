// The keys of states that a search has been to: one table, at most three quarters full, so that it
// is known to the byte what they take. A key is 16 bytes and stands for the whole state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/state_key.h"

namespace lab {

class KnownStates {
  public:
    // Whether it was not known yet.
    bool insert(machine::StateKey key) {
        if (key == kNone) key.high = 1;  // one more pair of 2^128 that are held for the same
        if (needs_room()) grow();
        if (!put(key)) return false;
        ++count_;
        return true;
    }

    std::uint64_t size() const { return count_; }
    std::uint64_t bytes() const { return keys_.size() * sizeof(machine::StateKey); }
    // That the next insertion takes while it runs: the table stands there twice when it grows.
    std::uint64_t bytes_to_insert() const { return needs_room() ? 3 * bytes() : bytes(); }

  private:
    static constexpr machine::StateKey kNone{};

    bool needs_room() const { return (count_ + 1) * 4 > keys_.size() * 3; }

    bool put(const machine::StateKey& key) {
        std::size_t at = key.low & (keys_.size() - 1);
        while (!(keys_[at] == kNone)) {
            if (keys_[at] == key) return false;
            at = (at + 1) & (keys_.size() - 1);
        }
        keys_[at] = key;
        return true;
    }

    void grow() {
        const std::vector<machine::StateKey> old =
            std::exchange(keys_, std::vector<machine::StateKey>(2 * keys_.size()));
        for (const machine::StateKey& each : old)
            if (!(each == kNone)) put(each);
    }

    std::vector<machine::StateKey> keys_ = std::vector<machine::StateKey>(1024);  // a power of two
    std::uint64_t count_ = 0;
};

}  // namespace lab

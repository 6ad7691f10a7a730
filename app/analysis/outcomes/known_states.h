// The keys of the states that a search has visited, numbered. A hash table of our own, at most
// three quarters full, so that its memory is known to the byte. A 16-byte key stands for a whole
// state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/state_key.h"

namespace lab::analysis {

class KnownStates {
  public:
    struct Inserted {
        std::uint32_t number = 0;  // of the state, from 0, in order of insertion
        bool fresh = false;        // it was new
    };
    Inserted insert(machine::StateKey key) {
        if (key == kNone) key.high = 1;  // kNone marks free places
        if (needs_room()) grow();
        const Inserted inserted = put(key, static_cast<std::uint32_t>(count_));
        count_ += inserted.fresh ? 1 : 0;
        return inserted;
    }

    std::uint64_t size() const { return count_; }
    std::uint64_t bytes() const {
        return keys_.size() * (sizeof(machine::StateKey) + sizeof(std::uint32_t));
    }
    // Peak memory of the next insertion: while the table grows, there are two of it.
    std::uint64_t bytes_to_insert() const { return needs_room() ? 3 * bytes() : bytes(); }

  private:
    static constexpr machine::StateKey kNone{};

    bool needs_room() const { return (count_ + 1) * 4 > keys_.size() * 3; }

    Inserted put(const machine::StateKey& key, std::uint32_t number) {
        std::size_t index = key.low & (keys_.size() - 1);
        while (!(keys_[index] == kNone)) {
            if (keys_[index] == key) return {numbers_[index], false};
            index = (index + 1) & (keys_.size() - 1);
        }
        keys_[index] = key;
        numbers_[index] = number;
        return {number, true};
    }

    void grow() {
        const std::vector<machine::StateKey> keys =
            std::exchange(keys_, std::vector<machine::StateKey>(2 * keys_.size()));
        const std::vector<std::uint32_t> numbers =
            std::exchange(numbers_, std::vector<std::uint32_t>(keys_.size()));
        for (std::size_t index = 0; index < keys.size(); ++index)
            if (!(keys[index] == kNone)) put(keys[index], numbers[index]);
    }

    std::vector<machine::StateKey> keys_ = std::vector<machine::StateKey>(1024);  // a power of two
    std::vector<std::uint32_t> numbers_ = std::vector<std::uint32_t>(1024);
    std::uint64_t count_ = 0;
};

}  // namespace lab::analysis

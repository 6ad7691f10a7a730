// Which inputs went into a value: a tree whose leaves are elements of input buffers.
#pragma once

#include <cstdint>
#include <vector>

namespace lab::machine {

// 0: no input went in. kUnwritten: what memory held before anything was written to it.
using Node = std::uint32_t;
inline constexpr Node kUnwritten = 0xffffffffU;

struct Origin {
    bool is_input = false;
    std::uint32_t buffer = 0;  // for an input: its buffer
    std::uint32_t index = 0;   // for an input: its element
    Node left = 0, right = 0;  // for a combination

    bool operator==(const Origin&) const = default;
};

// Only grows. A repeated run creates the same nodes in the same order and finds them here already;
// a run that takes another path adds its own.
class Lineage {
  public:
    Lineage() { nodes_.emplace_back(); }

    const Origin& operator[](Node node) const { return nodes_[node]; }
    std::size_t size() const { return nodes_.size(); }

    // `next`: where to look for the node first; returns where it is.
    Node input(Node next, std::uint32_t buffer, std::uint32_t index) {
        return add(next, {true, buffer, index, 0, 0});
    }
    Node combine(Node next, Node left, Node right) { return add(next, {false, 0, 0, left, right}); }

  private:
    Node add(Node next, const Origin& origin) {
        if (next < nodes_.size() && nodes_[next] == origin) return next;
        nodes_.push_back(origin);
        return static_cast<Node>(nodes_.size() - 1);
    }
    std::vector<Origin> nodes_;
};

}  // namespace lab::machine

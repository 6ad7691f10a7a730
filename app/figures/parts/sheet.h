// Sheets of paper, A4: blocks are laid one below the other, and none is cut by the end of a page.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

inline constexpr float kSheetWidth = 595.28F, kSheetHeight = 841.89F;  // A4, in points
inline constexpr float kSheetMargin = 52;
inline constexpr float kSheetRoom = kSheetWidth - 2 * kSheetMargin;

// Adds `from` to `to`, made `scale` times as large, with its left upper corner at (x, y).
void add_scene(Scene& to, const Scene& from, float x, float y, float scale = 1);
// As wide and as high as its shapes reach, from the corner at the left and top.
Scene cropped(Scene scene, const Fonts& fonts);

// Whether a block stands on the same page as the one after it: if that leaves no more than a part
// of a page empty, or at any price.
enum class WithNext : std::uint8_t { no, rather, always };

class Sheets {
  public:
    // `scene` is at most kSheetRoom wide (else it is made smaller). `gap`: above it, but not at the
    // top of a page. `least`: how small it may be made to stand on the page that is begun.
    void add(Scene scene, float gap, WithNext with_next = WithNext::no, float least = 1);
    void begin_page();  // the next block stands on a page of its own
    // The pages; `foot` adds what stands at the foot of each, given its number from 1 and how many
    // there are.
    std::vector<Scene> finish(
        const std::function<void(Scene& page, std::size_t number, std::size_t count)>& foot);

  private:
    struct Held {
        Scene scene;
        float gap = 0;
        WithNext with_next = WithNext::no;
        float scale = 1, least = 1;  // the largest that fits into a page, and a part of that

        float height(float part) const { return scene.height * scale * std::max(part, least); }
    };
    using Blocks = std::span<const Held>;
    void place();  // what has been held together
    float room() const;
    // How large the blocks may be, as a part of their scale, to take no more room; 0: they do not
    // fit.
    static float part_within(Blocks blocks, float room);
    // Whether a page may end behind the block: what no page holds together is parted, too.
    static bool may_part(Blocks blocks, std::size_t block);
    void begin_next();
    void add_to_page(Blocks blocks, float part);

    std::vector<Held> held_;
    std::vector<Scene> pages_;
    float y_ = 0;
};

}  // namespace lab::figures

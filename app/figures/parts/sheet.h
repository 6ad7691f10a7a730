// Sheets of paper, A4: blocks are laid one below the other, and none is cut by the end of a page.
#pragma once

#include <functional>
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

class Sheets {
  public:
    // `scene` is at most kSheetRoom wide (else it is made smaller). `gap`: above it, but not at the
    // top of a page. `with_next`: it stands on the same page as the block after it.
    void add(Scene scene, float gap, bool with_next = false);
    void begin_page();  // the next block stands on a page of its own
    // The pages; `foot` adds what stands at the foot of each, given its number from 1 and how many
    // there are.
    std::vector<Scene> finish(
        const std::function<void(Scene& page, std::size_t number, std::size_t count)>& foot);

  private:
    struct Placed {
        Scene scene;
        float gap = 0;
    };
    void place();  // what has been held together

    std::vector<Placed> held_;
    std::vector<Scene> pages_;
    float y_ = 0;
};

}  // namespace lab::figures

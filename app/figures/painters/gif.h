// A moving picture as a GIF, which slides of any program play.
#pragma once

#include <string>

#include "figures/painters/png_pixels.h"

namespace lab::figures {

// Plays its frames over and over. Of each frame only what differs from the one before is kept, in
// its 256 most frequent colours; others become the nearest of them.
class Gif {
  public:
    // Pixels, at most 65535 each way; each frame is shown for so many hundredths of a second.
    Gif(int width, int height, int hundredths);
    void add(const Pixels& frame);  // of the same size
    std::string finish() &&;

  private:
    std::string bytes_;
    Pixels before_;
    int hundredths_;
};

}  // namespace lab::figures

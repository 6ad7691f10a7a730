// A picture for a slide, as large as while presenting: its title, where one is, and a sentence.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "figures/font.h"
#include "figures/scene.h"
namespace lab::figures {

struct Slide {
    std::string title;
    std::string position;          // "step 2 of 3"
    std::string sentence;          // what happened; may be empty
    Role ground = Role::act_fill;  // under the sentence
    Scene picture;
};

// Points: 16 by 9, as screens are.
inline constexpr float kSlideWidth = 960, kSlideHeight = 540;

// All at the same places and of one scale, so that from one to the next nothing moves but what
// changes.
std::vector<Scene> slides(std::span<const Slide> all, const Fonts& fonts);

}  // namespace lab::figures

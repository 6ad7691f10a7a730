// For tests: the views as the app has them.
#pragma once

#include <array>

#include "session/session.h"
#include "views/lattice/lattice.h"
#include "views/learn/learn.h"
#include "views/measure/measure.h"
#include "views/race/race.h"
#include "views/sizes/sizes.h"
#include "views/step/step.h"

namespace lab::session {

inline constexpr std::array kAllViews{&kStepView,    &kRaceView,  &kLatticeView,
                                      &kMeasureView, &kLearnView, &kSizesView};

// For a session that is polled, and so needs no waking.
inline Session::Options all_views(const std::string& worker = LAB_BIN_DIR "/reduction-lab-cli",
                                  bool remember = true) {
    Session::Options options;
    options.views = kAllViews;
    options.worker = worker;
    options.wake = [] {};
    options.remember = remember;
    return options;
}

}  // namespace lab::session

// The lattice view's state: the run of what is chosen with many elements, made in the background,
// and where one looks in it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "analysis/rows/lattice.h"
#include "catalogue/variant.h"
#include "session/lattice/lattice_camera.h"
#include "session/shell/background.h"
#include "session/shell/settings.h"

namespace lab::session {

class LatticeView {
  public:
    using Clock = std::chrono::steady_clock;
    struct Place {
        std::size_t row = 0;
        std::uint64_t cell = 0;
        bool operator==(const Place&) const = default;
    };

    // `wake` is called from any thread when poll() has something to do.
    explicit LatticeView(const std::function<void()>& wake);

    // Runs it, if it is something else than was asked for last. The picture before stays until the
    // run is done, and if it fails.
    void want(const catalogue::Catalogue& catalogue, const Choice& choice,
              const LatticeChoice& lattice);
    void again() { asked_.clear(); }  // the next want() runs in any case
    void cancel();
    void poll();
    std::optional<Clock::time_point> next_move() const;

    const std::shared_ptr<const analysis::Lattice>& picture() const { return picture_; }
    std::uint64_t version() const { return version_; }  // another one for each picture
    const std::optional<Problem>& problem() const { return problem_; }  // of the last run
    bool running() const { return run_.running(); }
    float progress() const { return *progress_; }  // 0 to 1, about
    Clock::time_point started() const { return started_; }

    const LatticeFrame& frame() const { return frame_; }
    LatticeCamera camera() const;
    bool moving() const { return moving_; }
    void set_frame(double width, double height);  // points
    void look(const LatticeCamera& camera);       // at once
    void go_to(const LatticeCamera& camera);      // by a short movement
    void go_to(const Place& place);
    // From the target of a movement, if one is under way; at the middle of the view.
    void zoom(double factor);
    void pan(double dx, double dy);  // in parts of the view
    void fit() { go_to(LatticeCamera{}); }
    // Where a race or a stale read is, the next one each time; nothing: there is none.
    std::optional<Place> next_fault();
    std::optional<Place> result() const;

  private:
    void want_own(const simulation::OwnKernel& own, const analysis::MachineUsed& machine);
    void begin(const std::string& asked);

    Background<analysis::Lattice> run_;
    std::shared_ptr<std::atomic<float>> progress_;
    std::string asked_;
    std::shared_ptr<const analysis::Lattice> picture_;
    std::uint64_t version_ = 0;
    std::optional<Problem> problem_;
    Clock::time_point started_;
    LatticeFrame frame_;
    LatticeCamera from_, to_;
    bool moving_ = false;
    Clock::time_point moved_;  // when the movement began
    std::optional<Place> fault_;
};

}  // namespace lab::session

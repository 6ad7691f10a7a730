// A lattice as it is looked at: the run's cells, and a camera that moves over them. The lattice
// view has one, and so has a lesson's page.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/rows/lattice.h"
#include "session/lattice/lattice_camera.h"

namespace lab::session {

class LatticePicture {
  public:
    using Clock = std::chrono::steady_clock;
    struct Place {
        std::size_t row = 0;
        std::uint64_t cell = 0;
        bool operator==(const Place&) const = default;
    };

    // Null before the first.
    const std::shared_ptr<const analysis::Lattice>& lattice() const { return lattice_; }
    std::uint64_t version() const { return version_; }  // changes with each lattice
    // The camera stays where it is, as far as it can.
    void show(analysis::Lattice lattice);

    const LatticeFrame& frame() const { return frame_; }
    LatticeCamera camera() const;
    bool moving() const { return moving_; }
    // At once, and then to where it is to begin, if that is still to come.
    void return_to(const LatticeCamera& camera);
    void forget_fault() { fault_.reset(); }  // next_fault() begins anew
    void poll();                             // ends a movement whose time is over
    std::optional<Clock::time_point> next_move() const;
    void set_frame(double width, double height);  // points
    void look(const LatticeCamera& camera);       // at once
    void go_to(const LatticeCamera& camera);      // with a short animation
    void go_to(const Place& place);
    // At once, as soon as there is a lattice and a frame; `zoom` 0: so that the value is read.
    void begin_at(const Place& place, double zoom);
    // Relative to the target of a running animation, if any; around the middle of the view.
    void zoom(double factor);
    void pan(double dx, double dy);  // in fractions of the view
    void fit() { go_to(LatticeCamera{}); }
    // The next race or stale read each time; empty: there is none.
    std::optional<Place> next_fault();
    std::optional<Place> result() const;
    std::optional<Place> focus() const;  // in the middle of the view

  private:
    void look_at_beginning();

    std::shared_ptr<const analysis::Lattice> lattice_;
    std::uint64_t version_ = 0;
    LatticeFrame frame_;
    LatticeCamera from_, to_;
    bool moving_ = false;
    Clock::time_point moved_;  // when the movement began
    std::optional<Place> fault_;
    std::optional<std::pair<Place, double>> begin_at_;
};

}  // namespace lab::session

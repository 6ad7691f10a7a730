// The lattice view's state: a background run of the chosen kernel with many elements, and the
// camera.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "analysis/rows/lattice.h"
#include "session/lattice/lattice_camera.h"
#include "session/shell/background.h"
#include "session/shell/view.h"

namespace lab::session {

class LatticeView : public View {
  public:
    struct Place {
        std::size_t row = 0;
        std::uint64_t cell = 0;
        bool operator==(const Place&) const = default;
    };

    explicit LatticeView(Session& session);

    // View. While it is on screen, the choice is run whenever it has changed; the previous picture
    // stays until the run is done, and if it fails.
    void start() override { asked_.reset(); }
    void poll() override;
    bool busy() const override;
    std::optional<Clock::time_point> next_move() const override;
    bool can_cancel() const override { return running(); }
    void cancel() override;
    ExportOffer export_offer() const override;

    const std::shared_ptr<const analysis::Lattice>& picture() const { return picture_; }
    std::uint64_t version() const { return version_; }                  // changes with each picture
    const std::optional<Problem>& problem() const { return problem_; }  // of the last run
    bool running() const { return run_.running(); }
    float progress() const { return *progress_; }  // 0 to 1, about
    Clock::time_point started() const { return started_; }

    const LatticeFrame& frame() const { return frame_; }
    LatticeCamera camera() const;
    bool moving() const override { return moving_; }
    void set_frame(double width, double height);  // points
    void look(const LatticeCamera& camera);       // at once
    void go_to(const LatticeCamera& camera);      // with a short animation
    void go_to(const Place& place);
    // At once, as soon as there is a picture and a frame; `zoom` 0: so that the value is read.
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
    void want();
    void look_at_beginning();

    Background<analysis::Lattice> run_;
    std::shared_ptr<std::atomic<float>> progress_;
    std::optional<Choice> asked_;  // with the lattice's own numbers
    std::shared_ptr<const analysis::Lattice> picture_;
    std::uint64_t version_ = 0;
    std::optional<Problem> problem_;
    Clock::time_point started_;
    LatticeFrame frame_;
    LatticeCamera from_, to_;
    bool moving_ = false;
    Clock::time_point moved_;  // when the movement began
    std::optional<Place> fault_;
    std::optional<std::pair<Place, double>> begin_at_;
    std::string kernel_;                            // of the picture
    std::map<std::string, LatticeCamera> cameras_;  // where each kernel was left
};

extern const ViewType kLatticeView;

}  // namespace lab::session

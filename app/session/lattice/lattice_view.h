// The lattice view's state: a background run of the chosen kernel with many elements, and the
// camera.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "session/lattice/lattice_picture.h"
#include "session/shell/background.h"
#include "session/shell/view.h"

namespace lab::session {

class LatticeView : public View {
  public:
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

    const LatticePicture& picture() const { return picture_; }
    LatticePicture& picture() { return picture_; }
    const std::optional<Problem>& problem() const { return problem_; }  // of the last run
    bool running() const { return run_.running(); }
    float progress() const { return *progress_; }  // 0 to 1, about
    Clock::time_point started() const { return started_; }
    bool moving() const override { return picture_.moving(); }

  private:
    void want();

    Background<analysis::Lattice> run_;
    std::shared_ptr<std::atomic<float>> progress_;
    std::string turns_told_;       // those of which it was said that they do not count here
    std::optional<Choice> asked_;  // with the lattice's own numbers
    LatticePicture picture_;
    std::optional<Problem> problem_;
    Clock::time_point started_;
    std::string kernel_;                            // of the picture
    std::map<std::string, LatticeCamera> cameras_;  // where each kernel was left
};

extern const ViewType kLatticeView;

}  // namespace lab::session

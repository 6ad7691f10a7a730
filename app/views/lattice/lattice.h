// The lattice view: a background run of the chosen kernel with many elements, as a picture of all
// its cells with a camera that moves over them. A lesson's page has such a picture, too.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "analysis/lattice.h"
#include "session/background.h"
#include "session/view.h"

namespace lab::session {

// The view that a lattice is to be seen in.
struct LatticeFrame {
    double width = 1000, height = 500;  // points
    std::size_t rows = 1;
    std::uint64_t cells = 1;  // of the longest row

    bool operator==(const LatticeFrame&) const = default;
};

// All rows have the length of the longest one: rows with fewer cells have wider cells.
struct LatticeCamera {
    double x = 0.5;   // of the whole length: what stands in the middle of the view
    double y = 0.5;   // of all rows' height, the same
    double zoom = 1;  // length of the whole, in widths of the view

    bool operator==(const LatticeCamera&) const = default;
};

inline constexpr double kClosestCell = 84;   // points: the width of a cell at the closest
inline constexpr double kReadableCell = 64;  // at which its value is readable
inline constexpr double kTallestRow = 104;   // points: room for a cell, its item and arcs

double most_zoom(const LatticeFrame& frame);
// Rows grow with the zoom, from the height that shows all up to kTallestRow.
double row_height(const LatticeFrame& frame, double zoom);
// For the whole length, in points from the view's left edge; of all rows, from its top.
double left_of(const LatticeFrame& frame, const LatticeCamera& camera);
double top_of(const LatticeFrame& frame, const LatticeCamera& camera);

// Limited to the lattice.
LatticeCamera bounded(const LatticeFrame& frame, LatticeCamera camera);
// Zooms by `factor`; what is at that place of the view stays there.
LatticeCamera zoomed(const LatticeFrame& frame, const LatticeCamera& camera, double factor,
                     double at_x, double at_y);
LatticeCamera panned(const LatticeFrame& frame, LatticeCamera camera, double dx, double dy);
// Centred on a cell of a row with `cells` cells, large enough to read its value.
LatticeCamera on_cell(const LatticeFrame& frame, std::size_t row, std::uint64_t cell,
                      std::uint64_t cells);
// Between two cameras on a path that looks straight; `share` from 0 to 1.
LatticeCamera between(const LatticeFrame& frame, const LatticeCamera& from, const LatticeCamera& to,
                      double share);

struct LatticePlace {
    std::size_t row = 0;
    std::uint64_t cell = 0;
    bool operator==(const LatticePlace&) const = default;
};

// A cell to begin at, and from how far it is seen.
struct LatticeStart {
    LatticePlace place;
    double zoom = 0;  // how many times closer than the whole; 0: so that the value is read
};

struct LatticePicture {
    std::shared_ptr<const analysis::Lattice> lattice;  // null before the first
    std::uint64_t version = 0;                         // another one for each lattice
    LatticeFrame frame;
    LatticeCamera from, to;  // of a movement; at rest the camera is at `to`
    bool moving = false;
    Clock::time_point moved;               // when the movement began
    std::optional<LatticePlace> fault;     // that was gone to last
    std::optional<LatticeStart> begin_at;  // as soon as there is a lattice and a frame
};

// Another lattice; the camera stays where it is, as far as it can.
void show(LatticePicture& picture, analysis::Lattice lattice);
LatticeCamera camera_of(const LatticePicture& picture);
// At once, and then to where it is to begin, if that is still to come.
void return_to(LatticePicture& picture, const LatticeCamera& camera);
void rest_if_over(LatticePicture& picture);  // ends a movement whose time is over
std::optional<Clock::time_point> next_frame(const LatticePicture& picture);  // while it moves
void set_frame(LatticePicture& picture, double width, double height);        // points
void look(LatticePicture& picture, const LatticeCamera& camera);             // at once
void move_to(LatticePicture& picture, const LatticeCamera& camera);  // with a short animation
void move_to(LatticePicture& picture, const LatticePlace& place);
// The next race or stale read each time; empty: there is none.
std::optional<LatticePlace> next_fault(LatticePicture& picture);
std::optional<LatticePlace> result_of(const LatticePicture& picture);
std::optional<LatticePlace> focus_of(const LatticePicture& picture);  // in the middle of the view

// A view that shows a lattice, through which the same keys go.
struct ShowsLattice {
    virtual ~ShowsLattice() = default;
    virtual const LatticePicture* shown_lattice() const = 0;  // null: there is none now
};

// While it is on screen, the choice is run whenever it has changed; the previous picture stays
// until the run is done, and if it fails.
struct LatticeView : View, ShowsLattice {
    explicit LatticeView(Session& session);

    Background<analysis::Lattice> run;
    std::shared_ptr<std::atomic<float>> progress;  // of the run: 0 to 1, about
    std::optional<RunChoice> asked;                // what runs, or ran last, with n and group
    std::optional<Problem> problem;                // of the last run
    LatticePicture picture;
    std::string kernel;                            // of the picture
    std::map<std::string, LatticeCamera> cameras;  // where each kernel was left
    std::string turns_told;  // those of which it was said that they do not count here

  private:
    void start() override { asked.reset(); }
    const LatticePicture* shown_lattice() const override { return &picture; }
    void poll() override;
    bool busy() const override;
    bool moving() const override { return picture.moving; }
    std::optional<Clock::time_point> next_move() const override;
    bool can_cancel() const override { return run.running(); }
    void cancel() override;
    ExportOffer export_offer() const override;
};

extern const ViewType kLatticeView;

}  // namespace lab::session

#include "session/lattice/lattice_view.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "catalogue/plan.h"
#include "session/shell/session.h"
#include "simulation/cancelled.h"
#include "simulation/lattice_run.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kLargestGroup = 1024;
constexpr auto kMovement = milliseconds(420);
constexpr auto kFrame = milliseconds(16);
constexpr auto kTelling = milliseconds(150);  // how often the progress is shown again

simulation::Options options_of(const analysis::MachineUsed& machine) {
    simulation::Options options;
    options.config.lanes = machine.lanes;
    options.config.resident = machine.resident;
    options.order = order_of(machine);
    return options;
}

// What is asked for, or the most elements that the variant takes: in groups as asked for, in those
// that suit it, or in the largest ones.
catalogue::Shape fitting(const catalogue::Variant& variant, const catalogue::Shape& asked,
                         const simulation::Options& options) {
    catalogue::Shape shape = asked;
    for (; *shape.n >= kLeastLattice; *shape.n /= 2)
        for (const std::uint64_t group : {asked.group, std::uint64_t{0}, kLargestGroup}) {
            shape.group = group;
            try {
                (void)make_plan(variant, shape, *shape.n, simulation::target_of(options.config));
                return shape;
            } catch (const Problem&) {
                continue;
            }
        }
    return asked;  // the run will say what is wrong
}

}  // namespace

LatticeView::LatticeView(Session& session)
    : View(session),
      run_(session.options().wake),
      progress_(std::make_shared<std::atomic<float>>(0.0F)) {}

ExportOffer LatticeView::export_offer() const {
    static constexpr std::array kPixels{".png"};
    const std::string name = chosen_name(session_.settings().choice) + "-lattice";
    if (!picture_) return {name};
    return {name, kPixels};
}

bool LatticeView::busy() const {
    return session_.shows<LatticeView>() && (running() || moving());
}

void LatticeView::want() {
    const Choice& choice = session_.settings().choice;
    const RunShape& lattice = session_.settings().lattice;
    Choice asked = choice;
    asked.opened.reset();
    if (choice.user_kernel) {
        asked.variant.clear();
        asked.shape = {};
    } else {
        asked.shape.n = lattice.n;
        asked.shape.group = lattice.group;
        asked.shape.input = lattice.input;
    }
    if (asked == asked_) return;
    asked_ = asked;
    started_ = Clock::now();
    fault_.reset();
    // An older run may still report its own.
    progress_ = std::make_shared<std::atomic<float>>(0.0F);
    try {
        const simulation::Options options = options_of(choice.machine);
        if (choice.user_kernel)
            run_.start(
                [own = *choice.user_kernel, options, progress = progress_](const auto& cancel) {
                    return simulation::lattice_of(own, options, &cancel, progress.get());
                });
        else
            run_.start([variant = session_.catalogue().find(choice.variant), shape = asked.shape,
                        options, progress = progress_](const auto& cancel) {
                return simulation::lattice_of(variant, fitting(variant, shape, options), options,
                                              &cancel, progress.get());
            });
    } catch (const Problem& problem) {
        run_.cancel();
        problem_ = problem;
    }
}

void LatticeView::cancel() {
    if (!run_.running()) return;
    run_.cancel();
    problem_ = simulation::run_cancelled();
}

void LatticeView::poll() {
    if (session_.shows<LatticeView>()) want();
    if (moving_ && Clock::now() >= moved_ + kMovement) moving_ = false;
    auto result = run_.take();
    if (!result) return;
    if (const auto* problem = std::get_if<Problem>(&*result)) {
        problem_ = *problem;
        return;
    }
    problem_.reset();
    picture_ =
        std::make_shared<const analysis::Lattice>(std::move(std::get<analysis::Lattice>(*result)));
    ++version_;
    frame_.rows = picture_->rows.size();
    frame_.cells = std::max<std::uint64_t>(1, picture_->width);
    LatticeCamera camera = this->camera();
    const std::string kernel = asked_ ? chosen_name(*asked_) : "";
    if (kernel != kernel_ && !kernel_.empty()) {
        cameras_[kernel_] = camera;
        const auto left = cameras_.find(kernel);
        camera = left == cameras_.end() ? LatticeCamera{} : left->second;
    }
    kernel_ = kernel;
    look(bounded(frame_, camera));
    look_at_beginning();
}

void LatticeView::begin_at(const Place& place, double zoom) {
    begin_at_ = {place, zoom};
}

void LatticeView::look_at_beginning() {
    if (!begin_at_ || !picture_ || frame_.width <= 1) return;
    const auto [place, zoom] = *std::exchange(begin_at_, {});
    const std::size_t row = std::min(place.row, picture_->rows.size() - 1);
    LatticeCamera camera = on_cell(frame_, row, place.cell, picture_->rows[row].cells.size());
    if (zoom > 0) camera.zoom = zoom;
    look(bounded(frame_, camera));
}

std::optional<View::Clock::time_point> LatticeView::next_move() const {
    if (!session_.shows<LatticeView>()) return std::nullopt;
    if (moving_) return Clock::now() + kFrame;
    if (run_.running()) return Clock::now() + kTelling;
    return std::nullopt;
}

LatticeCamera LatticeView::camera() const {
    if (!moving_) return to_;
    const std::chrono::duration<double> gone = Clock::now() - moved_;
    const std::chrono::duration<double> all = kMovement;
    return between(frame_, from_, to_, std::min(1.0, gone / all));
}

void LatticeView::set_frame(double width, double height) {
    LatticeFrame now = frame_;
    now.width = std::max(width, 1.0);
    now.height = std::max(height, 1.0);
    if (now == frame_) return;
    frame_ = now;
    if (!moving_) to_ = bounded(frame_, to_);
    look_at_beginning();
}

void LatticeView::look(const LatticeCamera& camera) {
    moving_ = false;
    to_ = camera;
}

void LatticeView::go_to(const LatticeCamera& camera) {
    const LatticeCamera now = this->camera();
    from_ = now;
    to_ = bounded(frame_, camera);
    moved_ = Clock::now();
    moving_ = !(from_ == to_);
}

void LatticeView::go_to(const Place& place) {
    if (!picture_ || place.row >= picture_->rows.size()) return;
    go_to(on_cell(frame_, place.row, place.cell, picture_->rows[place.row].cells.size()));
}

void LatticeView::zoom(double factor) {
    go_to(zoomed(frame_, to_, factor, frame_.width / 2, frame_.height / 2));
}

void LatticeView::pan(double dx, double dy) {
    go_to(panned(frame_, to_, dx * frame_.width, dy * frame_.height));
}

std::optional<LatticeView::Place> LatticeView::focus() const {
    if (!picture_ || picture_->rows.empty()) return std::nullopt;
    const LatticeCamera at = camera();
    const auto part = [](double share, std::size_t count) {
        const double place = std::max(share, 0.0) * static_cast<double>(count);
        return std::min(static_cast<std::size_t>(place), std::max<std::size_t>(count, 1) - 1);
    };
    const std::size_t row = part(at.y, picture_->rows.size());
    return Place{row, part(at.x, picture_->rows[row].cells.size())};
}

std::optional<LatticeView::Place> LatticeView::next_fault() {
    if (!picture_) return std::nullopt;
    // Row by row: what is marked, wherever it is told.
    const std::uint8_t bits = analysis::kStaleBit | analysis::kRacedBit;
    const Place first = fault_ ? *fault_ : Place{0, 0};
    std::size_t row = first.row;
    std::size_t cell = fault_ ? first.cell + 1 : 0;
    for (std::size_t tried = 0; tried <= picture_->rows.size(); ++tried) {
        const auto& cells = picture_->rows[row].cells;
        const auto from = cells.begin() + static_cast<std::ptrdiff_t>(std::min(cell, cells.size()));
        const auto position =
            std::find_if(from, cells.end(), [&](std::uint8_t each) { return (each & bits) != 0; });
        if (position != cells.end()) {
            fault_ = Place{row, static_cast<std::uint64_t>(position - cells.begin())};
            return fault_;
        }
        row = (row + 1) % picture_->rows.size();
        cell = 0;
    }
    return std::nullopt;
}

std::optional<LatticeView::Place> LatticeView::result() const {
    if (!picture_ || picture_->rows.empty()) return std::nullopt;
    const std::size_t row = picture_->rows.size() - 1;
    for (const analysis::LatticeChange& change : picture_->rows[row].changes)
        if (change.item != analysis::kNobody) return Place{row, change.cell};
    return Place{row, 0};
}

}  // namespace lab::session

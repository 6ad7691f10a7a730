#include "session/lattice/lattice_picture.h"

#include <algorithm>

namespace lab::session {
namespace {

using std::chrono::milliseconds;

constexpr auto kMovement = milliseconds(420);
constexpr auto kFrame = milliseconds(16);

}  // namespace

void LatticePicture::show(analysis::Lattice lattice) {
    const LatticeCamera camera = this->camera();
    lattice_ = std::make_shared<const analysis::Lattice>(std::move(lattice));
    ++version_;
    frame_.rows = lattice_->rows.size();
    frame_.cells = std::max<std::uint64_t>(1, lattice_->width);
    return_to(camera);
}

void LatticePicture::return_to(const LatticeCamera& camera) {
    look(bounded(frame_, camera));
    look_at_beginning();
}

void LatticePicture::poll() {
    if (moving_ && Clock::now() >= moved_ + kMovement) moving_ = false;
}

std::optional<LatticePicture::Clock::time_point> LatticePicture::next_move() const {
    return moving_ ? std::optional(Clock::now() + kFrame) : std::nullopt;
}

void LatticePicture::begin_at(const Place& place, double zoom) {
    begin_at_ = {place, zoom};
}

void LatticePicture::look_at_beginning() {
    if (!begin_at_ || !lattice_ || frame_.width <= 1) return;
    const auto [place, zoom] = *std::exchange(begin_at_, {});
    const std::size_t row = std::min(place.row, lattice_->rows.size() - 1);
    LatticeCamera camera = on_cell(frame_, row, place.cell, lattice_->rows[row].cells.size());
    if (zoom > 0) camera.zoom = zoom;
    look(bounded(frame_, camera));
}

LatticeCamera LatticePicture::camera() const {
    if (!moving_) return to_;
    const std::chrono::duration<double> gone = Clock::now() - moved_;
    const std::chrono::duration<double> all = kMovement;
    return between(frame_, from_, to_, std::min(1.0, gone / all));
}

void LatticePicture::set_frame(double width, double height) {
    LatticeFrame now = frame_;
    now.width = std::max(width, 1.0);
    now.height = std::max(height, 1.0);
    if (now == frame_) return;
    frame_ = now;
    if (!moving_) to_ = bounded(frame_, to_);
    look_at_beginning();
}

void LatticePicture::look(const LatticeCamera& camera) {
    moving_ = false;
    to_ = camera;
}

void LatticePicture::go_to(const LatticeCamera& camera) {
    const LatticeCamera now = this->camera();
    from_ = now;
    to_ = bounded(frame_, camera);
    moved_ = Clock::now();
    moving_ = !(from_ == to_);
}

void LatticePicture::go_to(const Place& place) {
    if (!lattice_ || place.row >= lattice_->rows.size()) return;
    go_to(on_cell(frame_, place.row, place.cell, lattice_->rows[place.row].cells.size()));
}

void LatticePicture::zoom(double factor) {
    go_to(zoomed(frame_, to_, factor, frame_.width / 2, frame_.height / 2));
}

void LatticePicture::pan(double dx, double dy) {
    go_to(panned(frame_, to_, dx * frame_.width, dy * frame_.height));
}

std::optional<LatticePicture::Place> LatticePicture::focus() const {
    if (!lattice_ || lattice_->rows.empty()) return std::nullopt;
    const LatticeCamera at = camera();
    const auto part = [](double share, std::size_t count) {
        const double place = std::max(share, 0.0) * static_cast<double>(count);
        return std::min(static_cast<std::size_t>(place), std::max<std::size_t>(count, 1) - 1);
    };
    const std::size_t row = part(at.y, lattice_->rows.size());
    return Place{row, part(at.x, lattice_->rows[row].cells.size())};
}

std::optional<LatticePicture::Place> LatticePicture::next_fault() {
    if (!lattice_) return std::nullopt;
    // Row by row: what is marked, wherever it is told.
    const std::uint8_t bits = analysis::kStaleBit | analysis::kRacedBit;
    const Place first = fault_ ? *fault_ : Place{0, 0};
    std::size_t row = first.row;
    std::size_t cell = fault_ ? first.cell + 1 : 0;
    for (std::size_t tried = 0; tried <= lattice_->rows.size(); ++tried) {
        const auto& cells = lattice_->rows[row].cells;
        const auto from = cells.begin() + static_cast<std::ptrdiff_t>(std::min(cell, cells.size()));
        const auto position =
            std::find_if(from, cells.end(), [&](std::uint8_t each) { return (each & bits) != 0; });
        if (position != cells.end()) {
            fault_ = Place{row, static_cast<std::uint64_t>(position - cells.begin())};
            return fault_;
        }
        row = (row + 1) % lattice_->rows.size();
        cell = 0;
    }
    return std::nullopt;
}

std::optional<LatticePicture::Place> LatticePicture::result() const {
    if (!lattice_ || lattice_->rows.empty()) return std::nullopt;
    const std::size_t row = lattice_->rows.size() - 1;
    for (const analysis::LatticeChange& change : lattice_->rows[row].changes)
        if (change.item != analysis::kNobody) return Place{row, change.cell};
    return Place{row, 0};
}

}  // namespace lab::session

#include "session/lattice/lattice_camera.h"

#include <algorithm>
#include <cmath>

namespace lab::session {

double most_zoom(const LatticeFrame& frame) {
    return std::max(1.0, static_cast<double>(frame.cells) * kClosestCell / frame.width);
}

double row_height(const LatticeFrame& frame, double zoom) {
    const double whole = std::min(
        kTallestRow, frame.height / static_cast<double>(std::max<std::size_t>(frame.rows, 1)));
    const double most = most_zoom(frame);
    if (most <= 1) return whole;
    const double share = std::clamp(std::log(zoom) / std::log(most), 0.0, 1.0);
    return whole * std::pow(kTallestRow / whole, share);
}

double left_of(const LatticeFrame& frame, const LatticeCamera& camera) {
    return frame.width / 2 - camera.x * frame.width * camera.zoom;
}

double top_of(const LatticeFrame& frame, const LatticeCamera& camera) {
    const double all = row_height(frame, camera.zoom) * static_cast<double>(frame.rows);
    return std::max(all, frame.height) == frame.height ? 0 : frame.height / 2 - camera.y * all;
}

LatticeCamera bounded(const LatticeFrame& frame, LatticeCamera camera) {
    camera.zoom = std::clamp(camera.zoom, 1.0, most_zoom(frame));
    const double half = 0.5 / camera.zoom;
    camera.x = std::clamp(camera.x, half, 1 - half);
    const double all = row_height(frame, camera.zoom) * static_cast<double>(frame.rows);
    const double half_y = std::min(0.5, frame.height / std::max(all, 1.0) / 2);
    camera.y = std::clamp(camera.y, half_y, 1 - half_y);
    return camera;
}

LatticeCamera zoomed(const LatticeFrame& frame, const LatticeCamera& camera, double factor,
                     double at_x, double at_y) {
    const double share = (at_x - left_of(frame, camera)) / (frame.width * camera.zoom);
    const double row = (at_y - top_of(frame, camera)) / row_height(frame, camera.zoom);
    LatticeCamera lattice_camera = camera;
    lattice_camera.zoom = std::clamp(camera.zoom * factor, 1.0, most_zoom(frame));
    lattice_camera.x = share - (at_x - frame.width / 2) / (frame.width * lattice_camera.zoom);
    const double height = row_height(frame, lattice_camera.zoom);
    lattice_camera.y =
        (row * height - (at_y - frame.height / 2)) / (height * static_cast<double>(frame.rows));
    return bounded(frame, lattice_camera);
}

LatticeCamera panned(const LatticeFrame& frame, LatticeCamera camera, double dx, double dy) {
    camera.x -= dx / (frame.width * camera.zoom);
    camera.y -= dy / (row_height(frame, camera.zoom) * static_cast<double>(frame.rows));
    return bounded(frame, camera);
}

LatticeCamera on_cell(const LatticeFrame& frame, std::size_t row, std::uint64_t cell,
                      std::uint64_t cells) {
    LatticeCamera camera;
    camera.zoom = static_cast<double>(cells) * kReadableCell / frame.width;
    camera.x = (static_cast<double>(cell) + 0.5) / static_cast<double>(cells);
    // The row above, from which it comes, is seen too.
    camera.y = static_cast<double>(row) / static_cast<double>(frame.rows);
    return bounded(frame, camera);
}

LatticeCamera between(const LatticeFrame& frame, const LatticeCamera& from, const LatticeCamera& to,
                      double share) {
    if (share >= 1) return to;
    const double smooth = share * share * (3 - 2 * share);
    LatticeCamera camera;
    camera.zoom = from.zoom * std::pow(to.zoom / from.zoom, smooth);
    // What both views have in common stays on one line of sight.
    const auto along = [&](double a, double b, double size_a, double size_b, double size) {
        const double way = 1 / size_a - 1 / size_b;
        const double part = std::abs(way) * std::min(size_a, size_b) < 0.01
                                ? smooth
                                : (1 / size_a - 1 / size) / way;
        return a + (b - a) * part;
    };
    camera.x = along(from.x, to.x, from.zoom, to.zoom, camera.zoom);
    camera.y = along(from.y, to.y, row_height(frame, from.zoom), row_height(frame, to.zoom),
                     row_height(frame, camera.zoom));
    return bounded(frame, camera);
}

}  // namespace lab::session

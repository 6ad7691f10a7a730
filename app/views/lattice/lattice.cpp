#include "views/lattice/lattice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/lattice_run.h"
#include "analysis/machine_run.h"
#include "analysis/simulate.h"
#include "catalogue/plan.h"
#include "session/session.h"

namespace lab::session {

constexpr auto kMovement = std::chrono::milliseconds(420);
constexpr auto kFrame = std::chrono::milliseconds(16);
constexpr auto kTelling = std::chrono::milliseconds(150);  // how often the progress is shown again
constexpr std::uint64_t kLargestGroup = 1024;  // work-items per group; no larger one is tried

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

void show(LatticePicture& picture, analysis::Lattice lattice) {
    const LatticeCamera camera = camera_of(picture);
    picture.lattice = std::make_shared<const analysis::Lattice>(std::move(lattice));
    ++picture.version;
    picture.frame.rows = picture.lattice->rows.size();
    picture.frame.cells = std::max<std::uint64_t>(1, picture.lattice->width);
    return_to(picture, camera);
}

static void look_at_beginning(LatticePicture& picture) {
    if (!picture.begin_at || !picture.lattice || picture.frame.width <= 1) return;
    const auto [place, zoom] = *std::exchange(picture.begin_at, {});
    const auto& rows = picture.lattice->rows;
    const std::size_t row = std::min(place.row, rows.size() - 1);
    LatticeCamera camera = on_cell(picture.frame, row, place.cell, rows[row].cells.size());
    if (zoom > 0) camera.zoom = zoom;
    look(picture, bounded(picture.frame, camera));
}

void return_to(LatticePicture& picture, const LatticeCamera& camera) {
    look(picture, bounded(picture.frame, camera));
    look_at_beginning(picture);
}

void rest_if_over(LatticePicture& picture) {
    if (Clock::now() >= picture.moved + kMovement) picture.moving = false;
}

std::optional<Clock::time_point> next_frame(const LatticePicture& picture) {
    return picture.moving ? std::optional(Clock::now() + kFrame) : std::nullopt;
}

LatticeCamera camera_of(const LatticePicture& picture) {
    if (!picture.moving) return picture.to;
    const std::chrono::duration<double> gone = Clock::now() - picture.moved, all = kMovement;
    return between(picture.frame, picture.from, picture.to, std::min(1.0, gone / all));
}

void set_frame(LatticePicture& picture, double width, double height) {
    LatticeFrame now = picture.frame;
    now.width = std::max(width, 1.0);
    now.height = std::max(height, 1.0);
    if (now == picture.frame) return;
    picture.frame = now;
    if (!picture.moving) picture.to = bounded(now, picture.to);
    look_at_beginning(picture);
}

void look(LatticePicture& picture, const LatticeCamera& camera) {
    picture.moving = false;
    picture.to = camera;
}

void move_to(LatticePicture& picture, const LatticeCamera& camera) {
    picture.from = camera_of(picture);
    picture.to = bounded(picture.frame, camera);
    picture.moved = Clock::now();
    picture.moving = !(picture.from == picture.to);
}

void move_to(LatticePicture& picture, const LatticePlace& place) {
    if (!picture.lattice || place.row >= picture.lattice->rows.size()) return;
    move_to(picture, on_cell(picture.frame, place.row, place.cell,
                             picture.lattice->rows[place.row].cells.size()));
}

std::optional<LatticePlace> focus_of(const LatticePicture& picture) {
    if (!picture.lattice || picture.lattice->rows.empty()) return std::nullopt;
    const LatticeCamera at = camera_of(picture);
    const auto part = [](double share, std::size_t count) {
        const double place = std::max(share, 0.0) * static_cast<double>(count);
        return std::min(static_cast<std::size_t>(place), std::max<std::size_t>(count, 1) - 1);
    };
    const std::size_t row = part(at.y, picture.lattice->rows.size());
    return LatticePlace{row, part(at.x, picture.lattice->rows[row].cells.size())};
}

// Row by row: what is marked, wherever it is told.
std::optional<LatticePlace> next_fault(LatticePicture& picture) {
    if (!picture.lattice) return std::nullopt;
    const auto& rows = picture.lattice->rows;
    std::size_t row = picture.fault ? picture.fault->row : 0;
    std::size_t cell = picture.fault ? picture.fault->cell + 1 : 0;
    for (std::size_t tried = 0; tried <= rows.size(); ++tried) {
        const auto& cells = rows[row].cells;
        for (; cell < cells.size(); ++cell)
            if ((cells[cell] & (analysis::kStaleBit | analysis::kRacedBit)) != 0)
                return picture.fault = LatticePlace{row, cell};
        row = (row + 1) % rows.size();
        cell = 0;
    }
    return std::nullopt;
}

std::optional<LatticePlace> result_of(const LatticePicture& picture) {
    if (!picture.lattice || picture.lattice->rows.empty()) return std::nullopt;
    const std::size_t row = picture.lattice->rows.size() - 1;
    for (const analysis::LatticeChange& change : picture.lattice->rows[row].changes)
        if (change.item != analysis::kNobody) return LatticePlace{row, change.cell};
    return LatticePlace{row, 0};
}

// What is asked for, or the most elements that the variant takes: in groups as asked for, in those
// that suit it, or in the largest ones.
static catalogue::Shape fitting(const catalogue::Kernel& variant, const catalogue::Shape& asked,
                                const analysis::SimulatorOptions& options) {
    catalogue::Shape shape = asked;
    for (; *shape.n >= kLeastLattice; *shape.n /= 2)
        for (const std::uint64_t group : {asked.group, std::uint64_t{0}, kLargestGroup}) {
            shape.group = group;
            if (!thrown_by([&] {
                    (void)plan_job(variant, shape, *shape.n, analysis::target_of(options.config));
                }))
                return shape;
        }
    return asked;  // the run will say what is wrong
}

LatticeView::LatticeView(Session& session)
    : View(session),
      run(session.options().wake),
      progress(std::make_shared<std::atomic<float>>(0.0F)) {}

ExportOffer LatticeView::export_offer() const {
    static constexpr std::array kPixels{".png"};
    const std::string name = chosen_name(session_.settings().choice) + "-lattice";
    if (!picture.lattice) return {name};
    return {name, kPixels};
}

bool LatticeView::busy() const {
    return session_.shows<LatticeView>() && (run.running() || picture.moving);
}

// The choice with the lattice's own n, group and input.
static RunChoice asked_of(Session& session, LatticeView& view) {
    const RunChoice& choice = session.settings().choice;
    const RunShape& lattice = session.settings().lattice;
    RunChoice asked = choice;
    asked.opened.reset();
    if (choice.user_kernel) {
        asked.variant.clear();
        asked.shape = {};
        return asked;
    }
    asked.shape.n = lattice.n;
    asked.shape.group = lattice.group;
    asked.shape.input = lattice.input;
    // Turns chosen by hand are of the steps' few elements, and stay theirs.
    if (choice.machine.order.starts_with(machine::kTurnsPrefix)) {
        asked.machine.order = kAutomatic;
        if (std::exchange(view.turns_told, choice.machine.order) != choice.machine.order)
            session.notices.say(session.words()("toast.turns_not_here"));
    }
    return asked;
}

static void run_if_changed(Session& session, LatticeView& view) {
    const RunChoice asked = asked_of(session, view);
    if (asked == view.asked) return;
    view.asked = asked;
    view.picture.fault.reset();
    // An older run may still report its own.
    view.progress = std::make_shared<std::atomic<float>>(0.0F);
    try {
        analysis::RunSpec spec = spec_of(asked, session.catalogue());
        view.run.start(
            [spec, progress = view.progress, lattice = std::shared_ptr<analysis::LatticeInParts>()](
                const std::atomic<bool>& cancel) mutable {
                if (!lattice) {
                    if (!spec.kernel.by_form())
                        spec.shape = fitting(spec.kernel, spec.shape, spec.machine);
                    lattice = std::make_shared<analysis::LatticeInParts>(std::move(spec), &cancel,
                                                                         progress.get());
                }
                return lattice->go_on();
            });
    } catch (const Problem& problem) {
        view.run.cancel();
        view.problem = problem;
    }
}

void LatticeView::cancel() {
    if (!run.running()) return;
    run.cancel();
    problem = analysis::run_cancelled();
}

void LatticeView::poll() {
    if (session_.shows<LatticeView>()) run_if_changed(session_, *this);
    rest_if_over(picture);
    auto result = run.take();
    if (!result) return;
    if (const auto* failed = std::get_if<Problem>(&*result)) {
        problem = *failed;
        return;
    }
    problem.reset();
    const LatticeCamera camera = camera_of(picture);
    show(picture, std::move(std::get<analysis::Lattice>(*result)));
    const std::string now = asked ? chosen_name(*asked) : "";
    if (now != kernel && !kernel.empty()) {
        cameras[kernel] = camera;
        const auto left = cameras.find(now);
        return_to(picture, left == cameras.end() ? LatticeCamera{} : left->second);
    }
    kernel = now;
}

std::optional<View::Clock::time_point> LatticeView::next_move() const {
    if (!session_.shows<LatticeView>()) return std::nullopt;
    if (picture.moving) return next_frame(picture);
    if (run.running()) return Clock::now() + kTelling;
    return std::nullopt;
}

}  // namespace lab::session

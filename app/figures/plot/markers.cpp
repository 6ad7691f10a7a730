#include "figures/plot/markers.h"

#include <array>
#include <utility>
#include <vector>

#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

enum class Kind : std::uint8_t { round, filled, strokes };

// Corners in a square from -1 to 1; strokes are pairs of ends.
struct MarkerShape {
    Kind kind = Kind::filled;
    bool open = false;
    std::vector<Point> points;
};

const MarkerShape& shape_of(Marker marker) {
    using List = std::vector<Point>;
    static const List square{{-0.85F, -0.85F}, {0.85F, -0.85F}, {0.85F, 0.85F}, {-0.85F, 0.85F}};
    static const List up{{0, -1.1F}, {1.1F, 0.85F}, {-1.1F, 0.85F}};
    static const List down{{0, 1.1F}, {1.1F, -0.85F}, {-1.1F, -0.85F}};
    static const List diamond{{0, -1.25F}, {1.25F, 0}, {0, 1.25F}, {-1.25F, 0}};
    static const List cross{{-0.85F, -0.85F}, {0.85F, 0.85F}, {-0.85F, 0.85F}, {0.85F, -0.85F}};
    static const List plus{{-1.1F, 0}, {1.1F, 0}, {0, -1.1F}, {0, 1.1F}};
    static const std::array<MarkerShape, static_cast<std::size_t>(Marker::count_)> shapes{{
        {Kind::round, false, {}},
        {Kind::filled, false, square},
        {Kind::filled, false, up},
        {Kind::filled, false, diamond},
        {Kind::strokes, false, cross},
        {Kind::filled, false, down},
        {Kind::strokes, false, plus},
        {Kind::round, true, {}},
        {Kind::filled, true, square},
        {Kind::filled, true, up},
        {Kind::filled, true, diamond},
        {Kind::filled, true, down},
    }};
    return shapes[static_cast<std::size_t>(marker)];
}

}  // namespace

SeriesLook look_of_series(std::size_t index, std::size_t device, std::size_t devices) {
    constexpr auto kMarkers = static_cast<std::size_t>(Marker::count_);
    constexpr std::size_t kClosed = 7;
    const std::size_t round = index / kSeriesRoles;
    const std::size_t marker =
        devices <= 1 ? (index + round) % kClosed : (round * devices + device) % kMarkers;
    return {static_cast<Role>(static_cast<std::size_t>(Role::series_1) + index % kSeriesRoles),
            static_cast<Marker>(marker)};
}

void add_marker(Scene& scene, Point middle, float reach, SeriesLook look) {
    if (look.marker == Marker::none) return;
    const MarkerShape& shape = shape_of(look.marker);
    const auto position = [&](Point p) {
        return Point{middle.x + p.x * reach, middle.y + p.y * reach};
    };
    // The ground's colour around a filled mark keeps it apart from those that it covers.
    const Role fill = shape.open ? Role::panel : look.role;
    const Stroke edge = shape.open ? Stroke{look.role, 0.4F * reach, Dash::solid}
                                   : Stroke{Role::panel, 0.2F * reach, Dash::solid};
    if (shape.kind == Kind::round) {
        Rect circle = disc(middle, reach, fill);
        circle.stroke = edge;
        scene.add(circle);
    } else if (shape.kind == Kind::filled) {
        std::vector<Point> points;
        for (const Point& p : shape.points)
            points.push_back(position(p));
        Path path = polygon(std::move(points), fill);
        path.stroke = edge;
        scene.add(path);
    } else {
        for (std::size_t i = 0; i + 1 < shape.points.size(); i += 2)
            scene.add(line(position(shape.points[i]), position(shape.points[i + 1]),
                           {look.role, 0.55F * reach, Dash::solid}));
    }
}

void add_wrong_marker(Scene& scene, Point middle, float reach, SeriesLook look) {
    const float half = 1.75F * reach;
    Rect frame = box(middle.x - half, middle.y - half, 2 * half, 2 * half, Role::race_fill);
    frame.stroke = {Role::race, 1, Dash::solid};
    frame.hatch = true;
    scene.add(frame);
    add_marker(scene, middle, reach * 0.8F, look);
}

void add_elsewhere_marker(Scene& scene, Point middle, float reach, SeriesLook look) {
    Rect ring = disc(middle, 2 * reach, Role::none);
    ring.stroke = {look.role, 1.2F, Dash::dashed};
    scene.add(ring);
    add_marker(scene, middle, reach * 0.8F, look);
}

}  // namespace lab::figures

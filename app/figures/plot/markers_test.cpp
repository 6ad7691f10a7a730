#include "figures/plot/markers.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace lab::figures {
namespace {

TEST(Markers, FortyNineThingsOnOneDeviceAreAllDifferent) {
    std::set<std::pair<Role, Marker>> looks;
    for (std::size_t i = 0; i < 49; ++i) {
        const SeriesLook look = look_of_series(i, 0, 1);
        EXPECT_TRUE(looks.insert({look.role, look.marker}).second) << i;
    }
}

TEST(Markers, NeighboursDifferInColourAndShape) {
    for (std::size_t i = 1; i < 49; ++i) {
        const SeriesLook one = look_of_series(i - 1, 0, 1), other = look_of_series(i, 0, 1);
        EXPECT_NE(one.role, other.role);
        EXPECT_NE(one.marker, other.marker);
    }
}

TEST(Markers, SeveralDevicesHaveAShapeEachAndThingsTheirColour) {
    std::set<std::pair<Role, Marker>> looks;
    for (std::size_t thing = 0; thing < 28; ++thing)
        for (std::size_t device = 0; device < 3; ++device) {
            const SeriesLook look = look_of_series(thing, device, 3);
            EXPECT_EQ(look.role, look_of_series(thing, 0, 3).role);
            EXPECT_TRUE(looks.insert({look.role, look.marker}).second) << thing << " " << device;
        }
    EXPECT_EQ(look_of_series(0, 1, 3).marker, look_of_series(6, 1, 3).marker);
    EXPECT_NE(look_of_series(0, 0, 3).marker, look_of_series(0, 1, 3).marker);
}

TEST(Markers, EachShapeIsDrawnWithinItsSquare) {
    for (std::size_t marker = 0; marker < static_cast<std::size_t>(Marker::count_); ++marker) {
        Scene scene;
        add_marker(scene, {50, 50}, 4, {Role::series_1, static_cast<Marker>(marker)});
        EXPECT_FALSE(scene.shapes.empty());
        for (const Shape& shape : scene.shapes)
            if (const auto* path = std::get_if<Path>(&shape.what)) {
                for (const Point& p : path->points) {
                    EXPECT_NEAR(p.x, 50, 5.2) << marker;
                    EXPECT_NEAR(p.y, 50, 5.2) << marker;
                }
            }
    }
}

}  // namespace
}  // namespace lab::figures

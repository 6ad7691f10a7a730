#include "figures/plot/badge.h"

#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

void add_tick(Scene& scene, Point point, float r) {
    scene.add(disc(point, r, Role::wrote));
    Path tick;
    tick.points = {{point.x - r * 0.45F, point.y + r * 0.05F},
                   {point.x - r * 0.1F, point.y + r * 0.4F},
                   {point.x + r * 0.5F, point.y - r * 0.35F}};
    tick.stroke = {Role::on_act, r / 4, Dash::solid};
    scene.add(tick);
}

void add_exclamation(Scene& scene, Point point, float r) {
    Path triangle = polygon({{point.x, point.y - r},
                             {point.x + r, point.y + r * 0.85F},
                             {point.x - r, point.y + r * 0.85F}},
                            Role::race);
    triangle.stroke = {Role::race, r / 5, Dash::solid};
    scene.add(triangle);
    scene.add(line({point.x, point.y - r * 0.35F}, {point.x, point.y + r * 0.15F},
                   {Role::on_act, r / 4, Dash::solid}));
    scene.add(disc({point.x, point.y + r * 0.6F}, r * 0.15F, Role::on_act));
}

}  // namespace

void add_badge(Scene& scene, Point middle, float radius, bool right) {
    (right ? add_tick : add_exclamation)(scene, middle, radius);
}

}  // namespace lab::figures

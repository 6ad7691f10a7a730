#include "figures/plot/badge.h"

#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

void add_tick(Scene& scene, Point at, float r) {
    scene.add(disc(at, r, Role::wrote));
    Path tick;
    tick.points = {{at.x - r * 0.45F, at.y + r * 0.05F},
                   {at.x - r * 0.1F, at.y + r * 0.4F},
                   {at.x + r * 0.5F, at.y - r * 0.35F}};
    tick.stroke = {Role::on_act, r / 4, Dash::solid};
    scene.add(tick);
}

void add_exclamation(Scene& scene, Point at, float r) {
    Path triangle = polygon(
        {{at.x, at.y - r}, {at.x + r, at.y + r * 0.85F}, {at.x - r, at.y + r * 0.85F}}, Role::race);
    triangle.stroke = {Role::race, r / 5, Dash::solid};
    scene.add(triangle);
    scene.add(line({at.x, at.y - r * 0.35F}, {at.x, at.y + r * 0.15F},
                   {Role::on_act, r / 4, Dash::solid}));
    scene.add(disc({at.x, at.y + r * 0.6F}, r * 0.15F, Role::on_act));
}

}  // namespace

void add_badge(Scene& scene, Point middle, float radius, bool right) {
    (right ? add_tick : add_exclamation)(scene, middle, radius);
}

}  // namespace lab::figures

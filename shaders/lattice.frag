#version 330 core
// A part of a row: its colour by what became of its cells. Of several cells each colour is as high
// as its share of them, but high enough to be seen, were it one of thousands.
//
// The order of states, here and in the colours: spoiled, written, read, used up, not yet used.
uniform vec3 marks[5];      // of cells too small for more
uniform vec3 fills[5];      // of cells with an edge, …
uniform vec3 edges[5];      // … and its colour
uniform float edge_widths[5];  // pixels
uniform vec3 race;
uniform float least;        // the height of what is there at all, pixels
uniform float mixing;       // 0: heights by share; 1: one colour, mixed by share
uniform float detail;       // 0: a mark; 1: a cell with fill and edge
uniform float shaping;      // 1: the height of a mark tells its state, too
uniform float corner_radius;   // pixels
uniform float edged;        // 1: sides are smooth
uniform float race_height;  // pixels, under the cells

flat in vec4 share;
flat in float raced;
flat in vec2 size;
in vec2 place;
out vec4 colour;

const float heights[5] = float[5](1.0, 1.0, 0.75, 0.3, 0.55);

// How far outside of a box with round corners, pixels.
float outside(vec2 at, vec2 box, float radius)
{
    vec2 q = abs(at - box * 0.5) - box * 0.5 + radius;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

void main()
{
    float shares[5] = float[5](share.x, share.y, share.z, share.w,
                               max(0.0, 1.0 - share.x - share.y - share.z - share.w));
    // From the bottom up, in the order of the step view's rows of many cells.
    const int stacked[5] = int[5](0, 1, 2, 4, 3);
    float spare = size.y;
    for (int i = 0; i < 5; ++i)
        spare -= shares[i] > 0.001 ? least : 0.0;
    float up = size.y - place.y;
    float top = 0.0;
    vec3 mark = marks[3];
    bool found = false;
    // The state of a single cell is the one that has it whole.
    vec3 fill = fills[4];
    vec3 rim = edges[4];
    float rim_width = edge_widths[4];
    vec3 mixed = vec3(0.0);
    float height = 0.0;
    float all = 0.0;
    for (int i = 0; i < 5; ++i) {
        int s = stacked[i];
        mixed += shares[s] * marks[s];
        height += shares[s] * heights[s];
        all += shares[s];
        if (shares[s] <= 0.001) continue;
        top += least + max(spare, 0.0) * shares[s];
        if (!found && up < top) {
            mark = marks[s];
            found = true;
        }
        if (shares[s] > 0.5) {
            fill = fills[s];
            rim = edges[s];
            rim_width = edge_widths[s];
        }
    }
    mixed /= max(all, 1e-6);
    mark = mix(mark, mixed, mixing);
    height = mix(1.0, height / max(all, 1e-6), shaping);

    float tall = size.y * height;
    vec2 in_box = vec2(place.x, place.y - (size.y - tall));
    vec2 box = vec2(size.x, tall);
    float radius = min(corner_radius, min(box.x, box.y) * 0.5);
    float away = outside(in_box, box, radius);
    float within_y = clamp(min(in_box.y, tall - in_box.y) + 0.5, 0.0, 1.0);
    float cover = edged > 0.5 ? clamp(0.5 - away, 0.0, 1.0) : within_y;
    float edge = clamp(away + rim_width + 0.5, 0.0, 1.0);
    vec3 cell = mix(fill, rim, edge);
    colour = vec4(mix(mark, cell, detail), cover);

    // A race: a bar under the cells.
    float below = place.y - size.y - 1.0;
    if (raced > 0.001 && below >= 0.0 && below <= race_height && place.x >= 0.0 &&
        place.x <= size.x)
        colour = vec4(race, 1.0);
    if (colour.a <= 0.0) discard;
}

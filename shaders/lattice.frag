#version 330 core
// A column of pixels, or a cell: its colour by what became of the cells in it. Of several cells each
// colour is as high as its share of them, but high enough to be seen, were it one of thousands.
//
// The cells of a row come in blocks of 32, three texels each:
//   0  how many cells before the block are spoiled, written, read, used up
//   1  the same of its own cells, a bit each
//   2  of those that race: how many before, and a bit each
//
// The order of states, here and in the colours: spoiled, written, read, used up, not yet used.
uniform usampler2D cells;
uniform int first_block;       // of the row
uniform int cell_count;        // of the row
uniform int blocks_wide;       // in a line of the texture
uniform int first_cell;        // the whole one that the quads count from
uniform float part;            // cells a column, or a quad that is one cell
uniform float columns;         // a quad; 1: it is a cell
uniform vec3 marks[5];         // of cells too small for more
uniform vec3 fills[5];         // of cells with an edge, …
uniform vec3 edges[5];         // … and its colour
uniform float edge_widths[5];  // pixels
uniform vec3 race;
uniform float least;          // the height of what is there at all, pixels
uniform float mixing;         // 0: heights by share; 1: one colour, mixed by share
uniform float detail;         // 0: a mark; 1: a cell with fill and edge
uniform float shaping;        // 1: the height of a mark tells its state, too
uniform float corner_radius;  // pixels
uniform float race_height;    // pixels, under the cells

flat in float from;
flat in vec2 size;
in vec2 place;
out vec4 colour;

uvec4 block_texel(int block, int number)
{
    int at = first_block + block;
    return texelFetch(cells, ivec2(at % blocks_wide * 3 + number, at / blocks_wide), 0);
}

uvec4 bits_set(uvec4 v)
{
    v = v - ((v >> 1u) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2u) & 0x33333333u);
    v = (v + (v >> 4u)) & 0x0f0f0f0fu;
    return (v * 0x01010101u) >> 24u;
}

// How many of the cells before a place are in each state: those before its block, and in it.
void count_to(float at, out uvec4 before, out vec4 inside)
{
    int whole = clamp(first_cell + int(floor(at)), 0, cell_count);
    uint bit = uint(whole & 31);
    before = block_texel(whole >> 5, 0);
    uvec4 bits = block_texel(whole >> 5, 1);
    inside = vec4(bits_set(bits & ((1u << bit) - 1u))) + fract(at) * vec4((bits >> bit) & 1u);
}

float raced_to(float at)
{
    int whole = clamp(first_cell + int(floor(at)), 0, cell_count);
    uint bit = uint(whole & 31);
    uvec4 texel = block_texel(whole >> 5, 2);
    uint set = bits_set(texel.yyyy & ((1u << bit) - 1u)).x;
    return float(texel.x + set) + fract(at) * float((texel.y >> bit) & 1u);
}

// How far outside of a box with round corners, pixels.
float outside(vec2 at, vec2 box, float radius)
{
    vec2 q = abs(at - box * 0.5) - box * 0.5 + radius;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

// The colour of the height `up` in a stack of the states that are there.
vec3 stacked(vec4 share, float same, float up)
{
    vec4 states = vec4(share.xyz, same);  // used up is above them
    vec4 there = step(0.001, states);
    float spare = size.y - least * (dot(there, vec4(1.0)) + step(0.001, share.w));
    vec4 high = there * (least + max(0.0, spare) * states);
    vec3 mark = marks[3];
    if (up < high.x + high.y + high.z + high.w) mark = marks[4];
    if (up < high.x + high.y + high.z) mark = marks[2];
    if (up < high.x + high.y) mark = marks[1];
    if (up < high.x) mark = marks[0];
    return mark;
}

void main()
{
    bool is_cell = columns < 1.5;
    float start = from + (is_cell ? 0.0 : floor(place.x) * part);
    float end = min(start + part, float(cell_count - first_cell));
    float begin = max(start, float(-first_cell));
    if (end <= begin) discard;

    // A race: a bar under the cells.
    float below = place.y - size.y - 1.0;
    if (below >= 0.0) {
        if (below > race_height || place.x < 0.0 || place.x > size.x ||
            raced_to(end) - raced_to(begin) < 0.001)
            discard;
        colour = vec4(race, 1.0);
        return;
    }

    uvec4 before_begin, before_end;
    vec4 in_begin, in_end;
    count_to(begin, before_begin, in_begin);
    count_to(end, before_end, in_end);
    // Whole numbers first: their difference is exact.
    vec4 share = (vec4(before_end - before_begin) + in_end - in_begin) / (end - begin);
    float same = max(0.0, 1.0 - dot(share, vec4(1.0)));

    vec3 mark = stacked(share, same, max(size.y - place.y, 0.0));
    if (mixing > 0.0) {
        vec3 mixed = share.x * marks[0] + share.y * marks[1] + share.z * marks[2] +
                     share.w * marks[3] + same * marks[4];
        mark = mix(mark, mixed, mixing);
    }
    float height = dot(share, vec4(1.0, 1.0, 0.75, 0.3)) + 0.55 * same;
    float tall = size.y * mix(1.0, height, shaping);
    float down = place.y - (size.y - tall);
    float cover = clamp(min(down, tall - down) + 0.5, 0.0, 1.0);
    if (is_cell) {
        vec2 box = vec2(size.x, tall);
        float away = outside(vec2(place.x, down), box, min(corner_radius, min(box.x, box.y) * 0.5));
        cover = clamp(0.5 - away, 0.0, 1.0);
        int own = share.x > 0.5 ? 0 : share.y > 0.5 ? 1 : share.z > 0.5 ? 2 : share.w > 0.5 ? 3 : 4;
        float edge = clamp(away + edge_widths[own] + 0.5, 0.0, 1.0);
        mark = mix(mark, mix(fills[own], edges[own], edge), detail);
    }
    colour = vec4(mark, cover);
}

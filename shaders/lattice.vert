#version 330 core
// One row of the lattice, a quad for each of its parts: a cell; or, where cells are narrower than a
// pixel or not much wider, a column of pixels with all the cells in it.
//
// The cells of a row come in blocks of 32, three texels each:
//   0  how many cells before the block are spoiled, written, read, used up
//   1  the same of its own cells, a bit each
//   2  of those that race: how many before, and a bit each
uniform usampler2D cells;
uniform int first_block;   // of the row
uniform int cell_count;    // of the row
uniform int blocks_wide;   // in a line of the texture
uniform int first_cell;    // of the part with the number 0: the whole …
uniform float first_rest;  // … and the rest
uniform float part;        // cells a part
uniform float cell_width;  // pixels
uniform float left;        // of the part with the number 0, pixels
uniform vec2 rows;         // upper and lower edge of the cells, pixels
uniform float gap;         // between two parts, pixels
uniform vec2 display;      // of the whole window, pixels

flat out vec4 share;   // of the part's cells: spoiled, written, read, used up; 0 to 1
flat out float raced;  // likewise
flat out vec2 size;    // of the part, pixels
out vec2 place;        // in it, pixels from its upper left corner

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

// Of the first `whole` cells and the share `rest` of the next one: those before the block, which are
// `base`, and in the block itself.
void count_to(int whole, float rest, out uvec4 base, out uint base_raced, out vec4 counts,
              out float races)
{
    whole = clamp(whole, 0, cell_count);
    int block = whole >> 5;
    uint bit = uint(whole & 31);
    base = block_texel(block, 0);
    uvec4 bits = block_texel(block, 1);
    uvec4 race = block_texel(block, 2);
    uint mask = (1u << bit) - 1u;
    counts = vec4(bits_set(bits & mask)) + rest * vec4((bits >> bit) & 1u);
    base_raced = race.x;
    races = float(bits_set(race.yyyy & mask).x) + rest * float((race.y >> bit) & 1u);
}

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float from = first_rest + float(gl_InstanceID) * part;
    float to = from + part;
    int from_whole = first_cell + int(floor(from));
    int to_whole = first_cell + int(floor(to));
    uvec4 base, no_base;
    uint base_raced, no_base_raced;
    vec4 low, high;
    float low_raced, high_raced;
    count_to(from_whole, fract(from), base, base_raced, low, low_raced);
    count_to(to_whole, fract(to), no_base, no_base_raced, high, high_raced);
    // Exact, since the difference of whole numbers comes first.
    high += vec4(no_base - base);
    high_raced += float(no_base_raced - base_raced);
    float count = min(to, float(cell_count - first_cell)) - max(from, float(-first_cell));
    share = (high - low) / max(count, 1e-6);
    raced = (high_raced - low_raced) / max(count, 1e-6);

    // A pixel more on each side, for smooth edges; none where parts are pixels themselves.
    float more = gap > 0.0 ? 1.0 : 0.0;
    size = vec2(part * cell_width - gap, rows.y - rows.x);
    vec2 low_corner = vec2(left + float(gl_InstanceID) * part * cell_width + gap / 2.0, rows.x);
    // Below the cells is room for the mark of a race.
    vec2 reach = vec2(size.x + 2.0 * more, size.y + 2.0 + 0.2 * size.y);
    place = corner * reach - vec2(more, 1.0);
    vec2 at = low_corner + place;
    gl_Position = vec4(at.x / display.x * 2.0 - 1.0, 1.0 - at.y / display.y * 2.0, 0.0, 1.0);
}

#version 330 core
// One row of the lattice, a quad for each of its cells; or, where cells are narrower than a pixel or
// not much wider, a quad for each 64 columns of pixels: a column has all the cells in it.
uniform float first_rest;  // cells from the first whole one to the left edge of the first quad
uniform float part;        // cells a column, or a quad that is one cell
uniform float columns;     // a quad; 1: it is a cell
uniform float cell_width;  // pixels
uniform float left;        // of the first quad, pixels
uniform vec2 rows;         // upper and lower edge of the cells, pixels
uniform float gap;         // between two cells, pixels
uniform vec2 display;      // of the whole window, pixels

flat out float from;  // cells from the first whole one to the quad's left edge
flat out vec2 size;   // of the cells in it, pixels
out vec2 place;       // in it, pixels from its upper left corner

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float wide = part * columns;
    from = first_rest + float(gl_InstanceID) * wide;
    size = vec2(wide * cell_width - gap, rows.y - rows.x);
    vec2 low = vec2(left + float(gl_InstanceID) * wide * cell_width + gap / 2.0, rows.x);
    // A pixel more on each side, for smooth edges; none where columns are pixels themselves. Below
    // the cells is room for the mark of a race.
    float more = gap > 0.0 ? 1.0 : 0.0;
    place = corner * vec2(size.x + 2.0 * more, size.y * 1.2 + 2.0) - vec2(more, 1.0);
    vec2 at = low + place;
    gl_Position = vec4(at.x / display.x * 2.0 - 1.0, 1.0 - at.y / display.y * 2.0, 0.0, 1.0);
}

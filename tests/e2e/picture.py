"""Pictures as the app writes them: PNG files, read without anything but the standard library."""
import struct
import zlib


def _unfilter(kind, line, above, size):
    """A row of PNG's bytes as they were before they were filtered; `size` bytes a pixel."""
    if kind == 0:
        return line
    if kind == 2:
        return bytearray((a + b) & 255 for a, b in zip(line, above))
    for i in range(len(line)):
        left = line[i - size] if i >= size else 0
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + above[i]) // 2
        else:
            corner = above[i - size] if i >= size else 0
            base = left + above[i] - corner
            guess = min((abs(base - left), 0, left), (abs(base - above[i]), 1, above[i]),
                        (abs(base - corner), 2, corner))[2]
        line[i] = (line[i] + guess) & 255
    return line


class Picture:
    """Rows of (red, green, blue); equal to another if every pixel is."""

    def __init__(self, path):
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
        at, packed = 8, b""
        while at < len(data):
            (length,) = struct.unpack(">I", data[at:at + 4])
            kind, body = data[at + 4:at + 8], data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and colour in (2, 6), (depth, colour)
                size = 3 if colour == 2 else 4
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        raw, stride = zlib.decompress(packed), self.width * size
        self.rows, above = [], bytearray(stride)
        for row in range(self.height):
            start = row * (stride + 1)
            above = _unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above, size)
            self.rows.append([tuple(above[i:i + 3]) for i in range(0, stride, size)])

    def __eq__(self, other):
        return self.rows == other.rows

    def at(self, x, y):
        """The colour at a part of the width and of the height, each from 0 to 1."""
        return self.rows[int(y * (self.height - 1))][int(x * (self.width - 1))]

    def colours(self):
        return {pixel for row in self.rows for pixel in row}

    def count(self, like, within=40):
        """How many pixels are about of that colour."""
        return sum(1 for row in self.rows for pixel in row
                   if sum(abs(a - b) for a, b in zip(pixel, like)) <= within)

#pragma once

#include <stdint.h>

/// The characters of GNU Unifont that board/glyphs/blocks names; board/glyphs/build makes the table.
struct glyphs_glyph {
  /// 16 rows from the top, each of `row_byte_count` bytes, with the leftmost pixel in the highest bit; NULL for an
  /// unknown character.
  const uint8_t *rows;
  /// 1 for 8 pixels, 2 for 16.
  uint32_t row_byte_count;
};

struct glyphs_glyph glyphs_find(uint32_t code_point);

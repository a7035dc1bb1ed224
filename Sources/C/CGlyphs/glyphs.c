#include "CGlyphs.h"

#include <stddef.h>

#if !__has_include("ranges.inc")
#error "the table of characters is missing: run board/build, or board/glyphs/build build/glyphs"
#endif

struct range {
  uint32_t first;
  uint32_t count;
  uint32_t row_byte_count;
  uint32_t start;
};

// In C, because the Swift compiler takes minutes for a table of this size.
static const uint8_t rows[] = {
#include "rows.inc"
};

static const struct range ranges[] = {
#include "ranges.inc"
};

struct glyphs_glyph glyphs_find(uint32_t code_point) {
  size_t low = 0;
  size_t high = sizeof ranges / sizeof *ranges;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct range *range = &ranges[middle];
    if (code_point < range->first) {
      high = middle;
    } else if (code_point - range->first >= range->count) {
      low = middle + 1;
    } else {
      uint32_t index = code_point - range->first;
      return (struct glyphs_glyph){rows + range->start + index * 16 * range->row_byte_count, range->row_byte_count};
    }
  }
  return (struct glyphs_glyph){NULL, 0};
}

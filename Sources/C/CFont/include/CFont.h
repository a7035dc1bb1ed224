#pragma once

#include <stddef.h>
#include <stdint.h>

/// Font files (TrueType, OpenType) read by FreeType, whose memory is one fixed piece: nothing here uses the heap.
/// Letters are neither hinted nor moved to whole pixels of their own, so that their shapes are the same at every size.
struct font_set;

enum {
  /// How many files a set takes.
  FONT_MOST_FACES = 3,
  /// The largest size, in pixels of the em square.
  FONT_LARGEST_SIZE = 4096,
};

enum font_result {
  FONT_DONE,
  /// It is no font, is damaged, or has no outlines or no table of Unicode.
  FONT_DAMAGED,
  /// The fixed memory is used up, or the set is full.
  FONT_MEMORY_FULL,
  /// The letter needs more bytes than there are for its coverage.
  FONT_TOO_LARGE,
};

/// An empty set. `memory` is aligned to 16 bytes and belongs to the set. NULL when that is not enough.
struct font_set *font_set_make(void *memory, size_t byte_count);

/// Adds a file, which must stay where it is.
enum font_result font_set_add(struct font_set *set, const void *bytes, size_t byte_count);

/// A letter of the first face that has it.
struct font_letter {
  /// -1 when none has it.
  int32_t face;
  uint32_t glyph;
};

struct font_letter font_set_find(const struct font_set *set, uint32_t code_point);

/// By how much the next letter is farther right, in 64ths of a pixel.
int32_t font_set_advance(const struct font_set *set, struct font_letter letter, uint32_t size);

/// Where a letter's ink is: pixels to the right of where the letter begins, and above the baseline.
struct font_ink {
  int32_t left, top;
  uint32_t width, height;
};

/// Draws a letter's coverage (0…255), rows from the top without gaps, into `coverage`.
/// - edge: by how many pixels its strokes are wider on every side.
enum font_result font_set_draw(struct font_set *set, struct font_letter letter, uint32_t size, uint32_t edge,
                               uint8_t *coverage, size_t byte_count, struct font_ink *ink);

/// The most bytes of the fixed memory that were ever in use.
size_t font_set_peak_byte_count(struct font_set *set);

#pragma once

#include <stddef.h>
#include <stdint.h>

/// Font files (TrueType, OpenType) read by FreeType, with one fixed block of memory: nothing here uses the heap.
/// Letters are neither hinted nor aligned to whole pixels, so that their shapes are the same at every size.
struct font_set;

enum {
  /// The maximum number of files in a set.
  FONT_MOST_FACES = 3,
  /// The largest size, in pixels of the em square.
  FONT_LARGEST_SIZE = 4096,
};

enum font_result {
  FONT_DONE,
  /// Not a font, damaged, or without outlines or a Unicode character map.
  FONT_DAMAGED,
  /// The fixed memory is used up, or the set is full.
  FONT_MEMORY_FULL,
  /// The coverage buffer is too small for the letter.
  FONT_TOO_LARGE,
};

/// Makes an empty set. `memory` is aligned to 16 bytes and belongs to the set. NULL if it is too small.
struct font_set *font_set_make(void *memory, size_t byte_count);

/// Adds a font file, which must stay at its address.
enum font_result font_set_add(struct font_set *set, const void *bytes, size_t byte_count);

/// A letter of the first face that has it.
struct font_letter {
  /// -1 if no face has it.
  int32_t face;
  uint32_t glyph;
};

struct font_letter font_set_find(const struct font_set *set, uint32_t code_point);

/// The advance to the next letter, in 64ths of a pixel.
int32_t font_set_advance(const struct font_set *set, struct font_letter letter, uint32_t size);

/// The bounding box of a letter's ink: pixels to the right of the letter's origin, and above the baseline.
struct font_ink {
  int32_t left, top;
  uint32_t width, height;
};

/// Draws a letter's coverage (0…255), rows from the top without gaps, into `coverage`.
/// - edge: how many pixels its strokes are widened on every side.
enum font_result font_set_draw(struct font_set *set, struct font_letter letter, uint32_t size, uint32_t edge,
                               uint8_t *coverage, size_t byte_count, struct font_ink *ink);

/// The peak usage of the fixed memory, in bytes.
size_t font_set_peak_byte_count(struct font_set *set);

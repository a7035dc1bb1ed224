#pragma once

#include <stdint.h>

/// Letters by a program that shares nothing with the display's: stb_truetype of Debian's libstb-dev.

/// Where a letter's ink is: pixels to the right of where the letter begins, and above the baseline.
struct truetype_ink {
  int32_t left, top, width, height;
};

/// How much two drawings of a letter differ, in 255ths of a pixel.
struct truetype_difference {
  /// In all pixels; -1 when the font lacks the letter, or there is no memory.
  int64_t sum;
  /// In one.
  int32_t most;
  /// What is covered.
  int64_t covered;
};

/// Draws a letter, and compares it with a drawing of it (0…255), rows from the top.
struct truetype_difference truetype_compare(const uint8_t *font, uint32_t code_point, int32_t em, struct truetype_ink ink,
                                            const uint8_t *coverage);

/// By how much the next letter is farther right, in 64ths of a pixel; -1 when the font lacks it.
double truetype_advance(const uint8_t *font, uint32_t code_point, int32_t em);

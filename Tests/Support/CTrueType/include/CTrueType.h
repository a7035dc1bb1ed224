#pragma once

#include <stdint.h>

/// Letters by a program that shares nothing with the display's: stb_truetype of Debian's libstb-dev.

/// Where a letter's ink is: pixels to the right of where the letter begins, and above the baseline.
struct truetype_ink {
  int32_t left, top, width, height;
};

/// Draws what a letter covers of these pixels (0…255), rows from the top. Returns how much of it is beside them, in the
/// same unit; -1 when the font lacks it, or there is no memory.
int64_t truetype_draw(const uint8_t *font, uint32_t code_point, int32_t em, struct truetype_ink ink, uint8_t *coverage);

/// By how much the next letter is farther right, in 64ths of a pixel; -1 when the font lacks it.
double truetype_advance(const uint8_t *font, uint32_t code_point, int32_t em);

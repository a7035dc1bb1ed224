#include "CTrueType.h"

#include <stdlib.h>

#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

// Rounded down.
static int part(int value, int divisor) { return value / divisor - (value % divisor < 0); }

struct truetype_difference truetype_compare(const uint8_t *font, uint32_t code_point, int32_t em, struct truetype_ink ink,
                                            const uint8_t *coverage) {
  const struct truetype_difference nothing = {.sum = -1};
  stbtt_fontinfo info;
  if (!stbtt_InitFont(&info, font, 0)) return nothing;
  int glyph = stbtt_FindGlyphIndex(&info, (int)code_point);
  if (glyph == 0) return nothing;
  // It draws a curve as lines that are up to 0.35 pixel beside it: that is little where letters are larger.
  const int fine = em >= 100 ? 4 : em >= 40 ? 6 : 12;
  float scale = stbtt_ScaleForMappingEmToPixels(&info, (float)(em * fine));
  int left, top, right, bottom;
  stbtt_GetGlyphBitmapBox(&info, glyph, scale, scale, &left, &top, &right, &bottom);
  const int width = right - left, height = bottom - top;
  uint8_t *pixels = calloc((size_t)width * (size_t)height + 1, 1);
  uint32_t *sums = calloc((size_t)ink.width * (size_t)ink.height + 1, sizeof *sums);
  if (pixels == NULL || sums == NULL) return free(pixels), free(sums), nothing;
  stbtt_MakeGlyphBitmap(&info, pixels, width, height, width, scale, scale, glyph);
  int64_t beside = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int column = part(left + x, fine) - ink.left, row = part(top + y, fine) + ink.top;
      if (column >= 0 && column < ink.width && row >= 0 && row < ink.height)
        sums[row * ink.width + column] += pixels[y * width + x];
      else
        beside += pixels[y * width + x];
    }
  struct truetype_difference difference = {.sum = beside / (fine * fine)};
  for (int index = 0; index < ink.width * ink.height; index++) {
    int step = abs(coverage[index] - (int)sums[index] / (fine * fine));
    difference.sum += step;
    difference.covered += coverage[index];
    if (step > difference.most) difference.most = step;
  }
  free(pixels);
  free(sums);
  return difference;
}

double truetype_advance(const uint8_t *font, uint32_t code_point, int32_t em) {
  stbtt_fontinfo info;
  if (!stbtt_InitFont(&info, font, 0)) return -1;
  int glyph = stbtt_FindGlyphIndex(&info, (int)code_point);
  if (glyph == 0) return -1;
  int advance, bearing;
  stbtt_GetGlyphHMetrics(&info, glyph, &advance, &bearing);
  return (double)advance * stbtt_ScaleForMappingEmToPixels(&info, (float)em) * 64;
}

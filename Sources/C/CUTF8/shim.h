#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <utf8proc.h>

/* The text as it is compared: without case, marks, width and invisible characters, each Hangul syllable one code point.
 * Returns the count of code points; negative if `text` is not UTF-8, more than `capacity` if they do not fit.
 * utf8proc does not allocate memory here. */
static inline ptrdiff_t utf8_fold(const uint8_t *text, size_t byte_count, int32_t *code_points, size_t capacity) {
  const utf8proc_option_t options =
      UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK | UTF8PROC_IGNORE;
  const ptrdiff_t count = utf8proc_decompose(text, (utf8proc_ssize_t)byte_count, code_points,
                                             (utf8proc_ssize_t)capacity, options);
  if (count < 0 || (size_t)count > capacity) return count;
  return utf8proc_normalize_utf32(code_points, count, options);
}

/* Whether two texts of at most 256 bytes are the same, whether their marks are separate (NFD, as macOS writes names) or
 * not. Of all characters, Greek letters of two bytes decompose into the most code points for their size, three. */
static inline bool utf8_are_same(const uint8_t *text, size_t byte_count, const uint8_t *other,
                                 size_t other_byte_count) {
  enum { capacity = 3 * 256 / 2 };
  int32_t code_points[capacity], other_code_points[capacity];
  const utf8proc_option_t options = UTF8PROC_STABLE | UTF8PROC_DECOMPOSE;
  const ptrdiff_t count =
      utf8proc_decompose(text, (utf8proc_ssize_t)byte_count, code_points, capacity, options);
  const ptrdiff_t other_count =
      utf8proc_decompose(other, (utf8proc_ssize_t)other_byte_count, other_code_points, capacity, options);
  return count > 0 && count <= capacity && count == other_count &&
         memcmp(code_points, other_code_points, (size_t)count * sizeof *code_points) == 0;
}

#pragma once

#include <errno.h>
#include <iconv.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// The bytes of a text that are looked at.
enum { charset_longest_text = 4096 };

// Room for such a text and for the same in UTF-8, each with a zero; for one thread.
static inline uint8_t *charset_room(void) {
  static uint8_t room[4 * charset_longest_text + 8];
  return room;
}

// libc keeps the tables of a charset for the life of the process.
static inline void charset_load(const char *charset) { (void)iconv_open("UTF-8", charset); }

// Converts text to UTF-8, as much as fits into `capacity` bytes with the zero at its end. A byte that is none of the
// charset's becomes U+FFFD. Returns -1 when the charset's tables are not there, and 1 when the last character is cut off.
static inline int charset_convert(const char *charset, const char *text, char *output, size_t capacity) {
  iconv_t converter = iconv_open("UTF-8", charset);
  if (converter == (iconv_t)-1) return -1;
  char *input = (char *)text;
  size_t left = strlen(text), space = capacity - 1;
  while (left > 0 && iconv(converter, &input, &left, &output, &space) == (size_t)-1) {
    if (errno != EILSEQ || space < 3) break;
    memcpy(output, "\xEF\xBF\xBD", 3);
    output += 3, space -= 3, input++, left--;
  }
  int is_cut = left > 0 && errno == EINVAL;
  // Some converters keep the last character, in case a mark follows that belongs to it.
  iconv(converter, NULL, NULL, &output, &space);
  *output = 0;
  iconv_close(converter);
  return is_cut;
}

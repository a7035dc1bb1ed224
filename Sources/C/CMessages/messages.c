#include "CMessages.h"

#include <stddef.h>

#if !__has_include("texts.inc")
#error "the table of messages is missing: run board/build, or board/messages/build build/messages"
#endif

struct exact {
  uint32_t hash;
  uint16_t start;
  uint8_t length;
};

static const struct exact exact[] = {
#include "exact.inc"
};

static const uint16_t patterns[] = {
#include "patterns.inc"
};

static const uint16_t kinds[] = {
#include "kinds.inc"
};

static const uint8_t texts[] = {
#include "texts.inc"
};

static const uint8_t pattern_texts[] = {
#include "pattern_texts.inc"
};

static const uint8_t phrases[] = {
#include "phrases.inc"
};

const uint8_t *messages_find(uint32_t hash, uint8_t length) {
  size_t low = 0;
  size_t high = sizeof exact / sizeof *exact;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (hash < exact[middle].hash) {
      high = middle;
    } else if (hash > exact[middle].hash) {
      low = middle + 1;
    } else {
      return exact[middle].length == length ? texts + exact[middle].start : NULL;
    }
  }
  return NULL;
}

uint32_t messages_first_pattern(uint32_t kind) { return kinds[kind - 1]; }

const uint8_t *messages_phrase(uint32_t index) {
  const uint8_t *phrase = phrases;
  while (index > 0) {
    if (*phrase++ == 0) index--;
  }
  return phrase;
}

const uint8_t *messages_pattern(uint32_t index) { return pattern_texts + patterns[index]; }

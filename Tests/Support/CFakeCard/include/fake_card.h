#ifndef FIELDCORDER_FAKE_CARD_H
#define FIELDCORDER_FAKE_CARD_H

#include <stdbool.h>
#include <stdint.h>

// A sound card that says of itself what no card should, for tests. The card is one of alsa-lib's own; the numbers that
// it reports are replaced in front of alsa-lib, on the calling thread only.

// From now on every second number is a drawn one, of those that overflow, wrap or divide by zero. 0 ends it.
void fake_card_lie(uint64_t seed);

// Whether a card that is opened refuses to map its buffer.
void fake_card_refuse_mapping(bool refuses);

#endif

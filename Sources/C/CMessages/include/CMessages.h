#pragma once

#include <stdint.h>

/// The translations of ko.po; board/messages/build makes the tables, and board/messages/pack says what they hold.

/// The translation of a message without holes.
/// @param hash of its kind and bytes
/// @param length its bytes, modulo 256
/// @return ends with a 0; NULL for an unknown message
const uint8_t *messages_find(uint32_t hash, uint8_t length);

/// The first pattern of a kind, 1 to 31; those up to the next kind's first one are its patterns.
uint32_t messages_first_pattern(uint32_t kind);

/// A phrase that translations have in common, counted from 0, which ends with a 0.
const uint8_t *messages_phrase(uint32_t index);

/// A pattern; behind the 0 that ends it stands its translation.
const uint8_t *messages_pattern(uint32_t index);

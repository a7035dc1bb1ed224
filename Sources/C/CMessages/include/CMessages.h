#pragma once

#include <stdint.h>

/// The translations of ko.po; board/messages/build makes the tables, and board/messages/pack says what they hold.

/// The translation of a message without holes.
/// @param hash of the message's kind and bytes
/// @param length the message's length in bytes, modulo 256
/// @return zero-terminated; NULL for an unknown message
const uint8_t *messages_find(uint32_t hash, uint8_t length);

/// The first pattern of a kind, 1 to 31; its patterns extend to the first one of the next kind.
uint32_t messages_first_pattern(uint32_t kind);

/// A phrase shared by translations, counted from 0, zero-terminated.
const uint8_t *messages_phrase(uint32_t index);

/// A zero-terminated pattern, followed by its translation.
const uint8_t *messages_pattern(uint32_t index);

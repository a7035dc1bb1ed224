#ifndef FIELDCORDER_FIXED_ARENA_H
#define FIELDCORDER_FIXED_ARENA_H

#include <stddef.h>

// Allocates from one fixed block of memory; allocations may be freed in any order. First fit; free neighbours are
// merged. Any thread may call; each call holds a lock while it walks the blocks.
struct fixed_arena {
  unsigned char *memory;  // aligned to 16 bytes; zeroed, or passed to fixed_arena_reset
  size_t capacity;        // a multiple of 16
  size_t used_byte_count;
  size_t peak_byte_count;
  int is_divided;  // whether the first block was written
  int is_locked;
};

// Makes an empty arena of `capacity` bytes at `memory`.
void fixed_arena_reset(struct fixed_arena *arena, void *memory, size_t capacity);

// Whether this memory belongs to the arena.
static inline int fixed_arena_owns(const struct fixed_arena *arena, const void *memory) {
  return (size_t)memory - (size_t)arena->memory < arena->capacity;
}

// `alignment` is a power of two. NULL if no free block is long enough.
void *fixed_arena_allocate(struct fixed_arena *arena, size_t byte_count, size_t alignment);

// Resizes a block in place. Returns whether that was possible.
int fixed_arena_resize(struct fixed_arena *arena, void *memory, size_t byte_count);

// The usable bytes of a block, at least as many as were requested.
size_t fixed_arena_usable_byte_count(const void *memory);

// Frees a block. Aborts the process if it is not an allocated block.
void fixed_arena_free(struct fixed_arena *arena, void *memory);

// The bytes in use now, and the peak, including headers.
size_t fixed_arena_used_byte_count(struct fixed_arena *arena);
size_t fixed_arena_peak_byte_count(struct fixed_arena *arena);

#endif

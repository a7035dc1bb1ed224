#include "fixed_arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// The arena is a sequence of blocks without gaps. A header before each block's memory holds the lengths of this block
// and of the previous one, so that both neighbours of a freed block are found at once.
struct block {
  size_t byte_count;           // including the header; a multiple of `granule`
  size_t previous_byte_count;  // 0 in the first
};

enum { granule = 16, least_block = 2 * granule };
_Static_assert(sizeof(struct block) == granule, "memory after a header must be aligned");

// The lowest bit of a block's length is set while it is in use.
static const size_t used_bit = 1;

// The lock is held briefly, unless a waiting real-time thread leaves its holder no core to run on.
static void acquire(struct fixed_arena *arena) {
  const struct timespec moment = {.tv_nsec = 20000};
  for (int spin_count = 0; __atomic_exchange_n(&arena->is_locked, 1, __ATOMIC_ACQUIRE); spin_count++) {
    if (spin_count >= 1000) nanosleep(&moment, NULL);
  }
}

static void release(struct fixed_arena *arena) { __atomic_store_n(&arena->is_locked, 0, __ATOMIC_RELEASE); }

static size_t byte_count_of(const struct block *block) { return block->byte_count & ~used_bit; }

static int is_used(const struct block *block) { return (block->byte_count & used_bit) != 0; }

static struct block *first_block(struct fixed_arena *arena) {
  struct block *first = (struct block *)arena->memory;
  if (!arena->is_divided) {
    first->byte_count = arena->capacity;
    first->previous_byte_count = 0;
    arena->is_divided = 1;
  }
  return first;
}

// NULL after the last.
static struct block *next_block(const struct fixed_arena *arena, struct block *block) {
  unsigned char *end = (unsigned char *)block + byte_count_of(block);
  return end == arena->memory + arena->capacity ? NULL : (struct block *)end;
}

void fixed_arena_reset(struct fixed_arena *arena, void *memory, size_t capacity) {
  *arena = (struct fixed_arena){.memory = memory, .capacity = capacity};
}

static struct block *block_of(const void *memory) { return (struct block *)memory - 1; }

// Sets the length of a block, also in the header of the next one.
static void set_byte_count(const struct fixed_arena *arena, struct block *block, size_t byte_count, size_t used) {
  block->byte_count = byte_count | used;
  struct block *next = next_block(arena, block);
  if (next != NULL) next->previous_byte_count = byte_count;
}

// Splits a block in two, the first of which is `byte_count` long. Returns the second, which is free.
static struct block *split(const struct fixed_arena *arena, struct block *block, size_t byte_count) {
  size_t rest = byte_count_of(block) - byte_count;
  struct block *second = (struct block *)((unsigned char *)block + byte_count);
  second->previous_byte_count = byte_count;
  set_byte_count(arena, second, rest, 0);
  block->byte_count = byte_count | (block->byte_count & used_bit);
  return second;
}

// Merges a free block with the next one if that is free.
static void join_next(const struct fixed_arena *arena, struct block *block) {
  struct block *next = next_block(arena, block);
  if (next != NULL && !is_used(next)) {
    set_byte_count(arena, block, byte_count_of(block) + byte_count_of(next), block->byte_count & used_bit);
  }
}

// Frees the part of a used block beyond `byte_count`, if it is large enough for a block.
static void trim(const struct fixed_arena *arena, struct block *block, size_t byte_count) {
  if (byte_count_of(block) - byte_count < least_block) return;
  join_next(arena, split(arena, block, byte_count));
}

static void count_used(struct fixed_arena *arena, size_t before, size_t after) {
  arena->used_byte_count += after - before;
  if (arena->used_byte_count > arena->peak_byte_count) arena->peak_byte_count = arena->used_byte_count;
}

// The block length for this much memory; 0 if it exceeds the capacity.
static size_t block_byte_count(const struct fixed_arena *arena, size_t byte_count) {
  if (byte_count > arena->capacity) return 0;
  size_t whole = (byte_count + granule - 1) / granule * granule + granule;
  return whole < least_block ? least_block : whole;
}

// How much to cut off the front of a free block so that the memory after its header is aligned.
static size_t lead_byte_count(const struct block *block, size_t alignment) {
  uintptr_t memory = (uintptr_t)(block + 1);
  size_t lead = (size_t)((alignment - memory % alignment) % alignment);
  while (lead != 0 && lead < least_block) lead += alignment;
  return lead;
}

static void *take(struct fixed_arena *arena, struct block *block, size_t lead, size_t byte_count) {
  if (lead > 0) block = split(arena, block, lead);
  block->byte_count |= used_bit;
  trim(arena, block, byte_count);
  count_used(arena, 0, byte_count_of(block));
  return block + 1;
}

void *fixed_arena_allocate(struct fixed_arena *arena, size_t byte_count, size_t alignment) {
  size_t wanted = block_byte_count(arena, byte_count);
  if (wanted == 0 || alignment > arena->capacity) return NULL;
  if (alignment < granule) alignment = granule;
  void *memory = NULL;
  acquire(arena);
  for (struct block *block = first_block(arena); block != NULL && memory == NULL; block = next_block(arena, block)) {
    if (is_used(block)) continue;
    size_t lead = lead_byte_count(block, alignment);
    if (byte_count_of(block) >= lead + wanted) memory = take(arena, block, lead, wanted);
  }
  release(arena);
  return memory;
}

int fixed_arena_resize(struct fixed_arena *arena, void *memory, size_t byte_count) {
  size_t wanted = block_byte_count(arena, byte_count);
  if (wanted == 0) return 0;
  acquire(arena);
  struct block *block = block_of(memory);
  size_t before = byte_count_of(block);
  struct block *next = next_block(arena, block);
  size_t possible = before + (next != NULL && !is_used(next) ? byte_count_of(next) : 0);
  int fits = possible >= wanted;
  if (fits) {
    if (before < wanted) join_next(arena, block);
    trim(arena, block, wanted);
    count_used(arena, before, byte_count_of(block));
  }
  release(arena);
  return fits;
}

size_t fixed_arena_usable_byte_count(const void *memory) {
  return byte_count_of(block_of(memory)) - sizeof(struct block);
}

void fixed_arena_free(struct fixed_arena *arena, void *memory) {
  acquire(arena);
  struct block *block = block_of(memory);
  // A double free, or foreign memory: the arena can no longer be trusted. glibc aborts too.
  if (!is_used(block)) abort();
  count_used(arena, byte_count_of(block), 0);
  block->byte_count &= ~used_bit;
  join_next(arena, block);
  struct block *previous = (struct block *)((unsigned char *)block - block->previous_byte_count);
  if (block->previous_byte_count > 0 && !is_used(previous)) join_next(arena, previous);
  release(arena);
}

size_t fixed_arena_used_byte_count(struct fixed_arena *arena) {
  acquire(arena);
  size_t byte_count = arena->used_byte_count;
  release(arena);
  return byte_count;
}

size_t fixed_arena_peak_byte_count(struct fixed_arena *arena) {
  acquire(arena);
  size_t byte_count = arena->peak_byte_count;
  release(arena);
  return byte_count;
}

#include "device_arena.h"

#include <stdalign.h>
#include <stdatomic.h>

#include "fixed_arena.h"

static alignas(64) unsigned char memory_of_arena[DEVICE_ARENA_CAPACITY];
static struct fixed_arena arena = {.memory = memory_of_arena, .capacity = DEVICE_ARENA_CAPACITY};
static atomic_int is_armed;
static _Thread_local unsigned entered_count;

void device_arena_arm(void) { atomic_store(&is_armed, 1); }

void device_arena_enter(void) { entered_count++; }

void device_arena_leave(void) { entered_count--; }

int device_arena_is_entered(void) { return entered_count > 0 && atomic_load_explicit(&is_armed, memory_order_relaxed); }

struct fixed_arena *device_arena(void) { return &arena; }

#ifndef FIELDCORDER_DEVICE_ARENA_H
#define FIELDCORDER_DEVICE_ARENA_H

#include "fixed_arena.h"

// A fixed piece of memory for device libraries when a device is reopened after boot, such as a card that comes back.
// What a thread allocates with malloc and the like between entering and leaving comes from here instead of the heap, in
// an executable whose malloc tries this arena first (CHeapMeter). Wherever it is freed, it returns here.
//
// Only a thread that opens or closes a device, or frees what such a call left, ever takes the arena's lock.

enum { DEVICE_ARENA_CAPACITY = 512 * 1024 };

// From now on entering has an effect. Before, at boot, libraries allocate from the heap what they keep for good.
void device_arena_arm(void);

// Calls may be nested.
void device_arena_enter(void);
void device_arena_leave(void);

// Whether the calling thread allocates from the arena.
int device_arena_is_entered(void);

// The arena of the process.
struct fixed_arena *device_arena(void);

#endif

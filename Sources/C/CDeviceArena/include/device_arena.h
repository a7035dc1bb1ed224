#ifndef FIELDCORDER_DEVICE_ARENA_H
#define FIELDCORDER_DEVICE_ARENA_H

#include "fixed_arena.h"

// A fixed block of memory for device libraries when a device is reopened after boot, such as a card that comes back. A
// thread's malloc calls between enter and leave allocate from it instead of the heap, in an executable whose malloc
// tries this arena first (CHeapMeter). Memory returns here wherever it is freed.
//
// Only threads that open or close a device, or free memory from such a call, ever take the arena's lock.

enum { DEVICE_ARENA_CAPACITY = 512 * 1024 };

// Makes entering take effect from now on. Before that, at boot, libraries allocate permanent memory from the heap.
void device_arena_arm(void);

// Calls may be nested.
void device_arena_enter(void);
void device_arena_leave(void);

// Whether the calling thread allocates from the arena.
int device_arena_is_entered(void);

// The arena of the process.
struct fixed_arena *device_arena(void);

#endif

#ifndef FIELDCORDER_HEAP_METER_H
#define FIELDCORDER_HEAP_METER_H

#include <stdint.h>

// Counts every allocation of the process, including those of the C libraries: an executable that links this target
// implements malloc and the like itself, and passes calls on to glibc. Allocations of a thread that opens a device
// after boot come from the device arena instead (device_arena.h), and do not count.

// Starts the count at 0.
void heap_meter_mark(void);

// Allocations since the mark, or since the process started. Callable from any thread.
uint64_t heap_meter_count_since_mark(void);

// Allocations of the calling thread since it started, independent of other threads.
uint64_t heap_meter_count_of_thread(void);

#endif

#ifndef FIELDCORDER_HEAP_METER_H
#define FIELDCORDER_HEAP_METER_H

#include <stdint.h>

// Counts every allocation of the process, those of the C libraries included: an executable that links this target
// answers their calls of malloc and its kin itself, and passes them on to glibc. What a thread asks for while it opens a
// device after boot comes from the device arena instead (device_arena.h), and does not count.

// Starts the count at 0.
void heap_meter_mark(void);

// Allocations since the mark, or since the process started. Any thread may ask.
uint64_t heap_meter_count_since_mark(void);

// Allocations of the calling thread since it started: what others do at the same time does not blur it.
uint64_t heap_meter_count_of_thread(void);

#endif

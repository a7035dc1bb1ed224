#include "heap_meter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

// glibc's own allocator under the names that it keeps for those who replace the public ones. `free` is left to glibc:
// what it frees is glibc's, and it takes nothing from the heap.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static _Atomic uint64_t allocation_count;
static _Atomic uint64_t marked_count;
static _Thread_local uint64_t thread_allocation_count;

void heap_meter_mark(void) { atomic_store(&marked_count, atomic_load(&allocation_count)); }

uint64_t heap_meter_count_since_mark(void) { return atomic_load(&allocation_count) - atomic_load(&marked_count); }

uint64_t heap_meter_count_of_thread(void) { return thread_allocation_count; }

// A sanitizer brings an allocator of its own, and nothing is counted.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

static void count(void) {
  atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
  thread_allocation_count++;
}

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count();
  return __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t number, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(number, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(old, total);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void *memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

#endif

#include "heap_meter.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "device_arena.h"

// glibc's own allocator, under the names that it exports for programs that replace the public ones.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);
size_t malloc_usable_size(void *memory);

static _Atomic uint64_t allocation_count;
static _Atomic uint64_t marked_count;
static _Thread_local uint64_t thread_allocation_count;

void heap_meter_mark(void) { atomic_store(&marked_count, atomic_load(&allocation_count)); }

uint64_t heap_meter_count_since_mark(void) { return atomic_load(&allocation_count) - atomic_load(&marked_count); }

uint64_t heap_meter_count_of_thread(void) { return thread_allocation_count; }

// Sanitizers have their own allocator, so nothing is counted then.
#if !__has_feature(thread_sanitizer) && !__has_feature(address_sanitizer)

static void count(void) {
  atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
  thread_allocation_count++;
}

// Memory for a thread that opens a device; NULL for other threads, or if the arena is used up. The heap then serves the
// request, which counts: a library that aborts when out of memory must not end a take.
static void *from_arena(size_t size, size_t alignment) {
  return device_arena_is_entered() ? fixed_arena_allocate(device_arena(), size, alignment) : NULL;
}

void *malloc(size_t size) {
  void *memory = from_arena(size, 1);
  if (memory != NULL) return memory;
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  size_t total;
  void *memory = __builtin_mul_overflow(number, size, &total) ? NULL : from_arena(total, 1);
  if (memory != NULL) return memset(memory, 0, total);
  count();
  return __libc_calloc(number, size);
}

void free(void *memory) {
  if (!fixed_arena_owns(device_arena(), memory)) return __libc_free(memory);
  int error = errno;
  fixed_arena_free(device_arena(), memory);
  errno = error;
}

// Moves memory between arena and heap, or within the arena.
static void *move(void *old, size_t old_size, void *memory, size_t size) {
  if (memory == NULL) return NULL;
  memcpy(memory, old, old_size < size ? old_size : size);
  free(old);
  return memory;
}

void *realloc(void *old, size_t size) {
  if (old == NULL) return malloc(size);
  if (fixed_arena_owns(device_arena(), old)) {
    if (size == 0) {
      free(old);
      return NULL;
    }
    if (fixed_arena_resize(device_arena(), old, size)) return old;
    return move(old, fixed_arena_usable_byte_count(old), malloc(size), size);
  }
  void *memory = size > 0 ? from_arena(size, 1) : NULL;
  if (memory != NULL) return move(old, malloc_usable_size(old), memory, size);
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
  void *memory = from_arena(size, alignment);
  if (memory != NULL) return memory;
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

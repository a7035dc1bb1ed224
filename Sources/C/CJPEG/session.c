#include "session.h"

#include <jerror.h>

#include "CJPEG.h"

/// As in libjpeg-turbo (jmemmgr.c), because AVX2 loads need it.
enum { arena_alignment = 32 };

size_t arena_footprint(size_t byte_count) {
  return (byte_count + arena_alignment - 1) / arena_alignment * arena_alignment;
}

static struct session *session_of(j_common_ptr codec) { return codec->client_data; }

_Noreturn void session_give_up(j_common_ptr codec, int32_t error) {
  struct session *session = session_of(codec);
  session->error = error;
  longjmp(session->give_up, 1);
}

static _Noreturn void error_exit(j_common_ptr codec) { session_give_up(codec, codec->err->msg_code); }

static void keep_quiet(j_common_ptr codec) { (void)codec; }

static void keep_quiet_at_level(j_common_ptr codec, int level) {
  (void)codec;
  (void)level;
}

void session_begin(struct session *session, j_common_ptr codec, unsigned char *arena, size_t arena_byte_count,
                   size_t codec_byte_count) {
  session->arena = arena;
  session->arena_byte_count = arena_byte_count;
  session->arena_used = arena_footprint(codec_byte_count);
  codec->client_data = session;
  codec->err = jpeg_std_error(&session->errors);
  session->errors.error_exit = error_exit;
  session->errors.emit_message = keep_quiet_at_level;
  session->errors.output_message = keep_quiet;
}

void *session_allocate(j_common_ptr codec, int pool, size_t byte_count) {
  (void)pool;
  struct session *session = session_of(codec);
  size_t left = session->arena_byte_count - session->arena_used;
  if (byte_count > left || arena_footprint(byte_count) > left) session_give_up(codec, cjpeg_arena_full);
  void *piece = session->arena + session->arena_used;
  session->arena_used += arena_footprint(byte_count);
  if (session->arena_used > session->arena_most_used) session->arena_most_used = session->arena_used;
  return piece;
}

/// Rows have the padding of jmemmgr.c, because vector code may access memory up to the end of two vectors.
static JSAMPARRAY allocate_samples(j_common_ptr codec, int pool, JDIMENSION samples_per_row, JDIMENSION row_count) {
  size_t bytes_per_row = arena_footprint((samples_per_row + arena_alignment) * sizeof(JSAMPLE));
  JSAMPARRAY rows = session_allocate(codec, pool, row_count * sizeof(JSAMPROW));
  for (JDIMENSION row = 0; row < row_count; row++) rows[row] = session_allocate(codec, pool, bytes_per_row);
  return rows;
}

static void free_pool(j_common_ptr codec, int pool) {
  struct session *session = session_of(codec);
  if (pool == JPOOL_IMAGE) session->arena_used = session->arena_mark;
}

// Single-pass coding needs none of the following; libjpeg's own functions would use the heap.

static JBLOCKARRAY refuse_blocks(j_common_ptr codec, int pool, JDIMENSION blocks_per_row, JDIMENSION rows) {
  (void)pool, (void)blocks_per_row, (void)rows;
  session_give_up(codec, JERR_NOT_COMPILED);
}

static jvirt_sarray_ptr refuse_virtual_samples(j_common_ptr codec, int pool, boolean zeroed, JDIMENSION samples_per_row,
                                               JDIMENSION rows, JDIMENSION rows_at_once) {
  (void)pool, (void)zeroed, (void)samples_per_row, (void)rows, (void)rows_at_once;
  session_give_up(codec, JERR_NOT_COMPILED);
}

static jvirt_barray_ptr refuse_virtual_blocks(j_common_ptr codec, int pool, boolean zeroed, JDIMENSION blocks_per_row,
                                              JDIMENSION rows, JDIMENSION rows_at_once) {
  (void)pool, (void)zeroed, (void)blocks_per_row, (void)rows, (void)rows_at_once;
  session_give_up(codec, JERR_NOT_COMPILED);
}

void session_allocate_from_arena(j_common_ptr codec) {
  struct jpeg_memory_mgr *memory = codec->mem;
  memory->alloc_small = session_allocate;
  memory->alloc_large = session_allocate;
  memory->alloc_sarray = allocate_samples;
  memory->alloc_barray = refuse_blocks;
  memory->request_virt_sarray = refuse_virtual_samples;
  memory->request_virt_barray = refuse_virtual_blocks;
  memory->free_pool = free_pool;
  // `self_destruct` stays libjpeg's: it frees what libjpeg allocated for the codec before this.
}

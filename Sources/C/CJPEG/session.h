// Shared by the encoder and the decoder: libjpeg's memory comes from a fixed arena, and its errors end the call instead
// of the process.
#ifndef FIELDCORDER_CJPEG_SESSION_H
#define FIELDCORDER_CJPEG_SESSION_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jpeglib.h>

/// libjpeg's `client_data` points to it.
struct session {
  struct jpeg_error_mgr errors;
  jmp_buf give_up;
  int32_t error;
  unsigned char *arena;
  size_t arena_byte_count;
  size_t arena_used;
  size_t arena_most_used;
  /// Memory below stays allocated when a picture ends.
  size_t arena_mark;
};

/// The bytes of the arena that a piece of `byte_count` bytes needs.
size_t arena_footprint(size_t byte_count);

/// Begins the session of a codec, which is in the first `codec_byte_count` bytes of the arena, all cleared.
void session_begin(struct session *session, j_common_ptr codec, unsigned char *arena, size_t arena_byte_count,
                   size_t codec_byte_count);

/// Lets libjpeg's codec allocate from the arena from now on.
void session_allocate_from_arena(j_common_ptr codec);

/// Allocates from the arena, or gives up.
void *session_allocate(j_common_ptr codec, int pool, size_t byte_count);

/// Jumps to where the running function has set `give_up`.
_Noreturn void session_give_up(j_common_ptr codec, int32_t error);

#endif

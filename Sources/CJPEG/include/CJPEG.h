// A seam over libjpeg-turbo's libjpeg API: only what Swift cannot say (setjmp, macros, tables of function pointers).
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// An encoder; it lives at the beginning of the arena that it was made in.
struct cjpeg_encoder;

/// What the functions below return besides the positive message codes of libjpeg (`jerror.h`).
static const int32_t cjpeg_ok = 0;
static const int32_t cjpeg_output_full = -1;
static const int32_t cjpeg_arena_full = -2;

/// One component's rows in one band of MCUs.
struct cjpeg_rows {
  const uint8_t *first_row;
  ptrdiff_t bytes_per_row;
  /// Rows that there are, at least 1; where the band has more, the last one is repeated.
  uint32_t row_count;
};

/// Bytes of arena that an encoder needs, whatever the size of its pictures.
size_t cjpeg_arena_byte_count(void);

/// The most that `encoder` has used of its arena up to now.
size_t cjpeg_arena_used_byte_count(const struct cjpeg_encoder *encoder);

/// Lets libjpeg get to know the calling thread, which is to call the functions below: on arm64 libjpeg-turbo reads
/// /proc/cpuinfo for the first picture of every thread, with memory of the heap.
void cjpeg_prepare_thread(struct cjpeg_encoder *encoder);

/// Makes an encoder of Y'CbCr pictures, whose size is to be set before the first. This and cjpeg_prepare_thread may use
/// the heap.
/// \param arena aligned to 64 bytes; kept for the life of the process.
/// \param luma_columns_per_chroma_column 2 for half as many columns of chroma, 1 for as many.
/// \param luma_rows_per_chroma_row likewise.
/// \param quality 1 to 100, on libjpeg's scale.
/// \param error cjpeg_ok, or why there is no encoder.
struct cjpeg_encoder *cjpeg_create(void *arena, size_t arena_byte_count, int32_t luma_columns_per_chroma_column,
                                   int32_t luma_rows_per_chroma_row, int32_t quality, int32_t *error);

/// Gives the next pictures their size, each side 1 to 65,500. Not while a picture is being encoded.
void cjpeg_set_size(struct cjpeg_encoder *encoder, uint32_t width, uint32_t height);

/// Starts a picture. After any error the picture is given up, and the next may be started.
int32_t cjpeg_begin(struct cjpeg_encoder *encoder, uint8_t *output, size_t output_byte_count);

/// Encodes the next band of MCUs. A row must hold whole blocks: its samples rounded up to a multiple of 8.
int32_t cjpeg_write_band(struct cjpeg_encoder *encoder, struct cjpeg_rows luma, struct cjpeg_rows blue_difference,
                         struct cjpeg_rows red_difference);

/// Ends the picture.
/// \param byte_count the bytes of the picture.
int32_t cjpeg_finish(struct cjpeg_encoder *encoder, size_t *byte_count);

#endif

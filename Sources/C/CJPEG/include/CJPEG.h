// A wrapper for libjpeg-turbo's libjpeg API: only what Swift cannot express (setjmp, macros, tables of function
// pointers).
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

/// An encoder; it is at the start of its arena.
struct cjpeg_encoder;

/// Results of the functions below, in addition to the positive message codes of libjpeg (`jerror.h`).
static const int32_t cjpeg_ok = 0;
static const int32_t cjpeg_output_full = -1;
static const int32_t cjpeg_arena_full = -2;
/// The JPEG ends before its picture does.
static const int32_t cjpeg_input_ended = -3;
/// The data between the markers is not a valid picture.
static const int32_t cjpeg_input_damaged = -4;
/// Not one interleaved scan of Huffman-coded Y'CbCr with eight bits a sample and full, halved or quartered chroma.
static const int32_t cjpeg_input_kind = -5;

/// One component's rows in one band of MCUs.
struct cjpeg_rows {
  const uint8_t *first_row;
  ptrdiff_t bytes_per_row;
  /// The number of rows, at least 1; if the band has more, the last one is repeated.
  uint32_t row_count;
};

/// Bytes of arena that an encoder needs, whatever the size of its pictures.
size_t cjpeg_arena_byte_count(void);

/// The peak arena usage of `encoder` so far.
size_t cjpeg_arena_used_byte_count(const struct cjpeg_encoder *encoder);

/// Runs libjpeg's first-time initialisation on the calling thread, which must be the one that calls the functions
/// below: on arm64 libjpeg-turbo reads /proc/cpuinfo for the first picture of every thread, using heap memory.
void cjpeg_prepare_thread(struct cjpeg_encoder *encoder);

/// Makes an encoder for Y'CbCr pictures, whose size must be set before the first one. This and cjpeg_prepare_thread may
/// use the heap.
/// \param arena aligned to 64 bytes; kept for the life of the process.
/// \param luma_columns_per_chroma_column 2 for half as many chroma columns, 1 for as many.
/// \param luma_rows_per_chroma_row likewise.
/// \param quality 1 to 100, on libjpeg's scale.
/// \param error cjpeg_ok, or why no encoder was made.
struct cjpeg_encoder *cjpeg_create(void *arena, size_t arena_byte_count, int32_t luma_columns_per_chroma_column,
                                   int32_t luma_rows_per_chroma_row, int32_t quality, int32_t *error);

/// Sets the size of the next pictures, each side 1 to 65,500. Not while a picture is being encoded.
void cjpeg_set_size(struct cjpeg_encoder *encoder, uint32_t width, uint32_t height);

/// Starts a picture. After any error the picture is abandoned, and the next one may be started.
int32_t cjpeg_begin(struct cjpeg_encoder *encoder, uint8_t *output, size_t output_byte_count);

/// Encodes the next band of MCUs. A row must hold whole blocks: its samples rounded up to a multiple of 8.
int32_t cjpeg_write_band(struct cjpeg_encoder *encoder, struct cjpeg_rows luma, struct cjpeg_rows blue_difference,
                         struct cjpeg_rows red_difference);

/// Ends the picture.
/// \param byte_count the bytes of the picture.
int32_t cjpeg_finish(struct cjpeg_encoder *encoder, size_t *byte_count);

/// Abandons the picture that was started.
void cjpeg_abandon(struct cjpeg_encoder *encoder);

/// A decoder; it is at the start of its arena.
struct cjpeg_decoder;

/// One coded component.
struct cjpeg_component {
  uint32_t width_samples;
  uint32_t height_samples;
  /// Its samples in a row, in whole blocks.
  uint32_t coded_width_samples;
  /// Its rows in one band of MCUs: 8 or 16.
  uint32_t rows_per_band;
};

/// The header of a JPEG.
struct cjpeg_picture {
  uint32_t width;
  uint32_t height;
  uint32_t band_count;
  struct cjpeg_component luma;
  /// For both Cb and Cr.
  struct cjpeg_component chroma;
};

/// Memory for the rows of one component: `rows_per_band` rows of `coded_width_samples` each.
struct cjpeg_band {
  uint8_t *first_row;
  ptrdiff_t bytes_per_row;
};

/// Bytes of arena that a decoder needs for pictures of up to `maximum_width` pixels a row, with any number of rows.
size_t cjpeg_decoder_arena_byte_count(uint32_t maximum_width);

/// The peak arena usage of `decoder` so far.
size_t cjpeg_decoder_arena_used_byte_count(const struct cjpeg_decoder *decoder);

/// Makes a decoder. This and cjpeg_decoder_prepare_thread may use the heap.
/// \param arena aligned to 64 bytes; kept for the life of the process.
/// \param error cjpeg_ok, or why no decoder was made.
struct cjpeg_decoder *cjpeg_decoder_create(void *arena, size_t arena_byte_count, int32_t *error);

/// See cjpeg_prepare_thread.
void cjpeg_decoder_prepare_thread(struct cjpeg_decoder *decoder);

/// Reads the header of the next picture, whatever the state of the previous one. `jpeg` must stay valid until the
/// picture ends. After any error the picture is abandoned.
int32_t cjpeg_decoder_read_header(struct cjpeg_decoder *decoder, const uint8_t *jpeg, size_t byte_count,
                                  struct cjpeg_picture *picture);

/// Begins decoding the picture whose header was read, as planes.
int32_t cjpeg_decoder_begin_planes(struct cjpeg_decoder *decoder);

/// Decodes the next band of MCUs; call at most once for each band of the picture.
int32_t cjpeg_decoder_read_band(struct cjpeg_decoder *decoder, struct cjpeg_band luma, struct cjpeg_band blue_difference,
                                struct cjpeg_band red_difference);

/// Skips the next band of MCUs, which costs less than decoding it.
int32_t cjpeg_decoder_skip_band(struct cjpeg_decoder *decoder);

/// Begins decoding the picture whose header was read, as RGB.
/// \param scale_eighths 1 to 8: the scale of each side, in eighths.
/// \param width pixels of a row, three bytes each
/// \param height rows
int32_t cjpeg_decoder_begin_rgb(struct cjpeg_decoder *decoder, uint32_t scale_eighths, uint32_t *width,
                                uint32_t *height);

/// Decodes the next row; call at most once for each row of the picture.
int32_t cjpeg_decoder_read_row(struct cjpeg_decoder *decoder, uint8_t *row);

/// Ends a picture after its last row, and checks that the JPEG ends there too.
int32_t cjpeg_decoder_finish(struct cjpeg_decoder *decoder);

#endif

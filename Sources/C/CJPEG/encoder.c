#include "CJPEG.h"

#include <jerror.h>

#include "session.h"

enum {
  component_count = 3,
  maximum_rows_per_band = 2 * DCTSIZE,
};

struct cjpeg_encoder {
  struct session session;
  struct jpeg_compress_struct codec;
  struct jpeg_destination_mgr destination;
  size_t output_byte_count;
};

/// Once the encoder is made, all memory is released with each picture, so nothing longer-lived may be allocated.
static void *allocate(j_common_ptr codec, int pool, size_t byte_count) {
  struct cjpeg_encoder *encoder = codec->client_data;
  if (encoder->session.arena_mark > 0 && pool != JPOOL_IMAGE) session_give_up(codec, cjpeg_arena_full);
  return session_allocate(codec, pool, byte_count);
}

static void keep_destination(j_compress_ptr codec) { (void)codec; }

static boolean destination_full(j_compress_ptr codec) { session_give_up((j_common_ptr)codec, cjpeg_output_full); }

static void set_destination(struct cjpeg_encoder *encoder) {
  encoder->destination.init_destination = keep_destination;
  encoder->destination.empty_output_buffer = destination_full;
  encoder->destination.term_destination = keep_destination;
  encoder->codec.dest = &encoder->destination;
}

static void set_parameters(j_compress_ptr codec, int32_t luma_columns_per_chroma_column,
                           int32_t luma_rows_per_chroma_row, int32_t quality) {
  codec->input_components = component_count;
  codec->in_color_space = JCS_YCbCr;
  jpeg_set_defaults(codec);
  jpeg_set_quality(codec, quality, TRUE);
  codec->raw_data_in = TRUE;
  codec->comp_info[0].h_samp_factor = luma_columns_per_chroma_column;
  codec->comp_info[0].v_samp_factor = luma_rows_per_chroma_row;
}

/// Clears the encoder's state, so that leftover values are not taken for libjpeg's own.
static struct cjpeg_encoder *encoder_in(unsigned char *arena, size_t arena_byte_count) {
  struct cjpeg_encoder *encoder = (struct cjpeg_encoder *)arena;
  *encoder = (struct cjpeg_encoder){0};
  session_begin(&encoder->session, (j_common_ptr)&encoder->codec, arena, arena_byte_count, sizeof *encoder);
  return encoder;
}

struct cjpeg_encoder *cjpeg_create(void *arena, size_t arena_byte_count, int32_t luma_columns_per_chroma_column,
                                   int32_t luma_rows_per_chroma_row, int32_t quality, int32_t *error) {
  *error = cjpeg_arena_full;
  if (arena_byte_count < arena_footprint(sizeof(struct cjpeg_encoder))) return NULL;
  struct cjpeg_encoder *encoder = encoder_in(arena, arena_byte_count);
  if (setjmp(encoder->session.give_up)) {
    *error = encoder->session.error;
    jpeg_destroy_compress(&encoder->codec);
    return NULL;
  }
  jpeg_create_compress(&encoder->codec);
  session_allocate_from_arena((j_common_ptr)&encoder->codec);
  encoder->codec.mem->alloc_small = allocate;
  encoder->codec.mem->alloc_large = allocate;
  set_destination(encoder);
  set_parameters(&encoder->codec, luma_columns_per_chroma_column, luma_rows_per_chroma_row, quality);
  encoder->session.arena_mark = encoder->session.arena_used;
  *error = cjpeg_ok;
  return encoder;
}

void cjpeg_set_size(struct cjpeg_encoder *encoder, uint32_t width, uint32_t height) {
  encoder->codec.image_width = width;
  encoder->codec.image_height = height;
}

static int32_t abandon_picture(struct cjpeg_encoder *encoder) {
  jpeg_abort_compress(&encoder->codec);
  return encoder->session.error;
}

int32_t cjpeg_begin(struct cjpeg_encoder *encoder, uint8_t *output, size_t output_byte_count) {
  // libjpeg stores a byte before it checks whether that filled the buffer.
  if (output_byte_count == 0) return cjpeg_output_full;
  encoder->destination.next_output_byte = output;
  encoder->destination.free_in_buffer = output_byte_count;
  encoder->output_byte_count = output_byte_count;
  if (setjmp(encoder->session.give_up)) return abandon_picture(encoder);
  jpeg_start_compress(&encoder->codec, TRUE);
  return cjpeg_ok;
}

void cjpeg_prepare_thread(struct cjpeg_encoder *encoder) {
  uint8_t beginning[64];
  // Whether or not the start of the picture fitted, the thread is prepared now.
  if (cjpeg_begin(encoder, beginning, sizeof beginning) == cjpeg_ok) abandon_picture(encoder);
}

static void list_rows(JSAMPROW *list, int count, struct cjpeg_rows rows) {
  for (int row = 0; row < count; row++) {
    int source = row < (int)rows.row_count ? row : (int)rows.row_count - 1;
    // libjpeg only reads these rows, but declares them without const.
    list[row] = (JSAMPROW)(rows.first_row + source * rows.bytes_per_row);
  }
}

int32_t cjpeg_write_band(struct cjpeg_encoder *encoder, struct cjpeg_rows luma, struct cjpeg_rows blue_difference,
                         struct cjpeg_rows red_difference) {
  int luma_rows = encoder->codec.comp_info[0].v_samp_factor * DCTSIZE;
  JSAMPROW rows[component_count][maximum_rows_per_band];
  JSAMPARRAY components[component_count] = {rows[0], rows[1], rows[2]};
  list_rows(rows[0], luma_rows, luma);
  list_rows(rows[1], DCTSIZE, blue_difference);
  list_rows(rows[2], DCTSIZE, red_difference);
  if (setjmp(encoder->session.give_up)) return abandon_picture(encoder);
  jpeg_write_raw_data(&encoder->codec, components, (JDIMENSION)luma_rows);
  return cjpeg_ok;
}

int32_t cjpeg_finish(struct cjpeg_encoder *encoder, size_t *byte_count) {
  if (setjmp(encoder->session.give_up)) return abandon_picture(encoder);
  jpeg_finish_compress(&encoder->codec);
  *byte_count = encoder->output_byte_count - encoder->destination.free_in_buffer;
  return cjpeg_ok;
}

void cjpeg_abandon(struct cjpeg_encoder *encoder) { abandon_picture(encoder); }

size_t cjpeg_arena_byte_count(void) {
  // Derived from libjpeg-turbo 2.1 and 3: four Huffman tables and the quantisers, the component list, the encoder's
  // derived tables, divisors, one MCU of coefficients, and the state of each stage.
  size_t kept = 4 * arena_footprint(sizeof(JHUFF_TBL)) + 2 * arena_footprint(sizeof(JQUANT_TBL)) +
                arena_footprint(MAX_COMPONENTS * sizeof(jpeg_component_info));
  size_t derived_huffman_table = 256 * (sizeof(unsigned int) + 1);
  size_t divisors = 4 * DCTSIZE2 * sizeof(short);
  size_t picture = 4 * derived_huffman_table + 2 * divisors + C_MAX_BLOCKS_IN_MCU * sizeof(JBLOCK);
  size_t state_of_stages = 4096;
  return arena_footprint(sizeof(struct cjpeg_encoder)) + kept + picture + state_of_stages;
}

size_t cjpeg_arena_used_byte_count(const struct cjpeg_encoder *encoder) { return encoder->session.arena_most_used; }

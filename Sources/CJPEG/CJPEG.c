#include "CJPEG.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>

#include <jpeglib.h>
#include <jerror.h>

enum {
  component_count = 3,
  maximum_rows_per_band = 2 * DCTSIZE,
  /// libjpeg-turbo's own (jmemmgr.c): AVX2 loads need it.
  arena_alignment = 32,
};

struct cjpeg_encoder {
  struct jpeg_compress_struct codec;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf give_up;
  int32_t error;
  size_t output_byte_count;
  unsigned char *arena;
  size_t arena_byte_count;
  size_t arena_used;
  size_t arena_most_used;
  /// What lies below stays for the life of the encoder; 0 until that is all there.
  size_t arena_mark;
};

static struct cjpeg_encoder *encoder_of(j_common_ptr codec) { return codec->client_data; }

static _Noreturn void give_up(j_common_ptr codec, int32_t error) {
  struct cjpeg_encoder *encoder = encoder_of(codec);
  encoder->error = error;
  longjmp(encoder->give_up, 1);
}

static _Noreturn void error_exit(j_common_ptr codec) { give_up(codec, codec->err->msg_code); }

static void keep_quiet(j_common_ptr codec) { (void)codec; }

static void keep_quiet_at_level(j_common_ptr codec, int level) {
  (void)codec;
  (void)level;
}

static size_t rounded_up(size_t byte_count) {
  return (byte_count + arena_alignment - 1) / arena_alignment * arena_alignment;
}

static void *arena_alloc(j_common_ptr codec, int pool, size_t byte_count) {
  struct cjpeg_encoder *encoder = encoder_of(codec);
  // Beyond the mark everything goes with its picture: what libjpeg wants to keep for longer must not lie there.
  bool outlives_its_place = pool != JPOOL_IMAGE && encoder->arena_mark > 0;
  size_t footprint = rounded_up(byte_count);
  if (outlives_its_place || footprint > encoder->arena_byte_count - encoder->arena_used) {
    give_up(codec, cjpeg_arena_full);
  }
  void *piece = encoder->arena + encoder->arena_used;
  encoder->arena_used += footprint;
  if (encoder->arena_used > encoder->arena_most_used) encoder->arena_most_used = encoder->arena_used;
  return piece;
}

static void arena_free_pool(j_common_ptr codec, int pool) {
  struct cjpeg_encoder *encoder = encoder_of(codec);
  if (pool == JPOOL_IMAGE) encoder->arena_used = encoder->arena_mark;
}

// Baseline encoding of raw planes in one pass asks for none of the following; were it to, libjpeg's own functions
// would take them from the heap.

static JSAMPARRAY refuse_samples(j_common_ptr codec, int pool, JDIMENSION samples_per_row, JDIMENSION rows) {
  (void)pool, (void)samples_per_row, (void)rows;
  give_up(codec, JERR_NOT_COMPILED);
}

static JBLOCKARRAY refuse_blocks(j_common_ptr codec, int pool, JDIMENSION blocks_per_row, JDIMENSION rows) {
  (void)pool, (void)blocks_per_row, (void)rows;
  give_up(codec, JERR_NOT_COMPILED);
}

static jvirt_sarray_ptr refuse_virtual_samples(j_common_ptr codec, int pool, boolean zeroed, JDIMENSION samples_per_row,
                                               JDIMENSION rows, JDIMENSION rows_at_once) {
  (void)pool, (void)zeroed, (void)samples_per_row, (void)rows, (void)rows_at_once;
  give_up(codec, JERR_NOT_COMPILED);
}

static jvirt_barray_ptr refuse_virtual_blocks(j_common_ptr codec, int pool, boolean zeroed, JDIMENSION blocks_per_row,
                                              JDIMENSION rows, JDIMENSION rows_at_once) {
  (void)pool, (void)zeroed, (void)blocks_per_row, (void)rows, (void)rows_at_once;
  give_up(codec, JERR_NOT_COMPILED);
}

static void allocate_from_arena(struct jpeg_memory_mgr *memory) {
  memory->alloc_small = arena_alloc;
  memory->alloc_large = arena_alloc;
  memory->alloc_sarray = refuse_samples;
  memory->alloc_barray = refuse_blocks;
  memory->request_virt_sarray = refuse_virtual_samples;
  memory->request_virt_barray = refuse_virtual_blocks;
  memory->free_pool = arena_free_pool;
  // `self_destruct` stays libjpeg's: it frees what jpeg_create_compress took before this.
}

static void keep_destination(j_compress_ptr codec) { (void)codec; }

static boolean destination_full(j_compress_ptr codec) { give_up((j_common_ptr)codec, cjpeg_output_full); }

static void set_destination(struct cjpeg_encoder *encoder) {
  encoder->destination.init_destination = keep_destination;
  encoder->destination.empty_output_buffer = destination_full;
  encoder->destination.term_destination = keep_destination;
  encoder->codec.dest = &encoder->destination;
}

static void set_errors(struct cjpeg_encoder *encoder) {
  encoder->codec.err = jpeg_std_error(&encoder->errors);
  encoder->errors.error_exit = error_exit;
  encoder->errors.emit_message = keep_quiet_at_level;
  encoder->errors.output_message = keep_quiet;
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

/// The state of the encoder is cleared so that what libjpeg did not get to is not taken for its own.
static struct cjpeg_encoder *encoder_in(unsigned char *arena, size_t arena_byte_count) {
  struct cjpeg_encoder *encoder = (struct cjpeg_encoder *)arena;
  *encoder = (struct cjpeg_encoder){.arena = arena, .arena_byte_count = arena_byte_count};
  encoder->arena_used = rounded_up(sizeof *encoder);
  encoder->codec.client_data = encoder;
  return encoder;
}

struct cjpeg_encoder *cjpeg_create(void *arena, size_t arena_byte_count, int32_t luma_columns_per_chroma_column,
                                   int32_t luma_rows_per_chroma_row, int32_t quality, int32_t *error) {
  *error = cjpeg_arena_full;
  if (arena_byte_count < rounded_up(sizeof(struct cjpeg_encoder))) return NULL;
  struct cjpeg_encoder *encoder = encoder_in(arena, arena_byte_count);
  set_errors(encoder);
  if (setjmp(encoder->give_up)) {
    *error = encoder->error;
    jpeg_destroy_compress(&encoder->codec);
    return NULL;
  }
  jpeg_create_compress(&encoder->codec);
  allocate_from_arena(encoder->codec.mem);
  set_destination(encoder);
  set_parameters(&encoder->codec, luma_columns_per_chroma_column, luma_rows_per_chroma_row, quality);
  encoder->arena_mark = encoder->arena_used;
  *error = cjpeg_ok;
  return encoder;
}

void cjpeg_set_size(struct cjpeg_encoder *encoder, uint32_t width, uint32_t height) {
  encoder->codec.image_width = width;
  encoder->codec.image_height = height;
}

static int32_t abandon_picture(struct cjpeg_encoder *encoder) {
  jpeg_abort_compress(&encoder->codec);
  return encoder->error;
}

int32_t cjpeg_begin(struct cjpeg_encoder *encoder, uint8_t *output, size_t output_byte_count) {
  // libjpeg stores a byte before it looks whether that was the last.
  if (output_byte_count == 0) return cjpeg_output_full;
  encoder->destination.next_output_byte = output;
  encoder->destination.free_in_buffer = output_byte_count;
  encoder->output_byte_count = output_byte_count;
  if (setjmp(encoder->give_up)) return abandon_picture(encoder);
  jpeg_start_compress(&encoder->codec, TRUE);
  return cjpeg_ok;
}

void cjpeg_prepare_thread(struct cjpeg_encoder *encoder) {
  uint8_t beginning[64];
  // Whether or not the picture's beginning found room, the thread is known now.
  if (cjpeg_begin(encoder, beginning, sizeof beginning) == cjpeg_ok) abandon_picture(encoder);
}

static void list_rows(JSAMPROW *list, int count, struct cjpeg_rows rows) {
  for (int row = 0; row < count; row++) {
    int source = row < (int)rows.row_count ? row : (int)rows.row_count - 1;
    // libjpeg reads from what it takes without const.
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
  if (setjmp(encoder->give_up)) return abandon_picture(encoder);
  jpeg_write_raw_data(&encoder->codec, components, (JDIMENSION)luma_rows);
  return cjpeg_ok;
}

int32_t cjpeg_finish(struct cjpeg_encoder *encoder, size_t *byte_count) {
  if (setjmp(encoder->give_up)) return abandon_picture(encoder);
  jpeg_finish_compress(&encoder->codec);
  *byte_count = encoder->output_byte_count - encoder->destination.free_in_buffer;
  return cjpeg_ok;
}

size_t cjpeg_arena_byte_count(void) {
  // From libjpeg-turbo 2.1 and 3: four Huffman tables and the quantisers, the component list, the encoder's derived
  // tables, divisors, one MCU of coefficients, and the state of each stage.
  size_t kept = 4 * rounded_up(sizeof(JHUFF_TBL)) + 2 * rounded_up(sizeof(JQUANT_TBL)) +
                rounded_up(MAX_COMPONENTS * sizeof(jpeg_component_info));
  size_t derived_huffman_table = 256 * (sizeof(unsigned int) + 1);
  size_t divisors = 4 * DCTSIZE2 * sizeof(short);
  size_t picture = 4 * derived_huffman_table + 2 * divisors + C_MAX_BLOCKS_IN_MCU * sizeof(JBLOCK);
  size_t state_of_stages = 4096;
  return rounded_up(sizeof(struct cjpeg_encoder)) + kept + picture + state_of_stages;
}

size_t cjpeg_arena_used_byte_count(const struct cjpeg_encoder *encoder) { return encoder->arena_most_used; }

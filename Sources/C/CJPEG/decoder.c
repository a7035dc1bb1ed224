#include "CJPEG.h"

#include <stdbool.h>
#include <string.h>

#include <jerror.h>

#include "session.h"

enum {
  component_count = 3,
  maximum_rows_per_band = 2 * DCTSIZE,
};

struct cjpeg_decoder {
  struct session session;
  struct jpeg_decompress_struct codec;
  struct jpeg_source_mgr source;
};

static void keep_source(j_decompress_ptr codec) { (void)codec; }

static boolean source_ended(j_decompress_ptr codec) { session_give_up((j_common_ptr)codec, cjpeg_input_ended); }

static void skip_source(j_decompress_ptr codec, long byte_count) {
  struct jpeg_source_mgr *source = codec->src;
  if (byte_count <= 0) return;
  if ((size_t)byte_count > source->bytes_in_buffer) source_ended(codec);
  source->next_input_byte += byte_count;
  source->bytes_in_buffer -= (size_t)byte_count;
}

static void set_source(struct cjpeg_decoder *decoder) {
  decoder->source.init_source = keep_source;
  decoder->source.fill_input_buffer = source_ended;
  decoder->source.skip_input_data = skip_source;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = keep_source;
  decoder->codec.src = &decoder->source;
}

/// Aborts on the warnings after which libjpeg invents samples; others are harmless.
static void heed_damage(j_common_ptr codec, int level) {
  if (level >= 0) return;
  switch (codec->err->msg_code) {
    case JWRN_HIT_MARKER:
    case JWRN_HUFF_BAD_CODE:
    case JWRN_MUST_RESYNC:
      session_give_up(codec, cjpeg_input_damaged);
  }
}

/// Clears the decoder's state, so that leftover values are not taken for libjpeg's own.
static struct cjpeg_decoder *decoder_in(unsigned char *arena, size_t arena_byte_count) {
  struct cjpeg_decoder *decoder = (struct cjpeg_decoder *)arena;
  *decoder = (struct cjpeg_decoder){0};
  session_begin(&decoder->session, (j_common_ptr)&decoder->codec, arena, arena_byte_count, sizeof *decoder);
  decoder->session.errors.emit_message = heed_damage;
  return decoder;
}

struct cjpeg_decoder *cjpeg_decoder_create(void *arena, size_t arena_byte_count, int32_t *error) {
  *error = cjpeg_arena_full;
  if (arena_byte_count < arena_footprint(sizeof(struct cjpeg_decoder))) return NULL;
  struct cjpeg_decoder *decoder = decoder_in(arena, arena_byte_count);
  if (setjmp(decoder->session.give_up)) {
    *error = decoder->session.error;
    jpeg_destroy_decompress(&decoder->codec);
    return NULL;
  }
  jpeg_create_decompress(&decoder->codec);
  session_allocate_from_arena((j_common_ptr)&decoder->codec);
  set_source(decoder);
  decoder->session.arena_mark = decoder->session.arena_used;
  *error = cjpeg_ok;
  return decoder;
}

/// Discards the tables: a picture without tables gets the standard ones, not those of the previous picture.
static void forget_picture(struct cjpeg_decoder *decoder) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  jpeg_abort_decompress(codec);
  memset(codec->quant_tbl_ptrs, 0, sizeof codec->quant_tbl_ptrs);
  memset(codec->dc_huff_tbl_ptrs, 0, sizeof codec->dc_huff_tbl_ptrs);
  memset(codec->ac_huff_tbl_ptrs, 0, sizeof codec->ac_huff_tbl_ptrs);
}

static int32_t abandon_picture(struct cjpeg_decoder *decoder) {
  forget_picture(decoder);
  return decoder->session.error;
}

static bool is_factor(int factor, int of) { return factor > 0 && of % factor == 0; }

static bool is_sampled_ordinarily(j_decompress_ptr codec) {
  const jpeg_component_info *luma = &codec->comp_info[0];
  const jpeg_component_info *blue = &codec->comp_info[1];
  const jpeg_component_info *red = &codec->comp_info[2];
  return is_factor(luma->h_samp_factor, 4) && is_factor(luma->v_samp_factor, 2) &&
         is_factor(blue->h_samp_factor, luma->h_samp_factor) && is_factor(blue->v_samp_factor, luma->v_samp_factor) &&
         red->h_samp_factor == blue->h_samp_factor && red->v_samp_factor == blue->v_samp_factor;
}

static bool is_decodable(j_decompress_ptr codec) {
  return !codec->progressive_mode && !codec->arith_code && codec->data_precision == BITS_IN_JSAMPLE &&
         codec->num_components == component_count && codec->comps_in_scan == component_count &&
         codec->jpeg_color_space == JCS_YCbCr && is_sampled_ordinarily(codec);
}

static struct cjpeg_component component(const jpeg_component_info *coded) {
  return (struct cjpeg_component){
      .width_samples = coded->downsampled_width,
      .height_samples = coded->downsampled_height,
      .coded_width_samples = coded->width_in_blocks * DCTSIZE,
      .rows_per_band = (uint32_t)coded->v_samp_factor * DCTSIZE,
  };
}

int32_t cjpeg_decoder_read_header(struct cjpeg_decoder *decoder, const uint8_t *jpeg, size_t byte_count,
                                  struct cjpeg_picture *picture) {
  forget_picture(decoder);
  decoder->source.next_input_byte = jpeg;
  decoder->source.bytes_in_buffer = byte_count;
  struct jpeg_decompress_struct *codec = &decoder->codec;
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  jpeg_read_header(codec, TRUE);
  if (!is_decodable(codec)) session_give_up((j_common_ptr)codec, cjpeg_input_kind);
  *picture = (struct cjpeg_picture){
      .width = codec->image_width,
      .height = codec->image_height,
      .band_count = codec->total_iMCU_rows,
      .luma = component(&codec->comp_info[0]),
      .chroma = component(&codec->comp_info[1]),
  };
  return cjpeg_ok;
}

int32_t cjpeg_decoder_begin_planes(struct cjpeg_decoder *decoder) {
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  decoder->codec.out_color_space = JCS_YCbCr;
  decoder->codec.raw_data_out = TRUE;
  jpeg_start_decompress(&decoder->codec);
  return cjpeg_ok;
}

static void list_rows(JSAMPROW *list, int count, struct cjpeg_band band) {
  for (int row = 0; row < count; row++) list[row] = band.first_row + row * band.bytes_per_row;
}

static void need_components(j_decompress_ptr codec, boolean is_needed) {
  for (int index = 0; index < component_count; index++) codec->comp_info[index].component_needed = is_needed;
}

static void read_band(j_decompress_ptr codec, JSAMPARRAY components[component_count]) {
  JDIMENSION luma_rows = (JDIMENSION)codec->max_v_samp_factor * DCTSIZE;
  if (jpeg_read_raw_data(codec, components, luma_rows) != luma_rows) {
    session_give_up((j_common_ptr)codec, cjpeg_input_ended);
  }
}

int32_t cjpeg_decoder_read_band(struct cjpeg_decoder *decoder, struct cjpeg_band luma, struct cjpeg_band blue_difference,
                                struct cjpeg_band red_difference) {
  struct jpeg_decompress_struct *codec = &decoder->codec;
  JSAMPROW rows[component_count][maximum_rows_per_band];
  JSAMPARRAY components[component_count] = {rows[0], rows[1], rows[2]};
  list_rows(rows[0], codec->comp_info[0].v_samp_factor * DCTSIZE, luma);
  list_rows(rows[1], codec->comp_info[1].v_samp_factor * DCTSIZE, blue_difference);
  list_rows(rows[2], codec->comp_info[2].v_samp_factor * DCTSIZE, red_difference);
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  need_components(codec, TRUE);
  read_band(codec, components);
  return cjpeg_ok;
}

int32_t cjpeg_decoder_skip_band(struct cjpeg_decoder *decoder) {
  // libjpeg neither transforms nor writes the blocks of a component that is not needed.
  JSAMPARRAY nowhere[component_count] = {NULL, NULL, NULL};
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  need_components(&decoder->codec, FALSE);
  read_band(&decoder->codec, nowhere);
  return cjpeg_ok;
}

int32_t cjpeg_decoder_begin_rgb(struct cjpeg_decoder *decoder, uint32_t scale_eighths, uint32_t *width,
                                uint32_t *height) {
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  decoder->codec.out_color_space = JCS_RGB;
  decoder->codec.scale_num = scale_eighths;
  decoder->codec.scale_denom = 8;
  jpeg_start_decompress(&decoder->codec);
  *width = decoder->codec.output_width;
  *height = decoder->codec.output_height;
  return cjpeg_ok;
}

int32_t cjpeg_decoder_read_row(struct cjpeg_decoder *decoder, uint8_t *row) {
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  if (jpeg_read_scanlines(&decoder->codec, &row, 1) != 1) {
    session_give_up((j_common_ptr)&decoder->codec, cjpeg_input_ended);
  }
  return cjpeg_ok;
}

int32_t cjpeg_decoder_finish(struct cjpeg_decoder *decoder) {
  if (setjmp(decoder->session.give_up)) return abandon_picture(decoder);
  jpeg_finish_decompress(&decoder->codec);
  return cjpeg_ok;
}

void cjpeg_decoder_prepare_thread(struct cjpeg_decoder *decoder) {
  // The start of a picture of 8 x 8 pixels, as far as libjpeg reads before it detects the processor: SOI, SOF0, SOS.
  static const uint8_t beginning[] = {
      0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0,    8,    0, 8,  3, 1, 0x11, 0, 2, 0x11,
      0,    3,    0x11, 0,    0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0, 3, 0, 0, 63, 0,
  };
  struct cjpeg_picture picture;
  uint32_t width, height;
  if (cjpeg_decoder_read_header(decoder, beginning, sizeof beginning, &picture) != cjpeg_ok) return;
  // Its tables are missing, so it is abandoned.
  (void)cjpeg_decoder_begin_rgb(decoder, DCTSIZE, &width, &height);
  forget_picture(decoder);
}

size_t cjpeg_decoder_arena_byte_count(uint32_t maximum_width) {
  // Derived from libjpeg-turbo 2.1 and 3. Of the decoded samplings, RGB output of three components of halved height
  // needs the most rows: two rows of blocks of each. If chroma has half the rows of luma, it is 2 * 10 of luma and 10
  // of each chroma, including those above and below, and two of each for both at full size.
  size_t bytes_per_row = arena_footprint(maximum_width + 4 * DCTSIZE + 32);
  size_t rows = component_count * 2 * DCTSIZE;
  size_t lists_of_rows = 3 * rows * sizeof(JSAMPROW);
  // The JPEG's tables, those derived from them, one MCU of coefficients, colours, and the state of each stage.
  size_t derived_huffman_table = 2 * 18 * sizeof(long) + (256 + 2) * sizeof(int);
  size_t huffman_table = arena_footprint(sizeof(JHUFF_TBL)) + arena_footprint(derived_huffman_table);
  size_t huffman_tables = 2 * NUM_HUFF_TBLS * huffman_table;
  size_t quantisers = NUM_QUANT_TBLS * arena_footprint(sizeof(JQUANT_TBL)) + component_count * DCTSIZE2 * sizeof(int);
  size_t coefficients = D_MAX_BLOCKS_IN_MCU * sizeof(JBLOCK);
  size_t colours = 4 * 256 * sizeof(long) + 6 * 256;
  size_t state_of_stages = 4096;
  return arena_footprint(sizeof(struct cjpeg_decoder)) + rows * bytes_per_row + lists_of_rows + huffman_tables +
         quantisers + coefficients + colours + state_of_stages;
}

size_t cjpeg_decoder_arena_used_byte_count(const struct cjpeg_decoder *decoder) {
  return decoder->session.arena_most_used;
}

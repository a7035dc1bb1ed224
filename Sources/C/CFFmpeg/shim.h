// FFmpeg's libraries, and what Swift cannot import of them: function-like macros, and constants made of casts.
#ifndef FIELDCORDER_CFFMPEG_SHIM_H
#define FIELDCORDER_CFFMPEG_SHIM_H

#include <errno.h>
#include <iconv.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/cpu.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/samplefmt.h>
#include <libswresample/swresample.h>
#include <string.h>
// Which FFmpeg itself unpacks with.
#include <zlib.h>

static inline int ffmpeg_end_of_file(void) { return AVERROR_EOF; }
static inline int ffmpeg_again(void) { return AVERROR(EAGAIN); }
static inline int ffmpeg_exit(void) { return AVERROR_EXIT; }
static inline int ffmpeg_input_output_error(void) { return AVERROR(EIO); }
static inline int ffmpeg_invalid_argument(void) { return AVERROR(EINVAL); }
static inline int64_t ffmpeg_no_timestamp(void) { return AV_NOPTS_VALUE; }

// The libraries never write to the process's streams.
static inline void ffmpeg_silence(void) { av_log_set_level(AV_LOG_QUIET); av_log_set_callback(NULL); }

// Versions of the library differ in the constness of the callbacks' signature, which matters to Swift.
static inline AVIOContext *ffmpeg_make_input(
    uint8_t *buffer, int byte_count, void *context, int (*read)(void *, uint8_t *, int),
    int64_t (*seek)(void *, int64_t, int)) {
  return avio_alloc_context(buffer, byte_count, 0, context, read, NULL, seek);
}

// The same of an output's callback.
static inline AVIOContext *ffmpeg_make_output(
    uint8_t *buffer, int byte_count, void *context, int (*write)(void *, const uint8_t *, int)) {
  return avio_alloc_context(buffer, byte_count, 1, context, NULL, (int (*)(void *, uint8_t *, int))(void *)write, NULL);
}

// libc converts names in transport streams to UTF-8, for which it opens tables of its own: call this while it still
// can. The tables stay loaded for the life of the process.
static inline void ffmpeg_load_tables(void) { (void)iconv_open("UTF-8", "ISO6937"); }

static inline int ffmpeg_refuse_to_open(
    AVFormatContext *context, AVIOContext **input, const char *url, int flags, AVDictionary **options) {
  (void)context, (void)input, (void)url, (void)flags, (void)options;
  return AVERROR(EPERM);
}

// A file's references to other files are not followed.
static inline void ffmpeg_refuse_references(AVFormatContext *context) { context->io_open = ffmpeg_refuse_to_open; }

// An 8-bit plane of a frame; NULL after the last.
static inline const uint8_t *ffmpeg_plane(const AVFrame *frame, int index) { return frame->extended_data[index]; }

// swr_convert, whose constness differs between versions of the library.
static inline int ffmpeg_resample(SwrContext *context, uint8_t *output, int capacity, const uint8_t **input, int count) {
  uint8_t *planes[1] = {output};
  return swr_convert(context, planes, capacity, (void *)input, count);
}

// Downmixing is attenuated so that it cannot clip, in every format.
static inline void ffmpeg_never_louder(SwrContext *context) { av_opt_set_double(context, "rematrix_maxval", 1, 0); }

// The size of a packet in a container's own index, where it is a bit field; -1 after the last packet.
static inline int ffmpeg_index_entry_size(AVStream *stream, int index) {
  const AVIndexEntry *entry = avformat_index_get_entry(stream, index);
  return entry ? entry->size : -1;
}

// The tag after `last`; the first for NULL.
static inline AVDictionaryEntry *ffmpeg_next_tag(AVDictionary *tags, AVDictionaryEntry *last) {
  return av_dict_get(tags, "", last, AV_DICT_IGNORE_SUFFIX);
}

// Whether a stream is a picture that belongs to the sound, such as a cover.
static inline int ffmpeg_is_picture(const AVStream *stream) {
  return (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) && stream->attached_pic.size > 0;
}

// FFmpeg's name for the kind of picture that most players show.
static inline int ffmpeg_is_front(const AVStream *stream) {
  AVDictionaryEntry *kind = av_dict_get(stream->metadata, "comment", NULL, 0);
  return kind && strcmp(kind->value, "Cover (front)") == 0;
}

// How a frame's pixels lie in memory; NULL when that is unknown.
static inline const AVPixFmtDescriptor *ffmpeg_pixels(const AVFrame *frame) {
  const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(frame->format);
  return pixels && !(pixels->flags & (AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER))
             ? pixels : NULL;
}

static inline int ffmpeg_has_palette(const AVPixFmtDescriptor *pixels) { return !!(pixels->flags & AV_PIX_FMT_FLAG_PAL); }
static inline int ffmpeg_is_rgb(const AVPixFmtDescriptor *pixels) { return !!(pixels->flags & AV_PIX_FMT_FLAG_RGB); }
static inline int ffmpeg_has_alpha(const AVPixFmtDescriptor *pixels) { return !!(pixels->flags & AV_PIX_FMT_FLAG_ALPHA); }
static inline int ffmpeg_depth(const AVPixFmtDescriptor *pixels, int component) { return pixels->comp[component].depth; }

// A colour of a palette: opacity, red, green and blue, from the highest byte on.
static inline uint32_t ffmpeg_palette_color(const AVFrame *frame, int index) {
  return ((const uint32_t *)frame->data[1])[index & 255];
}

// The values of one component in a row; with a palette, their indices in it.
static inline void ffmpeg_read_row(
    const AVFrame *frame, const AVPixFmtDescriptor *pixels, int component, int row, int count, uint16_t *values) {
  av_read_image_line2(
      values, (const uint8_t **)frame->data, frame->linesize, pixels, 0, row, component, count, 0, sizeof *values);
}

#endif

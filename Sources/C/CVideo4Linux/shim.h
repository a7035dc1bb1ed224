// Video for Linux, whose requests and formats are macros that Swift cannot import, and libv4l's emulation.
#ifndef FIELDCORDER_CVIDEO4LINUX_SHIM_H
#define FIELDCORDER_CVIDEO4LINUX_SHIM_H

#include <errno.h>
#include <libv4l2.h>
#include <linux/dma-buf.h>
#include <linux/v4l2-controls.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum video_request {
  VIDEO_QUERY_CAPABILITY,
  VIDEO_ENUMERATE_FORMAT,
  VIDEO_ENUMERATE_SIZE,
  VIDEO_ENUMERATE_INTERVAL,
  VIDEO_SET_FORMAT,
  VIDEO_SET_PARAMETERS,
  VIDEO_REQUEST_BUFFERS,
  VIDEO_QUERY_BUFFER,
  VIDEO_QUEUE_BUFFER,
  VIDEO_DEQUEUE_BUFFER,
  VIDEO_START,
  VIDEO_STOP,
  VIDEO_QUERY_CONTROL,
  VIDEO_GET_SELECTION,
  VIDEO_EXPORT_BUFFER,
  VIDEO_SET_CONTROL,
  VIDEO_SET_SELECTION,
  VIDEO_ENCODER_COMMAND,
  VIDEO_QUERY_NEXT_CONTROL,
  VIDEO_GET_CONTROLS,
  VIDEO_SET_CONTROLS,
};

static inline unsigned long video_request_number(enum video_request request) {
  switch (request) {
    case VIDEO_QUERY_CAPABILITY: return VIDIOC_QUERYCAP;
    case VIDEO_ENUMERATE_FORMAT: return VIDIOC_ENUM_FMT;
    case VIDEO_ENUMERATE_SIZE: return VIDIOC_ENUM_FRAMESIZES;
    case VIDEO_ENUMERATE_INTERVAL: return VIDIOC_ENUM_FRAMEINTERVALS;
    case VIDEO_SET_FORMAT: return VIDIOC_S_FMT;
    case VIDEO_SET_PARAMETERS: return VIDIOC_S_PARM;
    case VIDEO_REQUEST_BUFFERS: return VIDIOC_REQBUFS;
    case VIDEO_QUERY_BUFFER: return VIDIOC_QUERYBUF;
    case VIDEO_QUEUE_BUFFER: return VIDIOC_QBUF;
    case VIDEO_DEQUEUE_BUFFER: return VIDIOC_DQBUF;
    case VIDEO_START: return VIDIOC_STREAMON;
    case VIDEO_STOP: return VIDIOC_STREAMOFF;
    case VIDEO_QUERY_CONTROL: return VIDIOC_QUERYCTRL;
    case VIDEO_GET_SELECTION: return VIDIOC_G_SELECTION;
    case VIDEO_EXPORT_BUFFER: return VIDIOC_EXPBUF;
    case VIDEO_SET_CONTROL: return VIDIOC_S_CTRL;
    case VIDEO_SET_SELECTION: return VIDIOC_S_SELECTION;
    case VIDEO_ENCODER_COMMAND: return VIDIOC_ENCODER_CMD;
    case VIDEO_QUERY_NEXT_CONTROL: return VIDIOC_QUERY_EXT_CTRL;
    case VIDEO_GET_CONTROLS: return VIDIOC_G_EXT_CTRLS;
    case VIDEO_SET_CONTROLS: return VIDIOC_S_EXT_CTRLS;
  }
  return 0;
}

// One request, repeated a bounded number of times while signals interrupt it. libv4l is used only if it emulates: it
// calls the kernel directly, bypassing libcamerify, which replaces libc's ioctl and mmap.
static inline int video_control(int device, int is_emulated, enum video_request request, void *argument) {
  unsigned long number = video_request_number(request);
  int result = -1;
  for (int attempt = 0; attempt < 100; attempt++) {
    result = is_emulated ? v4l2_ioctl(device, number, argument) : ioctl(device, number, argument);
    if (result != -1 || errno != EINTR) break;
  }
  return result;
}

// The used part of struct v4l2_buffer, whose pointers stay here.
struct video_buffer {
  uint32_t index;
  uint32_t byte_count;
  uint32_t filled_byte_count;
  uint32_t offset;
  uint32_t sequence;
  int is_damaged;
  uint64_t monotonic_nanoseconds;  // 0 if it was stamped by another clock
};

// VIDEO_QUERY_BUFFER, VIDEO_QUEUE_BUFFER or VIDEO_DEQUEUE_BUFFER.
static inline int video_control_buffer(
    int device, int is_emulated, enum video_request request, struct video_buffer *buffer) {
  struct v4l2_buffer all = {
      .index = buffer->index, .type = V4L2_BUF_TYPE_VIDEO_CAPTURE, .memory = V4L2_MEMORY_MMAP};
  int result = video_control(device, is_emulated, request, &all);
  buffer->index = all.index;
  buffer->byte_count = all.length;
  buffer->filled_byte_count = all.bytesused;
  buffer->offset = all.m.offset;
  buffer->sequence = all.sequence;
  buffer->is_damaged = (all.flags & V4L2_BUF_FLAG_ERROR) != 0;
  buffer->monotonic_nanoseconds = 0;
  if ((all.flags & V4L2_BUF_FLAG_TIMESTAMP_MASK) == V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
    buffer->monotonic_nanoseconds =
        (uint64_t)all.timestamp.tv_sec * 1000000000u + (uint64_t)all.timestamp.tv_usec * 1000u;
  return result;
}

// What a driver says of a control.
struct video_control_query {
  uint32_t identifier;
  char name[32];
  int64_t least, most, usual;
  uint64_t step;
  int is_number, is_long, is_disabled, is_read_only, is_inactive;
};

// The control after `query->identifier`.
static inline int video_next_control(int device, int is_emulated, struct video_control_query *query) {
  struct v4l2_query_ext_ctrl all = {.id = query->identifier | V4L2_CTRL_FLAG_NEXT_CTRL};
  int result = video_control(device, is_emulated, VIDEO_QUERY_NEXT_CONTROL, &all);
  if (result == -1) return -1;
  *query = (struct video_control_query){
      .identifier = all.id, .least = all.minimum, .most = all.maximum, .usual = all.default_value, .step = all.step};
  memcpy(query->name, all.name, sizeof query->name);
  // A write-only control, and one that starts something, has no value; one of several elements has many.
  int is_integer = all.type == V4L2_CTRL_TYPE_INTEGER || all.type == V4L2_CTRL_TYPE_BOOLEAN ||
                   all.type == V4L2_CTRL_TYPE_MENU || all.type == V4L2_CTRL_TYPE_INTEGER_MENU ||
                   all.type == V4L2_CTRL_TYPE_INTEGER64 || all.type == V4L2_CTRL_TYPE_BITMASK;
  query->is_number = is_integer && !(all.flags & (V4L2_CTRL_FLAG_WRITE_ONLY | V4L2_CTRL_FLAG_HAS_PAYLOAD));
  query->is_disabled = (all.flags & V4L2_CTRL_FLAG_DISABLED) != 0;
  query->is_read_only = (all.flags & (V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_GRABBED)) != 0;
  query->is_inactive = (all.flags & V4L2_CTRL_FLAG_INACTIVE) != 0;
  // Bits are told from 0 on, whatever the driver says is the least.
  if (all.type == V4L2_CTRL_TYPE_BITMASK) query->least = 0, query->step = 1;
  query->is_long = all.type == V4L2_CTRL_TYPE_INTEGER64;
  return result;
}

static inline int video_exchange_control_value(
    int device, int is_emulated, enum video_request request, uint32_t identifier, struct v4l2_ext_control *control) {
  control->id = identifier;
  struct v4l2_ext_controls all = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = control};
  return video_control(device, is_emulated, request, &all);
}

// Reads the value of a control of 32 or, where `is_long`, of 64 bits.
static inline int video_get_control_value(
    int device, int is_emulated, uint32_t identifier, int is_long, int64_t *value) {
  struct v4l2_ext_control control = {0};
  int result = video_exchange_control_value(device, is_emulated, VIDEO_GET_CONTROLS, identifier, &control);
  if (result != -1) *value = is_long ? control.value64 : control.value;
  return result;
}

// The lower half of `value64` is where `value` is: the processors that we know are little-endian.
static inline int video_set_control_value(int device, int is_emulated, uint32_t identifier, int64_t value) {
  struct v4l2_ext_control control = {0};
  control.value64 = value;
  return video_exchange_control_value(device, is_emulated, VIDEO_SET_CONTROLS, identifier, &control);
}

// Requests a size and a pixel format; returns in both what the device made of them.
static inline int video_set_format(int device, int is_emulated, struct v4l2_pix_format *picture) {
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  format.fmt.pix = *picture;
  int result = video_control(device, is_emulated, VIDEO_SET_FORMAT, &format);
  *picture = format.fmt.pix;
  return result;
}

// The sizes that a device offers: each side from a minimum to a maximum in steps; both are equal for a fixed size.
struct video_sizes {
  uint32_t least_width, most_width, step_width;
  uint32_t least_height, most_height, step_height;
};

// The index-th sizes of a pixel format.
static inline int video_enumerate_size(
    int device, int is_emulated, uint32_t pixel_format, uint32_t index, struct video_sizes *sizes) {
  struct v4l2_frmsizeenum entry = {.index = index, .pixel_format = pixel_format};
  int result = video_control(device, is_emulated, VIDEO_ENUMERATE_SIZE, &entry);
  if (result != -1 && entry.type == V4L2_FRMSIZE_TYPE_DISCRETE)
    *sizes = (struct video_sizes){entry.discrete.width, entry.discrete.width, 1,
                                  entry.discrete.height, entry.discrete.height, 1};
  else if (result != -1)
    *sizes = (struct video_sizes){entry.stepwise.min_width, entry.stepwise.max_width, entry.stepwise.step_width,
                                  entry.stepwise.min_height, entry.stepwise.max_height, entry.stepwise.step_height};
  return result;
}

// The index-th frame interval at a size; of a range the shortest.
static inline int video_enumerate_interval(
    int device, int is_emulated, uint32_t pixel_format, uint32_t width, uint32_t height, uint32_t index,
    struct v4l2_fract *seconds) {
  struct v4l2_frmivalenum entry = {.index = index, .pixel_format = pixel_format, .width = width, .height = height};
  int result = video_control(device, is_emulated, VIDEO_ENUMERATE_INTERVAL, &entry);
  if (result != -1) *seconds = entry.type == V4L2_FRMIVAL_TYPE_DISCRETE ? entry.discrete : entry.stepwise.min;
  return result;
}

// Whether luma and chroma use the full range 0...255. A device that does not report it means the default of its colour
// space: for raw Y'CbCr that is the limited range, except for JPEG's.
static inline bool video_has_full_range(const struct v4l2_pix_format *picture) {
  if (picture->quantization != V4L2_QUANTIZATION_DEFAULT) return picture->quantization == V4L2_QUANTIZATION_FULL_RANGE;
  return picture->colorspace == V4L2_COLORSPACE_JPEG;
}

// Requests a frame interval; returns in it what the device made of it.
static inline int video_set_frame_interval(int device, int is_emulated, struct v4l2_fract *seconds) {
  struct v4l2_streamparm parameters = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  parameters.parm.capture.timeperframe = *seconds;
  int result = video_control(device, is_emulated, VIDEO_SET_PARAMETERS, &parameters);
  *seconds = parameters.parm.capture.timeperframe;
  return result;
}

static inline void *video_map(int device, int is_emulated, size_t byte_count, int64_t offset) {
  int protection = PROT_READ | PROT_WRITE;
  void *memory = is_emulated ? v4l2_mmap(NULL, byte_count, protection, MAP_SHARED, device, offset)
                             : mmap(NULL, byte_count, protection, MAP_SHARED, device, offset);
  return memory == MAP_FAILED ? NULL : memory;
}

static inline void video_unmap(int is_emulated, void *memory, size_t byte_count) {
  if (is_emulated)
    v4l2_munmap(memory, byte_count);
  else
    munmap(memory, byte_count);
}

static inline uint32_t video_format_mjpeg(void) { return V4L2_PIX_FMT_MJPEG; }
static inline uint32_t video_format_jpeg(void) { return V4L2_PIX_FMT_JPEG; }
static inline uint32_t video_format_yuyv(void) { return V4L2_PIX_FMT_YUYV; }
static inline uint32_t video_format_nv12(void) { return V4L2_PIX_FMT_NV12; }
static inline uint32_t video_format_yuv420(void) { return V4L2_PIX_FMT_YUV420; }

// The parts of struct v4l2_buffer that an encoder uses, for either interface; its queues have one plane per buffer.
struct coder_buffer {
  uint32_t type;    // V4L2_BUF_TYPE_…, which also selects the interface
  uint32_t memory;  // V4L2_MEMORY_…
  uint32_t index;
  uint32_t byte_count;
  uint32_t filled_byte_count;
  uint32_t offset;
  int descriptor;  // of another device's buffer
  int is_damaged;
  int is_keyframe;
  int is_last;
  uint64_t microseconds;
};

// VIDEO_QUERY_BUFFER, VIDEO_QUEUE_BUFFER or VIDEO_DEQUEUE_BUFFER.
static inline int video_control_coder_buffer(int device, enum video_request request, struct coder_buffer *buffer) {
  int has_planes = V4L2_TYPE_IS_MULTIPLANAR(buffer->type);
  struct v4l2_plane plane = {.length = buffer->byte_count, .bytesused = buffer->filled_byte_count};
  struct v4l2_buffer all = {
      .index = buffer->index,
      .type = buffer->type,
      .memory = buffer->memory,
      .field = V4L2_FIELD_NONE,
      .flags = V4L2_BUF_FLAG_TIMESTAMP_COPY,
      .length = buffer->byte_count,
      .bytesused = buffer->filled_byte_count,
      .timestamp = {.tv_sec = (time_t)(buffer->microseconds / 1000000u),
                    .tv_usec = (suseconds_t)(buffer->microseconds % 1000000u)}};
  if (buffer->memory == V4L2_MEMORY_DMABUF) all.m.fd = plane.m.fd = buffer->descriptor;
  if (has_planes) {
    all.m.planes = &plane;
    all.length = 1;
  }
  int result = video_control(device, 0, request, &all);
  buffer->index = all.index;
  buffer->byte_count = has_planes ? plane.length : all.length;
  buffer->filled_byte_count = has_planes ? plane.bytesused : all.bytesused;
  buffer->offset = has_planes ? plane.m.mem_offset : all.m.offset;
  buffer->is_damaged = (all.flags & V4L2_BUF_FLAG_ERROR) != 0;
  buffer->is_keyframe = (all.flags & V4L2_BUF_FLAG_KEYFRAME) != 0;
  buffer->is_last = (all.flags & V4L2_BUF_FLAG_LAST) != 0;
  buffer->microseconds = (uint64_t)all.timestamp.tv_sec * 1000000u + (uint64_t)all.timestamp.tv_usec;
  return result;
}

// The parts of struct v4l2_format that an encoder uses.
struct coder_format {
  uint32_t type;
  uint32_t code;
  uint32_t width;
  uint32_t height;
  uint32_t bytes_per_row;
  uint32_t byte_count;
  uint32_t plane_count;
  int has_full_range;
};

// The kernel's form of a format request.
static inline struct v4l2_format video_coder_request(struct coder_format wanted) {
  struct v4l2_format format = {.type = wanted.type};
  uint32_t quantization = wanted.has_full_range ? V4L2_QUANTIZATION_FULL_RANGE : V4L2_QUANTIZATION_LIM_RANGE;
  if (V4L2_TYPE_IS_MULTIPLANAR(wanted.type)) {
    struct v4l2_pix_format_mplane *picture = &format.fmt.pix_mp;
    picture->pixelformat = wanted.code;
    picture->width = wanted.width;
    picture->height = wanted.height;
    picture->field = V4L2_FIELD_NONE;
    picture->colorspace = V4L2_COLORSPACE_SMPTE170M;
    picture->quantization = (uint8_t)quantization;
    picture->num_planes = 1;
    picture->plane_fmt[0].bytesperline = wanted.bytes_per_row;
    picture->plane_fmt[0].sizeimage = wanted.byte_count;
  } else {
    struct v4l2_pix_format *picture = &format.fmt.pix;
    picture->pixelformat = wanted.code;
    picture->width = wanted.width;
    picture->height = wanted.height;
    picture->field = V4L2_FIELD_NONE;
    picture->colorspace = V4L2_COLORSPACE_SMPTE170M;
    picture->quantization = quantization;
    // Otherwise the kernel assumes that the range is not initialised, and clears it.
    picture->priv = V4L2_PIX_FMT_PRIV_MAGIC;
    picture->bytesperline = wanted.bytes_per_row;
    picture->sizeimage = wanted.byte_count;
  }
  return format;
}

// Requests a format; returns in it what the device made of it.
static inline int video_set_coder_format(int device, struct coder_format *wanted) {
  struct v4l2_format format = video_coder_request(*wanted);
  int result = video_control(device, 0, VIDEO_SET_FORMAT, &format);
  if (V4L2_TYPE_IS_MULTIPLANAR(wanted->type)) {
    const struct v4l2_pix_format_mplane *picture = &format.fmt.pix_mp;
    *wanted = (struct coder_format){wanted->type, picture->pixelformat, picture->width, picture->height,
                                    picture->plane_fmt[0].bytesperline, picture->plane_fmt[0].sizeimage,
                                    picture->num_planes, wanted->has_full_range};
  } else {
    const struct v4l2_pix_format *picture = &format.fmt.pix;
    *wanted = (struct coder_format){wanted->type, picture->pixelformat, picture->width, picture->height,
                                    picture->bytesperline, picture->sizeimage, 1, wanted->has_full_range};
  }
  return result;
}

// Sets an encoder's frame interval, for its rate control.
static inline int video_set_coder_interval(int device, uint32_t type, struct v4l2_fract seconds) {
  struct v4l2_streamparm parameters = {.type = type};
  parameters.parm.output.timeperframe = seconds;
  return video_control(device, 0, VIDEO_SET_PARAMETERS, &parameters);
}

// Sets the visible part of a picture that is coded in whole blocks: its upper left corner.
static inline int video_set_coder_crop(int device, uint32_t width, uint32_t height) {
  struct v4l2_selection selection = {
      .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .target = V4L2_SEL_TGT_CROP, .r = {0, 0, width, height}};
  return video_control(device, 0, VIDEO_SET_SELECTION, &selection);
}

static inline int video_stop_encoding(int device) {
  struct v4l2_encoder_cmd command = {.cmd = V4L2_ENC_CMD_STOP};
  return video_control(device, 0, VIDEO_ENCODER_COMMAND, &command);
}

// Before and after the processor writes into memory that other devices read by a descriptor (DMA_BUF_IOCTL_SYNC). Has
// no effect on uncached memory.
static inline void video_synchronize_writing(int descriptor, bool begins) {
  struct dma_buf_sync order = {.flags = (begins ? DMA_BUF_SYNC_START : DMA_BUF_SYNC_END) | DMA_BUF_SYNC_WRITE};
  while (ioctl(descriptor, DMA_BUF_IOCTL_SYNC, &order) == -1 && errno == EINTR) {
  }
}

static inline uint32_t video_format_h264(void) { return V4L2_PIX_FMT_H264; }
static inline uint32_t video_format_fwht(void) { return V4L2_PIX_FMT_FWHT; }

// Macros of v4l2-controls.h that Swift cannot import.
static inline uint32_t video_control_bit_rate(void) { return V4L2_CID_MPEG_VIDEO_BITRATE; }
static inline uint32_t video_control_group_size(void) { return V4L2_CID_MPEG_VIDEO_GOP_SIZE; }
static inline uint32_t video_control_intra_period(void) { return V4L2_CID_MPEG_VIDEO_H264_I_PERIOD; }
static inline uint32_t video_control_repeat_header(void) { return V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER; }
static inline uint32_t video_control_header_mode(void) { return V4L2_CID_MPEG_VIDEO_HEADER_MODE; }
static inline uint32_t video_control_b_frames(void) { return V4L2_CID_MPEG_VIDEO_B_FRAMES; }
static inline uint32_t video_control_profile(void) { return V4L2_CID_MPEG_VIDEO_H264_PROFILE; }
static inline uint32_t video_control_level(void) { return V4L2_CID_MPEG_VIDEO_H264_LEVEL; }
static inline uint32_t video_control_keyframe(void) { return V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME; }

#endif

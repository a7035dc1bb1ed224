// Video for Linux, whose requests and formats are macros that Swift does not see through, and libv4l's emulation.
#ifndef FIELDCORDER_CVIDEO4LINUX_SHIM_H
#define FIELDCORDER_CVIDEO4LINUX_SHIM_H

#include <errno.h>
#include <libv4l2.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum video_request {
  VIDEO_QUERY_CAPABILITY,
  VIDEO_ENUMERATE_FORMAT,
  VIDEO_SET_FORMAT,
  VIDEO_SET_PARAMETERS,
  VIDEO_REQUEST_BUFFERS,
  VIDEO_QUERY_BUFFER,
  VIDEO_QUEUE_BUFFER,
  VIDEO_DEQUEUE_BUFFER,
  VIDEO_START,
  VIDEO_STOP,
};

static inline unsigned long video_request_number(enum video_request request) {
  switch (request) {
    case VIDEO_QUERY_CAPABILITY: return VIDIOC_QUERYCAP;
    case VIDEO_ENUMERATE_FORMAT: return VIDIOC_ENUM_FMT;
    case VIDEO_SET_FORMAT: return VIDIOC_S_FMT;
    case VIDEO_SET_PARAMETERS: return VIDIOC_S_PARM;
    case VIDEO_REQUEST_BUFFERS: return VIDIOC_REQBUFS;
    case VIDEO_QUERY_BUFFER: return VIDIOC_QUERYBUF;
    case VIDEO_QUEUE_BUFFER: return VIDIOC_QBUF;
    case VIDEO_DEQUEUE_BUFFER: return VIDIOC_DQBUF;
    case VIDEO_START: return VIDIOC_STREAMON;
    case VIDEO_STOP: return VIDIOC_STREAMOFF;
  }
  return 0;
}

// One request, repeated a bounded number of times while a signal breaks it off. Through libv4l only when it emulates:
// it calls the kernel directly, past libcamerify, which stands in for libc's ioctl and mmap.
static inline int video_control(int device, int is_emulated, enum video_request request, void *argument) {
  unsigned long number = video_request_number(request);
  int result = -1;
  for (int attempt = 0; attempt < 100; attempt++) {
    result = is_emulated ? v4l2_ioctl(device, number, argument) : ioctl(device, number, argument);
    if (result != -1 || errno != EINTR) break;
  }
  return result;
}

// What is used of struct v4l2_buffer, whose pointers stay here.
struct video_buffer {
  uint32_t index;
  uint32_t byte_count;
  uint32_t filled_byte_count;
  uint32_t offset;
  uint32_t sequence;
  int is_damaged;
  uint64_t monotonic_nanoseconds;  // 0 when it was stamped by another clock
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

// Asks for a size and a pixel format; both are what the device makes of it afterwards.
static inline int video_set_format(int device, int is_emulated, struct v4l2_pix_format *picture) {
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_CAPTURE};
  format.fmt.pix = *picture;
  int result = video_control(device, is_emulated, VIDEO_SET_FORMAT, &format);
  *picture = format.fmt.pix;
  return result;
}

// Whether luma and differences use all of 0...255. A device that does not say means what its colour space has by default:
// for raw Y'CbCr that is the limited range, but for JPEG's.
static inline bool video_has_full_range(const struct v4l2_pix_format *picture) {
  if (picture->quantization != V4L2_QUANTIZATION_DEFAULT) return picture->quantization == V4L2_QUANTIZATION_FULL_RANGE;
  return picture->colorspace == V4L2_COLORSPACE_JPEG;
}

// Asks for a time from one picture to the next; it is what the device keeps to afterwards.
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

#endif

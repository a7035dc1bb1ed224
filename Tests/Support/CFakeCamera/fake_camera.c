#define _GNU_SOURCE
#include "fake_camera.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
  picture_bytes = FAKE_CAMERA_WIDTH * FAKE_CAMERA_HEIGHT * 3,
  buffer_bytes = (picture_bytes + 4095) / 4096 * 4096,
};

static struct {
  bool is_plugged_in;
  dev_t device;
  ino_t inode;
  char path[64];
  bool is_streaming;
  unsigned int sequence;
  unsigned int queue[FAKE_CAMERA_BUFFERS];
  unsigned int queued_count;
} camera;

// libc's own. Looked up at the first call, which can come before any constructor of this program.
static int (*next_ioctl)(int, unsigned long, ...);
static long (*next_syscall)(long, ...);

bool fake_camera_plug_in(const char *path) {
  struct stat status;
  int node = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (node < 0) return false;
  memset(&camera, 0, sizeof camera);
  strncpy(camera.path, path, sizeof camera.path - 1);
  camera.is_plugged_in = ftruncate(node, FAKE_CAMERA_BUFFERS * buffer_bytes) == 0 && fstat(node, &status) == 0;
  camera.device = status.st_dev;
  camera.inode = status.st_ino;
  close(node);
  return camera.is_plugged_in;
}

void fake_camera_unplug(void) {
  camera.is_plugged_in = false;
  unlink(camera.path);
}

static bool is_camera(int descriptor) {
  struct stat status;
  return camera.is_plugged_in && fstat(descriptor, &status) == 0 && status.st_dev == camera.device &&
         status.st_ino == camera.inode;
}

static int refuse(int error) {
  errno = error;
  return -1;
}

static int describe(struct v4l2_capability *capability) {
  memset(capability, 0, sizeof *capability);
  capability->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
  capability->capabilities = capability->device_caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

static int set_format(struct v4l2_format *format) {
  format->fmt.pix = (struct v4l2_pix_format){
      .width = FAKE_CAMERA_WIDTH, .height = FAKE_CAMERA_HEIGHT, .pixelformat = V4L2_PIX_FMT_RGB24,
      .field = V4L2_FIELD_NONE, .bytesperline = FAKE_CAMERA_WIDTH * 3, .sizeimage = picture_bytes,
      .colorspace = V4L2_COLORSPACE_SRGB};
  return 0;
}

static int query(struct v4l2_buffer *buffer) {
  if (buffer->index >= FAKE_CAMERA_BUFFERS) return refuse(EINVAL);
  buffer->length = buffer_bytes;
  buffer->m.offset = buffer->index * buffer_bytes;
  return 0;
}

static int queue(const struct v4l2_buffer *buffer) {
  if (buffer->index >= FAKE_CAMERA_BUFFERS || camera.queued_count == FAKE_CAMERA_BUFFERS) return refuse(EINVAL);
  camera.queue[camera.queued_count++] = buffer->index;
  return 0;
}

// Draws the next picture into the oldest buffer.
static int dequeue(int descriptor, struct v4l2_buffer *buffer) {
  if (!camera.is_streaming || camera.queued_count == 0) return refuse(EAGAIN);
  buffer->index = camera.queue[0];
  memmove(camera.queue, camera.queue + 1, --camera.queued_count * sizeof camera.queue[0]);
  unsigned char picture[picture_bytes] = {0};
  for (int at = camera.sequence % 2 == 0 ? 0 : 2; at < picture_bytes; at += 3) picture[at] = 255;
  if (pwrite(descriptor, picture, picture_bytes, buffer->index * buffer_bytes) != picture_bytes) return -1;
  buffer->length = buffer_bytes;
  buffer->bytesused = picture_bytes;
  buffer->sequence = camera.sequence++;
  buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  buffer->timestamp = (struct timeval){.tv_sec = 1, .tv_usec = (suseconds_t)buffer->sequence};
  return 0;
}

static int answer(int descriptor, unsigned long request, void *argument) {
  switch ((unsigned int)request) {
    case VIDIOC_QUERYCAP: return describe(argument);
    case VIDIOC_ENUM_FMT:
      if (((struct v4l2_fmtdesc *)argument)->index > 0) return refuse(EINVAL);
      ((struct v4l2_fmtdesc *)argument)->pixelformat = V4L2_PIX_FMT_RGB24;
      return 0;
    case VIDIOC_G_FMT:
    case VIDIOC_TRY_FMT:
    case VIDIOC_S_FMT: return set_format(argument);
    case VIDIOC_REQBUFS: ((struct v4l2_requestbuffers *)argument)->count = FAKE_CAMERA_BUFFERS; return 0;
    case VIDIOC_QUERYBUF: return query(argument);
    case VIDIOC_QBUF: return queue(argument);
    case VIDIOC_DQBUF: return dequeue(descriptor, argument);
    case VIDIOC_EXPBUF: ((struct v4l2_exportbuffer *)argument)->fd = dup(descriptor); return 0;
    case VIDIOC_STREAMON: camera.is_streaming = true; return 0;
    case VIDIOC_STREAMOFF:
      camera.is_streaming = false;
      camera.queued_count = 0;
      return 0;
    default: return refuse(ENOTTY);
  }
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list arguments;
  va_start(arguments, request);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  if (is_camera(descriptor)) return answer(descriptor, request, argument);
  if (!next_ioctl) next_ioctl = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
  return next_ioctl(descriptor, request, argument);
}

long syscall(long number, ...) {
  long words[6];
  va_list arguments;
  va_start(arguments, number);
  for (int index = 0; index < 6; index++) words[index] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_ioctl && is_camera((int)words[0]))
    return answer((int)words[0], (unsigned long)words[1], (void *)words[2]);
  if (!next_syscall) next_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

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
  uint32_t pixel_format;
  uint64_t noise;
  int64_t control_values[16];
} camera;

// In the order of their identifiers.
static const struct {
  uint32_t identifier, type, flags;
  const char *name;
  int64_t least, most, usual;
} controls[] = {
    {V4L2_CID_BRIGHTNESS, V4L2_CTRL_TYPE_INTEGER, 0, "Brightness", -64, 64, 0},
    {V4L2_CID_AUTO_WHITE_BALANCE, V4L2_CTRL_TYPE_BOOLEAN, 0, "White Balance, Automatic", 0, 1, 1},
    {V4L2_CID_GAIN, V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_FLAG_READ_ONLY, "Gain", 0, 100, 0},
    {V4L2_CID_CAMERA_CLASS, V4L2_CTRL_TYPE_CTRL_CLASS, V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_WRITE_ONLY,
     "Camera Controls", 0, 0, 0},
    {V4L2_CID_EXPOSURE_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_FLAG_INACTIVE, "Exposure Time, Absolute", 3, 2047,
     250},
    {V4L2_CID_PAN_RESET, V4L2_CTRL_TYPE_BUTTON, V4L2_CTRL_FLAG_WRITE_ONLY, "Pan, Reset", 0, 0, 0},
    {V4L2_CID_ZOOM_ABSOLUTE, V4L2_CTRL_TYPE_INTEGER, 0, "Zoom, Absolute", 100, 500, 100},
    {V4L2_CID_ZOOM_ABSOLUTE + 100, V4L2_CTRL_TYPE_STRING, V4L2_CTRL_FLAG_HAS_PAYLOAD, "Serial Number", 0, 0, 0},
    {V4L2_CID_ZOOM_ABSOLUTE + 101, V4L2_CTRL_TYPE_INTEGER, V4L2_CTRL_FLAG_DISABLED, "Old", 0, 1, 0},
    {V4L2_CID_ZOOM_ABSOLUTE + 102, V4L2_CTRL_TYPE_INTEGER64, 0, "(Wide)", 0, 1LL << 50, 7},
};
enum { control_count = sizeof controls / sizeof *controls };

// libc's own. Looked up at the first call, which can come before any constructor of this program.
static int (*next_ioctl)(int, unsigned long, ...);
static long (*next_syscall)(long, ...);

bool fake_camera_plug_in(const char *path) {
  struct stat status;
  int node = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (node < 0) return false;
  memset(&camera, 0, sizeof camera);
  strncpy(camera.path, path, sizeof camera.path - 1);
  camera.pixel_format = V4L2_PIX_FMT_RGB24;
  for (int index = 0; index < control_count; index++) camera.control_values[index] = controls[index].usual;
  camera.is_plugged_in = ftruncate(node, FAKE_CAMERA_BUFFERS * buffer_bytes) == 0 && fstat(node, &status) == 0;
  camera.device = status.st_dev;
  camera.inode = status.st_ino;
  close(node);
  return camera.is_plugged_in;
}

void fake_camera_offer(uint32_t pixel_format) { camera.pixel_format = pixel_format; }

void fake_camera_lie(uint64_t seed) { camera.noise = seed; }

// Marsaglia's xorshift64.
static uint64_t draw(void) {
  camera.noise ^= camera.noise << 13;
  camera.noise ^= camera.noise >> 7;
  camera.noise ^= camera.noise << 17;
  return camera.noise;
}

// `truth`, or one of the numbers that a driver got wrong once.
static int64_t told(int64_t truth) {
  static const int64_t lies[] = {0,         1,         2,     5,  6,    7,          8,           -1,
                                 INT32_MIN, INT32_MAX, 65535, 17, 4098, INT64_MIN, INT64_MAX, 30000000000};
  if (camera.noise == 0 || draw() % 4 != 0) return truth;
  return lies[draw() % (sizeof lies / sizeof *lies)];
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
      .width = (uint32_t)told(FAKE_CAMERA_WIDTH), .height = (uint32_t)told(FAKE_CAMERA_HEIGHT),
      .pixelformat = camera.pixel_format, .field = V4L2_FIELD_NONE,
      .bytesperline = (uint32_t)told(FAKE_CAMERA_WIDTH * 3), .sizeimage = picture_bytes,
      .colorspace = V4L2_COLORSPACE_SRGB};
  return 0;
}

static int grant(struct v4l2_requestbuffers *request) {
  request->count = (uint32_t)told(request->count < FAKE_CAMERA_BUFFERS ? request->count : FAKE_CAMERA_BUFFERS);
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
  buffer->bytesused = (uint32_t)told(picture_bytes);
  buffer->sequence = camera.sequence++;
  buffer->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
  buffer->timestamp = (struct timeval){.tv_sec = told(1), .tv_usec = told((suseconds_t)buffer->sequence)};
  buffer->index = (uint32_t)told(buffer->index);
  buffer->sequence = (uint32_t)told(buffer->sequence);
  if (told(0) != 0) buffer->flags |= V4L2_BUF_FLAG_ERROR;
  return 0;
}

static int list_sizes(struct v4l2_frmsizeenum *sizes) {
  if (sizes->index > 0) return refuse(EINVAL);
  sizes->type = V4L2_FRMSIZE_TYPE_STEPWISE;
  sizes->stepwise = (struct v4l2_frmsize_stepwise){
      (uint32_t)told(16), (uint32_t)told(FAKE_CAMERA_WIDTH), (uint32_t)told(2),
      (uint32_t)told(16), (uint32_t)told(FAKE_CAMERA_HEIGHT), (uint32_t)told(2)};
  return 0;
}

static int list_intervals(struct v4l2_frmivalenum *interval) {
  if (interval->index > 0) return refuse(EINVAL);
  interval->type = V4L2_FRMIVAL_TYPE_DISCRETE;
  interval->discrete = (struct v4l2_fract){(uint32_t)told(1), (uint32_t)told(30)};
  return 0;
}

static int set_interval(struct v4l2_streamparm *parameters) {
  parameters->parm.capture.timeperframe = (struct v4l2_fract){(uint32_t)told(1), (uint32_t)told(30)};
  return 0;
}

static int select_part(struct v4l2_selection *selection) {
  selection->r = (struct v4l2_rect){
      (int32_t)told(0), (int32_t)told(0), (uint32_t)told(640), (uint32_t)told(480)};
  return 0;
}

// It has the control in about one answer of four.
static int describe_control(struct v4l2_queryctrl *query) {
  if (told(0) == 0) return refuse(EINVAL);
  query->flags = 0;
  query->minimum = (int32_t)told(100);
  query->maximum = (int32_t)told(500);
  return 0;
}

static int describe_next_control(struct v4l2_query_ext_ctrl *query) {
  uint32_t before = query->id & ~V4L2_CTRL_FLAG_NEXT_CTRL;
  int index = 0;
  while (index < control_count && controls[index].identifier <= before) index++;
  // A driver that lies may have no end of them.
  if (index == control_count && camera.noise == 0) return refuse(EINVAL);
  if (index == control_count) index = (int)(draw() % control_count);
  memset(query, 0, sizeof *query);
  query->id = camera.noise != 0 && draw() % 2 == 0 ? before + 1 : (uint32_t)told(controls[index].identifier);
  query->type = (uint32_t)told(controls[index].type);
  query->flags = controls[index].flags;
  query->minimum = told(controls[index].least);
  query->maximum = told(controls[index].most);
  query->step = (uint64_t)told(1);
  query->default_value = told(controls[index].usual);
  strncpy(query->name, controls[index].name, sizeof query->name);
  // Not text, and without an end.
  if (told(0) != 0)
    for (size_t at = 0; at < sizeof query->name; at++) query->name[at] = (char)draw();
  return 0;
}

static int exchange_control(struct v4l2_ext_controls *all, bool is_set) {
  struct v4l2_ext_control *control = all->controls;
  if (all->count != 1 || told(0) != 0) return refuse(EIO);
  for (int index = 0; index < control_count; index++) {
    if (controls[index].identifier != control->id) continue;
    bool is_long = controls[index].type == V4L2_CTRL_TYPE_INTEGER64;
    int64_t value = is_long ? control->value64 : control->value;
    if (is_set && controls[index].flags & V4L2_CTRL_FLAG_READ_ONLY) return refuse(EACCES);
    if (is_set && (value < controls[index].least || value > controls[index].most)) return refuse(ERANGE);
    if (is_set) camera.control_values[index] = value;
    if (is_long)
      control->value64 = told(camera.control_values[index]);
    else
      control->value = (int32_t)told(camera.control_values[index]);
    return 0;
  }
  return camera.noise == 0 ? refuse(EINVAL) : 0;
}

// What a camera that is converted does not need.
static int answer_more(unsigned long request, void *argument) {
  switch ((unsigned int)request) {
    case VIDIOC_ENUM_FRAMESIZES: return list_sizes(argument);
    case VIDIOC_ENUM_FRAMEINTERVALS: return list_intervals(argument);
    case VIDIOC_S_PARM: return set_interval(argument);
    case VIDIOC_G_SELECTION: return select_part(argument);
    case VIDIOC_S_SELECTION: return told(0) == 0 ? 0 : refuse(EINVAL);
    case VIDIOC_QUERYCTRL: return describe_control(argument);
    case VIDIOC_S_CTRL: return 0;
    case VIDIOC_QUERY_EXT_CTRL: return describe_next_control(argument);
    case VIDIOC_G_EXT_CTRLS: return exchange_control(argument, false);
    case VIDIOC_S_EXT_CTRLS: return exchange_control(argument, true);
    default: return refuse(ENOTTY);
  }
}

static int answer(int descriptor, unsigned long request, void *argument) {
  switch ((unsigned int)request) {
    case VIDIOC_QUERYCAP: return describe(argument);
    case VIDIOC_ENUM_FMT:
      if (((struct v4l2_fmtdesc *)argument)->index > 0) return refuse(EINVAL);
      ((struct v4l2_fmtdesc *)argument)->pixelformat = camera.pixel_format;
      return 0;
    case VIDIOC_G_FMT:
    case VIDIOC_TRY_FMT:
    case VIDIOC_S_FMT: return set_format(argument);
    case VIDIOC_REQBUFS: return grant(argument);
    case VIDIOC_QUERYBUF: return query(argument);
    case VIDIOC_QBUF: return queue(argument);
    case VIDIOC_DQBUF: return dequeue(descriptor, argument);
    case VIDIOC_EXPBUF: ((struct v4l2_exportbuffer *)argument)->fd = dup(descriptor); return 0;
    case VIDIOC_STREAMON: camera.is_streaming = true; return 0;
    case VIDIOC_STREAMOFF:
      camera.is_streaming = false;
      camera.queued_count = 0;
      return 0;
    default: return camera.pixel_format == V4L2_PIX_FMT_RGB24 ? refuse(ENOTTY) : answer_more(request, argument);
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

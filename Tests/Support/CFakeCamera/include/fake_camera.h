#ifndef FIELDCORDER_FAKE_CAMERA_H
#define FIELDCORDER_FAKE_CAMERA_H

#include <stdbool.h>
#include <stdint.h>

// A V4L2 camera without a driver, for tests. It offers RGB24 alone, which the recorder does not take, so that libv4l must
// convert. Requests for it are answered in front of libc's ioctl and syscall, by which the recorder and libv4l reach the
// kernel; its buffers are an ordinary file. Pictures are red, blue, red, blue and so on.

// It grants as many buffers as are asked for, up to this number.
enum { FAKE_CAMERA_WIDTH = 64, FAKE_CAMERA_HEIGHT = 48, FAKE_CAMERA_BUFFERS = 8 };

// Makes the camera's node, an ordinary file. There is one camera at a time.
bool fake_camera_plug_in(const char *path);

// The camera offers this pixel format instead of RGB24 from now on, and can zoom.
void fake_camera_offer(uint32_t pixel_format);

// From now on every fourth number that the camera answers is a drawn one, of those that overflow, wrap or divide by zero.
// 0 ends it.
void fake_camera_lie(uint64_t seed);

// Removes the node.
void fake_camera_unplug(void);

#endif

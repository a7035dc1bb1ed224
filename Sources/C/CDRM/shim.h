// Kernel mode setting through libdrm: the parts that do not use the heap, and replacements with buffers of fixed size
// for libdrm's queries that do.
#ifndef FIELDCORDER_CDRM_SHIM_H
#define FIELDCORDER_CDRM_SHIM_H

#include <errno.h>
#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

// As declared in xf86drm.h and xf86drmMode.h, which need a search path of their own.
enum { DRM_MODE_DISCONNECTED = 2 };
struct _drmModeClip;
int drmIoctl(int fd, unsigned long request, void *arg);
int drmIsMaster(int fd);
int drmSetMaster(int fd);
int drmModeCreateDumbBuffer(
    int fd, uint32_t width, uint32_t height, uint32_t bpp, uint32_t flags, uint32_t *handle, uint32_t *pitch,
    uint64_t *size);
int drmModeMapDumbBuffer(int fd, uint32_t handle, uint64_t *offset);
int drmModeAddFB(
    int fd, uint32_t width, uint32_t height, uint8_t depth, uint8_t bpp, uint32_t pitch, uint32_t bo_handle,
    uint32_t *buf_id);
int drmModePageFlip(int fd, uint32_t crtc_id, uint32_t fb_id, uint32_t flags, void *user_data);
int drmModeDirtyFB(int fd, uint32_t bufferId, struct _drmModeClip *clips, uint32_t num_clips);

// More than any card has; the rest is ignored.
enum { DRM_MOST_PARTS = 32, DRM_MOST_MODES = 128 };

// A display, the CRTC that drives it, and its mode.
struct drm_output {
  uint32_t connector;
  uint32_t crtc;
  struct drm_mode_modeinfo mode;
};

enum drm_search { DRM_FOUND, DRM_NO_DISPLAY_CARD, DRM_UNPLUGGED, DRM_NO_MODE };

// Queries a connector; with `modes` NULL the kernel probes the cable and reads the display's EDID, otherwise it returns
// what it knows. Returns 0, or -1 with errno.
static inline int drm_ask_connector(
    int card, uint32_t id, struct drm_mode_get_connector *answer, struct drm_mode_modeinfo *modes, uint32_t mode_count,
    uint32_t *encoders) {
  memset(answer, 0, sizeof *answer);
  answer->connector_id = id;
  answer->modes_ptr = (uintptr_t)modes;
  answer->count_modes = mode_count;
  answer->encoders_ptr = (uintptr_t)encoders;
  answer->count_encoders = encoders ? DRM_MOST_PARTS : 0;
  return drmIoctl(card, DRM_IOCTL_MODE_GETCONNECTOR, answer);
}

// Whether a display is connected, as far as the kernel knows: it probes by itself. An unknown state counts as
// connected.
static inline bool drm_is_connected(int card, uint32_t connector) {
  struct drm_mode_get_connector answer;
  struct drm_mode_modeinfo mode;
  return drm_ask_connector(card, connector, &answer, &mode, 1, NULL) == 0 && answer.connection != DRM_MODE_DISCONNECTED;
}

// The display's preferred mode, or if that is larger than `longest`, the largest one that is not. NULL if there is
// none.
static inline const struct drm_mode_modeinfo *drm_best_mode(
    const struct drm_mode_modeinfo *modes, uint32_t count, uint32_t longest) {
  const struct drm_mode_modeinfo *best = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const struct drm_mode_modeinfo *mode = &modes[i];
    if (mode->hdisplay > longest || mode->vdisplay > longest) continue;
    if (mode->type & DRM_MODE_TYPE_PREFERRED) return mode;
    if (!best || mode->hdisplay * mode->vdisplay > best->hdisplay * best->vdisplay) best = mode;
  }
  return best;
}

// The CRTC for a connector: the one that drives it already, or the first that may. 0 if there is none.
static inline uint32_t drm_crtc_for(
    int card, const uint32_t *encoders, uint32_t encoder_count, const uint32_t *crtcs, uint32_t crtc_count) {
  for (int wants_current = 1; wants_current >= 0; wants_current--) {
    for (uint32_t i = 0; i < encoder_count; i++) {
      struct drm_mode_get_encoder encoder = {.encoder_id = encoders[i]};
      if (drmIoctl(card, DRM_IOCTL_MODE_GETENCODER, &encoder) != 0) continue;
      if (wants_current && encoder.crtc_id) return encoder.crtc_id;
      if (wants_current) continue;
      for (uint32_t n = 0; n < crtc_count; n++) {
        if (encoder.possible_crtcs & 1u << n) return crtcs[n];
      }
    }
  }
  return 0;
}

// Finds the first connected display; no side of its mode is longer than `longest`.
static inline enum drm_search drm_find_output(int card, uint32_t longest, struct drm_output *output) {
  uint32_t connectors[DRM_MOST_PARTS], crtcs[DRM_MOST_PARTS], encoders[DRM_MOST_PARTS];
  struct drm_mode_modeinfo modes[DRM_MOST_MODES];
  struct drm_mode_card_res parts = {
      .connector_id_ptr = (uintptr_t)connectors, .count_connectors = DRM_MOST_PARTS,
      .crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = DRM_MOST_PARTS};
  if (drmIoctl(card, DRM_IOCTL_MODE_GETRESOURCES, &parts) != 0) return DRM_NO_DISPLAY_CARD;
  if (parts.count_connectors > DRM_MOST_PARTS) parts.count_connectors = DRM_MOST_PARTS;
  if (parts.count_crtcs > DRM_MOST_PARTS) parts.count_crtcs = DRM_MOST_PARTS;
  enum drm_search result = DRM_UNPLUGGED;
  for (uint32_t i = 0; i < parts.count_connectors; i++) {
    struct drm_mode_get_connector answer;
    if (drm_ask_connector(card, connectors[i], &answer, NULL, 0, NULL) != 0) continue;
    if (answer.connection == DRM_MODE_DISCONNECTED) continue;
    result = DRM_NO_MODE;
    if (drm_ask_connector(card, connectors[i], &answer, modes, DRM_MOST_MODES, encoders) != 0) continue;
    // The kernel does not fill a buffer that is too small.
    if (answer.count_modes > DRM_MOST_MODES || answer.count_encoders > DRM_MOST_PARTS) continue;
    const struct drm_mode_modeinfo *mode = drm_best_mode(modes, answer.count_modes, longest);
    uint32_t crtc = drm_crtc_for(card, encoders, answer.count_encoders, crtcs, parts.count_crtcs);
    if (!mode || !crtc) continue;
    *output = (struct drm_output){.connector = connectors[i], .crtc = crtc, .mode = *mode};
    return DRM_FOUND;
  }
  return result;
}

// Shows a frame buffer at once, in the output's mode. Returns 0, or -1 with errno.
static inline int drm_show(int card, const struct drm_output *output, uint32_t frame_buffer) {
  uint32_t connector = output->connector;
  struct drm_mode_crtc crtc = {
      .set_connectors_ptr = (uintptr_t)&connector, .count_connectors = 1, .crtc_id = output->crtc,
      .fb_id = frame_buffer, .mode_valid = 1, .mode = output->mode};
  return drmIoctl(card, DRM_IOCTL_MODE_SETCRTC, &crtc);
}

// Reads the card's events without waiting. Returns how many flips were completed, or -1 when the card is gone.
static inline int drm_take_flips(int card) {
  union {
    char bytes[1024];
    struct drm_event first;
  } buffer;
  int flips = 0;
  ssize_t count;
  while ((count = read(card, buffer.bytes, sizeof buffer.bytes)) > 0) {
    for (ssize_t at = 0; at + (ssize_t)sizeof(struct drm_event) <= count;) {
      struct drm_event event;
      memcpy(&event, buffer.bytes + at, sizeof event);
      flips += event.type == DRM_EVENT_FLIP_COMPLETE;
      if (event.length < sizeof event) break;
      at += event.length;
    }
  }
  return count == 0 || errno == EAGAIN || errno == EINTR ? flips : -1;
}

#endif

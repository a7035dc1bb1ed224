// alsa-lib, and what Swift cannot express of it: opaque structures on the stack, and a variadic handler.
#ifndef FIELDCORDER_CALSA_SHIM_H
#define FIELDCORDER_CALSA_SHIM_H

// First, so that what both declare is one thing to Swift.
#include "../CLinux/shim.h"

#include <alsa/asoundlib.h>
#include <stdint.h>
#include <string.h>

static void alsa_ignore_message(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// Errors are returned; alsa-lib would also write them to standard error, which may be the console.
static inline void alsa_silence(void) { snd_lib_error_set_handler(alsa_ignore_message); }

// What is requested of a card, and afterwards what it agreed to.
struct alsa_agreement {
  unsigned int format_index;
  unsigned int rate_hz;
  unsigned int channel_count;
  unsigned int buffer_microseconds;
  unsigned int period_microseconds;
  int is_mapped;  // whether the card's buffer is mapped into our memory
  snd_pcm_uframes_t buffer_frames;  // the length of the card's buffer; only agreed, never asked for
};

// Agrees on access, the first possible format, rate, channels and buffer, each the nearest that the card offers.
// Returns 0, or the negative error of the first step that failed.
static inline int alsa_configure_hardware(
    snd_pcm_t *pcm, const snd_pcm_format_t *formats, unsigned int format_count, struct alsa_agreement *agreement) {
  snd_pcm_hw_params_t *parameters;
  snd_pcm_hw_params_alloca(&parameters);
  int error = snd_pcm_hw_params_any(pcm, parameters);
  if (error < 0) return error;
  agreement->is_mapped = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_MMAP_INTERLEAVED) == 0;
  if (!agreement->is_mapped) {
    error = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED);
    if (error < 0) return error;
  }
  error = -EINVAL;
  for (unsigned int i = 0; i < format_count && error < 0; i++) {
    // Samples change between four and three bytes while they are copied from or to a mapped buffer; read and write
    // calls would need another buffer.
    int is_padded = formats[i] == SND_PCM_FORMAT_S32_LE || formats[i] == SND_PCM_FORMAT_S24_LE;
    if (is_padded && !agreement->is_mapped) continue;
    error = snd_pcm_hw_params_set_format(pcm, parameters, formats[i]);
    agreement->format_index = i;
  }
  if (error < 0) return error;
  if ((error = snd_pcm_hw_params_set_channels_near(pcm, parameters, &agreement->channel_count)) < 0) return error;
  if ((error = snd_pcm_hw_params_set_rate_near(pcm, parameters, &agreement->rate_hz, NULL)) < 0) return error;
  error = snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &agreement->buffer_microseconds, NULL);
  if (error < 0) return error;
  error = snd_pcm_hw_params_set_period_time_near(pcm, parameters, &agreement->period_microseconds, NULL);
  if (error < 0) return error;
  if ((error = snd_pcm_hw_params(pcm, parameters)) < 0) return error;
  return snd_pcm_hw_params_get_buffer_size(parameters, &agreement->buffer_frames);
}

// Playback starts only on command, and played frames become silence at once, so that an underrun is silent instead of
// repeating the buffer.
static inline int alsa_request_playback(snd_pcm_t *pcm, snd_pcm_sw_params_t *parameters) {
  snd_pcm_uframes_t boundary;
  int error = snd_pcm_sw_params_get_boundary(parameters, &boundary);
  if (error < 0) return error;
  if ((error = snd_pcm_sw_params_set_start_threshold(pcm, parameters, boundary)) < 0) return error;
  if ((error = snd_pcm_sw_params_set_silence_threshold(pcm, parameters, 0)) < 0) return error;
  return snd_pcm_sw_params_set_silence_size(pcm, parameters, boundary);
}

// Timestamps positions with the monotonic clock, and sets the parameters of the direction.
static inline int alsa_configure_software(snd_pcm_t *pcm) {
  snd_pcm_sw_params_t *parameters;
  snd_pcm_sw_params_alloca(&parameters);
  int error = snd_pcm_sw_params_current(pcm, parameters);
  if (error < 0) return error;
  if ((error = snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)) < 0) return error;
  if ((error = snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)) < 0) return error;
  if (snd_pcm_stream(pcm) == SND_PCM_STREAM_PLAYBACK && (error = alsa_request_playback(pcm, parameters)) < 0) {
    return error;
  }
  return snd_pcm_sw_params(pcm, parameters);
}

static inline uint64_t alsa_nanoseconds(snd_htimestamp_t instant) {
  return (uint64_t)instant.tv_sec * 1000000000u + (uint64_t)instant.tv_nsec;
}

// The waiting frames, and the monotonic time of that count. Returns 0 or more, or a negative error.
static inline snd_pcm_sframes_t alsa_available(
    snd_pcm_t *pcm, snd_pcm_uframes_t *frame_count, uint64_t *monotonic_nanoseconds) {
  snd_pcm_sframes_t waiting = snd_pcm_avail(pcm);
  if (waiting < 0) return waiting;
  snd_htimestamp_t instant;
  int error = snd_pcm_htimestamp(pcm, frame_count, &instant);
  if (error < 0) return error;
  *monotonic_nanoseconds = alsa_nanoseconds(instant);
  return 0;
}

// The state of a playback card.
struct alsa_status {
  snd_pcm_state_t state;
  snd_pcm_sframes_t delay;  // frames until the next one written is heard
  snd_pcm_uframes_t available;  // free frames
  uint64_t monotonic_nanoseconds;  // the time of this state
};

// An underrun is a state here, not an error.
static inline int alsa_look(snd_pcm_t *pcm, struct alsa_status *result) {
  snd_pcm_status_t *status;
  snd_pcm_status_alloca(&status);
  int error = snd_pcm_status(pcm, status);
  if (error < 0) return error;
  snd_htimestamp_t instant;
  snd_pcm_status_get_htstamp(status, &instant);
  result->state = snd_pcm_status_get_state(status);
  result->delay = snd_pcm_status_get_delay(status);
  result->available = snd_pcm_status_get_avail(status);
  result->monotonic_nanoseconds = alsa_nanoseconds(instant);
  return 0;
}

// The next frames in the card's buffer, to be read or written: `frame_count` of them or fewer; see snd_pcm_mmap_begin.
static inline uint8_t *alsa_map(
    snd_pcm_t *pcm, snd_pcm_uframes_t *offset, snd_pcm_uframes_t *frame_count, int *error) {
  const snd_pcm_channel_area_t *areas;
  *error = snd_pcm_mmap_begin(pcm, &areas, offset, frame_count);
  if (*error < 0) return NULL;
  return (uint8_t *)areas[0].addr + (areas[0].first + *offset * areas[0].step) / 8;
}

// How much a card amplifies what it records.
struct alsa_gain {
  char name[44];            // ends with a 0
  unsigned int index;       // among those of this name
  long value, least, most;  // hundredths of a decibel
};

// Opens the mixer of a card, such as `hw:1` or `default`; it is closed by snd_mixer_close. Returns 0 or a negative error.
static inline int alsa_open_mixer(const char *card, snd_mixer_t **mixer) {
  int error = snd_mixer_open(mixer, 0);
  if (error < 0) return error;
  if ((error = snd_mixer_attach(*mixer, card)) >= 0 && (error = snd_mixer_selem_register(*mixer, NULL, NULL)) >= 0) {
    error = snd_mixer_load(*mixer);
  }
  if (error < 0) snd_mixer_close(*mixer);
  return error < 0 ? error : 0;
}

// The gain of an element; returns 0, or -1 when it has none in decibels.
static inline int alsa_gain_of(snd_mixer_elem_t *element, struct alsa_gain *gain) {
  if (!snd_mixer_selem_is_active(element) || !snd_mixer_selem_has_capture_volume(element)) return -1;
  if (snd_mixer_selem_get_capture_dB_range(element, &gain->least, &gain->most) < 0) return -1;
  snd_mixer_selem_channel_id_t channel = SND_MIXER_SCHN_FRONT_LEFT;
  if (snd_mixer_selem_get_capture_dB(element, channel, &gain->value) < 0) return -1;
  *gain->name = 0;
  strncat(gain->name, snd_mixer_selem_get_name(element), sizeof gain->name - 1);
  gain->index = snd_mixer_selem_get_index(element);
  return 0;
}

// Sets the gain of all channels to the nearest that the card has. Returns 0 or a negative error.
static inline int alsa_set_gain(snd_mixer_elem_t *element, long value) {
  return snd_mixer_selem_set_capture_dB_all(element, value, 0);
}

#endif

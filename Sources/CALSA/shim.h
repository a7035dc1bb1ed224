// alsa-lib, and what Swift cannot say of it: memory for its opaque structures on the stack, and a variadic handler.
#ifndef FIELDCORDER_CALSA_SHIM_H
#define FIELDCORDER_CALSA_SHIM_H

#include <alsa/asoundlib.h>
#include <stdint.h>

static void alsa_ignore_message(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

// What goes wrong is told by results; alsa-lib would write it to standard error, where the console may be.
static inline void alsa_silence(void) { snd_lib_error_set_handler(alsa_ignore_message); }

// What is asked of a card, and what it agreed to.
struct alsa_capture {
  unsigned int format_index;
  unsigned int rate_hz;
  unsigned int channel_count;
  unsigned int buffer_microseconds;
  unsigned int period_microseconds;
  int is_mapped;  // whether the card's buffer lies in our memory
};

// Agrees on access, the first possible format, rate, channels and buffer, the nearest that the card offers.
// Returns 0, or the negative error of the first step that found nothing.
static inline int alsa_configure_hardware(
    snd_pcm_t *pcm, const snd_pcm_format_t *formats, unsigned int format_count, struct alsa_capture *capture) {
  snd_pcm_hw_params_t *parameters;
  snd_pcm_hw_params_alloca(&parameters);
  int error = snd_pcm_hw_params_any(pcm, parameters);
  if (error < 0) return error;
  capture->is_mapped = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_MMAP_INTERLEAVED) == 0;
  if (!capture->is_mapped) {
    error = snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED);
    if (error < 0) return error;
  }
  error = -EINVAL;
  for (unsigned int i = 0; i < format_count && error < 0; i++) {
    // Four bytes a sample are packed to three on the way out of a mapped buffer; a read would need a buffer between.
    int is_packed = formats[i] == SND_PCM_FORMAT_S32_LE || formats[i] == SND_PCM_FORMAT_S24_LE;
    if (is_packed && !capture->is_mapped) continue;
    error = snd_pcm_hw_params_set_format(pcm, parameters, formats[i]);
    capture->format_index = i;
  }
  if (error < 0) return error;
  if ((error = snd_pcm_hw_params_set_channels_near(pcm, parameters, &capture->channel_count)) < 0) return error;
  if ((error = snd_pcm_hw_params_set_rate_near(pcm, parameters, &capture->rate_hz, NULL)) < 0) return error;
  error = snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &capture->buffer_microseconds, NULL);
  if (error < 0) return error;
  error = snd_pcm_hw_params_set_period_time_near(pcm, parameters, &capture->period_microseconds, NULL);
  if (error < 0) return error;
  return snd_pcm_hw_params(pcm, parameters);
}

// Stamps positions with the monotonic clock.
static inline int alsa_configure_timestamps(snd_pcm_t *pcm) {
  snd_pcm_sw_params_t *parameters;
  snd_pcm_sw_params_alloca(&parameters);
  int error = snd_pcm_sw_params_current(pcm, parameters);
  if (error < 0) return error;
  if ((error = snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE)) < 0) return error;
  if ((error = snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC)) < 0) return error;
  return snd_pcm_sw_params(pcm, parameters);
}

// How many frames wait, and when that was so by the monotonic clock; negative errors as snd_pcm_avail gives them.
static inline snd_pcm_sframes_t alsa_available(snd_pcm_t *pcm, uint64_t *monotonic_nanoseconds) {
  snd_pcm_sframes_t waiting = snd_pcm_avail(pcm);
  if (waiting < 0) return waiting;
  snd_pcm_uframes_t stamped;
  snd_htimestamp_t instant;
  int error = snd_pcm_htimestamp(pcm, &stamped, &instant);
  if (error < 0) return error;
  *monotonic_nanoseconds = (uint64_t)instant.tv_sec * 1000000000u + (uint64_t)instant.tv_nsec;
  return (snd_pcm_sframes_t)stamped;
}

// Where the oldest waiting frames lie in the card's buffer, `frame_count` of them or fewer; see snd_pcm_mmap_begin.
static inline const uint8_t *alsa_map(
    snd_pcm_t *pcm, snd_pcm_uframes_t *offset, snd_pcm_uframes_t *frame_count, int *error) {
  const snd_pcm_channel_area_t *areas;
  *error = snd_pcm_mmap_begin(pcm, &areas, offset, frame_count);
  if (*error < 0) return NULL;
  return (const uint8_t *)areas[0].addr + (areas[0].first + *offset * areas[0].step) / 8;
}

#endif

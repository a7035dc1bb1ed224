#define _GNU_SOURCE
#include "fake_card.h"

#include <alsa/asoundlib.h>
#include <dlfcn.h>

static _Thread_local uint64_t noise;
static _Thread_local bool refuses_mapping;

void fake_card_lie(uint64_t seed) { noise = seed; }

void fake_card_refuse_mapping(bool refuses) { refuses_mapping = refuses; }

// Marsaglia's xorshift64.
static uint64_t draw(void) {
  noise ^= noise << 13;
  noise ^= noise >> 7;
  noise ^= noise << 17;
  return noise;
}

enum { buffer = 9600 };

// `truth`, or one of the numbers that a driver got wrong once.
static int64_t told(int64_t truth) {
  static const int64_t lies[] = {
      0, 1, -1, INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, buffer - 1, buffer, buffer + 1, 4410, 4411, 30000000000,
      20000000000, ((int64_t)buffer << 49) - 48, -48, -EPIPE, -ESTRPIPE};
  if (noise == 0 || draw() % 2 == 0) return truth;
  return lies[draw() % (sizeof lies / sizeof *lies)];
}

// libc's or alsa-lib's own.
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm) { return told(NEXT(snd_pcm_avail)(pcm)); }

int snd_pcm_htimestamp(snd_pcm_t *pcm, snd_pcm_uframes_t *available, snd_htimestamp_t *instant) {
  int result = NEXT(snd_pcm_htimestamp)(pcm, available, instant);
  *available = (snd_pcm_uframes_t)told((int64_t)*available);
  instant->tv_sec = told(instant->tv_sec);
  instant->tv_nsec = told(instant->tv_nsec);
  return result;
}

snd_pcm_sframes_t snd_pcm_status_get_delay(const snd_pcm_status_t *status) {
  return told(NEXT(snd_pcm_status_get_delay)(status));
}

snd_pcm_uframes_t snd_pcm_status_get_avail(const snd_pcm_status_t *status) {
  return (snd_pcm_uframes_t)told((int64_t)NEXT(snd_pcm_status_get_avail)(status));
}

void snd_pcm_status_get_htstamp(const snd_pcm_status_t *status, snd_htimestamp_t *instant) {
  NEXT(snd_pcm_status_get_htstamp)(status, instant);
  instant->tv_sec = told(instant->tv_sec);
  instant->tv_nsec = told(instant->tv_nsec);
}

snd_pcm_state_t snd_pcm_status_get_state(const snd_pcm_status_t *status) {
  snd_pcm_state_t state = NEXT(snd_pcm_status_get_state)(status);
  return noise == 0 || draw() % 8 != 0 ? state : (snd_pcm_state_t)(draw() % (SND_PCM_STATE_LAST + 2));
}

snd_pcm_sframes_t snd_pcm_mmap_commit(snd_pcm_t *pcm, snd_pcm_uframes_t offset, snd_pcm_uframes_t frames) {
  return told(NEXT(snd_pcm_mmap_commit)(pcm, offset, frames));
}

snd_pcm_sframes_t snd_pcm_readi(snd_pcm_t *pcm, void *bytes, snd_pcm_uframes_t frames) {
  return told(NEXT(snd_pcm_readi)(pcm, bytes, frames));
}

snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *bytes, snd_pcm_uframes_t frames) {
  return told(NEXT(snd_pcm_writei)(pcm, bytes, frames));
}

int snd_pcm_hw_params_set_access(snd_pcm_t *pcm, snd_pcm_hw_params_t *parameters, snd_pcm_access_t access) {
  if (refuses_mapping && access == SND_PCM_ACCESS_MMAP_INTERLEAVED) return -EINVAL;
  return NEXT(snd_pcm_hw_params_set_access)(pcm, parameters, access);
}

#pragma once

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <stdio.h>
#include <unistd.h>

/* errno is a function-like macro, which Swift cannot import. */
static inline int ini_errno(void) { return errno; }

/* Embedded Swift without a heap has no literal that converts to a C string. */
static inline FILE *ini_open(const char *path) { return fopen(path, "r"); }

/* A descriptor of its own: fclose closes it. */
static inline FILE *ini_open_descriptor(int descriptor) {
  int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  FILE *stream = own < 0 ? NULL : fdopen(own, "r");
  if (stream == NULL && own >= 0) close(own);
  return stream;
}

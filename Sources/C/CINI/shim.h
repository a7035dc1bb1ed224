#pragma once

#include <errno.h>
#include <ini.h>
#include <stdio.h>

/* errno is a function-like macro, which Swift cannot import. */
static inline int ini_errno(void) { return errno; }

/* Embedded Swift without a heap has no literal that converts to a C string. */
static inline FILE *ini_open(const char *path) { return fopen(path, "r"); }

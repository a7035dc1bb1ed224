#pragma once

#include <errno.h>
#include <ini.h>
#include <stdio.h>

/* errno is a macro of function shape, which Swift cannot see. */
static inline int ini_errno(void) { return errno; }

/* Swift without a heap has no literal that C takes for a string. */
static inline FILE *ini_open(const char *path) { return fopen(path, "r"); }

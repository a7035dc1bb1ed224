#pragma once

#include <stddef.h>
#include <stdint.h>

// LLVM's documentation, "libFuzzer", "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *bytes, size_t count));

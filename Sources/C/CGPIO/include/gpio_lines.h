#ifndef FIELDCORDER_GPIO_LINES_H
#define FIELDCORDER_GPIO_LINES_H

#include <stdbool.h>
#include <stdint.h>

// A few lines of one GPIO chip, requested together, through the installed libgpiod: 1.6 of Debian bookworm or 2.x of
// trixie and later.

enum { GPIO_LINES_MAXIMUM = 8 };

enum gpio_lines_result {
  GPIO_LINES_OK,
  GPIO_LINES_NO_CHIP,  // the chip cannot be opened
  GPIO_LINES_NO_LINE,  // the chip has no line of that number
  GPIO_LINES_HELD,     // another program, or the kernel, uses the line
  GPIO_LINES_REFUSED,
};

struct gpio_lines {
  void *chip;
  void *request;
  void *lines[GPIO_LINES_MAXIMUM];
  unsigned int offsets[GPIO_LINES_MAXIMUM];
  unsigned int count;
};

// Requests `count` lines (at most GPIO_LINES_MAXIMUM) by their numbers on the chip: inputs with a bias towards the
// inactive level, outputs inactive. On failure errno is set, and `failed_offset` is the line that failed.
enum gpio_lines_result gpio_lines_open(
    struct gpio_lines *lines, const char *chip_path, const unsigned int *offsets, unsigned int count, bool is_output,
    bool is_active_low, unsigned int *failed_offset);

// Reads all lines at once. Bit n is set when the request's line n is active. False on failure, with errno. Does not use
// the heap.
bool gpio_lines_read(const struct gpio_lines *lines, uint32_t *active);

// Sets all lines at once, bit n for the request's line n. False on failure, with errno. Does not use the heap.
bool gpio_lines_write(const struct gpio_lines *lines, uint32_t active);

void gpio_lines_close(struct gpio_lines *lines);

#endif

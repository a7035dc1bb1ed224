#ifndef FIELDCORDER_GPIO_LINES_H
#define FIELDCORDER_GPIO_LINES_H

#include <stdbool.h>
#include <stdint.h>

// Up to eight lines of one GPIO chip, requested together, through the installed libgpiod: 1.6 of Debian bookworm or 2.x
// of trixie and later.

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
  // Descriptors for edge events: one for each line, or one for all of them. None if the lines cannot report edges.
  int edge_descriptors[GPIO_LINES_MAXIMUM];
  unsigned int edge_descriptor_count;
  void *edge_buffer;
};

// A change of a line's level.
struct gpio_edge {
  unsigned int line;  // of the request
  bool is_active;     // from now on
  uint64_t nanoseconds;  // of CLOCK_MONOTONIC
};

// Requests `count` lines (at most GPIO_LINES_MAXIMUM) by their numbers on the chip: inputs biased towards the inactive
// level, with edge events if the chip supports them; outputs inactive. On failure errno is set, and `failed_offset` is
// the line that failed.
enum gpio_lines_result gpio_lines_open(
    struct gpio_lines *lines, const char *chip_path, const unsigned int *offsets, unsigned int count, bool is_output,
    bool is_active_low, unsigned int *failed_offset);

// The descriptor at an index below edge_descriptor_count.
static inline int gpio_lines_edge_descriptor(struct gpio_lines lines, unsigned int index) {
  return lines.edge_descriptors[index];
}

// Takes the oldest pending edge from one of the descriptors. Returns 1, 0 if there is none, or -1 with errno. Does not
// use the heap.
int gpio_lines_next_edge(const struct gpio_lines *lines, struct gpio_edge *edge);

// Reads all lines at once: bit n is set if the request's line n is active. False on failure, with errno. Does not use
// the heap.
bool gpio_lines_read(const struct gpio_lines *lines, uint32_t *active);

// Sets all lines at once: bit n for the request's line n. False on failure, with errno. Does not use the heap.
bool gpio_lines_write(const struct gpio_lines *lines, uint32_t active);

void gpio_lines_close(struct gpio_lines *lines);

#endif

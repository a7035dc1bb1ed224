#include "gpio_lines.h"

#include <errno.h>
#include <gpiod.h>
#include <poll.h>

static const char consumer[] = "fieldcorder";

// libgpiod 2 has an enumeration of levels, libgpiod 1 a flag for each bias.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define GPIOD_IS_VERSION_1 1
#else
#define GPIOD_IS_VERSION_1 0
#endif

#if GPIOD_IS_VERSION_1

static bool has_line(struct gpiod_chip *chip, unsigned int offset) { return offset < gpiod_chip_num_lines(chip); }

static bool is_held(struct gpiod_chip *chip, unsigned int offset) {
  struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
  return line != NULL && gpiod_line_is_used(line);
}

static void fill(struct gpiod_line_bulk *bulk, const struct gpio_lines *lines) {
  gpiod_line_bulk_init(bulk);
  for (unsigned int i = 0; i < lines->count; i++) gpiod_line_bulk_add(bulk, lines->lines[i]);
}

static bool request_as(struct gpio_lines *lines, int type, bool is_output, bool is_active_low) {
  struct gpiod_line_request_config config = {.consumer = consumer, .request_type = type};
  if (is_active_low) config.flags |= GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW;
  if (!is_output)
    config.flags |= is_active_low ? GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP
                                           : GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
  struct gpiod_line_bulk bulk;
  fill(&bulk, lines);
  const int inactive[GPIO_LINES_MAXIMUM] = {0};
  return gpiod_line_request_bulk(&bulk, &config, inactive) == 0;
}

static bool request_lines(struct gpio_lines *lines, bool is_output, bool is_active_low) {
  for (unsigned int i = 0; i < lines->count; i++) {
    lines->lines[i] = gpiod_chip_get_line(lines->chip, lines->offsets[i]);
    if (lines->lines[i] == NULL) return false;
  }
  if (is_output) return request_as(lines, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, true, is_active_low);
  if (!request_as(lines, GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, false, is_active_low))
    return request_as(lines, GPIOD_LINE_REQUEST_DIRECTION_INPUT, false, is_active_low);
  for (unsigned int i = 0; i < lines->count; i++) lines->edge_descriptors[i] = gpiod_line_event_get_fd(lines->lines[i]);
  lines->edge_descriptor_count = lines->count;
  return true;
}

int gpio_lines_next_edge(const struct gpio_lines *lines, struct gpio_edge *edge) {
  struct pollfd watched[GPIO_LINES_MAXIMUM];
  for (unsigned int i = 0; i < lines->edge_descriptor_count; i++)
    watched[i] = (struct pollfd){.fd = lines->edge_descriptors[i], .events = POLLIN};
  int ready = poll(watched, lines->edge_descriptor_count, 0);
  if (ready <= 0) return ready < 0 && errno != EINTR ? -1 : 0;
  unsigned int line = 0;
  while (watched[line].revents == 0) line++;
  struct gpiod_line_event event;
  if (gpiod_line_event_read_fd(watched[line].fd, &event) != 0) return -1;
  *edge = (struct gpio_edge){
      .line = line,
      .is_active = event.event_type == GPIOD_LINE_EVENT_RISING_EDGE,
      .nanoseconds = (uint64_t)event.ts.tv_sec * 1000000000u + (uint64_t)event.ts.tv_nsec};
  return 1;
}

bool gpio_lines_read(const struct gpio_lines *lines, uint32_t *active) {
  struct gpiod_line_bulk bulk;
  fill(&bulk, lines);
  int values[GPIO_LINES_MAXIMUM];
  if (gpiod_line_get_value_bulk(&bulk, values) != 0) return false;
  *active = 0;
  for (unsigned int i = 0; i < lines->count; i++) *active |= (uint32_t)(values[i] == 1) << i;
  return true;
}

bool gpio_lines_write(const struct gpio_lines *lines, uint32_t active) {
  struct gpiod_line_bulk bulk;
  fill(&bulk, lines);
  int values[GPIO_LINES_MAXIMUM];
  for (unsigned int i = 0; i < lines->count; i++) values[i] = active >> i & 1;
  return gpiod_line_set_value_bulk(&bulk, values) == 0;
}

static void release_lines(struct gpio_lines *lines) { (void)lines; }

#else

static bool has_line(struct gpiod_chip *chip, unsigned int offset) {
  struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
  bool has = info != NULL && offset < gpiod_chip_info_get_num_lines(info);
  gpiod_chip_info_free(info);
  return has;
}

static bool is_held(struct gpiod_chip *chip, unsigned int offset) {
  struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
  bool is = info != NULL && gpiod_line_info_is_used(info);
  gpiod_line_info_free(info);
  return is;
}

static bool request_as(struct gpio_lines *lines, bool tells_edges, bool is_output, bool is_active_low) {
  struct gpiod_line_settings *settings = gpiod_line_settings_new();
  struct gpiod_line_config *config = gpiod_line_config_new();
  struct gpiod_request_config *requester = gpiod_request_config_new();
  if (settings != NULL && config != NULL && requester != NULL) {
    gpiod_request_config_set_consumer(requester, consumer);
    gpiod_line_settings_set_active_low(settings, is_active_low);
    gpiod_line_settings_set_direction(
        settings, is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT);
    if (!is_output)
      gpiod_line_settings_set_bias(
          settings, is_active_low ? GPIOD_LINE_BIAS_PULL_UP : GPIOD_LINE_BIAS_PULL_DOWN);
    if (tells_edges) gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
    if (gpiod_line_config_add_line_settings(config, lines->offsets, lines->count, settings) == 0)
      lines->request = gpiod_chip_request_lines(lines->chip, requester, config);
  }
  int reason = errno;
  gpiod_request_config_free(requester);
  gpiod_line_config_free(config);
  gpiod_line_settings_free(settings);
  errno = reason;
  return lines->request != NULL;
}

static bool request_lines(struct gpio_lines *lines, bool is_output, bool is_active_low) {
  lines->edge_buffer = is_output ? NULL : gpiod_edge_event_buffer_new(1);
  if (lines->edge_buffer == NULL || !request_as(lines, true, is_output, is_active_low))
    return request_as(lines, false, is_output, is_active_low);
  lines->edge_descriptors[0] = gpiod_line_request_get_fd(lines->request);
  lines->edge_descriptor_count = 1;
  return true;
}

int gpio_lines_next_edge(const struct gpio_lines *lines, struct gpio_edge *edge) {
  if (lines->edge_descriptor_count == 0) return 0;
  int ready = gpiod_line_request_wait_edge_events(lines->request, 0);
  if (ready <= 0) return ready < 0 && errno != EINTR ? -1 : 0;
  if (gpiod_line_request_read_edge_events(lines->request, lines->edge_buffer, 1) != 1) return -1;
  struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(lines->edge_buffer, 0);
  unsigned int line = 0;
  while (line + 1 < lines->count && lines->offsets[line] != gpiod_edge_event_get_line_offset(event)) line++;
  *edge = (struct gpio_edge){
      .line = line,
      .is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
      .nanoseconds = gpiod_edge_event_get_timestamp_ns(event)};
  return 1;
}

bool gpio_lines_read(const struct gpio_lines *lines, uint32_t *active) {
  enum gpiod_line_value values[GPIO_LINES_MAXIMUM];
  if (gpiod_line_request_get_values_subset(lines->request, lines->count, lines->offsets, values) != 0) return false;
  *active = 0;
  for (unsigned int i = 0; i < lines->count; i++)
    *active |= (uint32_t)(values[i] == GPIOD_LINE_VALUE_ACTIVE) << i;
  return true;
}

bool gpio_lines_write(const struct gpio_lines *lines, uint32_t active) {
  enum gpiod_line_value values[GPIO_LINES_MAXIMUM];
  for (unsigned int i = 0; i < lines->count; i++)
    values[i] = active >> i & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  return gpiod_line_request_set_values_subset(lines->request, lines->count, lines->offsets, values) == 0;
}

static void release_lines(struct gpio_lines *lines) {
  gpiod_line_request_release(lines->request);
  gpiod_edge_event_buffer_free(lines->edge_buffer);
}

#endif

static enum gpio_lines_result check_lines(const struct gpio_lines *lines, unsigned int *failed_offset) {
  for (unsigned int i = 0; i < lines->count; i++) {
    *failed_offset = lines->offsets[i];
    if (!has_line(lines->chip, lines->offsets[i])) {
      errno = 0;
      return GPIO_LINES_NO_LINE;
    }
    if (is_held(lines->chip, lines->offsets[i])) {
      errno = EBUSY;
      return GPIO_LINES_HELD;
    }
  }
  return GPIO_LINES_OK;
}

enum gpio_lines_result gpio_lines_open(
    struct gpio_lines *lines, const char *chip_path, const unsigned int *offsets, unsigned int count, bool is_output,
    bool is_active_low, unsigned int *failed_offset) {
  *lines = (struct gpio_lines){.count = count};
  for (unsigned int i = 0; i < count; i++) lines->offsets[i] = offsets[i];
  lines->chip = gpiod_chip_open(chip_path);
  if (lines->chip == NULL) return GPIO_LINES_NO_CHIP;
  enum gpio_lines_result result = check_lines(lines, failed_offset);
  if (result == GPIO_LINES_OK && !request_lines(lines, is_output, is_active_low)) result = GPIO_LINES_REFUSED;
  if (result != GPIO_LINES_OK) {
    int reason = errno;
    gpiod_chip_close(lines->chip);
    errno = reason;
  }
  return result;
}

void gpio_lines_close(struct gpio_lines *lines) {
  release_lines(lines);
  // In libgpiod 1 this releases the lines too.
  gpiod_chip_close(lines->chip);
}

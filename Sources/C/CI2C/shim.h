// The kernel's interface to an I2C bus (linux/i2c-dev.h), whose requests are macros that Swift does not see through.
#ifndef FIELDCORDER_CI2C_SHIM_H
#define FIELDCORDER_CI2C_SHIM_H

#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

// Talks to the chip at `address` from now on. Refuses with EBUSY one that a kernel driver has.
static inline int i2c_select(int bus, uint8_t address) { return ioctl(bus, I2C_SLAVE, (unsigned long)address); }

static inline unsigned long i2c_functions(int bus) {
  unsigned long functions = 0;
  return ioctl(bus, I2C_FUNCS, &functions) == 0 ? functions : 0;
}

// A transfer that a stuck bus holds up fails after 10 ms instead of a second; nothing is tried again.
static inline void i2c_limit_waiting(int bus) {
  ioctl(bus, I2C_TIMEOUT, 1UL);
  ioctl(bus, I2C_RETRIES, 0UL);
}

static inline int i2c_transfer(int bus, char direction, uint8_t first, unsigned int size, union i2c_smbus_data *data) {
  struct i2c_smbus_ioctl_data transfer = {
      .read_write = (__u8)direction, .command = first, .size = size, .data = data};
  return ioctl(bus, I2C_SMBUS, &transfer);
}

// -1 on failure, else the register's byte.
static inline int i2c_read_byte(int bus, uint8_t number) {
  union i2c_smbus_data data;
  return i2c_transfer(bus, I2C_SMBUS_READ, number, I2C_SMBUS_BYTE_DATA, &data) == 0 ? data.byte : -1;
}

static inline int i2c_write_byte(int bus, uint8_t number, uint8_t value) {
  union i2c_smbus_data data = {.byte = value};
  return i2c_transfer(bus, I2C_SMBUS_WRITE, number, I2C_SMBUS_BYTE_DATA, &data);
}

// Reads six registers from `first` on in one transfer.
static inline int i2c_read_six_bytes(int bus, uint8_t first, uint8_t bytes[6]) {
  union i2c_smbus_data data = {.block = {6}};
  if (i2c_transfer(bus, I2C_SMBUS_READ, first, I2C_SMBUS_I2C_BLOCK_DATA, &data) != 0) return -1;
  memcpy(bytes, data.block + 1, 6);
  return 0;
}

#endif

// libi2c's SMBus transfers, and the I2C bus requests for which it has no function (linux/i2c-dev.h).
#ifndef FIELDCORDER_CI2C_SHIM_H
#define FIELDCORDER_CI2C_SHIM_H

#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdint.h>
#include <sys/ioctl.h>

// Selects the chip at `address` for the transfers that follow. Fails with EBUSY when a kernel driver owns it.
static inline int i2c_select(int bus, uint8_t address) { return ioctl(bus, I2C_SLAVE, (unsigned long)address); }

static inline unsigned long i2c_functions(int bus) {
  unsigned long functions = 0;
  return ioctl(bus, I2C_FUNCS, &functions) == 0 ? functions : 0;
}

// A transfer on a stuck bus fails after 10 ms instead of a second, and is not retried.
static inline void i2c_limit_waiting(int bus) {
  ioctl(bus, I2C_TIMEOUT, 1UL);
  ioctl(bus, I2C_RETRIES, 0UL);
}

#endif

import Base

/// The accelerometer, polled at a slower rate than the buttons. Only reading it is bounded.
package protocol AccelerometerDriver: SlowDevice, ~Copyable where Order == PolledDeviceOrder, Outcome == FixedText<32> {
  /// Finds and wakes the chip. Called again, it looks only for the chip that was found before.
  /// - Returns: its name, for the boot line.
  mutating func open() throws(DeviceFailure) -> FixedText<32>

  /// The newest measurement; at rest it points up.
  /// - Throws: when the chip does not answer. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> Acceleration

  /// What the chip said at the last ``read()``: x, y and z in units of its own.
  var raw: InlineArray<3, Int32> { get }

  /// From now on ``read()`` returns this instead of the chip's measurement, for tests and the console.
  mutating func inject(_ acceleration: Acceleration)
}

extension AccelerometerDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: PolledDeviceOrder) throws(DeviceFailure) -> FixedText<32> { try open() }
}

/// The sensor of the processor's temperature, and what a Raspberry Pi's firmware says of supply and throttling. Reading
/// it may wait for the firmware.
package protocol ThermometerDriver: SlowDevice, ~Copyable where Order == ThermometerOrder, Outcome == HeatReading {
  /// Reads both.
  /// - Throws: when there is a sensor and it cannot be read. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> HeatReading
}

/// What the device worker does with the thermometer.
package enum ThermometerOrder: BitwiseCopyable, Sendable {
  /// The outcome is the reading.
  case read
}

extension ThermometerDriver where Self: ~Copyable {
  /// Makes the calls of an order.
  package mutating func carryOut(_ order: ThermometerOrder) throws(DeviceFailure) -> HeatReading { try read() }
}

/// How hot the processor is, and what the firmware does about that.
package struct HeatReading: BitwiseCopyable, Sendable {
  /// In thousandths of a degree Celsius, as the sensor says; nil without a sensor.
  package var milliCelsius: Int32?
  /// Nil where no firmware says it.
  package var throttling: ThrottlingFlags?

  package init(milliCelsius: Int32?, throttling: ThrottlingFlags?) {
    self.milliCelsius = milliCelsius
    self.throttling = throttling
  }
}

/// A reason for which the firmware holds the processor back, or will; the raw value is its bit in `get_throttled`.
package enum ThrottlingReason: UInt8, BitwiseCopyable, Sendable {
  case underVoltage
  case frequencyCapped
  case throttled
  case softTemperatureLimit

  /// The number of reasons: raw values are 0..<`count`.
  package static var count: Int { 4 }

  /// Its name on the console and in the ledger.
  package var name: StaticString {
    switch self {
    case .underVoltage: "under-voltage"
    case .frequencyCapped: "frequency capped"
    case .throttled: "throttled"
    case .softTemperatureLimit: "soft temperature limit"
    }
  }
}

/// What a Raspberry Pi's firmware says of supply and throttling.
package typealias ThrottlingFlags = FlagSet<ThrottlingReason>

extension ThrottlingFlags {
  /// - Parameter register: `get_throttled`, as the kernel's driver has it: in bits 0 to 3 what holds now, and in bits
  ///   16 to 19 what held at some time since the driver asked before, two seconds ago. A dip of a tenth of a second is
  ///   seen in these alone.
  package init(register: UInt32) { self.init(bits: UInt8(truncatingIfNeeded: (register | register >> 16) & 0xF)) }
}

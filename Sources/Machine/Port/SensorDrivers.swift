import Base

/// The accelerometer, polled less often than the buttons. Only reading it takes a bounded time.
package protocol AccelerometerDriver: SlowDevice, ~Copyable where Order == PolledDeviceOrder, Outcome == FixedText<32> {
  /// Finds and wakes the chip. Further calls look only for the chip found before.
  /// - Returns: the chip's name, for the boot line.
  mutating func open() throws(DeviceFailure) -> FixedText<32>

  /// The newest measurement; at rest it points up.
  /// - Throws: if the chip does not answer. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> Acceleration

  /// The chip's output at the last ``read()``: x, y and z in its own units.
  var raw: InlineArray<3, Int32> { get }

  /// Makes ``read()`` return this instead of the chip's measurement from now on, for tests and the console.
  mutating func inject(_ acceleration: Acceleration)
}

extension AccelerometerDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: PolledDeviceOrder) throws(DeviceFailure) -> FixedText<32> { try open() }
}

/// The processor's temperature sensor, and the report of a Raspberry Pi's firmware on supply and throttling. Reading
/// them may block on the firmware.
package protocol ThermometerDriver: SlowDevice, ~Copyable where Order == ThermometerOrder, Outcome == HeatReading {
  /// Reads both.
  /// - Throws: if there is a sensor and it cannot be read. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> HeatReading
}

/// An order to the device worker for the thermometer.
package enum ThermometerOrder: BitwiseCopyable, Sendable {
  /// The outcome is the reading.
  case read
}

extension ThermometerDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: ThermometerOrder) throws(DeviceFailure) -> HeatReading { try read() }
}

/// How hot the processor is, and how the firmware reacts to it.
package struct HeatReading: BitwiseCopyable, Sendable {
  /// In thousandths of a degree Celsius, as the sensor reports; nil without a sensor.
  package var milliCelsius: Int32?
  /// Nil if no firmware reports it.
  package var throttling: ThrottlingFlags?
}

/// Why the firmware throttles the processor, or will; the raw value is the bit in `get_throttled`.
package enum ThrottlingReason: UInt8, BitwiseCopyable, Sendable {
  case underVoltage
  case frequencyCapped
  case throttled
  case softTemperatureLimit

  /// The number of reasons: raw values are 0..<`count`.
  package static var count: Int { 4 }

  /// The name on the console and in the ledger.
  package var name: StaticString {
    switch self {
    case .underVoltage: "under-voltage"
    case .frequencyCapped: "frequency capped"
    case .throttled: "throttled"
    case .softTemperatureLimit: "soft temperature limit"
    }
  }
}

/// The report of a Raspberry Pi's firmware on supply and throttling.
package typealias ThrottlingFlags = FlagSet<ThrottlingReason>

extension ThrottlingFlags {
  /// - Parameter register: `get_throttled`, as the kernel's driver reports it: bits 0 to 3 are the present state, bits
  ///   16 to 19 what occurred since the driver's previous query, two seconds ago. Only those show a dip of a tenth of a
  ///   second.
  package init(register: UInt32) { self.init(bits: UInt8(truncatingIfNeeded: (register | register >> 16) & 0xF)) }
}

/// The battery's fuel gauge, power monitor or voltage divider. Reading it may block on a bus.
package protocol BatteryDriver: SlowDevice, ~Copyable where Order == BatteryOrder, Outcome == BatteryReading? {
  /// Looks now and then for a gauge until there is one, and reads it.
  /// - Returns: nil while there is none.
  /// - Throws: if there is one, and it does not answer, or reports what no battery has. The next call may succeed.
  mutating func read() throws(DeviceFailure) -> BatteryReading?
}

/// An order to the device worker for the battery.
package enum BatteryOrder: BitwiseCopyable, Sendable {
  /// The outcome is the reading.
  case read
}

extension BatteryDriver where Self: ~Copyable {
  /// Makes an order's calls.
  package mutating func carryOut(_ order: BatteryOrder) throws(DeviceFailure) -> BatteryReading? { try read() }
}

/// What a gauge says about the battery.
package struct BatteryReading: BitwiseCopyable, Sendable {
  /// The chip with its address, such as `MAX17048 0x36`, or the file of a voltage divider.
  package var name: FixedText<64>
  package var volts: Double
  /// The current out of the battery, negative while it is charged; nil if the gauge does not measure it.
  package var amperes: Double?
  /// 0…100, as the gauge itself reckons it; nil if it does not.
  package var percent: Double?
}

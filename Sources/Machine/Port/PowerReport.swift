import Base

/// What a part of the machine does now.
package enum PowerState: BitwiseCopyable, Equatable, Sendable {
  /// The machine has no such part, or does not report it.
  case absent
  case on
  case off
  /// The governor that the processor's frequency follows.
  case governor(FixedText<16>)
}

/// A part of the machine, after it was to be changed or left as it is.
package struct PartPower: BitwiseCopyable, Sendable {
  package var state = PowerState.absent
  /// Why the part is not as it should be; nil if it is.
  package var failure: DeviceFailure?

  package init() {}
}

/// The state of each part.
package typealias PowerReport = PerPowerPart<PartPower>

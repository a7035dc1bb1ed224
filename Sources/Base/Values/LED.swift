/// An LED on the case, in the order used by the configuration and the self-test.
package enum LED: UInt8, Sendable {
  /// Lit during a take.
  case record
  /// Lit while something is wrong.
  case fault

  /// All LEDs, indexed by raw value.
  package static var all: PerLED<LED> { [.record, .fault] }

  /// The key in the configuration.
  package var name: StaticString {
    switch self {
    case .record: "record"
    case .fault: "fault"
    }
  }

  /// The default GPIO line, 0…1023, unless the configuration names another.
  package var usualLine: UInt16 {
    switch self {
    case .record: 23
    case .fault: 24
    }
  }
}

/// One element per LED, indexed by raw value.
package typealias PerLED<Element> = InlineArray<2, Element>

/// Which LEDs are lit.
package typealias LEDSet = FlagSet<LED>

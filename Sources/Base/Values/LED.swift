/// An LED on the case, in the order of the configuration and of the self-test.
package enum LED: UInt8, Sendable {
  /// Lit during a take.
  case record
  /// Lit while something is wrong.
  case fault

  /// All of them, at their raw values.
  package static var all: PerLED<LED> { [.record, .fault] }

  /// Its key in the configuration.
  package var name: StaticString {
    switch self {
    case .record: "record"
    case .fault: "fault"
    }
  }

  /// The line that it is on unless the configuration has another, 0…1023.
  package var usualLine: UInt16 {
    switch self {
    case .record: 23
    case .fault: 24
    }
  }
}

/// One element for each LED, at its raw value.
package typealias PerLED<Element> = InlineArray<2, Element>

/// Which LEDs are lit.
package typealias LEDSet = FlagSet<LED>

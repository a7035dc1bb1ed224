/// Which of at most eight flags are set; a flag's raw value is its bit.
package struct FlagSet<Flag: RawRepresentable>: BitwiseCopyable, Equatable, Sendable where Flag.RawValue == UInt8 {
  /// Bit n is the flag with the raw value n.
  package var bits: UInt8

  /// The flags whose bits are set; by default none.
  package init(bits: UInt8 = 0) { self.bits = bits }

  package subscript(flag: Flag) -> Bool {
    get { bits & 1 << flag.rawValue != 0 }
    set { bits = newValue ? bits | 1 << flag.rawValue : bits & ~(1 << flag.rawValue) }
  }

  package func contains(_ flag: Flag) -> Bool { self[flag] }
}

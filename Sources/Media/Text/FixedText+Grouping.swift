extension FixedText {
  /// Appends decimal digits with a comma before each three of the last ones: `264,600`.
  public mutating func append(grouping digits: Span<UInt8>) {
    for index in digits.indices {
      if index > 0, (digits.count - index) % 3 == 0 { append(byte: UInt8(ascii: ",")) }
      append(byte: digits[index])
    }
  }
}

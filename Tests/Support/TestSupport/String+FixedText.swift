import Text

extension String {
  /// The text as the standard library has it; bytes that are no UTF-8 show as U+FFFD.
  public init<let capacity: Int>(_ text: FixedText<capacity>) {
    var bytes: [UInt8] = []
    for index in text.bytes.indices { bytes.append(text.bytes[index]) }
    self.init(decoding: bytes, as: UTF8.self)
  }
}

extension FixedText {
  /// As many whole characters as fit.
  public init(_ string: String) {
    self.init(Array(string.utf8).span)
  }
}

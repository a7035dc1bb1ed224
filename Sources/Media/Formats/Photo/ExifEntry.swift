import Base

/// An entry of a TIFF directory (TIFF 6.0, section 2).
struct ExifEntry {
  enum Value {
    case short(UInt16)
    case long(UInt32)
    case rational(UInt32, UInt32)
    /// ASCII; its end is written as well.
    case text(FixedText<68>)
    /// Four bytes of a meaning of their own.
    case undefined(UInt32)
  }

  var tag: UInt16
  var value: Value

  init(_ tag: UInt16, _ value: Value) {
    self.tag = tag
    self.value = value
  }

  /// Entries have one size, wherever their values are.
  static var byteCount: Int { 12 }

  /// Bytes of the value after the directory: none where it fits into the entry.
  var outsideByteCount: Int {
    switch value {
    case .short, .long, .undefined: 0
    case .rational: 8
    case .text(let text): text.byteCount < 4 ? 0 : (text.byteCount + 2) & ~1
    }
  }

  /// - Parameter outsideOffset: where the value is that does not fit.
  func encode(into writer: inout ByteWriter, outsideOffset: Int) {
    writer.big16(tag)
    writer.big16(type)
    writer.big32(count)
    switch value {
    case .short(let number):
      writer.big16(number)
      writer.zeros(2)
    case .long(let number), .undefined(let number): writer.big32(number)
    case .text(let text) where outsideByteCount == 0:
      writer.text(text)
      writer.zeros(4 - text.byteCount)
    case .text, .rational: writer.big32(UInt32(outsideOffset))
    }
  }

  /// Nothing where the value is in the entry.
  func encodeOutside(into writer: inout ByteWriter) {
    guard outsideByteCount > 0 else { return }
    switch value {
    case .rational(let numerator, let denominator):
      writer.big32(numerator)
      writer.big32(denominator)
    case .text(let text):
      writer.text(text)
      writer.zeros(outsideByteCount - text.byteCount)
    case .short, .long, .undefined: break
    }
  }

  private var type: UInt16 {
    switch value {
    case .text: 2
    case .short: 3
    case .long: 4
    case .rational: 5
    case .undefined: 7
    }
  }

  private var count: UInt32 {
    switch value {
    case .short, .long, .rational: 1
    case .undefined: 4
    case .text(let text): UInt32(text.byteCount) + 1
    }
  }
}

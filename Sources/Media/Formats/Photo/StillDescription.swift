import Base

/// The metadata of a still.
package struct StillDescription: Sendable {
  /// The orientation of the device; the pixels are not rotated.
  package var orientation: Orientation
  /// The number of columns stored in the file.
  package var widthPixels: Int
  /// The number of rows stored in the file.
  package var heightPixels: Int
  /// The instant of exposure since 1970-01-01 00:00 UTC; earlier ones count as that instant.
  package var unixNanoseconds: Int64
  /// The recorder that made it.
  package var device: DeviceIdentity
  /// Name and version of the firmware, ASCII, at most ``Provenance/maximumSoftwareByteCount`` bytes.
  package var software: StaticString

  package init(
    orientation: Orientation, widthPixels: Int, heightPixels: Int, unixNanoseconds: Int64, device: DeviceIdentity,
    software: StaticString
  ) {
    self.orientation = orientation
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.unixNanoseconds = max(unixNanoseconds, 0)
    self.device = device
    self.software = software
  }
}

/// The beginning of a still's file: the SOI marker and Exif's APP1 segment (CIPA DC-008-2019, clause 4.5), which is a
/// TIFF file with two directories.
extension StillDescription {
  /// Bytes of a JPEG that ``encodeBeginning(into:)`` replaces: its SOI marker.
  package static var replacedByteCount: Int { 2 }

  /// Writes what comes before the rest of the JPEG, which starts after its SOI marker.
  @export(interface)
  package func encodeBeginning(into writer: inout ByteWriter) {
    let exifOffset = Self.tiffHeaderByteCount + byteCount(of: .primary)
    let tiffByteCount = exifOffset + byteCount(of: .exif)
    writer.big16(0xFFD8)
    writer.big16(0xFFE1)
    writer.big16(UInt16(2 + Self.exifCode.utf8CodeUnitCount + tiffByteCount))
    writer.text(Self.exifCode)
    writer.text("MM")
    writer.big16(42)
    writer.big32(UInt32(Self.tiffHeaderByteCount))
    encode(.primary, at: Self.tiffHeaderByteCount, into: &writer)
    encode(.exif, at: exifOffset, into: &writer)
  }

  private static var exifCode: StaticString { "Exif\0\0" }
  private static var tiffHeaderByteCount: Int { 8 }

  private enum Directory {
    case primary
    case exif
  }

  private func byteCount(of directory: Directory) -> Int {
    var byteCount = 0
    var index = 0
    while let entry = entry(index, of: directory) {
      byteCount += ExifEntry.byteCount + entry.outsideByteCount
      index += 1
    }
    return 2 + byteCount + 4
  }

  private func encode(_ directory: Directory, at offset: Int, into writer: inout ByteWriter) {
    var count = 0
    while entry(count, of: directory) != nil { count += 1 }
    var outsideOffset = offset + 2 + count * ExifEntry.byteCount + 4
    writer.big16(UInt16(count))
    for index in 0..<count {
      guard let entry = entry(index, of: directory) else { continue }
      entry.encode(into: &writer, outsideOffset: outsideOffset)
      outsideOffset += entry.outsideByteCount
    }
    let noFurtherDirectory: UInt32 = 0
    writer.big32(noFurtherDirectory)
    for index in 0..<count { entry(index, of: directory)?.encodeOutside(into: &writer) }
  }

  private func entry(_ index: Int, of directory: Directory) -> ExifEntry? {
    switch directory {
    case .primary: primaryEntry(index)
    case .exif: exifEntry(index)
    }
  }

  /// The entries in the order of their tags, as TIFF requires.
  private func primaryEntry(_ index: Int) -> ExifEntry? {
    let dotsPerInch: UInt32 = 72
    let inches: UInt16 = 2
    let centred: UInt16 = 1
    return switch index {
    case 0: ExifEntry(0x010F, .text("fieldcorder"))
    case 1: ExifEntry(0x0110, .text("field recorder"))
    case 2: ExifEntry(0x0112, .short(orientation.exifValue))
    case 3: ExifEntry(0x011A, .rational(dotsPerInch, 1))
    case 4: ExifEntry(0x011B, .rational(dotsPerInch, 1))
    case 5: ExifEntry(0x0128, .short(inches))
    case 6: ExifEntry(0x0131, .text("\(software)"))
    case 7: ExifEntry(0x0132, .text(dateTime))
    case 8: ExifEntry(0x0213, .short(centred))
    case 9: ExifEntry(0x8769, .long(UInt32(Self.tiffHeaderByteCount + byteCount(ofPrimaryEntries: 10))))
    default: nil
    }
  }

  /// As ``byteCount(of:)``, which would ask for the entry that asks.
  private func byteCount(ofPrimaryEntries count: Int) -> Int {
    var byteCount = 2 + count * ExifEntry.byteCount + 4
    for index in 0..<count - 1 { byteCount += primaryEntry(index)?.outsideByteCount ?? 0 }
    return byteCount
  }

  private func exifEntry(_ index: Int) -> ExifEntry? {
    let version: UInt32 = 0x3032_3332
    let flashpixVersion: UInt32 = 0x3031_3030
    let lumaThenDifferences: UInt32 = 0x0102_0300
    let sRGB: UInt16 = 1
    return switch index {
    case 0: ExifEntry(0x9000, .undefined(version))
    case 1: ExifEntry(0x9003, .text(dateTime))
    case 2: ExifEntry(0x9004, .text(dateTime))
    case 3: ExifEntry(0x9010, .text(Self.utcOffset))
    case 4: ExifEntry(0x9011, .text(Self.utcOffset))
    case 5: ExifEntry(0x9012, .text(Self.utcOffset))
    case 6: ExifEntry(0x9101, .undefined(lumaThenDifferences))
    case 7: ExifEntry(0x9290, .text(milliseconds))
    case 8: ExifEntry(0x9291, .text(milliseconds))
    case 9: ExifEntry(0x9292, .text(milliseconds))
    case 10: ExifEntry(0xA000, .undefined(flashpixVersion))
    case 11: ExifEntry(0xA001, .short(sRGB))
    case 12: ExifEntry(0xA002, .long(UInt32(widthPixels)))
    case 13: ExifEntry(0xA003, .long(UInt32(heightPixels)))
    case 14: ExifEntry(0xA431, .text("\(device.text)"))
    default: nil
    }
  }

  private static var utcOffset: FixedText<68> { "+00:00" }

  private var dateTime: FixedText<68> {
    let time = CivilTime(unixSeconds: unixNanoseconds / 1_000_000_000)
    return "\(time.year, width: 4):\(time.month, width: 2):\(time.day, width: 2) \(time.isoTime)"
  }

  private var milliseconds: FixedText<68> { "\(unixNanoseconds / 1_000_000 % 1000, width: 3)" }
}

extension Orientation {
  /// The Exif tag Orientation (CIPA DC-008): where the file's first row and column belong, so that a viewer rotates the
  /// picture clockwise by ``clockwiseDegrees``.
  var exifValue: UInt16 {
    switch clockwiseDegrees {
    case 90: 6
    case 180: 3
    case 270: 8
    default: 1
    }
  }
}

/// An entry of a TIFF directory (TIFF 6.0, section 2).
struct ExifEntry {
  enum Value {
    case short(UInt16)
    case long(UInt32)
    case rational(UInt32, UInt32)
    /// ASCII text, with a terminating 0.
    case text(FixedText<68>)
    /// Four bytes with a meaning of their own.
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

  /// Bytes of the value after the directory; 0 if it fits into the entry.
  var outsideByteCount: Int {
    switch value {
    case .short, .long, .undefined: 0
    case .rational: 8
    case .text(let text): text.byteCount < 4 ? 0 : (text.byteCount + 2) & ~1
    }
  }

  /// - Parameter outsideOffset: where a value that does not fit is stored.
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

  /// Writes nothing if the value is in the entry.
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

import Base

/// The origin of a take, written into every file.
package struct Provenance: Sendable {
  /// The recorder that made the take.
  package var device: DeviceIdentity
  /// The instant of the take's first sample, in seconds since 1970-01-01 UTC.
  package var createdUnixSeconds: UInt64
  /// How many frames that instant is past its whole second, for fields that are exact to the frame.
  package var createdFrames: UInt32
  /// Name and version of the firmware, ASCII, at most ``maximumSoftwareByteCount`` bytes.
  package var software: StaticString

  /// The number at the end of the file's name.
  package var fileNumber: UInt32 = 0

  /// The name of the take's first file, if the take was interrupted and this file continues it; empty otherwise.
  package var continues: FixedText<48> = ""

  /// Where the take begins, in degrees: `47.37690 8.54170`; empty if that is not known.
  package var place: FixedText<32> = ""

  /// Headers have space for this many bytes of ``software``.
  package static var maximumSoftwareByteCount: Int { 64 }

  /// Traps when `software` is longer than headers have space for.
  package init(
    device: DeviceIdentity, createdUnixSeconds: UInt64, createdFrames: UInt32 = 0, software: StaticString
  ) {
    precondition(software.utf8CodeUnitCount <= Self.maximumSoftwareByteCount, "the software's name is too long")
    self.device = device
    self.createdUnixSeconds = createdUnixSeconds
    self.createdFrames = createdFrames
    self.software = software
  }

  /// Everything on one line, at most 7 + 36 + 11 + 20 + 11 + 64 + 12 + 32 = 193 bytes.
  package var line: FixedText<224> {
    var line: FixedText<224> = "\(Self.lineStart)\(device.text); recorded \(created.iso8601); software \(software)"
    if !continues.isEmpty { line.append("; continues \(continues)" as FixedText<64>) }
    return line
  }

  package static var lineStart: StaticString { "device " }

  /// A UUID for the file.
  package var fileIdentity: DeviceIdentity { device.ofFile(fileNumber) }

  var created: CivilTime { CivilTime(unixSeconds: Int64(clamping: createdUnixSeconds)) }
}

extension DeviceIdentity {
  /// The 36 characters of a UUID (RFC 9562, clause 4).
  package var text: FixedText<36> {
    let third: FixedText<9> = "\(hexadecimal: high >> 16 & 0xFFFF, width: 4)-\(hexadecimal: high & 0xFFFF, width: 4)"
    return """
      \(hexadecimal: high >> 32, width: 8)-\(third)-\(hexadecimal: low >> 48, width: 4)-\
      \(hexadecimal: low & 0xFFFF_FFFF_FFFF, width: 12)
      """
  }

  /// A UUID for one of the device's files: its own, with the number in the last digits.
  func ofFile(_ number: UInt32) -> DeviceIdentity { DeviceIdentity(high: high, low: low ^ UInt64(number)) }

  /// The inverse of ``ofFile(_:)``.
  func number(of device: DeviceIdentity) -> UInt32 { UInt32(truncatingIfNeeded: low ^ device.low) }

  /// - Returns: nil if `text` is not a UUID.
  package init?(text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var value: UInt128 = 0
    for index in text.indices {
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard text[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = text[index].hexadecimalDigit else { return nil }
      value = value << 4 | UInt128(digit)
    }
    self.init(high: UInt64(truncatingIfNeeded: value >> 64), low: UInt64(truncatingIfNeeded: value))
  }
}

/// A colour as a display's memory has it: 8 bits each of red, green and blue in the lower 24 (DRM_FORMAT_XRGB8888).
public struct Ink: BitwiseCopyable, Equatable, Sendable {
  /// Blue in the lowest byte.
  public let value: UInt32

  init(_ value: UInt32) { self.value = value }

  static var black: Ink { Ink(0x000000) }
  static var white: Ink { Ink(0xFFFFFF) }
  static var red: Ink { Ink(0xE02020) }
  static var yellow: Ink { Ink(0xE8C000) }
  static var green: Ink { Ink(0x20B040) }
  /// The part of a meter that sounds nothing.
  static var grey: Ink { Ink(0x303030) }
}

/// A setting with a fixed set of words. Raw values count up from 0.
public protocol Choice: RawRepresentable, Equatable, Sendable where RawValue == UInt8 {
  /// How many there are.
  static var count: UInt8 { get }
  /// The word for it in the file.
  var name: StaticString { get }
}

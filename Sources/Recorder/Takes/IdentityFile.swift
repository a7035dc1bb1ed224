import Formats
import Port
import Text
import Values

/// The data folder's `identity` file, which holds only the device's UUID.
public enum IdentityFile {
  static var path: FixedText<128> { "identity" }

  /// Reads the identity. If there is none that can be read, `fresh` is stored and used from then on.
  public static func load(
    from storage: inout some Storage & ~Copyable, orMake fresh: DeviceIdentity
  ) throws(DeviceFailure) -> DeviceIdentity {
    if let identity = try read(from: &storage) { return identity }
    let line: FixedText<40> = "\(fresh.text)\n"
    try unsafe storage.replace(path, with: line.bytes.bytes)
    return fresh
  }

  private static func read(from storage: inout some Storage & ~Copyable) throws(DeviceFailure) -> DeviceIdentity? {
    var bytes = InlineArray<36, UInt8>(repeating: 0)
    do throws(DeviceFailure) {
      var file = try storage.open(path)
      var span = bytes.mutableSpan
      var buffer = unsafe span.mutableBytes
      _ = try file.read(at: 0, into: &buffer)
    } catch {
      guard error.kind == .absent else { throw error }
    }
    return DeviceIdentity(text: bytes.span)
  }
}

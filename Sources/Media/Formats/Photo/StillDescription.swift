import Base

/// The metadata of a still.
package struct StillDescription: Sendable {
  /// The orientation of the device; the pixels are not rotated.
  package var orientation: Orientation
  /// Columns as they lie in the file.
  package var widthPixels: Int
  /// Rows as they lie in the file.
  package var heightPixels: Int
  /// The instant of exposure since 1970-01-01 00:00 UTC; before that it counts as that.
  package var unixNanoseconds: Int64
  /// The recorder that made it.
  package var device: DeviceIdentity
  /// Name and version of the firmware, ASCII, at most ``Provenance/maximumSoftwareByteCount`` bytes.
  package var software: StaticString

  /// Takes a value for each property.
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

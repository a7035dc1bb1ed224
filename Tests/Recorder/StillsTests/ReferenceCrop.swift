import Base
import Foundation
import TestPictures
import TestSupport

/// An independent implementation with ImageMagick: it rotates a plane upright, cuts out the rectangle that the user
/// saw, and rotates the result back.
enum ReferenceCrop {
  struct Wish {
    /// In the upright plane.
    var rectangle: PixelRectangle
    var orientation: Orientation
  }

  /// Makes all requested crops of one plane, in one run.
  /// - Parameter scale: how often each column and row is repeated first.
  static func cut(
    _ wishes: [Wish], of plane: TestPicture.Plane, columnScale: Int = 1, rowScale: Int = 1
  ) throws -> [[UInt8]] {
    let folder = try TemporaryFolder()
    let source = try folder.write(plane.samples, as: "plane")
    var arguments = ["-size", "\(plane.width)x\(plane.height)", "-depth", "8", "gray:\(source)"]
    if columnScale > 1 || rowScale > 1 {
      arguments += ["-sample", "\(plane.width * columnScale)x\(plane.height * rowScale)!"]
    }
    for degrees in Set(wishes.map(\.orientation.clockwiseDegrees)) {
      arguments += [
        "(", "+clone", "-rotate", "\(degrees)", "+repage", "-write", "mpr:upright\(degrees)", "+delete", ")",
      ]
    }
    arguments += ["+delete"]
    for (index, wish) in wishes.enumerated() {
      let cut = wish.rectangle
      arguments += [
        "(", "mpr:upright\(wish.orientation.clockwiseDegrees)", "-crop",
        "\(cut.width)x\(cut.height)+\(cut.x)+\(cut.y)", "+repage", "-rotate",
        "\(360 - wish.orientation.clockwiseDegrees)", "+repage", "-depth", "8", "-write",
        "gray:\(folder.path(of: "\(index)"))", "+delete", ")",
      ]
    }
    // ImageMagick must end with a picture of its own, so it gets one that is discarded.
    try ForeignProgram.run("convert", arguments + ["xc:black", "null:"])
    return try wishes.indices.map { try folder.read("\($0)") }
  }
}

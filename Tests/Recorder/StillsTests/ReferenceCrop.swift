import Foundation
import TestPictures
import TestSupport
import Values

/// ImageMagick, as the cutter that is not ours: it turns a plane upright, cuts the rectangle that a person saw, and turns
/// what is left back.
enum ReferenceCrop {
  struct Wish {
    /// Of the upright plane.
    var rectangle: PixelRectangle
    var orientation: Orientation
  }

  /// Cuts all that is wanted of one plane, in one run.
  /// - Parameter scale: how often each column and row is repeated before.
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
    // Without a picture that is left over it has nothing to end with.
    try ForeignProgram.run("convert", arguments + ["xc:black", "null:"])
    return try wishes.indices.map { try folder.read("\($0)") }
  }
}

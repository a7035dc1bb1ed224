import Base
import Foundation
import TestSupport

@testable import Drawing

/// The display's usual fonts, as packaged by Debian.
enum Fonts {
  static let latin = file("/usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf")
  static let hangul = file("/usr/share/fonts/truetype/nanum/NanumBarunGothicBold.ttf")

  // Safe: written before anybody else sees them, and never freed.
  nonisolated(unsafe) private static let usual = unsafe [kept(latin), kept(hangul)]

  private static func file(_ path: String) -> [UInt8] {
    FileManager.default.contents(atPath: path).map { Array($0) } ?? []
  }

  /// Both fonts, with their own memory, because a lettering belongs to one thread.
  static func lettering() throws -> Lettering {
    var memory = leakedBootMemory()
    let lettering = try unwrapped(Lettering(in: &memory))
    for index in 0..<2 {
      if let problem = unsafe lettering.add(usual[index]) { throw problem }
    }
    return lettering
  }

  /// A copy that is never freed.
  static func kept(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}

extension FontProblem: Error {}

import Foundation
import TestSupport
import Testing

/// The zoom as measured in the pictures of a take.
@Suite struct ZoomedPictureTests {
  /// When each picture is shown, and the base-2 logarithm of its factor.
  private func exponents(_ command: String, configuration: String = "") throws -> [(seconds: Double, exponent: Double)]
  {
    let session = try Session(
      ["wait 2", "press record", "wait 1", command, "wait 2", "press record", "wait 2", "quit"],
      configuration: "[record]\npreroll_seconds = 0\n" + configuration)
    #expect(session.end() == 0)
    let path = try #require(session.takes().first)
    let pictures = LumaPicture.sequence(try ForeignProgram.decodeLuma(path), widthPixels: 640, heightPixels: 480)
    let seconds = try ForeignProgram.pictureSeconds(path)
    #expect(seconds.count == pictures.count)
    return try zip(seconds, pictures).map { ($0, log2(try #require(ZoomReader.read($1)))) }
  }

  @Test("from 1 to 8 takes a second, within a frame, and every picture is on the curve")
  func even() throws {
    let seen = try exponents("zoom 8")
    // The start of the glide is not known to the millisecond, so it is computed from the pictures.
    let amid = seen.filter { $0.exponent > 0.3 && $0.exponent < 2.7 }
    let starts = amid.map { $0.seconds - $0.exponent / 3 }.sorted()
    let start = try #require(starts.isEmpty ? nil : starts[starts.count / 2])
    for (seconds, exponent) in seen {
      #expect(abs(exponent - min(max(3 * (seconds - start), 0), 3)) < 0.015, "at \(seconds) s")
    }
    let first = try #require(seen.last { $0.exponent < 0.015 }), last = try #require(seen.first { $0.exponent > 2.985 })
    #expect(abs(last.seconds - first.seconds - 1) <= 1.0 / 30 + 0.001)
  }

  @Test("an easing shapes the pictures of a take: sine-in-out")
  func eased() throws {
    let seen = try exponents("zoom 8", configuration: "[zoom]\neasing = sine-in-out\n")
    let amid = seen.filter { $0.exponent > 0.5 && $0.exponent < 2.5 }
    let starts = amid.map { $0.seconds - acos(1 - 2 * $0.exponent / 3) / .pi }.sorted()
    let start = try #require(starts.isEmpty ? nil : starts[starts.count / 2])
    for (seconds, exponent) in seen {
      let eased = (1 - cos(min(max(seconds - start, 0), 1) * .pi)) / 2
      #expect(abs(exponent - 3 * eased) < 0.02, "at \(seconds) s")
    }
  }
}

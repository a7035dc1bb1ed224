import Base
import Machine
import TestSupport
import Testing

/// A camera that returns with another picture size and layout.
@Suite struct ChangedCameraTests {
  @Test(
    "pictures of half the size and in another layout are scaled to the track's, and every number can be read",
    arguments: [PixelFormat.yuv420, .nv12, .yuyv, .mjpeg])
  func scaled(pixelFormat: PixelFormat) throws {
    let rig = try ApplianceRig(pixelFormat: pixelFormat, scene: FrameSize(widthPixels: 640, heightPixels: 480)) {
      $0.record.prerollSeconds = 1
    }
    rig.run(milliseconds: 1_500)
    rig.run("press record", milliseconds: 500)
    rig.begin(.changed, of: .camera)
    rig.begin(.absent, of: .camera, nanoseconds: 300_000_000)
    rig.run(milliseconds: 2_500)
    #expect(rig.announcements("its frames are scaled to 640x480").count == 1)
    rig.run("snapshot", milliseconds: 500)
    #expect(rig.host.lines.count { $0.hasPrefix("still photo/") } == 1)
    rig.endFaults(of: .camera)
    rig.begin(.absent, of: .camera, nanoseconds: 300_000_000)
    rig.run(milliseconds: 2_500)
    rig.run("press record", milliseconds: 2_000)
    #expect(rig.announcements("works again").count == 2 && rig.announcements("are scaled").count == 1)
    #expect(try rig.status()["dropped_video_frames"] as? Int == 0)
    let movie = try #require(rig.movie(rig.takePaths[0]))
    let numbers = try numbers(of: movie, in: rig)
    #expect(numbers.count > 80 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test(
    "where the machine's encoder reads copies they are scaled for it; where it reads the camera's buffers they wait")
  func encoder() throws {
    for isShared in [false, true] {
      let script = EncoderScript()
      if !isShared {
        script.input = .copied(
          VideoFormat(
            widthPixels: 160, heightPixels: 120, pixelFormat: .yuv420, bytesPerRow: 160,
            frameRate: ApplianceRig.pictureFormat.frameRate))
      }
      let host = TestHost()
      host.encoder = script
      let rig = try ApplianceRig(
        host: host, pixelFormat: .yuv420, scene: FrameSize(widthPixels: 160, heightPixels: 120)
      ) { $0.video.codec = .fwht }
      rig.run(milliseconds: 1_000)
      rig.run("press record", milliseconds: 500)
      rig.begin(.changed, of: .camera, nanoseconds: 3_000_000_000)
      rig.begin(.absent, of: .camera, nanoseconds: 300_000_000)
      rig.run(milliseconds: 2_500)
      #expect(rig.announcements("are scaled").count == (isShared ? 0 : 1))
      rig.run(milliseconds: 2_500)
      #expect(rig.announcements("works again").count == 1)
      rig.run("press record", milliseconds: 2_000)
      let movie = try #require(rig.movie(rig.takePaths[0]))
      // Pre-roll and take have three seconds outside the gap; inside it only a copied sign gives pictures.
      #expect((movie.pictures.count > 150) == !isShared, "\(movie.pictures.count) pictures")
      #expect(abs(Int(movie.pictureEndTicks) - movie.audio.count / 2) <= 320)
    }
  }

  /// The numbers in the movie's pictures, without stand-ins for the camera's.
  private func numbers(of movie: FinishedMovie, in rig: ApplianceRig) throws -> [UInt32] {
    let folder = try TemporaryFolder()
    let file = try folder.write(try #require(rig.host.disk.image[rig.takePaths[0]]), as: "take.mov")
    let luma = try ForeignProgram.decodeLuma(file)
    let pictures = LumaPicture.sequence(luma, widthPixels: 640, heightPixels: 480)
    try #require(pictures.count == movie.pictures.count)
    return pictures.compactMap { picture in
      let number = FrameNumberReader.read(picture)
      #expect(number != nil || isPlain(picture))
      return number
    }
  }

  /// Whether a picture is dark except for the words in its middle.
  private func isPlain(_ picture: LumaPicture) -> Bool {
    (0..<15).allSatisfy { row in
      row == 7
        || (0..<20).allSatisfy { (30...50).contains(picture.meanBrightness(columns: $0..<$0 + 1, rows: row..<row + 1)) }
    }
  }
}

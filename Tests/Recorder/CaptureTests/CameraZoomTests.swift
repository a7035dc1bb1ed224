import Base
import Machine
import Media
import TestSupport
import Testing

@testable import Record

@Suite struct CameraZoomTests {
  private static let second: UInt64 = 1_000_000_000

  private func zoom(_ cameraMaximum: Double?) -> CameraZoom {
    var zoom = CameraZoom(Zoom(maximum: 16, powersOfTwoPerSecond: 3, easing: .linear))
    zoom.start(cameraMaximum: cameraMaximum)
    return zoom
  }

  /// Sets the camera as the loop and the device worker do.
  private func drive(_ zoom: inout CameraZoom, _ camera: inout FakeCamera, at now: Instant) -> DeviceFailure? {
    guard let factor = zoom.factorToSet(at: now) else { return nil }
    do throws(DeviceFailure) {
      try camera.setZoom(factor)
      zoom.noteSet(factor)
      return nil
    } catch {
      zoom.noteRefusal()
      return error
    }
  }

  @Test("a camera that zooms is set once for each factor, and its pictures are not zoomed")
  func camera() {
    var zoom = zoom(4)
    var camera = FakeCamera()
    #expect(zoom.motion.maximum == 4)
    zoom.motion.glide(to: 16, powersOfTwoPerSecond: nil, at: Instant(Self.second))
    for tick in UInt64(0)..<100 {
      let failure = drive(&zoom, &camera, at: Instant(Self.second + tick * 20_000_000))
      #expect(failure == nil)
      #expect(zoom.factorToApply(at: Instant(Self.second + tick * 20_000_000)) == 1)
    }
    // Two thirds of a second in steps of 20 ms, and the end.
    #expect(camera.zooms.count == 35 && camera.zooms.first == 1 && camera.zooms.last == 4)
    #expect(camera.zooms == camera.zooms.sorted())
  }

  @Test(
    "when the camera has no zoom, or an invalid one, the pictures are zoomed",
    arguments: [
      nil, 1, 0, .nan, .infinity, -3,
    ] as [Double?])
  func recorder(cameraMaximum: Double?) {
    var zoom = zoom(cameraMaximum)
    var camera = FakeCamera()
    zoom.motion.jump(to: 10, at: 1)
    let failure = drive(&zoom, &camera, at: 2)
    #expect(failure == nil && camera.zooms.isEmpty)
    #expect(abs(zoom.factorToApply(at: 2) - 10) < 1e-9)
  }

  @Test("a camera that refuses is not asked again, and the recorder supplies the rest")
  func refusal() {
    var zoom = zoom(8)
    var camera = FakeCamera()
    zoom.motion.jump(to: 2, at: 1)
    var failure = drive(&zoom, &camera, at: 1)
    #expect(failure == nil && camera.zooms == [2])
    camera.refusesZoom = true
    zoom.motion.jump(to: 8, at: 2)
    failure = drive(&zoom, &camera, at: 2)
    #expect(failure?.kind == .failed)
    #expect(zoom.factorToApply(at: 2) == 4)
    zoom.motion.jump(to: 1, at: 3)
    failure = drive(&zoom, &camera, at: 3)
    #expect(failure == nil)
    #expect(zoom.factorToApply(at: 3) == 1)
    zoom.start(cameraMaximum: nil)
    #expect(zoom.motion.maximum == 16)
  }
}

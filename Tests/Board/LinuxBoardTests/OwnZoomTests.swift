import CVideo4Linux
import Testing

@testable import Machine

@Suite struct OwnZoomTests {
  @Test("The control's minimum is a factor of 1, and its range ends at the camera's maximum")
  func mapsControl() {
    for (factor, value) in [(1, 100), (1.5, 150), (2.004, 200), (5, 500), (16, 500), (0.5, 100)] as [(Double, Int32)] {
      #expect(OwnZoom.value(of: factor, least: 100, most: 500) == value)
    }
    #expect(OwnZoom.control(least: 100, most: 500).maximum == 5)
    #expect(OwnZoom.none.maximum == nil)
  }

  @Test("A crop is centred, even, and never leaves the sensor")
  func crops() {
    let full = v4l2_rect(left: 8, top: 4, width: 3280, height: 2464)
    var before = full
    for step in 0...1500 {
      let crop = OwnZoom.middle(of: full, factor: 1 + Double(step) / 100, least: v4l2_rect())
      #expect((UInt32(crop.left) | UInt32(crop.top) | crop.width | crop.height) & 1 == 0)
      #expect(crop.left >= full.left && crop.left + Int32(crop.width) <= full.left + Int32(full.width))
      #expect(crop.top >= full.top && crop.top + Int32(crop.height) <= full.top + Int32(full.height))
      let right = full.left + Int32(full.width) - crop.left - Int32(crop.width)
      #expect(abs(crop.left - full.left - right) <= 2)
      #expect(crop.width <= before.width && crop.height <= before.height)
      before = crop
    }
    #expect(before.width == 204 && before.height == 154)
  }

  @Test("The smallest crop that a driver accepts ends the range, and nothing smaller is requested")
  func ends() {
    let full = v4l2_rect(left: 0, top: 0, width: 1280, height: 720)
    let least = v4l2_rect(left: 0, top: 0, width: 80, height: 46)
    let zoom = OwnZoom.crop(full: full, least: least)
    #expect(zoom.maximum == 720.0 / 46)
    for factor in [15.65, 16, 1_000] {
      let crop = OwnZoom.middle(of: full, factor: factor, least: least)
      #expect(crop.width >= 80 && crop.height == 46 && crop.top == 336)
    }
  }
}

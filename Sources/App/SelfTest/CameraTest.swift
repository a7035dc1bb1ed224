import Base
import Configuration
import Machine
import Record

/// Whether the camera keeps its rate, and its pictures can be meant.
struct CameraTest {
  private let start: Instant
  private let startCount: UInt64

  init(_ capture: borrowing CaptureUnit, at now: Instant) {
    start = now
    startCount = capture.video.pictureCount
  }

  /// - Parameters:
  ///   - isWanted: whether takes have pictures.
  ///   - hasFailed: whether the recorder has no camera because it could not be opened.
  func result(
    _ capture: borrowing CaptureUnit, isWanted: Bool, hasFailed: Bool, _ failure: DeviceFailure?, at now: Instant
  ) -> TestResult {
    guard isWanted else { return TestResult(.camera, .absent, .notWanted) }
    if capture.camera.isLost || hasFailed { return TestResult(.camera, failing: failure, .noCamera) }
    guard capture.camera == .running, let format = capture.otherVideoFormat ?? capture.videoFormat else {
      return TestResult(.camera, .skipped, .closed)
    }
    let seconds = Double(now.distance(since: start)) / 1e9
    let count = capture.video.pictureCount &- startCount
    let agreed = format.frameRate.framesPerSecond
    let trouble = capture.video.trouble(lastingNanoseconds: SelfTestLimits.pictureMilliseconds * 1_000_000)
    let (verdict, remark) = Self.judge(
      count: Double(count), expected: agreed * seconds, trouble, leavesOut: capture.leavesOutPictures)
    var result = TestResult(.camera, verdict, remark)
    result.add("delivers", "frames_per_second", .decimal(Double(count) / max(seconds, 1e-9), decimals: 1), "/s")
    result.add("agreed", "agreed_frames_per_second", .decimal(agreed, decimals: 1), "/s")
    return result
  }

  /// - Parameters:
  ///   - expected: at the agreed rate.
  ///   - leavesOut: every second picture, because of the heat.
  static func judge(
    count: Double, expected: Double, _ trouble: PictureTrouble?, leavesOut: Bool
  ) -> (TestVerdict, TestRemark?) {
    switch trouble {
    case .black: return (.fail, TestRemark(Cause.blackPicture))
    case .frozen: return (.fail, TestRemark(Cause.frozenPicture))
    case nil: break
    }
    let wanted = leavesOut ? expected / 2 : expected
    if count + 1 < wanted * SelfTestLimits.leastRate { return (.fail, .tooSlow) }
    if count + 1 < wanted * SelfTestLimits.usualRate { return (.tight, .slow) }
    if count - 1 > wanted * SelfTestLimits.mostRate { return (.tight, .tooFast) }
    return leavesOut ? (.tight, .leftOut) : (.pass, nil)
  }
}

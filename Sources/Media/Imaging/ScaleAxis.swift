/// Where along one side of a plane the samples of a zoomed picture are taken from: its middle, in even steps, the
/// centres of samples upon the centres of samples.
struct ScaleAxis: BitwiseCopyable {
  /// Between which two samples of the source, and how near to the second.
  struct Position: BitwiseCopyable, Equatable {
    /// The first of the two.
    var first: Int
    /// 0…32,767: the part of the second, in 1/32,768.
    var weight: Int16
  }

  // In 1/2^32 of a sample: the 65,500th step is still right to 1/65,536 of one.
  private let origin: Int64
  private let step: Int64
  private let last: Int64

  /// - Parameters:
  ///   - sourceCount: samples of the source, at least 1.
  ///   - targetCount: samples of what is shown, at least 1.
  ///   - zoomFactor: 1 or more.
  init(sourceCount: Int, targetCount: Int, zoomFactor: Double) {
    let shownCount = Double(sourceCount) / zoomFactor
    let step = shownCount / Double(targetCount)
    let origin = (Double(sourceCount) - shownCount) / 2 + step / 2 - 0.5
    self.origin = Int64(origin * Self.one)
    self.step = Int64(step * Self.one)
    last = Int64(sourceCount - 1)
  }

  private static var one: Double { 4_294_967_296 }

  /// Where sample number `target` is taken from; at the ends of the source from its last sample alone.
  func position(_ target: Int) -> Position {
    let place = min(max(origin + Int64(target) * step, 0), last << 32)
    let first = min(place >> 32, max(last - 1, 0))
    let weight = (place - first << 32 + 1 << 16) >> 17
    return Position(first: Int(first), weight: Int16(min(weight, 32_767)))
  }
}

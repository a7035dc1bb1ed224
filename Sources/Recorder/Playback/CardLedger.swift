/// What the card was given and has not sounded, in order: frames of the ring, and others between them (silence, the
/// tone alone).
struct CardLedger: BitwiseCopyable {
  private struct Run: BitwiseCopyable {
    var isSound: Bool
    var frameCount: Int
  }

  private var runs = InlineArray<8, Run>(repeating: Run(isSound: false, frameCount: 0))
  private var runCount = 0
  /// All that the card was ever given.
  private(set) var givenFrames: UInt64 = 0

  /// Frames of the ring.
  var soundFrames: Int {
    var sum = 0
    for index in 0..<runCount where runs[index].isSound { sum += runs[index].frameCount }
    return sum
  }

  /// All frames.
  var frameCount: Int {
    var sum = 0
    for index in 0..<runCount { sum += runs[index].frameCount }
    return sum
  }

  /// Whether there is room to note frames of this kind; there is, but for a listener who starts and stops many times
  /// within the card's buffer.
  func canNote(isSound: Bool) -> Bool {
    runCount < runs.count || runs[runCount - 1].isSound == isSound
  }

  /// The card took so many. Only when they can be noted.
  mutating func note(frameCount: Int, isSound: Bool) {
    guard frameCount > 0 else { return }
    givenFrames += UInt64(frameCount)
    if runCount > 0, runs[runCount - 1].isSound == isSound {
      runs[runCount - 1].frameCount += frameCount
      return
    }
    precondition(runCount < runs.count, "frames noted for which there is no room")
    runs[runCount] = Run(isSound: isSound, frameCount: frameCount)
    runCount += 1
  }

  /// The card has sounded all but the last `queuedFrames`.
  mutating func keep(queuedFrames: Int) {
    var sounded = frameCount - max(0, queuedFrames)
    guard sounded > 0 else { return }
    var spent = 0
    while spent < runCount, runs[spent].frameCount <= sounded {
      sounded -= runs[spent].frameCount
      spent += 1
    }
    for index in spent..<runCount { runs[index - spent] = runs[index] }
    runCount -= spent
    if runCount > 0 { runs[0].frameCount -= sounded }
  }

  /// The card has nothing any more.
  mutating func removeAll() { runCount = 0 }
}

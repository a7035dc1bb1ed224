/// What the card has been given and has not yet played, in order: frames of the decoder's ring, and filler between them
/// (silence, or the tone alone).
struct PlayoutQueue: BitwiseCopyable {
  private struct Run: BitwiseCopyable {
    var isSound: Bool
    var frameCount: Int
  }

  private var runs = InlineArray<8, Run>(repeating: Run(isSound: false, frameCount: 0))
  private var runCount = 0
  /// All frames that the card was ever given.
  private(set) var givenFrames: UInt64 = 0

  /// Queued frames of the ring.
  var soundFrames: Int {
    var sum = 0
    for index in 0..<runCount where runs[index].isSound { sum += runs[index].frameCount }
    return sum
  }

  var frameCount: Int {
    var sum = 0
    for index in 0..<runCount { sum += runs[index].frameCount }
    return sum
  }

  /// Whether frames of this kind can be appended. They cannot only if playback is started and stopped many times within
  /// the card's buffer.
  func canAppend(isSound: Bool) -> Bool {
    runCount < runs.count || runs[runCount - 1].isSound == isSound
  }

  /// The card took frames. Requires ``canAppend(isSound:)``.
  mutating func append(frameCount: Int, isSound: Bool) {
    guard frameCount > 0 else { return }
    givenFrames += UInt64(frameCount)
    if runCount > 0, runs[runCount - 1].isSound == isSound {
      runs[runCount - 1].frameCount += frameCount
      return
    }
    precondition(runCount < runs.count, "the playout queue is full")
    runs[runCount] = Run(isSound: isSound, frameCount: frameCount)
    runCount += 1
  }

  /// The card has played all but the last `queuedFrames`.
  mutating func keep(queuedFrames: Int) {
    var played = frameCount - max(0, queuedFrames)
    guard played > 0 else { return }
    var spent = 0
    while spent < runCount, runs[spent].frameCount <= played {
      played -= runs[spent].frameCount
      spent += 1
    }
    for index in spent..<runCount { runs[index - spent] = runs[index] }
    runCount -= spent
    if runCount > 0 { runs[0].frameCount -= played }
  }

  mutating func removeAll() { runCount = 0 }
}

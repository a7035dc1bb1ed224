extension OpenTake where File: ~Copyable {
  /// The file is full at the turn: the first picture behind it begins the next one.
  mutating func end(atTurn turn: TakeTurn) {
    self.turn = turn
    // What is written already was before the turn was known; and no file ends where it begins.
    let end = max(turn.position, writtenPosition + 1)
    splitRule.maximumFrames = min(splitRule.maximumFrames, end - startPosition)
  }
}

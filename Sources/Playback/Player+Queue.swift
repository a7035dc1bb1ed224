import Base

extension Player {
  /// What follows when an item, or the queue, has come to its end.
  package var repetition: QueueRepeat { queue.repetition }

  /// Whether the queue's items are played in any order, each once before any of them again.
  package var isShuffled: Bool { queue.isShuffled }

  /// The index of the queue's item that is open, or that `play` opens; nil when that is none of the queue.
  package var markedIndex: Int? {
    guard let current = session.lineup.current else { return chosen == nil && queue.count > 0 ? queue.index : nil }
    return current.queuePlace.map { queue.index(at: $0) }
  }

  /// The item that is open, or that `play` opens, if it is none of the queue, which then follows it.
  package var itemBeforeQueue: MediaItem? {
    guard let current = session.lineup.current else { return chosen }
    return current.queuePlace == nil ? current.item : nil
  }

  /// Sets what follows, from the end of the present item on.
  package mutating func setRepetition(_ repetition: QueueRepeat) throws(PlayerRefusal) {
    guard repetition != queue.repetition else { return }
    guard session.canSend else { throw .decoderBusy }
    session.forgetAnnounced()
    queue.repetition = repetition
    unheardCount = 0
    let lineup = session.lineup
    if repetition != .all, lineup.current == nil || lineup.upcomingPlace <= queue.roundStart { queue.takeBackRound() }
  }

  /// Shuffles what follows the present item, or puts the queue in its order again.
  package mutating func setShuffled(_ isShuffled: Bool) throws(PlayerRefusal) {
    guard isShuffled != queue.isShuffled else { return }
    guard session.canSend else { throw .decoderBusy }
    session.forgetAnnounced()
    let current = session.lineup.current?.queuePlace
    let next = session.lineup.next?.queuePlace.map { queue.index(at: $0) }
    if isShuffled {
      let kept = current.map { queue.index(at: $0) }
      queue.stir(now.rawValue)
      let freePlace = queue.shuffle(keeping: kept, next)
      session.renumber(nextPlace: next.map { $0 == kept ? queue.place : freePlace - 1 }, upcomingPlace: freePlace)
    } else {
      queue.unshuffle(isFresh: current == nil && next == nil)
      let nextPlace = next.map { queue.roundStart + $0 }
      let last = nextPlace ?? current
      session.renumber(nextPlace: nextPlace, upcomingPlace: last.map { $0 + 1 } ?? queue.place)
    }
  }
}

import Port
import Decoding
import Values
import Rings
import Text

extension LibraryWorker where Folders: ~Copyable, Prober: ~Copyable {
  /// Goes on with the answer, or takes the next question.
  /// - Returns: false when there is no question, or no room for more of its answer.
  mutating func answerQuestions() -> Bool {
    guard !answers.isFull else { return false }
    switch answer {
    case .idle: return takeQuestion()
    case .listing, .finding:
      if goThroughIndex() { answer = .ending }
    case .enqueuingArtist(let artist):
      if goThroughIndex() { answer = answeredCount > 0 ? .ending : .refusing(.noArtist(artist)) }
    case .enqueuing(let named): go(on: named)
    case .findingNewestTake: return giveNewestTake()
    case .ending: finish(.done(count: answeredCount, coverage))
    case .refusing(let refusal): finish(.refused(refusal))
    }
    return true
  }

  private mutating func takeQuestion() -> Bool {
    guard let question = questions.pop() else { return false }
    index.cursor = 0
    answeredCount = 0
    switch question {
    case .list(let kind): answer = .listing(kind)
    case .find(let field, let text):
      folding.look(for: text.bytes)
      answer = .finding(field)
    case .enqueue(let words): answer = .enqueuing(NamedFiles(words))
    case .enqueueArtist(let artist):
      folding.look(for: artist.bytes)
      answer = .enqueuingArtist(artist)
    case .newestTake: answer = .findingNewestTake
    case .following(let path): giveFollowing(path)
    case .describe(let path): describe(LibraryPath.normalized(path))
    case .rescan:
      isRescanWanted = true
      answer = .ending
    case .growing(let path): noteGrowing(path)
    case .complete(let path): noteComplete(path)
    }
    return true
  }

  private mutating func finish(_ last: LibraryAnswer) {
    push(last)
    answer = .idle
  }

  /// An item; there must be room for it.
  mutating func give(_ item: MediaItem) {
    push(.item(item))
    answeredCount += 1
  }

  private mutating func push(_ answer: LibraryAnswer) {
    let isTold = answers.push(answer)
    precondition(isTold, "the library answers without having looked for room")
  }

  /// Gives what is wanted of the next files in order.
  /// - Returns: whether it has come to the end.
  mutating func goThroughIndex() -> Bool {
    for _ in 0..<LibraryLimits.placesPerAnswerStep {
      guard index.cursor < index.count else { return true }
      guard !answers.isFull else { return false }
      let slot = index.slot(at: index.cursor)
      index.cursor += 1
      giveIfWanted(slot)
    }
    return false
  }

  private mutating func giveIfWanted(_ slot: UInt32) {
    let record = index[slot]
    switch answer {
    case .listing(let kind) where kind == nil || kind == record.kind:
      giveEntry(slot)
    case .finding(.artist) where folding.isFound(in: index.artist(of: slot)):
      giveEntry(slot)
    case .finding(.title) where folding.isFound(in: index.title(of: slot)):
      giveEntry(slot)
    case .enqueuingArtist where record.mayBePlayed && folding.isFound(in: index.artist(of: slot)):
      give(index.item(of: slot))
    case .enqueuing(let named)
    where record.mayBePlayed && LibraryPath.contains(index.path(of: slot), folder: named.folder.bytes):
      give(index.item(of: slot))
    default: break
    }
  }

  private mutating func giveEntry(_ slot: UInt32) {
    var entry = LibraryEntry(item: index.item(of: slot), kind: index[slot].kind)
    if case .unplayable(let refusal) = index[slot].state { entry.refusal = refusal }
    push(.entry(entry))
    answeredCount += 1
  }

  /// An older take must not be given while a newer one has not been met.
  private mutating func giveNewestTake() -> Bool {
    guard knowsTakes else { return false }
    guard let slot = newestTake else {
      answer = .refusing(.noTake)
      return true
    }
    let path = FixedText<256>(index.path(of: slot))
    if isAbsent(path) {
      index.remove(slot)
    } else {
      give(index.item(of: slot))
      answer = .ending
    }
    return true
  }

  private var newestTake: UInt32? {
    var newest: UInt32?
    var number: UInt32 = 0
    for place in 0..<index.count {
      let slot = index.slot(at: place)
      let record = index[slot]
      guard record.kind == .audio || record.kind == .video, record.takeNumber > number else { continue }
      newest = slot
      number = record.takeNumber
    }
    return newest
  }

  private mutating func isAbsent(_ path: FixedText<256>) -> Bool {
    do throws(DeviceFailure) {
      _ = try folders.entry(at: path)
      return false
    } catch {
      return error.kind == .absent
    }
  }

  private mutating func giveFollowing(_ path: FixedText<256>) {
    let path = LibraryPath.normalized(path)
    var place = 0
    if LibraryPath.root(of: path.bytes) != nil {
      let found = index.place(of: path.bytes)
      place = found.isThere ? found.place + 1 : found.place
    }
    while place < index.count {
      let slot = index.slot(at: place)
      if index[slot].mayBePlayed {
        give(index.item(of: slot))
        answer = .ending
        return
      }
      place += 1
    }
    answer = .refusing(.nothingFollows(path))
  }

  private mutating func describe(_ path: FixedText<256>) {
    if let slot = index.slot(of: path.bytes) {
      give(index.item(of: slot))
      answer = .ending
      return
    }
    do throws(LibraryRefusal) {
      guard try !isFolder(path) else { throw .folder(path) }
      give(MediaItem(path: path))
      answer = .ending
    } catch {
      answer = .refusing(error)
    }
  }

  /// - Throws: when there is nothing, or nothing that a line can name.
  mutating func isFolder(_ path: FixedText<256>) throws(LibraryRefusal) -> Bool {
    guard !path.isEmpty else { throw .noName }
    guard PlainText.isPlain(path.bytes), !path.isTruncated else { throw .unprintable }
    do throws(DeviceFailure) {
      return try folders.entry(at: path).isFolder
    } catch {
      throw error.kind == .absent ? .absent(path) : .unreadable(path)
    }
  }
}

extension FileRecord {
  /// Whether it is a file with sound, as far as that is known.
  var mayBePlayed: Bool {
    switch state {
    case .waiting, .underway, .playable: true
    case .notNeeded, .unplayable: false
    }
  }
}

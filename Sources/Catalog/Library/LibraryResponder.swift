import Base
import Machine
import Wire

/// Answers the loop's queries from the catalog, one bounded piece at a time.
struct LibraryResponder: ~Copyable {
  /// The query being answered. Its place in the index is the index's own ``MediaIndex/cursor``.
  private enum State {
    case idle
    case listing(MediaKind?)
    case finding(TagField)
    /// Names are collected in ``LibraryResponder/names``.
    case naming
    case enqueuingArtist(FixedText<128>)
    case enqueuing(NamedFiles)
    case findingNewestTake
    case extracting(ExtractAnswer)
    case tellingLyrics(LyricsLines)
    /// All entries or items have been sent, but not the end.
    case ending
    case refusing(LibraryRefusal)
  }

  private var loop: JobWorkerEnd<LibraryRequest, LibraryReply>
  /// The ticket of the query.
  private var ticket: UInt32 = 0
  private var folding: TextFolding
  private var walk: OrderedWalk
  private var state = State.idle
  private var answeredCount: UInt32 = 0
  private var names = NameSearch()
  private var albums = AlbumOrder()
  private let artwork: LibraryArtwork

  init(
    _ loop: consuming JobWorkerEnd<LibraryRequest, LibraryReply>, _ folding: consuming TextFolding,
    _ walk: consuming OrderedWalk, _ artwork: LibraryArtwork
  ) {
    self.loop = loop
    self.folding = folding
    self.walk = walk
    self.artwork = artwork
  }

  /// Whether a query has not been fully answered.
  var isAnswering: Bool {
    if case .idle = state { loop.requests.count > 0 } else { true }
  }

  /// Continues the answer, or takes the next query.
  /// - Returns: false if there is no query, or no room for more of its answer.
  mutating func step(
    _ catalog: inout Catalog,
    _ prober: inout TagProber
  ) -> Bool {
    guard !loop.answers.isFull else { return false }
    switch state {
    case .idle: return takeRequest(&catalog)
    case .listing, .finding:
      if searchIndex(&catalog.index) { state = .ending }
    case .naming:
      guard searchIndex(&catalog.index) else { return true }
      push(.names(names.words))
      state = .ending
    case .enqueuingArtist(let artist):
      if searchIndex(&catalog.index) { state = answeredCount > 0 ? .ending : .refusing(.noArtist(artist)) }
    case .enqueuing(let files): state = enqueue(files, &catalog)
    case .findingNewestTake: return giveNewestTake(&catalog)
    case .extracting(let answer): return extract(answer, &catalog, &prober)
    case .tellingLyrics(let lines): tell(lines, prober)
    case .ending: finish(.done(count: answeredCount, catalog.coverage))
    case .refusing(let refusal): finish(.refused(catalog.explained(refusal)))
    }
    return true
  }

  private mutating func takeRequest(_ catalog: inout Catalog) -> Bool {
    guard let request = loop.requests.pop() else { return false }
    ticket = request.ticket
    catalog.takeUpMoves()
    catalog.index.cursor = 0
    answeredCount = 0
    switch request.value {
    case .list(let kind):
      catalog.index.listed.removeAll()
      state = .listing(kind)
    case .find(let field, let text):
      catalog.index.listed.removeAll()
      folding.look(for: text.bytes)
      state = .finding(field)
    case .enqueue(let words): state = .enqueuing(NamedFiles(words))
    case .enqueueArtist(let artist):
      folding.look(for: artist.bytes)
      state = .enqueuingArtist(artist)
    case .names(let wanted, let typed):
      names = NameSearch(wanted, beginningWith: typed)
      let hasNone = wanted == .takeNumbers && catalog.index.listed.count > 0
      state = hasNone ? .ending : .naming
    case .newestTake: state = .findingNewestTake
    case .following(let path): giveFollowing(LibraryPath.normalized(path), catalog.index)
    case .describe(let path): describe(LibraryPath.normalized(path), &catalog)
    case .listed(let number): giveListed(number, catalog.index)
    case .lyrics(let path, let seconds):
      beginExtract(.lyricsText, of: path, positionSeconds: seconds, catalog.index)
    case .artwork(let path): beginExtract(.artwork, of: path, positionSeconds: .nan, catalog.index)
    case .heard(let path):
      artwork.heard?.clear()
      if artwork.heard != nil { state = .extracting(ExtractAnswer(.artwork, of: path, isForDisplay: true)) }
    case .unlist: catalog.index.listed.removeAll()
    case .rescan:
      answeredCount = catalog.requestRescan()
      state = .ending
    case .growing(let path): catalog.noteGrowing(path)
    case .complete(let path, let soundSeconds): catalog.noteComplete(path, soundSeconds: soundSeconds)
    case .renamed(let path, let newPath):
      catalog.noteGone(path)
      catalog.noteComplete(newPath)
    }
    return true
  }

  private mutating func finish(_ last: LibraryReply) {
    push(last)
    state = .idle
  }

  private mutating func give(_ item: MediaItem) {
    push(.item(item))
    answeredCount += 1
  }

  /// Requires room, which each step checks once.
  private mutating func push(_ reply: LibraryReply) {
    let isTold = loop.answers.push(Ticketed(ticket: ticket, value: reply))
    precondition(isTold, "the queue of the library's replies is full")
  }

  /// Sends those of the next files that match.
  /// - Returns: whether it has reached the end.
  private mutating func searchIndex(_ index: inout MediaIndex) -> Bool {
    for _ in 0..<LibraryLimits.placesPerAnswerStep {
      guard index.cursor < index.count else { return true }
      guard !loop.answers.isFull else { return false }
      let slot = albums.slot(at: index.cursor, in: index)
      index.cursor += 1
      giveIfWanted(slot, &index)
    }
    return false
  }

  private mutating func giveIfWanted(_ slot: UInt32, _ index: inout MediaIndex) {
    let record = index[slot]
    switch state {
    case .naming: names.consider(index.path(of: slot), takeNumber: record.takeNumber)
    case .listing(let kind) where kind == nil || kind == record.kind: giveEntry(slot, &index)
    case .finding(.artist) where folding.isFound(in: index.artist(of: slot)): giveEntry(slot, &index)
    case .finding(.title) where folding.isFound(in: index.title(of: slot)): giveEntry(slot, &index)
    case .enqueuingArtist where record.mayBePlayed && folding.isFound(in: index.artist(of: slot)):
      give(index.item(of: slot))
    case .enqueuing(let files)
    where record.mayBePlayed && LibraryPath.contains(index.path(of: slot), folder: files.folder.bytes):
      give(index.item(of: slot))
    default: break
    }
  }

  private mutating func giveEntry(_ slot: UInt32, _ index: inout MediaIndex) {
    index.listed.append(slot)
    var entry = LibraryEntry(item: index.item(of: slot), kind: index[slot].kind)
    if case .unplayable(let refusal) = index[slot].state { entry.refusal = refusal }
    push(.entry(entry))
    answeredCount += 1
  }

  /// Waits until all take folders have been scanned: an older take must not be sent before a newer one is known.
  private mutating func giveNewestTake(_ catalog: inout Catalog) -> Bool {
    guard catalog.knowsTakes else { return false }
    guard let slot = catalog.index.newestTake else {
      state = .refusing(.noTake)
      return true
    }
    if catalog.isAbsent(FixedText(catalog.index.path(of: slot))) {
      catalog.index.remove(slot)
    } else {
      give(catalog.index.item(of: slot))
      state = .ending
    }
    return true
  }

  private mutating func giveFollowing(_ path: FixedText<256>, _ index: borrowing MediaIndex) {
    var place = 0
    if LibraryPath.root(of: path.bytes) != nil {
      let found = index.place(of: path.bytes)
      place = found.isThere ? albums.place(of: found.place, in: index) + 1 : found.place
    }
    while place < index.count, !index[albums.slot(at: place, in: index)].mayBePlayed { place += 1 }
    if place < index.count {
      give(index.item(of: albums.slot(at: place, in: index)))
      state = .ending
    } else {
      state = .refusing(.nothingFollows(path))
    }
  }

  private mutating func giveListed(_ number: UInt32, _ index: borrowing MediaIndex) {
    do throws(LibraryRefusal) {
      give(index.item(of: try index.slot(named: number)))
      state = .ending
    } catch {
      state = .refusing(error)
    }
  }

  private mutating func describe(_ path: FixedText<256>, _ catalog: inout Catalog) {
    var path = path
    do throws(LibraryRefusal) {
      if catalog.index.slot(of: path.bytes) == nil {
        let found = try catalog.find(path)
        if found.isFolder { throw .folder(path) }
        path = found.path
      }
      try catalog.refusePlaylist(path)
      give(catalog.index.item(at: path))
      state = .ending
    } catch {
      state = .refusing(error)
    }
  }

  private mutating func beginExtract(
    _ extract: Extract, of path: FixedText<256>, positionSeconds: Double, _ index: borrowing MediaIndex
  ) {
    do throws(LibraryRefusal) {
      var named = LibraryPath.normalized(path)
      if let number = path.bytes.parseInteger(as: UInt32.self) {
        named = try FixedText(index.path(of: index.slot(named: number)))
      }
      guard !named.isEmpty else { throw .noName }
      guard named.isPrintable, !named.isTruncated else { throw .unprintable }
      guard !named.isStreamAddress else {
        throw ExtractAnswer(extract, of: named.bytes.hidingSecrets()).refusal
      }
      state = .extracting(ExtractAnswer(extract, of: named, positionSeconds: positionSeconds))
    } catch {
      state = .refusing(error)
    }
  }

  /// - Returns: false while the process is working.
  private mutating func extract(
    _ answer: ExtractAnswer, _ catalog: inout Catalog,
    _ prober: inout TagProber
  ) -> Bool {
    var answer = answer
    if answer.isAsked {
      guard let result = prober.takeExtracted() else { return false }
      switch result {
      case .success(let content): take(content, answer, prober)
      case .failure(let refusal): goOn(answer, orRefuse: .refused(answer.source, refusal))
      }
      return true
    }
    do throws(DeviceFailure) {
      guard try prober.extract(answer.extract, from: answer.source, &catalog) else { return false }
      answer.isAsked = true
      state = .extracting(answer)
    } catch  where error.device != .storage {
      state = answer.isForDisplay ? .idle : .refusing(.noDecoder)
    } catch {
      goOn(answer, orRefuse: error.kind == .absent ? .absent(answer.source) : .unreadable(answer.source))
    }
    return true
  }

  /// Requests what remains to be requested.
  private mutating func goOn(_ answer: ExtractAnswer, orRefuse refusal: LibraryRefusal) {
    var answer = answer
    if answer.fallBack() {
      state = .extracting(answer)
    } else {
      state = answer.isForDisplay ? .idle : .refusing(refusal)
    }
  }

  private mutating func take(
    _ content: Extracted, _ answer: ExtractAnswer, _ prober: borrowing TagProber
  ) {
    switch content {
    case .lyrics(let byteCount, let isCut) where byteCount > 0 && answer.extract != .artwork:
      state = .tellingLyrics(
        LyricsLines(byteCount: byteCount, isCut: isCut, positionSeconds: answer.positionSeconds))
    case .picture(let width, let height) where answer.extract == .artwork:
      let size = PixelSize(width: Int(width), height: Int(height))
      // Safe: the memory stays mapped for as long as the process's slot exists; if the process changes it meanwhile,
      // the changed pixels are drawn.
      let pixels = unsafe RawSpan(_unsafeBytes: prober.memory)
      if answer.isForDisplay {
        artwork.heard?.publish(pixels, size: size)
        state = .idle
      } else {
        let isShown = artwork.asked?.publish(pixels, size: size) ?? false
        state = isShown ? .ending : .refusing(answer.refusal)
      }
    default: goOn(answer, orRefuse: answer.refusal)
    }
  }

  private mutating func tell(_ lines: LyricsLines, _ prober: borrowing TagProber) {
    var lines = lines
    while !loop.answers.isFull {
      guard let next = unsafe lines.take(from: prober.memory) else { return state = .ending }
      push(.lyrics(next.line, isNow: next.isNow))
      answeredCount += 1
    }
    state = .tellingLyrics(lines)
  }

  /// Checks all named files and then sends them one by one.
  private mutating func enqueue(
    _ named: NamedFiles, _ catalog: inout Catalog
  ) -> State {
    var files = named
    do throws(LibraryRefusal) {
      switch files.stage {
      case .checking:
        if let named = try files.nextPath(catalog.index) {
          let found = try catalog.find(named)
          if !found.isFolder { try catalog.refusePlaylist(found.path) }
        } else {
          guard files.wordCount > 0 else { throw .noName }
          files.stage = .giving
          files.position = 0
        }
      case .giving:
        if !giveNext(&files, &catalog) {
          return answeredCount > 0 ? .ending : .refusing(.nothingToPlay(files.folder))
        }
      case .givingIndexed:
        if searchIndex(&catalog.index) { files.stage = .giving }
      case .givingWalked:
        switch walk.next(&catalog.folders) {
        case .file(let path): give(catalog.index.item(at: path))
        case .onTheWay: break
        case .end: files.stage = .giving
        }
      }
      return .enqueuing(files)
    } catch {
      return .refusing(error)
    }
  }

  /// - Returns: false once all have been sent.
  private mutating func giveNext(
    _ files: inout NamedFiles, _ catalog: inout Catalog
  ) -> Bool {
    do throws(LibraryRefusal) {
      guard let path = try files.nextPath(catalog.index) else { return false }
      let found = try catalog.find(path)
      if found.isFolder {
        begin(folder: found.path, &files, &catalog)
      } else {
        give(catalog.index.item(at: found.path))
      }
    } catch {
      // The file has vanished since it was checked.
    }
    return true
  }

  private mutating func begin(folder path: FixedText<256>, _ files: inout NamedFiles, _ catalog: inout Catalog) {
    files.folder = path
    let inside: FixedText<256> = "\(path)/"
    // The index is sorted and knows the tags, but only for its own folders, and only after a first pass.
    if catalog.passCount > 0, LibraryPath.root(of: inside.bytes) != nil {
      catalog.index.cursor = 0
      files.stage = .givingIndexed
    } else {
      walk.begin(path)
      files.stage = .givingWalked
    }
  }
}

import Base
import CLinux
import Drawing
import Machine
import Screens
import Wire

/// Shows the contents of the recorder's memory until the recorder ends. It looks for a display while there is none, and
/// draws a frame only if something has changed.
struct ViewSession: ~Copyable {
  /// The polling interval for a new picture: four times per frame at 30 frames a second.
  private static let lookIntervalNanoseconds: UInt64 = 8_000_000

  private let device: FixedText<64>
  private let reader: ViewReader
  private let link: ViewLink
  private var source: PictureSource
  private var painter: ViewPainter
  private var state = ScreenState()
  private var screen: Screen?
  /// What the display shows.
  private var shownSequence: PictureNumber?
  private var shownStatus: ShownStatus?
  private var hold = MeterHold()
  private var artwork: ArtworkSource

  /// - Returns: nil if there is not enough memory.
  init?(_ arguments: ViewArguments, _ reader: ViewReader, _ link: ViewLink) {
    let asked = arguments.largestPicture
    let largest = PixelSize(width: max(1, asked.width), height: max(1, asked.height))
    var memory = unsafe BootMemory(source: lockedPages)
    guard let source = PictureSource(largest: largest, in: &memory), let artwork = ArtworkSource(in: &memory),
      let lettering = Lettering(in: &memory),
      let painter = ViewPainter(
        framing: arguments.framing, mounting: arguments.mounting, lettering, longestPictureLine: largest.width,
        longestCanvasSide: Screen.longestSide, in: &memory)
    else { return nil }
    FontFiles.add(to: lettering, chosen: arguments.font) { link.tell($0) }
    device = arguments.display
    self.reader = reader
    self.link = link
    self.source = source
    self.painter = painter
    self.artwork = artwork
    screen = nil
  }

  /// Returns once the recorder has ended.
  mutating func run() {
    while wait() { step(at: Instant.now) }
  }

  private mutating func step(at now: Instant) {
    switch state {
    case .looking(let next, _):
      if now >= next { look(at: now) }
    case .flipping(_, let deadline):
      takeEvents(at: now, deadline: deadline)
    case .ready(let nextCheck):
      if now >= nextCheck, !check(at: now) { return }
      draw(at: now)
    }
  }

  private mutating func look(at now: Instant) {
    do throws(ScreenTrouble) {
      let found = try Screen(device)
      let size = found.size
      screen = .some(found)
      shownStatus = nil
      handle(.found, at: now)
      link.tell("display \(device): \(size.width) x \(size.height)")
    } catch {
      handle(.lost(error), at: now)
    }
  }

  private mutating func check(at now: Instant) -> Bool {
    let isThere = screen?.isConnected ?? false
    handle(isThere ? .isThere : .lost(.unplugged), at: now)
    return isThere
  }

  private mutating func takeEvents(at now: Instant, deadline: Instant) {
    do throws(ScreenTrouble) {
      if try screen?.takeEvents() ?? false {
        handle(.frameIsShown, at: now)
      } else if now >= deadline {
        throw .failed
      }
    } catch {
      handle(.lost(error), at: now)
    }
  }

  /// The only place where the state changes.
  private mutating func handle(_ event: ScreenState.Event, at now: Instant) {
    if let trouble = state.handle(event, at: now) { link.tell(trouble.line(device)) }
    if case .looking = state { screen = nil }
  }

  private mutating func draw(at now: Instant) {
    guard let size = screen?.size else { return }
    // If a status is being written right now, it is read the next time.
    guard let status = readStatus(at: now) ?? shownStatus else { return }
    let newest = status.showsPicture ? reader.pictures.newest : shownSequence
    let hasNewArtwork = artwork.readNewest(reader.artwork)
    guard newest != shownSequence || status != shownStatus || hasNewArtwork else { return }
    if newest != shownSequence, let sequence = source.readNewest(reader.pictures, for: size) {
      shownSequence = sequence
    }
    shownStatus = status
    do throws(ScreenTrouble) {
      if try Self.show(source, artwork, status, by: &painter, on: &screen) == .underway {
        handle(.frameIsUnderway, at: now)
      }
    } catch {
      handle(.lost(error), at: now)
    }
  }

  private mutating func readStatus(at now: Instant) -> ShownStatus? {
    guard let status = reader.status.read() else { return nil }
    hold.follow(status, at: now)
    return ShownStatus(status, hold)
  }

  private static func show(
    _ source: borrowing PictureSource, _ artwork: borrowing ArtworkSource, _ status: ShownStatus,
    by painter: inout ViewPainter, on screen: inout Screen?
  ) throws(ScreenTrouble) -> Screen.Showing? {
    try screen?.show { canvas in painter.paint(source.picture, artwork: artwork.picture, status, onto: &canvas) }
  }

  /// Waits until there may be something to do.
  /// - Returns: false once the recorder has ended.
  private func wait() -> Bool {
    var watched: InlineArray<2, pollfd> = [
      pollfd(fd: link.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cardDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    var span = watched.mutableSpan
    let timeout = timeoutMilliseconds
    _ = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, timeout) }
    return watched[0].revents == 0
  }

  /// The display reports only frames in progress; poll(2) ignores negative descriptors.
  private var cardDescriptor: Int32 {
    switch screen {
    case .some(let screen): screen.descriptor
    case nil: -1
    }
  }

  private var timeoutMilliseconds: Int32 {
    let now = Instant.now
    let until: Instant =
      switch state {
      case .looking(let next, _): next
      case .ready: now + Self.lookIntervalNanoseconds
      case .flipping(_, let deadline): deadline
      }
    return until <= now ? 0 : Int32(clamping: (until - now + 999_999) / 1_000_000)
  }
}

/// The recorder's shared memory, mapped read-only.
struct SharedView {
  let reader: ViewReader

  /// - Returns: nil if the descriptor cannot be mapped, or was not written by this version of the recorder.
  init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size > 0 else { return nil }
    let byteCount = Int(status.st_size)
    let address = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    // Safe: the mapping is never removed, and the memory is sealed against shrinking.
    guard let reader = unsafe ViewReader(UnsafeRawBufferPointer(start: address, count: byteCount)) else { return nil }
    self.reader = reader
  }
}

/// The socket to the recorder: it carries lines, one per packet, and its end shows that the recorder has ended.
struct ViewLink {
  let descriptor: Int32

  /// Drops the line if the recorder does not read.
  func tell(_ line: FixedText<256>) {
    unsafe line.bytes.withUnsafeBufferPointer {
      _ = unsafe linux_send_packet(descriptor, $0.baseAddress, $0.count, -1)
    }
  }
}

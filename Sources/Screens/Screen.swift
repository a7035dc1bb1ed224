import Base
import CDRM
import CLinux
import Drawing
import Machine

/// A display that this process draws on, through kernel mode setting, with double buffering: one buffer is shown while
/// the other is filled from ordinary memory.
@usableFromInline package struct Screen: ~Copyable {
  package enum Showing: Equatable, Sendable {
    /// An event tells when the display shows the frame.
    case underway
    /// The card has no such events: the frame is shown.
    case shown
  }

  /// Enough for a viewfinder, and as much as a small machine can draw in time.
  package static var longestSide: Int { 1920 }

  // The kernel frees the buffers when the last descriptor of the card is closed.
  private let card: FileDescriptor
  private var output: drm_output
  private let first: ScreenBuffer
  private let second: ScreenBuffer
  private let drawing: ScreenBuffer
  private var showsFirst = true
  private var hasFlips = true

  /// Opens a card, becomes its master, and shows black.
  package init(_ device: FixedText<64>) throws(ScreenTrouble) {
    guard let card = FileDescriptor(path: device, flags: O_RDWR | O_NONBLOCK) else {
      throw lastSystemError == EACCES || lastSystemError == EPERM ? .noPermission : .absent
    }
    // The first process to open a card becomes its master.
    guard drmIsMaster(card.number) != 0 || drmSetMaster(card.number) == 0 else {
      throw lastSystemError == ENOTTY ? .noDisplayCard : .busy
    }
    var output = drm_output()
    switch unsafe drm_find_output(card.number, UInt32(Self.longestSide), &output) {
    case DRM_FOUND: break
    case DRM_UNPLUGGED: throw .unplugged
    case DRM_NO_MODE: throw .noMode
    default: throw .noDisplayCard
    }
    let size = PixelSize(width: Int(output.mode.hdisplay), height: Int(output.mode.vdisplay))
    guard let first = ScreenBuffer(card.number, size), let second = ScreenBuffer(card.number, size),
      let drawing = ScreenBuffer(size)
    else { throw .noBuffers }
    guard unsafe drm_show(card.number, &output, first.identifier) == 0 else { throw .failed }
    self.card = card
    self.output = output
    self.first = first
    self.second = second
    self.drawing = drawing
  }

  deinit {
    first.unmap()
    second.unmap()
    drawing.unmap()
  }

  package var size: PixelSize { first.size }

  /// Readable when a frame has been shown.
  package var descriptor: Int32 { card.number }

  /// Whether the display is still plugged in.
  package var isConnected: Bool { drm_is_connected(card.number, output.connector) }

  /// Draws a frame, copies it to the hidden buffer, and shows that. Do not call it while another frame waits.
  package mutating func show(_ draw: (inout Canvas) -> Void) throws(ScreenTrouble) -> Showing {
    let hidden = showsFirst ? second : first
    drawing.draw(draw)
    hidden.copy(drawing)
    let showing = try flip(to: hidden)
    showsFirst.toggle()
    return showing
  }

  /// Reads the card's events.
  /// - Returns: whether a waiting frame is now shown.
  package func takeEvents() throws(ScreenTrouble) -> Bool {
    let count = drm_take_flips(card.number)
    guard count >= 0 else { throw .absent }
    return count > 0
  }

  private mutating func flip(to buffer: ScreenBuffer) throws(ScreenTrouble) -> Showing {
    if hasFlips {
      let event = UInt32(DRM_MODE_PAGE_FLIP_EVENT)
      if drmModePageFlip(card.number, output.crtc, buffer.identifier, event, nil) == 0 { return .underway }
      let error = lastSystemError
      guard error == EINVAL || error == ENOSYS || error == EOPNOTSUPP else { throw Self.trouble(error) }
      hasFlips = false
    }
    guard unsafe drm_show(card.number, &output, buffer.identifier) == 0 else { throw Self.trouble(lastSystemError) }
    // A card that scans out its memory by itself refuses this, which is not an error.
    _ = drmModeDirtyFB(card.number, buffer.identifier, nil, 0)
    return .shown
  }

  private static func trouble(_ systemErrorNumber: Int32) -> ScreenTrouble {
    switch systemErrorNumber {
    case EACCES, EPERM: .busy
    case ENODEV, ENXIO: .absent
    default: .failed
    }
  }
}

/// Whether there is a display to draw on, its state, and when to check again.
package enum ScreenState: Equatable, Sendable {
  /// There is no display; `told` is the last trouble that was reported.
  case looking(next: Instant, told: ScreenTrouble?)
  /// The display shows the last frame, and accepts another.
  case ready(nextCheck: Instant)
  /// A frame waits for its page flip, due by the deadline; the check follows it.
  case flipping(check: Instant, deadline: Instant)

  package enum Event: Equatable, Sendable {
    case found
    case frameIsUnderway
    case frameIsShown
    /// The display was checked and is there.
    case isThere
    case lost(ScreenTrouble)
  }

  /// How often to look again for a missing display.
  static var lookIntervalNanoseconds: UInt64 { 2_000_000_000 }
  /// How often to check that a display is still plugged in.
  static var checkIntervalNanoseconds: UInt64 { 1_000_000_000 }
  /// A display shows 24 frames a second or more; a flip that takes this long never completes.
  static var longestFlipNanoseconds: UInt64 { 2_000_000_000 }
  package init() { self = .looking(next: 0, told: nil) }

  /// Changes state on an event.
  /// - Returns: a trouble to report; the same one is reported again only after the display has been there.
  package mutating func handle(_ event: Event, at now: Instant) -> ScreenTrouble? {
    switch (self, event) {
    case (.looking(_, let told), .lost(let trouble)):
      self = .looking(next: now + Self.lookIntervalNanoseconds, told: trouble)
      return told == trouble ? nil : trouble
    case (_, .lost(let trouble)):
      self = .looking(next: now + Self.lookIntervalNanoseconds, told: trouble)
      return trouble
    case (.looking, .found), (.ready, .isThere):
      self = .ready(nextCheck: now + Self.checkIntervalNanoseconds)
    case (.ready(let check), .frameIsUnderway):
      self = .flipping(check: check, deadline: now + Self.longestFlipNanoseconds)
    case (.flipping(let check, _), .frameIsShown):
      self = .ready(nextCheck: check)
    default: break
    }
    return nil
  }
}

/// Memory that a display can show, or in which its next frame is drawn.
@safe struct ScreenBuffer {
  let size: PixelSize
  /// The card's frame buffer number; 0 for ordinary memory.
  let identifier: UInt32
  private let pixelsPerLine: Int
  // Safe: mapped until ``unmap()``, and used by one thread only.
  private let memory: UnsafeMutableRawBufferPointer

  /// - Returns: nil if the card has no such memory; anything allocated is freed when the card is closed.
  init?(_ card: Int32, _ size: PixelSize) {
    var handle: UInt32 = 0
    var bytesPerLine: UInt32 = 0
    var byteCount: UInt64 = 0
    var identifier: UInt32 = 0
    var offset: UInt64 = 0
    let (width, height) = (UInt32(size.width), UInt32(size.height))
    guard unsafe drmModeCreateDumbBuffer(card, width, height, 32, 0, &handle, &bytesPerLine, &byteCount) == 0,
      unsafe drmModeAddFB(card, width, height, 24, 32, bytesPerLine, handle, &identifier) == 0,
      unsafe drmModeMapDumbBuffer(card, handle, &offset) == 0
    else { return nil }
    let address = unsafe mmap(nil, Int(byteCount), PROT_READ | PROT_WRITE, MAP_SHARED, card, Int(offset))
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    self.size = size
    self.identifier = identifier
    pixelsPerLine = Int(bytesPerLine) / 4
    unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: Int(byteCount))
  }

  /// Ordinary memory, which only this process can access.
  /// - Returns: nil if there is too little.
  init?(_ size: PixelSize) {
    let byteCount = size.width * size.height * 4
    let address = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard unsafe linux_is_map_failed(address) == 0 else { return nil }
    self.size = size
    identifier = 0
    pixelsPerLine = size.width
    unsafe memory = UnsafeMutableRawBufferPointer(start: address, count: byteCount)
  }

  /// Unmaps the memory; call it once, after all other calls.
  func unmap() { unsafe munmap(memory.baseAddress, memory.count) }

  /// Copies all lines of a buffer of the same size.
  func copy(_ other: ScreenBuffer) {
    for line in 0..<size.height {
      let target = unsafe memory.baseAddress! + line * pixelsPerLine * 4
      unsafe target.copyMemory(
        from: other.memory.baseAddress! + line * other.pixelsPerLine * 4, byteCount: size.width * 4)
    }
  }

  func draw(_ draw: (inout Canvas) -> Void) {
    let pixels = unsafe MutableSpan<UInt32>(_unsafeElements: memory.bindMemory(to: UInt32.self))
    guard var canvas = Canvas(pixels, size: size, pixelsPerLine: pixelsPerLine) else { return }
    draw(&canvas)
  }
}

/// Why there is no display to draw on.
package enum ScreenTrouble: Error, Equatable, Sendable {
  case absent
  case noPermission
  case noDisplayCard
  case busy
  case unplugged
  case noMode
  case noBuffers
  /// The display refused a frame or never showed it.
  case failed

  /// The trouble and its remedy, on one line.
  /// - Parameter device: the card's node.
  package func line(_ device: FixedText<64>) -> FixedText<256> {
    var line: FixedText<256> = "display \(device) "
    switch self {
    case .absent: line.append("is absent: plug it in, or set another [view] device")
    case .noPermission: line.append("cannot be opened: add the recorder's user to the group video")
    case .noDisplayCard: line.append("shows nothing: set the [view] device of a card that drives a display")
    case .busy: line.append("is busy: end the program that draws on it")
    case .unplugged: line.append("has nothing plugged in: plug a display in")
    case .noMode: line.append("has no mode that fits: plug in another display")
    case .noBuffers: line.append("provides no memory to draw in: set another [view] device")
    case .failed: line.append("no longer accepts frames: check the cable")
    }
    return line
  }
}

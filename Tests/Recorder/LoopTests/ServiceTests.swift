import Base
import Configuration
import Console
import Machine
import Media
import Playback
import Record
import TestSupport
import Testing
import Wire

@testable import App
@testable import Catalog

/// Each service of the loop, driven alone: its output, its pending commands, and its effects.
@Suite struct ServiceTests {
  @Test("the record button orders a take from the storage worker, and the library is informed of its file")
  func recording() throws {
    let rig = try ApplianceRig { $0.record.arming = .atPress }
    var memory = leakedBootMemory(byteCount: 1 << 16)
    var orders = try unwrapped(Queue<TakeOrder>(capacity: 8, in: &memory))
    var reports = try unwrapped(Queue<TakeReport>(capacity: 8, in: &memory))
    var console = try ServiceConsole()
    let capture = try LoneCapture(startsCamera: false)
    var storage = Storage(MemoryStorage(MemoryDisk()))
    let sheet = KeptSheet(try unwrapped(KeptText(path: "sheet", in: &memory)), in: &storage)
    var service = RecordingService(
      capture: capture.unit,
      recorder: Recorder(orders: orders.producer, reports: reports.consumer, staysArmed: true),
      ledger: LedgerNotes(notes: try unwrapped(Queue<TakeNote>(capacity: 8, in: &memory)).producer), sheet: sheet,
      progress: try unwrapped(TakeProgress(in: &memory)), settings: rig.settings, camera: LoneCapture.camera,
      cameraBuffers: try unwrapped(CameraBuffers(in: &memory)),
      encoderCounters: try unwrapped(EncoderCounters(in: &memory)),
      codecStatus: try unwrapped(CodecStatus(in: &memory)),
      pictures: try unwrapped(PacketRing<PictureHeader>(capacityPackets: 8, capacityBytes: 256, in: &memory)).tap,
      codec: .mjpeg)
    for gesture in [Gesture.pressed(at: 7), .short(pressedAt: 7)] {
      let effect = service.serve(gesture, &rig.appliance.loop.machine, &console.session)
      #expect(effect == nil)
    }
    for tick in UInt64(8)..<10 {
      service.exchange(&rig.appliance.loop.machine, &console.session, at: Instant(tick))
      while rig.appliance.workers.microphone.worker.step() || rig.appliance.workers.camera.worker.step() {}
    }
    service.exchange(&rig.appliance.loop.machine, &console.session, at: 10)
    guard case .arm? = orders.consumer.pop(), case .begin(let start)? = orders.consumer.pop() else {
      throw NothingThere()
    }
    #expect(start.pressPosition == service.capture.position(at: 7))
    _ = reports.producer.push(.opened(take: start.number, path: "video/1.mov", startPosition: start.startPosition))
    let effect = service.step(&rig.appliance.loop.machine, &console.session, at: 9)
    guard case .tellLibrary(.growing(let path))? = effect else { throw NothingThere() }
    #expect(String(path) == "video/1.mov")
    #expect(service.take.map { String($0.path) } == "video/1.mov" && service.recorder.state == .recording)
    #expect(console.said() == ["* take video/1.mov began"])
    let long = service.serve(
      .long(pressedAt: 9), &rig.appliance.loop.machine, &console.session)
    guard case .takeStill? = long else { throw NothingThere() }
  }

  @Test("a chosen rotation is an effect, and is confirmed once it was routed; a stalled card refuses it")
  func orientation() throws {
    var console = try ServiceConsole()
    var service = OrientationService(settings: Settings().accelerometer)
    guard case .rotate(let rotation) = try console.type("rotate portrait") else { throw NothingThere() }
    guard case .keep(.fixed(.portrait), .console)? = service.run(rotation, canKeep: true, &console.session) else {
      throw NothingThere()
    }
    #expect(service.current == .portrait && console.said().isEmpty && console.session.pending != nil)
    service.confirm(for: .console, &console.session)
    #expect(console.said() == ["ok"] && console.session.pending == nil)
    let refused = service.serve(.long(pressedAt: 0), canKeep: false, &console.session)
    #expect(refused == nil && service.rotation == .fixed(.portrait))
    #expect(console.said() == ["* the card does not answer: the rotation stays as it was"])
  }

  @Test("the end of a glide is reported, and a still is cropped to the viewfinder")
  func framing() throws {
    var console = try ServiceConsole()
    var zoom = Zoom(maximum: 4, powersOfTwoPerSecond: 1, easing: Settings().zoom.easing)
    var service = FramingService(camera: LoneCapture.camera, settings: Settings().view)
    service.serve(.short(pressedAt: 0), &zoom, &console.session, at: 0)
    service.step(&zoom, &console.session, at: 900_000_000)
    #expect(console.said().isEmpty)
    service.step(&zoom, &console.session, at: 1_000_000_000)
    #expect(console.said() == ["* zoom 2.0"])
    guard case .viewfinder(let order) = try console.type("viewfinder 8 4 16 12") else { throw NothingThere() }
    service.run(order, .landscapeLeft, &console.session, at: 0)
    #expect(console.said() == ["viewfinder 8 4 16 12 of 64 x 48", "ok"])
    #expect(service.crop(.landscapeLeft)?.rectangle == PixelRectangle(x: 8, y: 4, width: 16, height: 12))
  }

  @Test("the display shows the viewfinder on its way, from wherever it is, and a still what it is going to")
  func viewfinderMotion() throws {
    var console = try ServiceConsole()
    var settings = Settings().view
    settings.motionMilliseconds = 1000
    settings.motionEasing = .linear
    var service = FramingService(camera: LoneCapture.camera, settings: settings)
    func shown(_ orientation: Orientation = .landscapeLeft, milliseconds: UInt64) -> ViewFraction {
      var status = ViewStatus()
      service.describe(in: &status, orientation, at: Instant(milliseconds * 1_000_000))
      return status.viewfinder
    }
    func place(_ text: String, milliseconds: UInt64) throws {
      guard case .viewfinder(let order) = try console.type(text) else { throw NothingThere() }
      service.run(order, .landscapeLeft, &console.session, at: Instant(milliseconds * 1_000_000))
    }
    try place("viewfinder 0 0 32 24", milliseconds: 0)
    #expect(shown(milliseconds: 1000) == ViewFraction(x: 0, y: 0, width: 0.5, height: 0.5))
    try place("viewfinder 32 24 32 24", milliseconds: 2000)
    #expect(service.crop(.landscapeLeft)?.rectangle == PixelRectangle(x: 32, y: 24, width: 32, height: 24))
    #expect(shown(milliseconds: 2500) == ViewFraction(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
    #expect(shown(.portrait, milliseconds: 2500).width == Float(32) / 48)
    try place("viewfinder 0 24 32 24", milliseconds: 2500)
    #expect(shown(milliseconds: 2500) == ViewFraction(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
    #expect(shown(milliseconds: 3000) == ViewFraction(x: 0.125, y: 0.375, width: 0.5, height: 0.5))
    try place("viewfinder", milliseconds: 3200)
    #expect(shown(milliseconds: 3500) == ViewFraction(x: 0, y: 0.5, width: 0.5, height: 0.5))
  }

  @Test("a still is answered when it is on the card, or refused when no picture comes; the library is informed of it")
  func stills() throws {
    let rig = try ApplianceRig()
    let clock = rig.now
    let dates = BootDates(ClockReading(rig.appliance.loop.machine.clock), newestUnixSeconds: 0)
    var memory = leakedBootMemory(byteCount: 1 << 14)
    var reports = try unwrapped(Queue<StillReport>(capacity: 4, in: &memory))
    var capture = try LoneCapture()
    var console = try ServiceConsole()
    var service = StillService(camera: LoneCapture.camera, reports: reports.consumer)
    _ = try console.type("snapshot")
    service.order(
      nil, .portrait, for: .console, &capture.unit, &console.session, dates, at: clock)
    guard case .still(number: 1, let start)? = console.session.pending else { throw NothingThere() }
    #expect(start == clock && capture.unit.video.stills.awaitedNumber == 1)
    service.checkWait(
      for: 1, since: start, &capture.unit.video.stills, &console.session, at: start + 2_500_000_000)
    #expect(capture.unit.video.stills.awaitedNumber == nil)
    #expect(console.said() == ["error: the camera sent no frame: no still was saved"])
    _ = try console.type("snapshot")
    service.order(
      nil, .portrait, for: .console, &capture.unit, &console.session, dates, at: clock)
    let failure = DeviceFailure(
      device: .storage, kind: .failed, subject: "card", problem: "does not answer", remedy: "replace it")
    _ = reports.producer.push(StillReport(number: 2, outcome: .failed(failure)))
    let effect = service.step(&capture.unit.video.stills, &console.session, at: start)
    #expect(effect == nil && console.session.pending == nil)
    #expect(console.said() == ["error: \(String(failure.line))"])
  }

  @Test("with nothing chosen the player asks for a file, and a file to open is ordered from the decoder")
  func playback() throws {
    let format = AudioFormat(sampleRateHz: 48_000, channelCount: 2, sampleFormat: .int16)
    let decoder = DecoderModel(ringFrames: 48_000, sampleRateHz: 48_000)
    var memory = leakedBootMemory()
    var requests = try unwrapped(Queue<DecoderRequest>(capacity: PlaybackLimits.requestCapacity, in: &memory))
    let reports = try unwrapped(Queue<DecoderReport>(capacity: PlaybackLimits.reportCapacity, in: &memory))
    let player = try unsafe unwrapped(
      Player(
        requests: requests.producer, reports: reports.consumer, ring: UnsafeRawBufferPointer(decoder.ring),
        format: format, speaker: Settings().playerSpeakerRequest, isSpeakerOpen: false, in: &memory))
    var console = try ServiceConsole()
    let samples = try unwrapped(SampleRing(capacityBytes: 64_000, bytesPerFrame: 4, in: &memory))
    var service = PlaybackService(player: player, samples: samples.tap, settings: Settings())
    guard case .player(let play) = try console.type("play"),
      case .find(.newestTake, let use, .console)? = service.run(play, microphone: nil, &console.session)
    else { throw NothingThere() }
    #expect(use == .play(at: nil))
    service.open(MediaItem(path: "a.wav"), for: use, .console, &console.session)
    guard case .player(failure: nil)? = console.session.pending else { throw NothingThere() }
    #expect(requests.consumer.pop().map { String($0.path) } == "a.wav")
    console.session.complete()
    _ = try console.type("queue b.wav c.wav")
    service.append(MediaItem(path: "b.wav"), replaces: false)
    service.endAppending(wantedCount: 1, &console.session)
    #expect(console.said() == ["ok", "1 queued, 1 in the queue", "ok"])
  }

  @Test("the library's answers go to the origin of each query, also when both origins have asked")
  func library() throws {
    var memory = leakedBootMemory(byteCount: 1 << 16)
    var library = try unwrapped(
      JobChannel<LibraryRequest, LibraryReply>(requestCapacity: 8, answerCapacity: 8, in: &memory))
    var console = try ServiceConsole()
    var service = LibraryService(
      worker: Job(library.client), time: try unwrapped(LibraryTime(in: &memory)),
      progress: try unwrapped(LibraryProgress(in: &memory)))
    service.find(.newestTake, for: .prepare, .button, &console.session)
    guard case .library(let list) = try console.type("list") else { throw NothingThere() }
    service.run(list, &console.session)
    let (take, all) = (
      try unwrapped(library.worker.requests.pop()), try unwrapped(library.worker.requests.pop())
    )
    guard case .newestTake = take.value, case .list(nil) = all.value else { throw NothingThere() }
    let item = MediaItem(path: "a.wav")
    let coverage = LibraryCoverage(indexedCount: 1, leftOutCount: 0, unreadCount: 0, isComplete: true)
    let replies: [(Ticketed<LibraryRequest>, LibraryReply)] = [
      (take, .item(item)), (take, .done(count: 1, coverage)), (all, .entry(LibraryEntry(item: item, kind: .music))),
      (all, .done(count: 1, coverage)),
    ]
    for (request, reply) in replies {
      _ = library.worker.answers.push(Ticketed(ticket: request.ticket, value: reply))
    }
    guard case .open(let found, .prepare, .button)? = service.step(&console.session) else { throw NothingThere() }
    #expect(found == item)
    #expect(service.step(&console.session) == nil)
    #expect(console.said() == ["a.wav", "ok"])
  }

  @Test("the live views see the published status, and the display's lines are announced")
  func liveView() throws {
    let layout = ViewLayout(
      capacityPackets: 2, capacityBytes: 1 << 10, widthPixels: 64, heightPixels: 48, soundBytes: 64, sharedBytes: 4096)
    var memory = leakedBootMemory(byteCount: layout.byteCount)
    let shared = try unwrapped(ViewMemory(layout, bytesPerFrame: 2, in: &memory))
    var more = leakedBootMemory(byteCount: 1 << 14)
    var news = try unwrapped(Queue<FixedText<256>>(capacity: 2, in: &more))
    let lists = try unwrapped(Queue<ListenerList>(capacity: 1, in: &more))
    var orders = try unwrapped(Queue<FixedText<256>>(capacity: 4, in: &more))
    var console = try ServiceConsole()
    var service = LiveViewService(
      cell: shared.status, sheet: shared.sheet, isWanted: true, news: news.consumer, lists: lists.consumer,
      orders: orders.consumer, hasMonitor: false)
    var views: ViewCapture?
    var status = ViewStatus()
    status.zoomFactor = 3
    _ = news.producer.push("display at 1920 x 1080")
    service.step(status, .cool, &views, &console.session)
    #expect(shared.status.read()?.zoomFactor == 3)
    #expect(console.said() == ["* display at 1920 x 1080"])
    for line in ["share on", "scene 12A"] as [FixedText<256>] { _ = orders.producer.push(line) }
    let order = service.nextOrder(at: 0)
    let early = service.nextOrder(at: 199_999_999)
    let next = service.nextOrder(at: 200_000_000)
    let nothing = service.nextOrder(at: 1_000_000_000)
    #expect(order == "share on" && early == nil && next == "scene 12A" && nothing == nil && service.orderCount == 2)
  }

  @Test("a preview is requested from its worker, sent completely, and then answered")
  func preview() throws {
    var memory = leakedBootMemory(byteCount: 1 << 14)
    var requests = try unwrapped(Queue<PreviewRequest>(capacity: 1, in: &memory))
    var answers = try unwrapped(Queue<PreviewAnswer>(capacity: 1, in: &memory))
    let text = try unwrapped(DrawingText(byteCount: 64, in: &memory))
    var console = try ServiceConsole()
    var service = PreviewService(
      requests: requests.producer, answers: answers.consumer, page: text.page, hasPictures: true,
      camera: LoneCapture.camera)
    let view = PreviewView(camera: .running, orientation: .portrait, terminal: .usual)
    guard case .preview(let order) = try console.type("preview") else { throw NothingThere() }
    service.run(order, view, &console.session, at: 0)
    #expect(requests.consumer.pop()?.orientation == .portrait)
    _ = answers.producer.push(.drawn(byteCount: 10))
    for _ in 0..<2 {
      guard case .preview(let phase)? = console.session.pending else { throw NothingThere() }
      service.step(phase, view, &console.session, at: 0)
    }
    #expect(console.session.pending == nil)
    #expect(console.said().last?.hasSuffix("ok") == true)
  }

  @Test("a press of a button that the console still holds waits until it is released")
  func press() throws {
    let rig = try ApplianceRig()
    var console = try ServiceConsole()
    var panel = ControlPanel(settings: Settings())
    for _ in 0..<2 {
      guard case .press(let button, let milliseconds) = try console.type("press zoom 100") else { throw NothingThere() }
      panel.press(
        button, milliseconds: milliseconds, on: &rig.appliance.loop.machine, &console.session, at: 0)
    }
    guard case .press(.zoom, milliseconds: 100)? = console.session.pending else { throw NothingThere() }
    #expect(console.said() == ["ok"])
    let free = (100 + Limits.fingerMilliseconds) * 1_000_000
    panel.press(.zoom, milliseconds: 100, on: &rig.appliance.loop.machine, &console.session, at: Instant(free))
    #expect(console.said() == ["ok"] && console.session.pending == nil)
  }
}

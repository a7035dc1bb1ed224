import Base
import CHTTP
import Kit
import Machine
import Wire

/// The streams and their listeners. The loop and the server's callbacks share it, on one thread.
struct Broadcast: ~Copyable {
  private let place = StaysInPlace()
  /// How long a client may take to send its request.
  private static var askingNanoseconds: UInt64 { 10_000_000_000 }
  /// How long a short answer may take: two minutes, which is enough for a still of 1 MB at 8 kB/s.
  private static var answerNanoseconds: UInt64 { 120_000_000_000 }

  let token: AccessToken
  /// The page's address including the token; shown only to the person who holds the recorder.
  let page: FixedText<240>
  let answers: FixedAnswers
  /// The delay from recording to playback that all players in sync observe.
  let bufferMilliseconds: UInt32
  private(set) var recorder: RecorderMemory?
  private var samples: SampleFollower?
  private(set) var sound: SoundStreams
  private(set) var file: FileStream
  let listeners: ListenerTable
  /// Streams ended because their listener was too slow, and pictures skipped, since the start.
  private(set) var endedCount: UInt64 = 0
  /// Orders sent to the recorder, as it counts them.
  private var orderCount: UInt32 = 0
  var link: RecorderLink

  /// - Returns: nil if `memory` is used up.
  init?(
    token: AccessToken, page: FixedText<240>, answers: FixedAnswers, link: consuming RecorderLink,
    file: consuming FileStream, bufferMilliseconds: UInt32, connectionCount: Int, in memory: inout BootMemory
  ) {
    guard let sound = SoundStreams(in: &memory),
      let listeners = ListenerTable(capacity: connectionCount, in: &memory)
    else { return nil }
    self.token = token
    self.page = page
    self.answers = answers
    self.bufferMilliseconds = bufferMilliseconds
    self.link = link
    self.sound = sound
    self.file = file
    self.listeners = listeners
  }

  /// Reads another recorder's memory from now on, or none. Streams of the previous recorder end.
  mutating func attach(_ memory: RecorderMemory?) {
    recorder?.unmap()
    recorder = memory
    orderCount = memory?.reader.status.read()?.orderCount ?? 0
    samples = memory?.reader.samples
    sound.change(to: nil, epoch: nil)
    // The file may have failed before there was a recorder to tell.
    if memory != nil, let fileProblem { link.tell(.news(fileProblem)) }
    for index in 0..<listeners.count {
      guard case .pictures? = listeners[index]?.use else { continue }
      listeners[index]?.begin(.answer, at: Instant.now)
      resume(index)
    }
  }

  /// Sends another source of the same recorder from now on: the microphone, or the shared playback.
  /// - Parameter epoch: the instant of its frame 0; nil for the microphone.
  mutating func change(to source: SampleFollower, epoch: Instant?) {
    var source = source
    source.skipToEnd()
    samples = source
    sound.change(to: source.audioFormat, epoch: epoch)
  }

  /// Timestamps the microphone's frames by the clock that players in sync are given.
  mutating func go(by clock: ChunkClock) { sound.go(by: clock) }

  /// Takes new sound and pictures, and resumes the listeners that wait for them.
  mutating func follow(at now: Instant) {
    for number in 0...SoundKind.timed.rawValue {
      let kind = SoundKind(rawValue: number)!
      if !listeners.hasListener(kind) { sound.leave(kind) }
    }
    if var samples {
      sound.follow(&samples)
      self.samples = samples
    }
    followFile()
    for index in 0..<listeners.count { look(after: index, at: now) }
  }

  /// The descriptor that becomes readable when there is more of the file; -1 if there is none.
  var fileDescriptor: Int32 { file.descriptor(hasListener: listeners.hasListenerOfFile) }

  private mutating func followFile() {
    let before = file.state
    file.follow(hasListener: listeners.hasListenerOfFile)
    guard file.state != before, let problem = fileProblem else { return }
    StandardStreams.complain("fieldcorder-monitor: \(problem)" as FixedText<256>)
    link.tell(.news(problem))
  }

  private var fileProblem: FixedText<256>? {
    guard case .ended(let problem) = file.state, let path = file.path else { return nil }
    return "\(path) is not sent: \(problem.words)"
  }

  private mutating func look(after index: Int, at now: Instant) {
    guard let listener = listeners[index] else { return }
    switch listener.use {
    case .none, .line: if now >= listener.since + Self.askingNanoseconds { listener.end() }
    case .answer: if now >= listener.since + Self.answerNanoseconds { listener.end() }
    case .sound(let kind, let cursor): follow(sound.place(of: cursor, in: kind), index, at: now)
    case .file(_, let cursor): follow(file.place(of: cursor), index, at: now)
    case .pictures(_, let cursor):
      if let recorder, cursor.hasEvents(of: recorder.reader.pictures) { resume(index) }
    }
  }

  private mutating func follow(_ place: StreamPlace, _ index: Int, at now: Instant) {
    switch place {
    case .behind(0): break
    case .behind, .over: resume(index)
    case .tooSlow: end(index, at: now)
    }
  }

  private func resume(_ index: Int) {
    guard let listener = listeners[index], listener.isSuspended else { return }
    listeners[index]?.isSuspended = false
    unsafe MHD_resume_connection(listener.connection)
  }

  /// Disconnects a listener that is too slow for its stream.
  private mutating func end(_ index: Int, at now: Instant) {
    guard let listener = listeners[index], let path = listener.path else { return }
    endedCount += 1
    link.tell(.news("listener \(listener.address) is too slow for \(path.name), and was disconnected"))
    resume(index)
    listeners[index]?.begin(.answer, at: now)
    listener.end()
  }

  /// Sends the recorder what a listener wants.
  /// - Returns: false if it has not taken the orders before, or does not read.
  mutating func order(_ line: FixedText<256>) -> Bool {
    guard let status = recorder?.reader.status.read() else { return false }
    let waitingCount = Int32(truncatingIfNeeded: orderCount &- status.orderCount)
    // It may still have taken orders of a monitor that ran before.
    if waitingCount < 0 { orderCount = status.orderCount }
    guard waitingCount < MonitorMessage.mostOrders, link.tell(.order(line)) else { return false }
    orderCount &+= 1
    return true
  }

  func welcome(_ listener: Listener) {
    guard let path = listener.path, path != .still else { return }
    link.tell(.news("listener \(listener.address) gets \(path.name)"))
  }

  func dismiss(_ listener: Listener, at now: Instant) {
    guard let path = listener.path, path != .still else { return }
    let seconds = now.distance(since: listener.since) / 1_000_000_000
    link.tell(.news("listener \(listener.address) left \(path.name) after \(duration: seconds)"))
  }

  mutating func join(_ kind: SoundKind) -> Listener.Use? {
    guard var samples else { return nil }
    defer { self.samples = samples }
    return sound.join(kind, &samples).map { .sound(kind, $0) }
  }

  /// Reads the next bytes of a stream.
  /// - Returns: the result, and the listener's use from now on.
  mutating func read(
    _ use: Listener.Use, into buffer: inout MutableRawSpan
  ) -> (reading: StreamReading, use: Listener.Use) {
    switch use {
    case .none, .line, .answer: return (.end, use)
    case .sound(let kind, var cursor):
      let reading = sound.read(kind, &cursor, into: &buffer)
      return (reading, .sound(kind, cursor))
    case .file(let kind, var cursor):
      let reading = file.read(&cursor, into: &buffer)
      return (reading, .file(kind, cursor))
    case .pictures(let path, var cursor):
      guard let recorder else { return (.end, use) }
      let reading = cursor.read(recorder.reader.pictures, into: &buffer)
      if reading == .tooSlow { endedCount += 1 }
      return (reading, .pictures(path, cursor))
    }
  }

  func list(at now: Instant) -> ListenerList {
    var list = ListenerList()
    list.append(page: page)
    for index in 0..<listeners.count {
      guard let listener = listeners[index], let path = listener.path else { continue }
      var told = ListenerEntry(
        address: listener.address, path: "\(path.name)", seconds: now.distance(since: listener.since) / 1_000_000_000,
        sentByteCount: listener.sentByteCount, bytesBehind: 0)
      switch listener.use {
      case .sound(let kind, let cursor): told.bytesBehind = Self.bytesBehind(sound.place(of: cursor, in: kind))
      case .file(_, let cursor): told.bytesBehind = Self.bytesBehind(file.place(of: cursor))
      case .pictures(_, let cursor):
        told.bytesBehind = UInt64(clamping: cursor.bytesBehind)
        told.leftOutPictureCount = UInt64(clamping: cursor.skippedCount)
      case .none, .line, .answer: break
      }
      list.append(told)
    }
    return list
  }

  private static func bytesBehind(_ place: StreamPlace) -> UInt64 {
    if case .behind(let count) = place { UInt64(clamping: count) } else { 0 }
  }
}

extension Broadcast {
  /// The content of `/clock`: what a browser needs to play ``TimedPiece``s in sync. Made on request.
  var clock: FixedText<96> {
    var json = JSONWriter<95>()
    json.add("nanoseconds", Instant.now.rawValue)
    json.add("buffer_milliseconds", bufferMilliseconds)
    json.endObject()
    return "\(json.text)\n"
  }

  /// The content of `/status.json`: one object.
  var status: FixedText<6144> {
    var json = StatusWriter()
    json.add("recorder", recorder != nil)
    if let reader = recorder?.reader, let status = reader.status.read() {
      json.add("recording", status.isRecording)
      json.add("take_seconds", seconds(status.takeMilliseconds), decimals: 1)
      json.beginList("peak_dbfs")
      for channel in 0..<2 { json.add(nil, Double(status.peakDecibels[channel]), decimals: 1) }
      json.endList()
      json.beginList("clips")
      for channel in 0..<2 { json.add(nil, status.clipCounts[channel]) }
      json.endList()
      json.add("sharing", status.sharedEpoch != nil)
      json.add("zoom", Double(status.zoomFactor), decimals: 2)
      json.add("free_bytes", status.freeByteCount)
      if let room = status.roomSeconds { json.add("room_seconds", room) }
      add(status.faults, to: &json)
      add(status.player, to: &json)
      // After the status: what came of the orders that it counts is there.
      if let sheet = reader.sheet.read() { ShownSheet(sheet).add(to: &json, status) }
      json.beginList("picture")
      json.add(nil, reader.layout.widthPixels)
      json.add(nil, reader.layout.heightPixels)
      json.endList()
    }
    if let format = sound.format {
      json.beginObject("sound")
      json.add("rate", format.sampleRateHz)
      json.add("channels", format.channelCount)
      json.add("bits", format.sampleFormat.bitsPerSample)
      json.endObject()
    }
    switch file.state {
    case .none, .opening: break
    case .ready(let kind): json.add("file", name: kind.path.name)
    case .ended(let problem): json.add("file_problem", name: problem.words)
    }
    json.add("listeners", listeners.streamCount)
    json.add("lost_frames", sound.lostFrameCount)
    json.add("ended_streams", endedCount)
    json.endObject()
    return "\(json.text)\n"
  }

  private func seconds(_ milliseconds: UInt64) -> Double { Double(milliseconds) / 1000 }

  private func add(_ faults: UInt32, to json: inout StatusWriter) {
    json.beginList("faults")
    for number in 0..<UInt32(32) {
      guard faults & 1 << number != 0, let fault = ViewFault(rawValue: number) else { continue }
      json.add(nil, name: fault.words)
    }
    json.endList()
  }

  private func add(_ player: ViewPlayer, to json: inout StatusWriter) {
    let state: StaticString =
      switch player.state {
      case .none: "none"
      case .playing: "playing"
      case .paused: "paused"
      }
    json.beginObject("player")
    json.add("state", name: state)
    json.add("title", text: player.title.bytes)
    json.add("position_seconds", seconds(player.positionMilliseconds), decimals: 1)
    json.endObject()
  }
}

private typealias StatusWriter = JSONWriter<6143>

/// What the recorder shows of the sheet: `TakeSheet.text`, a verdict, notes and an answer.
private struct ShownSheet {
  private var sheet = TakeSheet()
  private var verdict = TakeVerdict.neither
  private var notes = TakeRemarks()
  private var answer = FixedText<256>()

  /// Lines that are not understood are left out.
  init(_ text: FixedText<2048>) {
    _ = sheet.read(text.bytes)
    var (verdict, notes, answer) = (TakeVerdict.neither, TakeRemarks(), FixedText<256>())
    text.bytes.forEachLine { line in
      if let name = line.removingPrefix(TakeVerdict.key) { verdict = TakeVerdict(name: name) ?? .neither }
      if let rest = line.removingPrefix("note: ") { notes = TakeRemarks(rest) }
      if let rest = line.removingPrefix("answer: ") { answer = FixedText(rest) }
    }
    (self.verdict, self.notes, self.answer) = (verdict, notes, answer)
  }

  /// Verdict and notes are those of the take that is being recorded.
  func add(to json: inout StatusWriter, _ status: ViewStatus) {
    json.beginObject("sheet")
    add("project", sheet.project, to: &json)
    add("scene", sheet.scene, to: &json)
    if let number = sheet.takeNumber(isTakeOpen: status.isRecording) {
      json.add("scene_take", number)
    } else {
      json.addNull("scene_take")
    }
    add("tape", sheet.tape, to: &json)
    json.beginList("tracks")
    for channel in 1...TakeSheet.trackCount { add(nil, sheet.track(channel), to: &json) }
    json.endList()
    if status.isRecording { json.add("verdict", name: verdict.name) } else { json.addNull("verdict") }
    add("notes", status.isRecording ? notes : "", to: &json)
    json.add("orders", status.orderCount)
    add("answer", answer, to: &json)
    json.endObject()
  }

  /// An empty text is null.
  private func add<let capacity: Int>(
    _ key: StaticString?, _ text: FixedText<capacity>, to json: inout StatusWriter
  ) {
    text.isEmpty ? json.addNull(key) : json.add(key, text: text.bytes)
  }
}

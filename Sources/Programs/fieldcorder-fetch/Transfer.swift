import Base
import CCurl
import CLinux
import Machine
import Wire

/// Transfers one response at a time from a server through libcurl into the pipe.
@safe struct Transfer: ~Copyable {
  enum Loading {
    case ended(StreamFetcher.Ending)
    /// ``head`` has the new address.
    case redirect
    case playlist
    /// The requested range is not available; the whole must be requested.
    case again
  }

  // Safe: owned by the value until it ends; libcurl is given its address, which does not change.
  private let state: UnsafeMutablePointer<TransferState>
  // Safe: as above.
  private let transfer: UnsafeMutableRawPointer
  private let transfers: UnsafeMutableRawPointer

  private let isConfigured: Bool

  /// - Parameter parts: belong to the value from here on.
  init(
    _ parts: TransferParts, _ link: consuming FileDescriptor, _ pipe: consuming FileDescriptor,
    _ certificates: FixedText<256>?
  ) {
    let state = unsafe parts.memory.bindMemory(to: TransferState.self, capacity: 1)
    let buffers = unsafe parts.memory + MemoryLayout<TransferState>.stride
    unsafe state.initialize(
      to: TransferState(
        link: link, pipe: pipe, unsent: SoundBuffer(buffers), playlist: SoundBuffer(buffers + SoundBuffer.capacity)))
    unsafe self.state = state
    unsafe transfer = parts.transfer
    unsafe transfers = parts.transfers
    if let certificates {
      isConfigured = unsafe certificates.withCString {
        unsafe fetch_configure(parts.transfer, $0, state, readBody, readHeader, openSocket) == 0
      }
    } else {
      isConfigured = unsafe fetch_configure(parts.transfer, nil, state, readBody, readHeader, openSocket) == 0
    }
  }

  deinit {
    unsafe curl_multi_cleanup(transfers)
    unsafe curl_easy_cleanup(transfer)
    unsafe state.deinitialize(count: 1)
    unsafe munmap(state, TransferParts.memoryByteCount)
  }

  var head: ResponseHead { unsafe state.pointee.head }

  var hasDelivered: Bool {
    get { unsafe state.pointee.hasDelivered }
    nonmutating set { unsafe state.pointee.hasDelivered = newValue }
  }

  var hasEverDelivered: Bool { unsafe state.pointee.hasEverDelivered }
  func tell(_ event: FetchEvent) { unsafe state.pointee.tell(event) }

  /// The last playlist's entry at an index; nil after its end.
  func playlistEntry(_ index: Int) -> FixedText<2048>? {
    // Safe: the span is used within the call.
    unsafe state.pointee.playlist.entry(index)
  }

  /// Why the last playlist leads nowhere, if none of its entries does.
  var playlistProblem: FetchProblem { unsafe state.pointee.playlist.isSegmented ? .segments : .noStream }

  /// Waits.
  /// - Returns: false if the recorder has given up the stream.
  func rest(milliseconds: UInt32) -> Bool {
    let end = Instant.now + UInt64(milliseconds) * 1_000_000
    while true {
      if unsafe state.pointee.isCut { return false }
      let now = Instant.now
      guard now < end else { return true }
      let left = Int32(clamping: (end - now + 999_999) / 1_000_000)
      unsafe fetch_wait(transfers, state.pointee.link.number, state.pointee.pipe.number, 0, left)
    }
  }

  func load(_ address: borrowing StreamAddress) -> Loading {
    unsafe state.pointee.begin(address)
    guard isConfigured, point(to: address), unsafe curl_multi_add_handle(transfers, transfer) == CURLM_OK else {
      return .ended(.failed(.failed))
    }
    let ending = perform(address)
    unsafe curl_multi_remove_handle(transfers, transfer)
    return ending
  }

  private func point(to address: borrowing StreamAddress) -> Bool {
    if unsafe state.pointee.believesNothing, unsafe fetch_believe_nothing(transfer) != 0 { return false }
    let firstByte = unsafe state.pointee.askedByte
    guard firstByte > 0 else { return unsafe fetch_point(transfer, address.current, nil) == 0 }
    let range: FixedText<32> = "\(firstByte)-"
    return unsafe range.withCString { unsafe fetch_point(transfer, address.current, $0) } == 0
  }

  /// How long to wait for the separate request for the file's end once everything before it has arrived.
  private static var tailNanoseconds: UInt64 { 2_000_000_000 }

  private func perform(_ address: borrowing StreamAddress) -> Loading {
    var runningCount: Int32 = 0
    var result: CURLcode?
    var tail: UnsafeMutableRawPointer?
    var end = Instant.max
    defer { if let tail = unsafe tail { unsafe fetch_end(transfers, tail) } }
    while true {
      unsafe curl_multi_perform(transfers, &runningCount)
      unsafe state.pointee.flush()
      if unsafe state.pointee.isCut { return .ended(.cut) }
      if unsafe state.pointee.mayGoOn(), unsafe fetch_resume(transfer) != 0 { return .ended(.failed(.failed)) }
      var reason = CURLE_OK
      while let ended = unsafe fetch_next_end(transfers, &reason) {
        if unsafe ended == transfer {
          result = reason
          end = .now + Self.tailNanoseconds
        } else {
          if reason == CURLE_OK { unsafe state.pointee.tellEnd() }
          unsafe fetch_end(transfers, ended)
          unsafe tail = nil
        }
      }
      if let start = unsafe state.pointee.takeTailStart() { unsafe tail = beginTail(address, start) }
      if result != nil, unsafe tail == nil || Instant.now > end { break }
      if unsafe state.pointee.isOverdue { return .ended(.failed(.stalled)) }
      wait()
    }
    unsafe state.pointee.end(result ?? CURLE_OK)
    while unsafe !state.pointee.unsent.isEmpty {
      wait()
      unsafe state.pointee.flush()
      if unsafe state.pointee.isCut { return .ended(.cut) }
    }
    return unsafe state.pointee.outcome(result ?? CURLE_OK)
  }

  /// Requests the end of the file in parallel with the transfer.
  private func beginTail(_ address: borrowing StreamAddress, _ start: UInt64) -> UnsafeMutableRawPointer? {
    let range: FixedText<32> = "\(start)-"
    return unsafe range.withCString {
      unsafe fetch_begin_beside(transfers, transfer, address.current, $0, readTail, readTailHeader)
    }
  }

  private func wait() {
    unsafe fetch_wait(
      transfers, state.pointee.link.number, state.pointee.pipe.number, state.pointee.unsent.isEmpty ? 0 : 1, 500)
  }
}

/// libcurl's transfer handles, and memory for buffers.
@safe struct TransferParts: BitwiseCopyable {
  // Safe: become the transfer's.
  let transfer: UnsafeMutableRawPointer
  let transfers: UnsafeMutableRawPointer
  let memory: UnsafeMutableRawPointer

  static var memoryByteCount: Int { MemoryLayout<TransferState>.stride + 2 * SoundBuffer.capacity }

  /// - Returns: nil if there is no memory for it.
  init?() {
    let mapped = unsafe mmap(
      nil, Self.memoryByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory = unsafe mapped, unsafe linux_is_map_failed(memory) == 0,
      let transfer = unsafe curl_easy_init(), let transfers = unsafe curl_multi_init()
    else { return nil }
    unsafe self.transfer = transfer
    unsafe self.transfers = transfers
    unsafe self.memory = memory
  }
}

/// Passes bytes from libcurl to the transfer's state; `context` is the ``TransferState``.
/// - Returns: what libcurl's callback returns; 0, which ends a transfer, without a state or bytes.
private func give(
  _ bytes: UnsafeMutablePointer<CChar>?, byteCount: Int, to context: UnsafeMutableRawPointer?,
  _ take: (inout TransferState, Span<UInt8>) -> Int
) -> Int {
  guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
  let state = unsafe context.assumingMemoryBound(to: TransferState.self)
  // Safe: libcurl lends the bytes for the call.
  let span = unsafe Span(
    _unsafeStart: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: byteCount)
  return unsafe take(&state.pointee, span)
}

/// libcurl's callback for a part of the body.
private func readBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe give(bytes, byteCount: size * count, to: context) { state, bytes in
    switch state.take(bytes) {
    case .taken: bytes.count
    case .later: fetch_pause()
    case .refused: 0
    }
  }
}

/// libcurl's callback for a header line.
private func readHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe give(bytes, byteCount: size * count, to: context) { $0.take(headerLine: $1) ? $1.count : 0 }
}

/// The same for the body of the request for the file's end.
private func readTail(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe give(bytes, byteCount: size * count, to: context) { $0.take(tail: $1) ? $1.count : 0 }
}

/// The same for its header lines.
private func readTailHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe give(bytes, byteCount: size * count, to: context) { $0.take(tailHeaderLine: $1) ? $1.count : 0 }
}

/// libcurl's callback for a connection to a resolved address.
private func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context = unsafe context, let address = unsafe address else { return fetch_bad_socket() }
  var high: UInt64 = 0
  var low: UInt64 = 0
  let place: NetworkPlace? =
    switch unsafe fetch_address(address, &high, &low) {
    case 4: NetworkPlace(version4: UInt32(truncatingIfNeeded: low))
    case 6: NetworkPlace(version6: high, low)
    default: nil
    }
  let state = unsafe context.assumingMemoryBound(to: TransferState.self)
  guard let place, unsafe state.pointee.mayConnect(to: place) else { return fetch_bad_socket() }
  return unsafe fetch_open_socket(address)
}

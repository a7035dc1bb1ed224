import Base
import CFFmpeg
import Wire

/// An open media file: yields the packets of its first audio stream.
@safe struct SoundFile: ~Copyable {
  enum Reading {
    case packet
    case end
  }

  private static let bufferByteCount: Int32 = 0x10000
  /// After this many consecutive errors the rest counts as damaged, and the file as ended.
  private static let errorLimit = 1000

  // Safe: all three live until the value ends; the input outlives it.
  private var bytes: UnsafeMutablePointer<AVIOContext>?
  private var context: UnsafeMutablePointer<AVFormatContext>
  private(set) var stream: UnsafeMutablePointer<AVStream>
  /// What the first frame of an MP3 stream states; FFmpeg trusts it only for files with a known size.
  private(set) var table: StreamTable?

  /// - Parameter input: must outlive the value.
  init(_ input: UnsafeMutablePointer<FileInput>) throws(DecoderRefusal) {
    guard unsafe input.pointee.isStream || !input.pointee.isEmpty else { throw .empty }
    unsafe input.pointee.rewind()
    var bytes = unsafe Heap.required(
      ffmpeg_make_input(
        Heap.bytes(Int(Self.bufferByteCount)), Self.bufferByteCount, input, readFileInput,
        input.pointee.isStream ? nil : seekFileInput))
    var opened: UnsafeMutablePointer<AVFormatContext>?
    do throws(DecoderRefusal) {
      unsafe stream = try Self.open(&opened, bytes, input, &table)
    } catch {
      unsafe avformat_close_input(&opened)
      unsafe Self.close(&bytes)
      throw unsafe Self.reason(error, input)
    }
    unsafe self.bytes = bytes
    unsafe context = opened!
  }

  /// Opens a file as FFmpeg would, if it were as other programs write it.
  static func whole(_ input: UnsafeMutablePointer<FileInput>) throws(DecoderRefusal) -> SoundFile {
    unsafe FileStart.skipTags(input)
    unsafe UnfinishedHeader.complete(input)
    do throws(DecoderRefusal) {
      return unsafe try SoundFile(input)
    } catch {
      if error == .damaged, unsafe FileStart.isUndescribedMovie(input) { throw .undescribed }
      guard error == .unknownKind || error == .damaged, unsafe FileStart.search(input) else { throw error }
      unsafe UnfinishedHeader.complete(input)
      return unsafe try SoundFile(input)
    }
  }

  /// Opens a file that may have several parts, or tags after its sound.
  static func firstPart(
    of input: UnsafeMutablePointer<FileInput>, _ effort: ItemMeasure.ProbeEffort
  ) throws(DecoderRefusal) -> SoundFile {
    let file = unsafe try whole(input)
    guard unsafe FileParts.find(in: file, input, forNanoseconds: effort.scanNanoseconds) else { return file }
    return unsafe try SoundFile(input)
  }

  deinit {
    var closing: UnsafeMutablePointer<AVFormatContext>? = unsafe context
    unsafe avformat_close_input(&closing)
    if var bytes = unsafe bytes { unsafe Self.close(&bytes) }
  }

  /// The reason of a refusal: a failed card or a timeout takes precedence over FFmpeg's error.
  static func reason(_ refusal: DecoderRefusal, _ input: UnsafeMutablePointer<FileInput>) -> DecoderRefusal {
    if unsafe input.pointee.hasFailed { return .unreadable }
    if unsafe input.pointee.isEmpty { return .empty }
    return unsafe input.pointee.isLate ? .tooSlow : refusal
  }

  private static func close(_ bytes: inout UnsafeMutablePointer<AVIOContext>) {
    unsafe av_free(bytes.pointee.buffer)
    unsafe bytes.pointee.buffer = nil
    var closing: UnsafeMutablePointer<AVIOContext>? = unsafe bytes
    unsafe avio_context_free(&closing)
  }

  private static func open(
    _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ bytes: UnsafeMutablePointer<AVIOContext>,
    _ input: UnsafeMutablePointer<FileInput>, _ table: inout StreamTable?
  ) throws(DecoderRefusal) -> UnsafeMutablePointer<AVStream> {
    var score: Int32 = 0
    var kind = unsafe knownKind(input, &score)
    if unsafe kind == nil { score = unsafe av_probe_input_buffer2(bytes, &kind, nil, nil, 0, probeByteCount) }
    guard score > 0 else { throw .unknownKind }
    let fresh = unsafe Heap.required(avformat_alloc_context())
    unsafe context = fresh
    unsafe fresh.pointee.pb = bytes
    unsafe fresh.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    unsafe fresh.pointee.interrupt_callback = AVIOInterruptCB(callback: isFileInputLate, opaque: input)
    unsafe ffmpeg_refuse_references(fresh)
    // FFmpeg would give 128 KiB of 16-bit samples to each of its demuxers, to find out whether they are something else.
    // That takes longer than everything else until they are heard, and comes after their coding was settled.
    if unsafe isNamed("wav", kind) || isNamed("w64", kind) { unsafe fresh.pointee.max_probe_packets = 1 }
    var options: OpaquePointer?
    unsafe Self.set(&options, "format_whitelist", Whitelist.formats)
    unsafe Self.set(&options, "codec_whitelist", Whitelist.codecs)
    let result = unsafe avformat_open_input(&context, nil, kind, &options)
    unsafe av_dict_free(&options)
    guard result >= 0 else {
      throw score < 25 || result == ffmpeg_invalid_argument() ? .unknownKind : .damaged
    }
    if unsafe input.pointee.isStream, unsafe isKind("mp3", context!) {
      unsafe table = StreamTable(input, bytes)
    }
    return unsafe try findStream(context!)
  }

  /// How far FFmpeg looks.
  private static let probeByteCount: UInt32 = 1 << 20

  /// What the first bytes say for certain, or what follows tags in which FFmpeg would find nothing else, as with a large
  /// cover; nil for other files, which FFmpeg compares with all kinds that it knows.
  private static func knownKind(
    _ input: UnsafeMutablePointer<FileInput>, _ score: inout Int32
  ) -> UnsafePointer<AVInputFormat>? {
    if unsafe input.pointee.isStream, unsafe !readLongTag(input) { return nil }
    var bytes = unsafe FileBytes(input, forNanoseconds: 100_000_000)
    var place = unsafe input.pointee.start
    if let name = certainName(&bytes, at: place) {
      score = Int32(AVPROBE_SCORE_MAX)
      return unsafe av_find_input_format(name.cString)
    }
    while bytes.equals("ID3", at: place), let end = FrameWalk.tagEnd(&bytes, at: place, upTo: bytes.byteCount) {
      place = end
    }
    guard unsafe place - input.pointee.start > Int64(probeByteCount) / 2 else { return nil }
    let buffer = unsafe Heap.bytes(Int(bufferByteCount) + Int(AVPROBE_PADDING_SIZE))
    defer { unsafe Heap.removeBytes(buffer) }
    var data = unsafe AVProbeData()
    unsafe data.buf = buffer
    unsafe data.buf_size = Int32(input.pointee.peek(buffer, byteCount: Int(bufferByteCount), at: place))
    return unsafe av_probe_input_format3(&data, 1, &score)
  }

  /// Reads the tag with which a stream begins ahead, and some of what follows it, if FFmpeg would find only the tag.
  /// - Returns: false if there is no such tag.
  private static func readLongTag(_ input: UnsafeMutablePointer<FileInput>) -> Bool {
    unsafe input.pointee.readAhead(byteCount: 10)
    var bytes = unsafe FileBytes(input, forNanoseconds: 100_000_000)
    guard bytes.equals("ID3", at: 0), let size = bytes.safeNumber(at: 6), size > Int64(probeByteCount) / 2,
      size <= longestTag
    else { return false }
    unsafe input.pointee.readAhead(byteCount: 10 + Int(size) + Int(bufferByteCount))
    return true
  }

  /// Well below the process's limit.
  private static let longestTag: Int64 = 32 << 20

  /// FFmpeg's name of the kind of a file that can be of no other.
  private static func certainName(_ bytes: inout FileBytes, at place: Int64) -> StaticString? {
    switch bytes.bigEndian(at: place, bytes: 4) {
    // "RIFF". ACT, which some voice recorders write, begins in the same way, and has 0x84 after 256 bytes.
    case 0x5249_4646 where bytes.equals("WAVEfmt ", at: place + 8) && bytes.byte(at: place + 256) ?? 0x84 != 0x84: "wav"
    // "FORM".
    case 0x464F_524D where bytes.equals("AIFF", at: place + 8) || bytes.equals("AIFC", at: place + 8): "aiff"
    // "caff", and its version.
    case 0x6361_6666 where bytes.bigEndian(at: place + 4, bytes: 2) == 1: "caf"
    // "fLaC", and the length of its first block.
    case 0x664C_6143 where (bytes.bigEndian(at: place + 4, bytes: 4) ?? 0) & 0x7FFF_FFFF == 34: "flac"
    default: nil
    }
  }

  static func set(_ options: inout OpaquePointer?, _ key: StaticString, _ value: StaticString) {
    _ = unsafe av_dict_set(&options, key.cString, value.cString, 0)
  }

  private static func findStream(
    _ context: UnsafeMutablePointer<AVFormatContext>
  ) throws(DecoderRefusal) -> UnsafeMutablePointer<AVStream> {
    if let stream = unsafe firstSound(context, mayBeHidden: true), unsafe isDescribed(stream) {
      return unsafe firstSound(context, mayBeHidden: false) ?? stream
    }
    guard unsafe avformat_find_stream_info(context, nil) >= 0 else { throw .damaged }
    guard let stream = unsafe firstSound(context, mayBeHidden: false) else { throw .noSound }
    return unsafe stream
  }

  /// Finds the first audio stream; the others are no longer read.
  /// - Parameter mayBeHidden: whether a private data stream may turn out to be audio, as in a transport stream.
  private static func firstSound(
    _ context: UnsafeMutablePointer<AVFormatContext>, mayBeHidden: Bool
  ) -> UnsafeMutablePointer<AVStream>? {
    var found: UnsafeMutablePointer<AVStream>?
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index] else { continue }
      let kind = unsafe stream.pointee.codecpar.pointee.codec_type
      if unsafe found == nil, kind == AVMEDIA_TYPE_AUDIO {
        unsafe found = stream
      } else if !mayBeHidden || (kind != AVMEDIA_TYPE_UNKNOWN && kind != AVMEDIA_TYPE_DATA) {
        unsafe stream.pointee.discard = AVDISCARD_ALL
      }
    }
    return unsafe found
  }

  /// Whether the container's header suffices, so that no packets need to be examined.
  private static func isDescribed(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    let parameters = unsafe stream.pointee.codecpar.pointee
    return unsafe parameters.sample_rate > 0 && parameters.ch_layout.nb_channels > 0
      && parameters.codec_id != AV_CODEC_ID_NONE && stream.pointee.duration > 0
  }

  /// Codec, rate, channels, and what else a decoder needs.
  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe stream.pointee.codecpar }
  var timeBase: AVRational { unsafe stream.pointee.time_base }

  /// When the sound begins, by the container's times.
  var startSeconds: Double {
    let start = unsafe stream.pointee.start_time
    guard start != ffmpeg_no_timestamp(), start > 0, timeBase.den > 0 else { return 0 }
    return min(1e7, Double(start) * Double(timeBase.num) / Double(timeBase.den))
  }

  /// Whether the duration is estimated from the bit rate.
  var hasEstimatedDuration: Bool {
    unsafe context.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
  }

  /// Of the whole file, in microseconds; 0 if unknown.
  var fileDurationMicroseconds: Int64 { max(0, unsafe context.pointee.duration) }

  /// Whether FFmpeg's name of the format is `name`.
  func isKind(_ name: StaticString) -> Bool {
    unsafe Self.isKind(name, context)
  }

  private static func isKind(_ name: StaticString, _ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
    unsafe isNamed(name, context.pointee.iformat)
  }

  private static func isNamed(_ name: StaticString, _ kind: UnsafePointer<AVInputFormat>?) -> Bool {
    guard let kind = unsafe kind?.pointee.name else { return false }
    return unsafe strcmp(kind, name.cString) == 0
  }

  /// A tag of the file or of its audio stream.
  func tag(_ key: StaticString) -> UnsafePointer<CChar>? {
    let entry =
      unsafe av_dict_get(context.pointee.metadata, key.cString, nil, 0)
      ?? av_dict_get(stream.pointee.metadata, key.cString, nil, 0)
    return unsafe entry.map { unsafe UnsafePointer($0.pointee.value) }
  }

  /// Attaches the tags of the audio stream to the packet from which on they hold, if they have changed.
  func attachNewTags(to packet: UnsafeMutablePointer<AVPacket>) {
    guard unsafe stream.pointee.event_flags & AVSTREAM_EVENT_FLAG_METADATA_UPDATED != 0 else { return }
    var byteCount = 0
    if let bytes = unsafe av_packet_pack_dictionary(stream.pointee.metadata, &byteCount),
      unsafe av_packet_add_side_data(packet, AV_PKT_DATA_STRINGS_METADATA, bytes, byteCount) < 0
    {
      unsafe av_free(bytes)
    }
    forgetTags()
  }

  /// FFmpeg would append the next tags to those of the audio stream.
  func forgetTags() {
    unsafe av_dict_free(&stream.pointee.metadata)
    unsafe stream.pointee.event_flags = 0
  }

  /// Takes over a tag of the audio stream, `KEY=value`. Of several with one key the first counts.
  func add(tag: UnsafeMutablePointer<CChar>) {
    guard let mark = unsafe strchr(tag, 0x3D) else { return }
    unsafe mark.pointee = 0
    _ = unsafe av_dict_set(&stream.pointee.metadata, tag, mark + 1, AV_DICT_DONT_OVERWRITE)
    unsafe stream.pointee.event_flags = AVSTREAM_EVENT_FLAG_METADATA_UPDATED
  }

  /// Visits the tags of the file and of its audio stream, until `visit` returns false.
  func forEachTag(_ visit: (_ key: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Bool) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = unsafe ffmpeg_next_tag(context.pointee.metadata, entry) {
      guard unsafe visit(next.pointee.key, next.pointee.value) else { return }
      unsafe entry = next
    }
    unsafe entry = nil
    while let next = unsafe ffmpeg_next_tag(stream.pointee.metadata, entry) {
      guard unsafe visit(next.pointee.key, next.pointee.value) else { return }
      unsafe entry = next
    }
  }

  /// The cover art: the front cover, or the first picture; nil if there is none.
  var picture: UnsafeMutablePointer<AVStream>? {
    var found: UnsafeMutablePointer<AVStream>?
    for index in 0..<Int(unsafe context.pointee.nb_streams) {
      guard let stream = unsafe context.pointee.streams[index], unsafe ffmpeg_is_picture(stream) != 0 else { continue }
      if unsafe ffmpeg_is_front(stream) != 0 { return unsafe stream }
      if unsafe found == nil { unsafe found = stream }
    }
    return unsafe found
  }

  /// Reads the next audio packet into `packet`, which is empty.
  mutating func read(into packet: UnsafeMutablePointer<AVPacket>) -> Reading {
    var errorCount = 0
    while errorCount < Self.errorLimit {
      let result = unsafe av_read_frame(context, packet)
      if result >= 0 {
        if unsafe packet.pointee.stream_index == stream.pointee.index, unsafe packet.pointee.size > 0 { return .packet }
        unsafe av_packet_unref(packet)
      } else if result == ffmpeg_end_of_file() || result == ffmpeg_exit() || result == ffmpeg_input_output_error() {
        return .end
      } else {
        errorCount += 1
      }
    }
    return .end
  }

  /// The offset of the next byte that FFmpeg would read.
  var position: Int64 { unsafe avio_seek(context.pointee.pb, 0, SEEK_CUR) }

  /// Reads bytes at ``position``, of which FFmpeg makes no packet.
  /// - Returns: how many; fewer than wanted at the end of the file, or if it cannot be read.
  func read(into place: UnsafeMutablePointer<UInt8>, byteCount: Int) -> Int {
    // Not through FFmpeg's own buffer.
    unsafe context.pointee.pb.pointee.direct = 1
    defer { unsafe context.pointee.pb.pointee.direct = 0 }
    return unsafe max(0, Int(avio_read(context.pointee.pb, place, Int32(byteCount))))
  }

  /// Where the sound of a WAV file ends that begins at an offset, by the length of its chunk; nil if that is not certain.
  func soundEnd(from start: Int64, _ input: UnsafeMutablePointer<FileInput>) -> Int64? {
    guard isKind("wav"), unsafe !input.pointee.isCorrected, start >= 8 else { return nil }
    let marks: StaticString = "RIFFdata"
    let head = unsafe Heap.bytes(12)
    defer { unsafe Heap.removeBytes(head) }
    guard unsafe input.pointee.peek(head, byteCount: 4) == 4, unsafe memcmp(head, marks.cString, 4) == 0,
      unsafe input.pointee.peek(head + 4, byteCount: 8, at: input.pointee.start + start - 8) == 8,
      unsafe memcmp(head, marks.cString, 8) == 0
    else { return nil }
    var byteCount: UInt32 = 0
    for index in 8..<12 { byteCount = unsafe byteCount >> 8 | UInt32(head[index]) << 24 }
    return byteCount > 0 && byteCount < .max ? start + Int64(byteCount) : nil
  }

  mutating func seek(toTime time: Int64) -> Bool {
    unsafe av_seek_frame(context, stream.pointee.index, time, AVSEEK_FLAG_BACKWARD) >= 0
  }

  mutating func seek(toByte offset: Int64) -> Bool {
    unsafe av_seek_frame(context, stream.pointee.index, offset, AVSEEK_FLAG_BYTE) >= 0
  }

  /// Whether the sound is contiguous in the file.
  var isContiguous: Bool { isKind("wav") || isKind("aiff") || isKind("caf") || isKind("au") || isKind("w64") }
  var isMovie: Bool { isKind("mov,mp4,m4a,3gp,3g2,mj2") }

  /// How far the sound of a movie goes if the end of the file is missing: the time of the first packet that is not
  /// whole, and the frames of PCM in it; nil if nothing is missing.
  func cutEnd(_ fileByteCount: Int64, frameByteCount: Int) -> (time: Int64, frameCount: Int64)? {
    let count = unsafe avformat_index_get_entries_count(stream)
    guard isMovie, count > 0, reaches(count - 1, beyond: fileByteCount) else { return nil }
    // Of sound and picture in turns, whose offsets rise.
    var (low, high) = (Int32(0), count - 1)
    while low < high {
      let middle = (low + high) / 2
      if reaches(middle, beyond: fileByteCount) { high = middle } else { low = middle + 1 }
    }
    guard let entry = unsafe avformat_index_get_entry(stream, low) else { return nil }
    let left = frameByteCount > 0 ? unsafe (fileByteCount - entry.pointee.pos) / Int64(frameByteCount) : 0
    return unsafe (max(0, entry.pointee.timestamp), max(0, left))
  }

  private func reaches(_ index: Int32, beyond byteCount: Int64) -> Bool {
    guard let entry = unsafe avformat_index_get_entry(stream, index) else { return false }
    return unsafe entry.pointee.pos + Int64(ffmpeg_index_entry_size(stream, index)) > byteCount
  }

  /// The frame count that a CAF file states for PCM; nil if it does not.
  var countedFrames: Int64? {
    let count = unsafe stream.pointee.nb_frames
    return isKind("caf") && count > 0 ? count : nil
  }

  /// The frames before the sound, and those of the sound, from the tag of Apple's encoders: its second and fourth
  /// number, each after a space.
  var gapless: (delay: Int64, frameCount: Int64)? {
    guard let tag = unsafe tag("iTunSMPB") else { return nil }
    let text = unsafe FixedText<64>(cString: tag)
    var spaces = 0
    var value: Int64 = 0
    var delay: Int64 = 0
    for index in text.bytes.indices {
      let byte = text.bytes[index]
      if byte == UInt8(ascii: " ") {
        guard spaces < 4 else { break }
        if spaces == 2 { delay = value }
        spaces += 1
        value = 0
      } else {
        guard let digit = byte.hexadecimalDigit, value < 1 << 40 else { return nil }
        value = value << 4 | Int64(digit)
      }
    }
    return spaces == 4 && value > 0 ? (delay, value) : nil
  }

  /// Bytes of sound in the index of an AVI file, whose header counts them in units that may be too large; nil if it has
  /// no index.
  var indexedByteCount: Int64? {
    guard isKind("avi") else { return nil }
    var sum: Int64 = 0
    let count = unsafe avformat_index_get_entries_count(stream)
    for index in 0..<count {
      sum += Int64(max(0, unsafe ffmpeg_index_entry_size(stream, index)))
    }
    return sum > 0 ? sum : nil
  }

  /// The largest packet in the container's index; nil if it has none.
  var largestIndexedPacket: Int32? {
    guard isMovie else { return nil }
    var largest: Int32 = 0
    var index: Int32 = 0
    while true {
      let byteCount = unsafe ffmpeg_index_entry_size(stream, index)
      guard byteCount >= 0 else { return largest > 0 ? largest : nil }
      largest = max(largest, byteCount)
      index += 1
    }
  }
}

/// The formats and codecs that FFmpeg may use: self-contained files and audio. None refers to another file, and no
/// picture is decoded except a cover (``ArtworkPicture``).
enum Whitelist {
  static let formats: StaticString = """
    aac,ac3,adx,aiff,amr,amrnb,amrwb,ape,apm,argo_asf,asf,ast,au,avi,avr,caf,codec2,dsf,dts,eac3,epaf,flac,flv,gsm,\
    iff,ircam,kvag,loas,matroska,matroska,webm,mlp,mov,mp3,mpeg,mpegts,mpc,mpc8,nistsphere,nut,oga,ogg,oma,pvf,rm,rso,\
    sds,shn,smjpeg,sox,svx,tak,truehd,tta,voc,vqf,w64,wav,wsaud,wv,wve,xa,xwma
    """

  static let codecs: StaticString = """
    aac,aac_latm,ac3,adpcm_adx,adpcm_argo,g722,g726,g726le,adpcm_ima_apm,adpcm_ima_qt,adpcm_ima_ssi,adpcm_ima_wav,\
    adpcm_ima_ws,adpcm_ms,adpcm_swf,adpcm_yamaha,adpcm_ima_oki,adpcm_sbpro_2,adpcm_sbpro_3,adpcm_sbpro_4,alac,als,\
    amrnb,amrwb,ape,atrac1,atrac3,atrac3plus,cook,dca,dsd_lsbf,dsd_lsbf_planar,dsd_msbf,dsd_msbf_planar,eac3,8svx_exp,\
    8svx_fib,flac,g723_1,g729,gsm,gsm_ms,libcodec2,mace3,mace6,mlp,mp1,mp1float,mp2,mp2float,mp3,mp3float,mpc7,\
    mpc8,nellymoser,opus,pcm_alaw,pcm_bluray,pcm_dvd,pcm_f16le,pcm_f24le,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,\
    pcm_mulaw,pcm_s16be,pcm_s16be_planar,pcm_s16le,pcm_s16le_planar,pcm_s24be,pcm_s24le,pcm_s24le_planar,pcm_s32be,\
    pcm_s32le,pcm_s32le_planar,pcm_s64be,pcm_s64le,pcm_s8,pcm_s8_planar,pcm_sga,pcm_u16be,pcm_u16le,pcm_u24be,\
    pcm_u24le,pcm_u32be,pcm_u32le,pcm_u8,pcm_vidc,qdm2,qcelp,qdmc,ra_144,ra_288,roq_dpcm,shorten,speex,tak,truehd,\
    truespeech,tta,twinvq,vorbis,wavpack,wmalossless,wmapro,wmav1,wmav2,wmavoice
    """
}

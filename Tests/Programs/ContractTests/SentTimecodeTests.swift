import Foundation
import TestSupport
import Testing

/// The timecode that is sent on the speaker, as libltc reads it.
@Suite struct SentTimecodeTests {
  /// A line for each frame in sound of 16 bits on standard input: its timecode, where it begins in samples, its
  /// drop-frame flag, and how many ones it has modulo 2.
  private static let reader = """
    import ctypes, sys

    class Frame(ctypes.Structure):
        _fields_ = [
            ("bits", ctypes.c_uint8 * 10), ("start", ctypes.c_longlong), ("end", ctypes.c_longlong),
            ("reverse", ctypes.c_int), ("transitions", ctypes.c_float * 80), ("minimum", ctypes.c_uint8),
            ("maximum", ctypes.c_uint8), ("volume", ctypes.c_double)]

    library = ctypes.CDLL("libltc.so.11")
    library.ltc_decoder_create.restype = ctypes.c_void_p
    library.ltc_decoder_create.argtypes = [ctypes.c_int, ctypes.c_int]
    library.ltc_decoder_read.argtypes = [ctypes.c_void_p, ctypes.POINTER(Frame)]
    library.ltc_decoder_write_s16.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_longlong]
    sound = sys.stdin.buffer.read()
    decoder = library.ltc_decoder_create(int(sys.argv[1]), 32)
    frame = Frame()
    for place in range(0, len(sound) // 2, 256):
        piece = sound[2 * place:2 * place + 512]
        library.ltc_decoder_write_s16(decoder, piece, len(piece) // 2, place)
        while library.ltc_decoder_read(decoder, ctypes.byref(frame)):
            bits = int.from_bytes(bytes(frame.bits), "little")
            digits = lambda start, tens: (bits >> start & 15) + 10 * (bits >> start + 8 & tens)
            print(digits(48, 3), digits(32, 7), digits(16, 7), digits(0, 3), frame.start, bits >> 10 & 1,
                bin(bits).count("1") % 2)
    """

  struct Rate: Sendable, CustomTestStringConvertible {
    var name: String
    var framesPerSecond: Int
    var hertz: Double
    var isDrop = false

    var testDescription: String { name }
  }

  static let rates = [
    Rate(name: "23.976", framesPerSecond: 24, hertz: 24_000 / 1001), Rate(name: "24", framesPerSecond: 24, hertz: 24),
    Rate(name: "25", framesPerSecond: 25, hertz: 25), Rate(name: "29.97", framesPerSecond: 30, hertz: 30_000 / 1001),
    Rate(name: "29.97-drop", framesPerSecond: 30, hertz: 30_000 / 1001, isDrop: true),
    Rate(name: "30", framesPerSecond: 30, hertz: 30),
    Rate(name: "30-drop", framesPerSecond: 30, hertz: 30, isDrop: true),
  ]

  @Test("libltc reads each frame that is sent, within a sample a second of the clock, at every rate", arguments: rates)
  func isRead(rate: Rate) throws {
    let run = try Listening(
      ["wait 14"], sampleRateHz: 48_000, configuration: "[timecode]\nsend = yes\nrate = \(rate.name)\n", seed: 7)
    #expect(run.exitStatus == 0 && run.errors == [])
    let left = stride(from: 0, to: run.heard.count - 3, by: 4).flatMap { [run.heard[$0], run.heard[$0 + 1]] }
    let text = try ForeignProgram.text(
      "python3", ["-c", Self.reader, String(Int(48_000 / rate.hertz))], input: left)
    let frames = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    try #require(frames.count > Int(12 * rate.hertz) && frames.allSatisfy { $0.count == 7 }, "\(frames.count) frames")
    #expect(frames.allSatisfy { $0[5] == (rate.isDrop ? 1 : 0) && $0[6] == 0 })
    // At the start of the world it is midnight; there is no minute in these seconds at which numbers are dropped.
    let numbers = frames.map { ($0[1] * 60 + $0[2]) * rate.framesPerSecond + $0[3] }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 })
    #expect(frames[0][0] == 0 && numbers[0] < 2 * rate.framesPerSecond)
    let (first, last) = (Int(3 * rate.hertz), frames.count - 1)
    let samples = Double(frames[last][4] - frames[first][4])
    let seconds = Double(numbers[last] - numbers[first]) / rate.hertz
    #expect(abs(samples - seconds * 48_000) < seconds, "\(samples) samples in \(seconds) s")
  }
}

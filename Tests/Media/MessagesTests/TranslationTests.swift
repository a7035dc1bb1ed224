import Testing

@testable import Base

@Suite struct TranslationTests {
  /// A line in Korean; nil if it is not translated.
  static func korean(_ line: String, mayBeMarked: Bool = true) -> String? {
    korean(Array(line.utf8), mayBeMarked: mayBeMarked)
  }

  static func korean(_ line: [UInt8], mayBeMarked: Bool = true) -> String? {
    guard let said = Messages.line(line.span, in: .korean, mayBeMarked: mayBeMarked) else { return nil }
    return String(decoding: said.bytes.indices.map { said.bytes[$0] }, as: UTF8.self)
  }

  @Test("A message is said in Korean, what is in its holes in its place")
  func message() {
    #expect(Self.korean("no take is being recorded") == "기록하는 테이크가 없습니다")
    #expect(
      Self.korean("take video/20261121/021005-0001.mov is complete: 1,234.5 s, 3.16 MB")
        == "테이크 video/20261121/021005-0001.mov 완성: 1,234.5초, 3.16 MB")
  }

  @Test("English is as it was built")
  func english() {
    let line = Array("no take is being recorded".utf8)
    #expect(Messages.line(line.span, in: .english) == nil)
  }

  @Test("What scripts know a line by stays at its start, where it is no part of a reply")
  func marks() {
    #expect(Self.korean("error: no take is being recorded") == "error: 기록하는 테이크가 없습니다")
    #expect(Self.korean("* the take grows again") == "* 테이크가 다시 늘어납니다")
    #expect(Self.korean("* the take grows again", mayBeMarked: false) == nil)
  }

  @Test("A part that is a message is said in Korean too, and one of another kind is none")
  func parts() {
    let line = "camera /dev/video0 is used by another program by process 12 (errno 16): end the program that uses it"
    #expect(Self.korean(line) == "카메라 /dev/video0: 다른 프로그램이 쓰고 있습니다(프로세스 12)(오류 번호 16). 쓰고 있는 프로그램을 끝내세요")
    #expect(Self.korean("cannot be opened") == nil)
    #expect(Self.korean("12.3 s: take a.mov began") == "12.3초: 테이크 a.mov 시작")
  }

  @Test("Of several messages that fit, the one with most of its own in the line is meant")
  func specific() {
    #expect(Self.korean("a.mov is a folder: name a file") == "a.mov은(는) 폴더입니다. 파일을 지정하세요")
    #expect(Self.korean("rotation portrait, as it was left") == "회전 portrait, 지난번 설정 그대로")
    #expect(Self.korean("rotation portrait, landscape-left") == "회전 portrait, landscape-left")
  }

  @Test("A number is a number: words in its place make another line of it")
  func numbers() {
    #expect(Self.korean("zoom 2.00") == "줌 2.00")
    #expect(Self.korean("zoom away") == nil)
    #expect(Self.korean("volume -") == nil)
  }

  @Test("A path has no spaces: what stands before it is no part of it")
  func paths() {
    #expect(Self.korean("audio/ does not exist: skipped") == "audio/ 폴더가 없어 건너뜁니다")
    #expect(Self.korean("retention: audio/ does not exist: skipped") == "보존: audio/ 폴더가 없어 건너뜁니다")
    #expect(Self.korean("accelerometer ADXL345") == "가속도 센서 ADXL345")
    #expect(Self.korean("accelerometer does not answer: check its wires") == "가속도 센서: 응답하지 않습니다. 배선을 확인하세요")
  }

  @Test("A name may hold what the message has around it")
  func ambiguousNames() {
    #expect(
      Self.korean("player       playing Song of the sea: 3 of 4 s: 10.0 of 12.5 s")
        == "플레이어     재생 중 Song of the sea: 3 of 4 s: 12.5초 중 10.0초")
    #expect(Self.korean("take a began began") == "테이크 a began 시작")
    #expect(Self.korean("idle does not exist") == "idle이(가) 없습니다")
  }

  @Test(
    "A line that is put together of several parts is said as one",
    arguments: [
      ("Em: right", "Em: 맞았습니다"), ("Em: not right", "Em: 맞지 않았습니다"),
      ("Em: right, and learned", "Em: 맞았습니다. 이제 익혔습니다"),
      ("play Em: 3 of 4 right so far", "Em 코드를 치세요: 지금까지 4번 중 3번 맞음"),
      ("play Em, 022000: new", "Em 코드를 치세요. 022000: 처음"),
      ("C: not right: E, G and B are missing, Eb does not belong", "C: 맞지 않았습니다. E, G, B이(가) 빠졌고, Eb은(는) 없어야 합니다"),
      (
        "a.mov is whole: its 1,234 bytes are as this device recorded them; its tables and its date are not sealed",
        "a.mov은(는) 온전합니다. 1,234바이트가 이 기기가 기록한 그대로입니다. 표와 날짜는 봉인되지 않았습니다"
      ),
      (
        "a.mov is not as it was recorded: there is damage in bytes 4096 to 100351, 0:00:02.000 to 0:00:02.500, "
          + "and in 2 more places",
        "a.mov은(는) 기록한 그대로가 아닙니다. 손상된 곳: 바이트 4096부터 100351까지(0:00:02.000~0:00:02.500), 그리고 다른 2곳"
      ),
      ("12 %, 492 of 4,100 MB", "12 %, 4,100 MB 중 492 MB"),
    ])
  func composed(line: String, korean: String) { #expect(Self.korean(line) == korean) }

  @Test(
    "A particle has the form that the word before it asks for",
    arguments: [
      ("파일", "파일이"), ("노래", "노래가"), ("비 2", "비 2가"), ("1", "1이"), ("10", "10이"), ("2,000", "2,000이"),
      ("5", "5가"), ("x.mov", "x.mov이(가)"), ("곡(live)", "곡(live)이"), ("(live)", "(live)이(가)"), ("é", "é이(가)"),
      ("ㄱ", "ㄱ이(가)"), ("\"하나\"", "\"하나\"가"),
    ])
  func particle(name: String, subject: String) {
    #expect(Self.korean("\(name) does not exist") == "\(subject) 없습니다")
  }

  @Test("After ㄹ the particle of direction stays short")
  func direction() {
    func line(_ height: Int) -> String {
      "camera now sends 64x\(height) yuyv: its frames are scaled to 64x\(height) until the recorder is restarted"
    }
    #expect(Self.korean(line(48))?.hasSuffix("64x48로 맞춥니다") == true)
    #expect(Self.korean(line(50))?.hasSuffix("64x50으로 맞춥니다") == true)
    #expect(Self.korean(line(52))?.hasSuffix("64x52로 맞춥니다") == true)
    #expect(Self.korean("turned to 하늘") == "하늘로 돌렸습니다")
    #expect(Self.korean("turned to 바람") == "바람으로 돌렸습니다")
    #expect(Self.korean("turned to portrait") == "portrait(으)로 돌렸습니다")
  }

  @Test("The days of the week are said in Korean, the date as it is")
  func weekdays() {
    let days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    let said = days.map { Self.korean("\($0), 2026-01-01 00:00:05 +09:00, Asia/Seoul") }
    #expect(said == ["일", "월", "화", "수", "목", "금", "토"].map { "\($0)요일, 2026-01-01 00:00:05 +09:00, Asia/Seoul" })
  }

  @Test("Bytes that are no text go through a hole as they are, and make no message")
  func oddBytes() {
    let odd: [UInt8] = [0x01, 0x31, 0xFF, 0x02, 0x00, 0xEA, 0xB0]
    let line = Array("take ".utf8) + odd + Array(" began".utf8)
    let said = Messages.line(line.span, in: .korean)
    let bytes = said.map { said in said.bytes.indices.map { said.bytes[$0] } }
    #expect(bytes == Array("테이크 ".utf8) + odd + Array(" 시작".utf8))
    #expect(Self.korean(odd) == nil)
    #expect(Self.korean([UInt8]()) == nil)
  }

  @Test("A line that becomes too long is cut at a character, and a longer one is none")
  func longLines() throws {
    for count in 925...945 {
      let digits = String(repeating: "9", count: count)
      let line = "the library is full: \(digits) files left out; raise [library] capacity"
      let said = try #require(Self.korean(line))
      #expect(said.utf8.count <= 1024 && said.utf8.count > 1020 && !said.contains("\u{FFFD}"))
    }
    #expect(Self.korean("take \(String(repeating: "x", count: 1024)) began") == nil)
  }

  @Test("However many ways there are to read a line, it takes no longer than a tick allows")
  func hostileLines() {
    for piece in [" ", ": ", " of ", " 1 of 1 s", "player       playing x: 1 of 1 s", "camera a b: "] {
      for start in ["player       playing ", "camera ", "camera x", "1: [", "the camera offers no ", ""] {
        let line = Array((start + String(repeating: piece, count: 1000 / piece.utf8.count)).utf8.prefix(1000))
        var translator = Translator()
        var said = Messages.Line()
        _ = translator.append(line.span, .message, to: &said)
        #expect(translator.effort <= Translator.mostEffort + 200, "\(start)\(piece)")
      }
    }
  }
}

import TestSupport
import Testing

/// The language of the program: the configuration's, or else the environment's.
@Suite struct LanguageTests {
  /// The program's reply to a wrong argument in this environment.
  private func complaint(_ environment: [String: String]) throws -> String? {
    let session = try Session(
      arguments: ["--bord", "sim"],
      environment: ["LC_ALL": "", "LC_MESSAGES": "", "LANG": ""].merging(environment) { $1 })
    #expect(session.end() == 2)
    return try session.complaints().first
  }

  private static let english = "fieldcorder: --bord: expected an option that --help lists"
  private static let korean = "fieldcorder: --bord: --help에 있는 옵션이 필요합니다"

  @Test("The environment chooses the language, by the first of its variables that is not empty")
  func environment() throws {
    #expect(try complaint([:]) == Self.english)
    for locale in ["ko", "ko_KR", "ko_KR.UTF-8", "ko.UTF-8", "ko@x"] {
      #expect(try complaint(["LANG": locale]) == Self.korean)
    }
    for locale in ["C", "en_US.UTF-8", "kok_IN", "Korean", "k", "de_DE"] {
      #expect(try complaint(["LANG": locale]) == Self.english)
    }
    #expect(try complaint(["LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"]) == Self.korean)
    #expect(try complaint(["LANG": "ko_KR.UTF-8", "LC_ALL": "C"]) == Self.english)
  }

  @Test("--help is in Korean, its options as they are typed")
  func help() throws {
    let session = try Session(arguments: ["--help"], environment: ["LC_ALL": "ko_KR.UTF-8"])
    #expect(session.end() == 0)
    let lines = try session.lines()
    #expect(lines.contains("  --config FILE           설정 파일(있으면 /etc/fieldcorder.conf)"))
    #expect(lines.filter { !$0.isEmpty }.allSatisfy { line in line.contains { $0 >= "가" && $0 <= "힣" } })
  }

  @Test("The configuration's language is before the environment's")
  func configuration() throws {
    for (language, locale, line) in [
      ("ko", "C", "error: 기록하는 테이크가 없습니다"), ("en", "ko_KR.UTF-8", "error: no take is being recorded"),
      ("auto", "ko_KR.UTF-8", "error: 기록하는 테이크가 없습니다"), ("auto", "C", "error: no take is being recorded"),
    ] {
      let session = try Session(
        ["record stop"], configuration: "[console]\nlanguage = \(language)\n", environment: ["LC_ALL": locale])
      #expect(session.end() == 0)
      #expect(try session.lines().contains(line), "\(language) \(locale)")
    }
  }

  @Test("What is wrong with the configuration is said in the environment's language, and the key as it is")
  func wrongConfiguration() throws {
    let session = try Session(
      [], configuration: "[record]\npreroll_seconds = many\n", environment: ["LC_ALL": "ko_KR.UTF-8"])
    #expect(session.end() == 2)
    let line = try #require(try session.complaints().first)
    #expect(
      line.hasPrefix("fieldcorder: ") && line.hasSuffix(":2: [record] preroll_seconds = many: 쓸 수 있는 값은 0에서 60까지(초)입니다")
    )
  }
}

import TestSupport
import Testing

/// `deploy report html` of the real program.
@Suite struct DeploymentPageTests {
  private static let configuration = """
    [record]
    arm = press
    what = audio
    [schedule]
    rule1 = 06:00-06:01
    [sim]
    battery = max17048
    battery_fall = 0.01

    """
  /// Prints how many bars each plot has, the heights of the last one, and the title.
  private static let reader = """
    import sys, xml.etree.ElementTree as tree
    page = tree.fromstring(sys.stdin.read())
    plots = page.findall(".//{http://www.w3.org/2000/svg}svg")
    print(*[len(plot) for plot in plots], *[round(float(bar.get("height"))) for bar in plots[2]])
    print(*[stroke.get("d").split("v")[0].split()[0] for stroke in plots[3]])
    print(page.findtext("head/title"))
    """

  @Test("a page that an XML parser reads, with a bar for each day, and for each hour with a take in the plot of levels")
  func plots() throws {
    let session = try Session(
      ["deploy <Ridge&1>", "wait 86400", "wait 86400", "wait 60", "deploy report html", "quit"], clock: .fast,
      configuration: Self.configuration)
    #expect(session.end() == 0)
    let lines = try session.lines()
    let begin = try #require(lines.firstIndex { $0.hasPrefix("<!DOCTYPE html>") })
    let end = try #require(lines.firstIndex { $0.hasSuffix("</html>") })
    let page = lines[begin...end].joined(separator: "\n")
    let found = try ForeignProgram.text("python3", ["-c", Self.reader], input: [UInt8](page.utf8))
    // Two days in which 0.24 V were lost, and the minute of the third. Nothing of the two windows is missed.
    #expect(found == "2 3 3 2 50 50 1\nM6.5 M30.5\n<Ridge&1>")
  }
}

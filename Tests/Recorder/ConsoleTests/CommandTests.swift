import Base
import Console
import Kit
import Machine
import Record
import TestSupport
import Testing
import Wire

@Suite struct CommandTests {
  @Test(
    "A line is parsed as its command",
    arguments: [
      ("exit", .quit),
      ("status", .status(.lines)), ("status json", .status(.json)), ("  status\t json ", .status(.json)),
      ("audio", .audio(.show(.lines))), ("audio json", .audio(.show(.json))), ("audio reset", .audio(.reset)),
      ("timing", .timing(.show(.lines))), ("timing json", .timing(.show(.json))), ("timing csv", .timing(.csv)),
      ("devices", .listing(.devices, .lines)), ("memory json", .listing(.memory, .json)),
      ("watch rings 1", .watch("rings", seconds: 1)), ("watch video", .watch("video", seconds: 2)),
      ("video", .video(.show(.lines))), ("video json", .video(.show(.json))), ("video reset", .video(.reset)),
      ("video gain -3", .video(.set("gain", to: -3))),
      ("gain", .gain(.show(.lines))), ("gain json", .gain(.show(.json))),
      ("gain -3.5", .gain(.set(nil, hundredths: -350))),
      ("gain mic_boost 20", .gain(.set("mic_boost", hundredths: 2_000))),
      ("timing reset", .timing(.reset)), ("watch timing", .watch("timing", seconds: 2)),
      ("why", .why(.lines)), ("why json", .why(.json)), ("watch why 5", .watch("why", seconds: 5)),
      ("top", .top), ("watch status", .watch("status", seconds: 2)),
      ("watch  list music 10 ", .watch("list music", seconds: 10)),
      ("watch events 3600", .watch("events", seconds: 3600)),
      ("press record", .press(.record, milliseconds: 80)), ("press rotate 1", .press(.rotate, milliseconds: 1)),
      ("press zoom 60000", .press(.zoom, milliseconds: 60_000)), ("wait 0", .wait(nanoseconds: 0)),
      ("wait 1.5", .wait(nanoseconds: 1_500_000_000)), ("wait .001", .wait(nanoseconds: 1_000_000)),
      ("wait 86400", .wait(nanoseconds: 86_400_000_000_000)), ("tilt portrait", .tilt(.portrait)),
      ("battery 3.25", .battery(volts: 3.25)), ("battery 0", .battery(volts: 0)),
      ("tilt landscape-left", .tilt(.landscapeLeft)), ("tilt landscape-right", .tilt(.landscapeRight)),
      ("tilt portrait-upside-down", .tilt(.portraitUpsideDown)), ("tilt face-down", .tilt(.faceDown)),
      ("record start", .record(.start)),
      ("record stop", .record(.stop)), ("events", .events(.newest(count: 20), .lines)),
      ("events 64 json", .events(.newest(count: 64), .json)), ("events json 64", .events(.newest(count: 64), .json)),
      ("schedule json next 3", .schedule(.next(count: 3, .json))),
      ("deploy a\u{7F}b x\u{1B}y", .deploy(.begin("a b", note: "x\u{FFFD}y"))),
      ("scene \u{200B}Ä", .sheet(.set(.scene, "\u{200B}Ä"))),
      ("events since -60 follow", .events(.since(milliseconds: -60_000), .follow)), ("log", .log(nil)),
      ("log faults", .log(.faults)),
      ("slate", .slate("")), ("slate scene 3", .slate("scene 3")), ("mark", .mark("")),
      ("mark  an owl ", .mark("an owl")), ("mark \"an owl\"", .mark("an owl")),
      ("scene", .sheet(.show)), ("scene 12A", .sheet(.set(.scene, "12A"))), ("scene \"\"", .sheet(.set(.scene, ""))),
      ("project  The Herons ", .sheet(.set(.project, "The Herons"))), ("tape 'R 7'", .sheet(.set(.tape, "R 7"))),
      ("take", .sheet(.show)), ("take 99999", .sheet(.take(99_999))),
      ("track 1 boom", .sheet(.track(1, "boom"))), ("track 8", .sheet(.track(8, ""))),
      ("circle", .remark(.judge(.circled, nil))), ("circle 12", .remark(.judge(.circled, .number(12)))),
      ("circle no", .remark(.judge(.neither, nil))), ("circle false last", .remark(.judge(.falseTake, .newest))),
      ("circle false alarm.", .remark(.judge(.falseTake, .name("alarm.")))),
      ("circle nobody", .remark(.judge(.circled, .name("nobody")))),
      ("note a plane, \"again\"", .remark(.note("a plane, \"again\""))), ("note \"\"", .remark(.note(""))),
      ("report csv", .report(.csv, day: nil)), ("report html 1970-01-03", .report(.html, day: 2)),
      ("report csv 19700102", .report(.csv, day: 1)),
      ("clock", .clock(.show(.lines))), ("clock json", .clock(.show(.json))),
      ("clock set 1970-01-02T00:01", .clock(.set(localSeconds: 86_460))),
      ("clock set 2028-02-29 23:59:59", .clock(.set(localSeconds: 1_835_481_599))),
      ("clock hangul", .clock(.hangul)), ("clock hangul line", .clock(.hangulLine)),
      ("clock hangul on", .clock(.hangulDisplay(isOn: true))),
      ("clock hangul off", .clock(.hangulDisplay(isOn: false))),
      ("sleep", .sleep(.show(.lines))), ("sleep json", .sleep(.show(.json))), ("sleep now", .sleep(.now)),
      ("schedule", .schedule(.show(.lines))), ("schedule json", .schedule(.show(.json))),
      ("schedule next", .schedule(.next(count: 10, .lines))),
      ("schedule next json", .schedule(.next(count: 10, .json))),
      ("schedule next 100 json", .schedule(.next(count: 100, .json))),
      ("schedule forecast", .schedule(.forecast(.lines))), ("schedule forecast json", .schedule(.forecast(.json))),
      ("trigger", .trigger(.show(.lines))), ("trigger json", .trigger(.show(.json))),
      ("trigger watch", .trigger(.watch)),
      ("timecode", .timecode(.show(.lines))), ("timecode json", .timecode(.show(.json))),
      ("timecode jam", .timecode(.jam)), ("timecode off", .timecode(.off)),
      ("timecode send", .timecode(.send(true))), ("timecode silent", .timecode(.send(false))),
      ("deploy", .deploy(.show(.lines))), ("deploy json", .deploy(.show(.json))), ("deploy end", .deploy(.end)),
      ("deploy report", .deploy(.report(isPage: false))), ("deploy report html", .deploy(.report(isPage: true))),
      ("deploy check", .deploy(.check(days: 42, .lines))),
      ("deploy check 7 json", .deploy(.check(days: 7, .json))),
      ("deploy NorthRidge \"under the oak\"", .deploy(.begin("NorthRidge", note: "under the oak"))),
      ("deploy 'North Ridge, 2' under the oak", .deploy(.begin("North Ridge, 2", note: "under the oak"))),
      ("trigger learn", .trigger(.learn(seconds: 60))), ("trigger learn 5", .trigger(.learn(seconds: 5))),
      ("schedule off", .schedule(.follow(false))), ("schedule on", .schedule(.follow(true))),
      ("wipe", .retention(.wipe(fileCount: nil))), ("wipe 12", .retention(.wipe(fileCount: 12))),
      ("listeners", .listeners(.lines)), ("listeners json", .listeners(.json)),
      ("identity json", .identity(.show(.json))),
      ("update", .update(.show(.lines))), ("update  status ", .update(.show(.lines))),
      ("update json", .update(.show(.json))), ("update status json", .update(.show(.json))),
      ("update a.update", .update(.begin("a.update", allowsOlder: false))),
      ("update it's \"a\" $(b).update --allow", .update(.begin("it's \"a\" $(b).update", allowsOlder: true))),
      ("update \"my  file --allow\"", .update(.begin("my  file --allow", allowsOlder: false))),
      ("update '/media/my stick/a' --allow", .update(.begin("/media/my stick/a", allowsOlder: true))),
      ("update \"status\"", .update(.begin("status", allowsOlder: false))),
      ("discover", .discover(seconds: 3, .lines)), ("discover json 1", .discover(seconds: 1, .json)),
      ("discover 5 json", .discover(seconds: 5, .json)),
      ("discover 60", .discover(seconds: 60, .lines)), ("config", .config(.show(.all, .lines))),
      ("config diff", .config(.show(.different, .lines))), ("config diff json", .config(.show(.different, .json))),
      ("config json", .config(.show(.all, .json))), ("config json diff", .config(.show(.different, .json))),
      ("config json audio.rate", .config(.show(.some("audio.rate"), .json))),
      ("config audio.rate", .config(.show(.some("audio.rate"), .lines))),
      ("config confirm", .config(.confirm)), ("config revert", .config(.revert)), ("config save", .config(.save)),
      ("config view.x 3", .config(.set(words: "view.x 3"))),
      ("config  view.x 3 view.y 4 ", .config(.set(words: "view.x 3 view.y 4"))), ("events before", .earlierEvents),
      ("version", .version),
      ("quit", .quit),
    ] as [(String, Command)])
  func parses(line: String, command: Command) {
    let (requests, said) = ConsoleHarness.requests(of: line + "\n")
    #expect(requests == [.command(command), .endOfInput])
    #expect(said == "ok\n")
  }

  @Test(
    "A line that is no command is refused with what was expected",
    arguments: [
      ("foo", "unknown command \"foo\": help lists all"),
      ("Status", "unknown command \"Status\": did you mean status?"),
      ("help foo", "unknown command \"foo\": help lists all"),
      ("staus", "unknown command \"staus\": did you mean status?"),
      ("recrod start", "unknown command \"recrod\": did you mean record?"),
      ("help Qeue", "unknown command \"Qeue\": did you mean queue?"),
      ("wy", "unknown command \"wy\": did you mean why?"),
      ("x", "unknown command \"x\": help lists all"),
      ("abcdefghijklmnopqrstuvwxyzabcdefghijk", "unknown command \"abcdefghijklmnopqrstuvwxyzabcdef\": help lists all"),
      ("take 0", "take expects 1…99999 or nothing, not \"0\""), ("take 2 3", "take takes [N], not \"3\" as well"),
      ("track", "track expects 1…8"), ("track 9 x", "track expects 1…8, not \"9\""),
      ("track 1 123456789012345678901234567890123", "track expects a text of at most 32 bytes"),
      ("note", "note expects a text"), ("report", "report expects csv or html"),
      ("report pdf", "report expects csv or html, not \"pdf\""),
      ("report csv 2026-02-29", "report expects a day such as 2026-11-21, not \"2026-02-29\""),
      ("report csv today", "report expects a day such as 2026-11-21, not \"today\""),
      ("wipe all", "wipe expects nothing, or what it asks for, not \"all\""),
      ("help press wait", "help takes [COMMAND|GROUP], not \"wait\" as well"),
      ("status xml", "status expects json or nothing, not \"xml\""),
      ("update a/b", "update expects an absolute path, or a name without a folder, not \"a/b\""),
      ("update \"\"", "update expects a file"),
      ("press", "press expects a button (prepare play stop record zoom rotate power)"),
      ("press x", "press expects a button (prepare play stop record zoom rotate power), not \"x\""),
      ("press record 0", "press expects 1…60000 milliseconds, not \"0\""),
      ("press record 60001", "press expects 1…60000 milliseconds, not \"60001\""),
      ("press record -5", "press expects 1…60000 milliseconds, not \"-5\""),
      ("press record 80 80", "press takes BUTTON [MS], not \"80\" as well"),
      ("wait", "wait expects 0…86400 seconds"),
      ("wait nan", "wait expects 0…86400 seconds, not \"nan\""),
      ("wait 1e9", "wait expects 0…86400 seconds, not \"1e9\""),
      ("wait -1", "wait expects 0…86400 seconds, not \"-1\""),
      ("battery", "battery expects 0…30 volts"), ("battery 30.5", "battery expects 0…30 volts, not \"30.5\""),
      ("wait 86400.1", "wait expects 0…86400 seconds, not \"86400.1\""),
      ("wait 1 2", "wait takes S, not \"2\" as well"),
      (
        "tilt",
        "tilt expects a position (landscape-left portrait landscape-right portrait-upside-down face-up face-down)"
      ),
      (
        "tilt up",
        "tilt expects a position (landscape-left portrait landscape-right portrait-upside-down face-up face-down), not \"up\""
      ),
      ("record", "record expects start or stop"),
      ("discover 0", "discover expects 1…60 seconds, json or nothing, not \"0\""),
      ("discover 61", "discover expects 1…60 seconds, json or nothing, not \"61\""),
      ("discover 256", "discover expects 1…60 seconds, json or nothing, not \"256\""),
      ("discover all", "discover expects 1…60 seconds, json or nothing, not \"all\""),
      ("discover 3 s", "discover expects 1…60 seconds, json or nothing, not \"s\""),
      ("selftest disk", "selftest expects quick, card, json or nothing, not \"disk\""),
      ("selftest quick card", "selftest expects json or nothing, not \"card\""),
      ("selftest json quick", "selftest takes [quick|card] [json], not \"quick\" as well"),
      ("purge now", "purge expects dry-run, bin or nothing, not \"now\""),
      ("purge dry-run all", "purge takes [dry-run|bin], not \"all\" as well"),
      ("protect", "protect expects a take"), ("unprotect  ", "unprotect expects a take"),
      ("verify", "verify expects a take"),
      ("takes 1 2", "takes expects bin, json, 1…500 or nothing, not \"2\""),
      ("takes bin bin", "takes expects bin, json, 1…500 or nothing, not \"bin\""),
      ("takes json 3 json", "takes expects bin, json, 1…500 or nothing, not \"json\""),
      ("takes all", "takes expects bin, json, 1…500 or nothing, not \"all\""),
      ("takes 0", "takes expects bin, json, 1…500 or nothing, not \"0\""), ("name", "name expects a take"),
      ("name 3 \(String(repeating: "b", count: 65))", "name expects a text of at most 64 bytes"),
      ("delete", "delete expects a take"), ("export 3", "export expects a folder"),
      ("export 3 usb", "export expects the absolute path of a folder, not \"usb\""),
      ("clock on", "clock expects json, set TIME, hangul, or nothing, not \"on\""),
      ("clock hangul up", "clock hangul expects line, on, off or nothing, not \"up\""),
      ("clock set", "clock set expects a local time such as 2026-11-22T12:30 or 2026-11-22T12:30:15"),
      ("deploy check 401", "deploy check expects 1…400 (days), json or nothing, not \"401\""),
      ("deploy \u{FEFF}\u{200B}", "deploy expects a name that can be seen"),
      ("deploy hill \u{3164}", "deploy expects a note that can be seen"),
      ("scene \u{A0}\u{2003}", "scene expects a text that can be seen"),
      ("name 3 \"  \"", "name expects a text that can be seen"),
      ("record pause", "record expects start or stop, not \"pause\""),
      ("quit now", "quit takes nothing, not \"now\" as well"),
      ("녹음", "unknown command \"녹음\": help lists all"),
      ("\u{1B}[31mquit", "unknown command \"\u{FFFD}[31mquit\": help lists all"),
    ])
  func refuses(line: String, reason: String) {
    let (requests, said) = ConsoleHarness.requests(of: line + "\n")
    #expect(requests == [.endOfInput])
    #expect(said == "error: \(reason)\n")
  }

  @Test(
    "what is no time cannot be set",
    arguments: [
      "2026-11-22", "12:30", "2026-11-22T24:00", "2026-11-22T12:60", "2026-11-22T12:30:60", "2026-02-29T12:30",
      "2026-13-01T12:30", "2026/11/22T12:30", "2026-11-22T12:30Z", "2026-11-22T12:30:5", "2026-11-22T12.30",
    ])
  func refusesTimes(text: String) {
    let (requests, said) = ConsoleHarness.requests(of: "clock set \(text)\n")
    #expect(requests == [.endOfInput])
    #expect(
      said == "error: clock set expects a local time such as 2026-11-22T12:30 or 2026-11-22T12:30:15, not \"\(text)\"\n"
    )
  }

  /// Every command, in the order of `help`.
  static let names = [
    "help", "status", "why", "audio", "timing", "devices", "video", "gain", "buttons", "rings", "disk", "threads",
    "accel",
    "memory", "power", "gps",
    "top", "watch", "press", "wait", "tilt", "battery", "record", "mark", "slate",
    "scene", "take", "project", "tape", "track", "circle", "note",
    "prepare", "stream", "listen", "share", "discover", "dispose", "play", "pause", "stop", "seek",
    "loop",
    "rate", "volume", "player", "list", "find", "rescan", "queue", "next", "previous", "lyrics", "artwork",
    "takes", "name", "delete", "undelete", "export", "purge", "wipe", "protect", "unprotect", "verify", "report",
    "tone",
    "standby",
    "monitor",
    "chord", "tuning", "metronome", "practice",
    "tuner", "zoom",
    "rotate", "viewfinder", "snapshot", "preview", "calc", "clock", "schedule", "sleep", "trigger", "timecode",
    "deploy",
    "selftest",
    "events", "log",
    "identity",
    "update",
    "listeners",
    "config",
    "version",
    "quit",
  ]

  @Test("The list of commands fits a terminal of 80 columns, with aligned summaries")
  func keepsToColumns() {
    let (_, list) = ConsoleHarness.requests(of: "help\n")
    for line in list.split(separator: "\n").dropLast() {
      #expect(Screen.columnCount(of: String(line)) < 80)
      #expect(line.dropFirst(31).prefix(2) == "  " && line.dropFirst(33).first != " ", "\(line)")
    }
  }

  @Test(
    "A line is parsed as its player command",
    arguments: [
      ("prepare", .prepare(nil)), ("prepare \t", .prepare(nil)), ("prepare music/01.caf", .prepare("music/01.caf")),
      ("prepare  a song \t of two  words.mp3 ", .prepare("a song \t of two  words.mp3")),
      ("prepare \" a song.mp3 \"", .prepare(" a song.mp3 ")), ("prepare 'a \"song\"'", .prepare("a \"song\"")),
      ("prepare \"녹음.wav'", .prepare("\"녹음.wav'")), ("prepare \"", .prepare("\"")), ("prepare #1", .prepare("#1")),
      ("prepare 12", .listed(number: 12, .prepare)), ("prepare ./12", .prepare("./12")),
      ("stream http://a/b?c=d", .stream("http://a/b?c=d")), ("stream https://a", .stream("https://a")),
      ("prepare http://a/b", .prepare("http://a/b")),
      ("share", .share(.show)), ("share off", .share(.off)), ("share queue", .share(.queue)),
      ("share last", .newest(.share)), ("share 3", .listed(number: 3, .share)),
      ("share music/a song.flac", .share(.file("music/a song.flac"))),
      ("listen kitchen", .stream("snapcast://kitchen:1704")), ("listen fe80::1", .stream("snapcast://[fe80::1]:1704")),
      ("listen [::1] 5000", .stream("snapcast://[::1]:5000")), ("listen off", .stopListening),
      ("dispose", .dispose), ("play", .play(at: nil)), ("play 3", .listed(number: 3, .play(at: nil))),
      ("play at 0", .play(at: 0)), ("play at 18446744073709551615", .play(at: .max)),
      ("pause", .pause), ("stop", .stop), ("seek 0", .seek(seconds: 0)), ("seek 1000000", .seek(seconds: 1e6)),
      ("seek 12.345", .seek(seconds: 12.345)), ("seek 1:10", .seek(seconds: 70)),
      ("seek 01:02:03.5", .seek(seconds: 3723.5)), ("seek 90:00", .seek(seconds: 5400)),
      ("seek +5", .skip(seconds: 5)), ("seek -0.1", .skip(seconds: -0.1)), ("seek -1:00", .skip(seconds: -60)),
      ("play music/a song.flac", .playFile("music/a song.flac")), ("play 'a b'", .playFile("a b")),
      ("play http://a/b", .playFile("http://a/b")),
      ("loop 0 0.001", .section(PlaybackSection(startSeconds: 0, endSeconds: 0.001))),
      ("loop 1.5 1000000", .section(PlaybackSection(startSeconds: 1.5, endSeconds: 1e6))), ("loop off", .section(nil)),
      ("rate", .rate(nil)), ("rate 0.5", .rate(0.5)), ("rate 2.0", .rate(2)), ("volume", .volume(nil)),
      ("volume 0", .volume(0)), ("volume 1.0", .volume(1)), ("player", .show),
    ] as [(String, PlayerCommand)])
  func parsesPlayer(line: String, command: PlayerCommand) {
    parses(line: line, command: .player(command))
  }

  @Test(
    "A line is parsed as its library command",
    arguments: [
      ("lyrics", .lyrics(nil)), ("lyrics 'a b.mp3'", .lyrics("a b.mp3")), ("artwork", .artwork(nil)),
      ("artwork 3", .artwork("3")),
      ("rescan", .rescan), ("list", .list(nil, .lines)), ("list audio", .list(.audio, .lines)),
      ("list video json", .list(.video, .json)), ("list json", .list(nil, .json)),
      ("list photo", .list(.photo, .lines)),
      ("list music", .list(.music, .lines)), ("find artist 신중현", .find(.artist, "신중현")),
      ("find title  So  What ", .find(.title, "So  What")), ("find title \"Heroes\"", .find(.title, "Heroes")),
      ("queue clearly", .enqueue(words: "clearly")), ("queue ./clear", .enqueue(words: "./clear")),
      ("queue a.wav  'b c.wav'", .enqueue(words: "a.wav  'b c.wav'")),
      ("queue \"a.wav\"", .enqueue(words: "\"a.wav\"")),
      ("queue artist Nina Simone", .enqueueArtist("Nina Simone")),
      ("queue artist 'Nina Simone'", .enqueueArtist("Nina Simone")), ("queue ./artist", .enqueue(words: "./artist")),
      ("queue 3 7-9", .enqueue(words: "3 7-9")), ("queue replace a.wav 3", .replaceQueue(words: "a.wav 3")),
      ("queue ./replace", .enqueue(words: "./replace")),
    ] as [(String, LibraryCommand)])
  func parsesLibrary(line: String, command: LibraryCommand) {
    parses(line: line, command: .library(command))
  }

  @Test(
    "A line is parsed as its command about takes that go and takes that stay",
    arguments: [
      ("purge", .purge(isDryRun: false)), ("purge  dry-run", .purge(isDryRun: true)), ("purge bin", .emptyBin),
      ("protect video/20261121/021005-0001.mov", .take(.path("video/20261121/021005-0001.mov"), .protect(true))),
      ("protect 'photo/a b.jpg'", .take(.path("photo/a b.jpg"), .protect(true))),
      ("unprotect a", .take(.name("a"), .protect(false))), ("unprotect 12", .take(.number(12), .protect(false))),
      ("verify owl at dusk", .take(.name("owl at dusk"), .verify)), ("verify last", .take(.newest, .verify)),
      ("verify all", .verifyAll),
      ("takes", .list(count: 20, isInBin: false, .lines)), ("takes 3", .list(count: 3, isInBin: false, .lines)),
      ("takes bin json 500", .list(count: 500, isInBin: true, .json)),
      ("name 3 a\u{7F}b\u{1}c \u{FFFD}", .take(.number(3), .name("a b\u{FFFD}c \u{FFFD}"))),
      ("name 3", .take(.number(3), .name(nil))), ("name 3 the owl", .take(.number(3), .name("the owl"))),
      ("name 3 \"the owl\"", .take(.number(3), .name("the owl"))), ("name last ''", .take(.newest, .name(""))),
      ("name \"owl at dusk\" tawny owl", .take(.name("owl at dusk"), .name("tawny owl"))),
      ("name 'owl' ", .take(.name("owl"), .name(nil))), ("name \"owl x", .take(.name("\"owl"), .name("x"))),
      ("export 'an owl' /media/stick", .take(.name("an owl"), .export("/media/stick"))),
      ("delete last", .take(.newest, .delete)), ("undelete 7", .take(.number(7), .undelete)),
      ("export 7 '/media/my stick'", .take(.number(7), .export("/media/my stick"))),
    ] as [(String, RetentionCommand)])
  func parsesRetention(line: String, command: RetentionCommand) {
    parses(line: line, command: .retention(command))
  }

  @Test(
    "A line is parsed as its queue or tone command",
    arguments: [
      ("queue repeat", .repetition(nil)), ("queue repeat off", .repetition(.off)),
      ("queue repeat one", .repetition(.one)), ("queue repeat all", .repetition(.all)),
      ("queue shuffle", .shuffle(nil)), ("queue shuffle on", .shuffle(true)), ("queue shuffle off", .shuffle(false)),
      ("queue", .showQueue(.lines)), ("queue json", .showQueue(.json)), ("queue clear", .clearQueue), ("next", .next),
      ("previous", .previous),
      ("tone", .tone(.show)), ("tone off", .tone(.off)), ("tone on", .tone(.on)),
      ("tone 880", .tone(.sine(hertz: 880, levelDecibels: nil))),
      ("tone 523.25 -18", .tone(.sine(hertz: 523.25, levelDecibels: -18))),
      ("tone 20 0", .tone(.sine(hertz: 20, levelDecibels: 0))),
      ("tone 20000 -90", .tone(.sine(hertz: 20_000, levelDecibels: -90))),
      ("monitor", .monitor(nil)), ("monitor on", .monitor(true)), ("standby", .standby(nil)),
      ("standby on", .standby(true)), ("standby off", .standby(false)),
    ] as [(String, PlayerCommand)])
  func parsesTone(line: String, command: PlayerCommand) {
    parses(line: line, command: .player(command))
  }

  private static let minorSeventh = ChordName(root: NoteName(letter: 5), kind: .minorSeventh)
  private static let overFifth = ChordName(root: NoteName(letter: 0), kind: .major, bass: NoteName(letter: 4))

  @Test(
    "A line is parsed as its guitar command",
    arguments: [
      ("chord Am7", .guitar(.chord(minorSeventh, .position(1)))),
      ("chord 라m7 12", .guitar(.chord(minorSeventh, .position(12)))),
      ("chord C/G", .guitar(.chord(overFifth, .position(1)))),
      ("chord find x32010", .guitar(.find(ChordShape(frets: [-1, 3, 2, 0, 1, 0])))),
      ("chord find x 3 2 0 1 0", .guitar(.find(ChordShape(frets: [-1, 3, 2, 0, 1, 0])))),
      ("chord search am", .guitar(.search("am"))), ("chord save Am7", .guitar(.save(minorSeventh, .position(1)))),
      ("chord save C/G 3", .guitar(.save(overFifth, .position(3)))), ("chord saved", .guitar(.saved)),
      ("chord forget am7", .guitar(.forget(minorSeventh, nil))), ("tuning", .guitar(.tuning(nil))),
      ("tuning standard", .guitar(.tuning(.standard))), ("tuning E A D G B E", .guitar(.tuning(.standard))),
      ("practice", .practice(.ask(beatsPerMinute: nil))), ("practice 100", .practice(.ask(beatsPerMinute: 100))),
      ("practice yes", .practice(.answer(isRight: true))), ("practice no", .practice(.answer(isRight: false))),
      ("practice stop", .practice(.stop)), ("practice progress", .practice(.progress)),
      ("practice reset", .practice(.reset)),
      ("tuner", .tuner(referenceHertz: 440)), ("tuner 432.5", .tuner(referenceHertz: 432.5)),
      ("metronome", .player(.metronome(.show))), ("metronome off", .player(.metronome(.off))),
      ("metronome tap", .player(.metronome(.tap))),
      ("metronome 120", .player(.metronome(.count(Rhythm(beatsPerMinute: 120))))),
      ("metronome 72.5 3 2", .player(.metronome(.count(Rhythm(beatsPerMinute: 72.5, beats: 3, subdivisions: 2))))),
    ] as [(String, Command)])
  func parsesGuitar(line: String, command: Command) {
    parses(line: line, command: command)
  }

  @Test(
    "A line is parsed as its camera command",
    arguments: [
      ("zoom", .zoom(.show)), ("zoom 1", .zoom(.glide(to: 1, powersOfTwoPerSecond: nil))),
      ("zoom 2.5", .zoom(.glide(to: 2.5, powersOfTwoPerSecond: nil))),
      ("zoom 8 0.1", .zoom(.glide(to: 8, powersOfTwoPerSecond: 0.1))),
      ("zoom 8 50", .zoom(.glide(to: 8, powersOfTwoPerSecond: 50))), ("zoom 16.0 now", .zoom(.jump(to: 16))),
      ("rotate", .rotate(nil)), ("rotate auto", .rotate(.automatic)),
      ("rotate landscape-left", .rotate(.fixed(.landscapeLeft))), ("rotate portrait", .rotate(.fixed(.portrait))),
      ("rotate landscape-right", .rotate(.fixed(.landscapeRight))),
      ("rotate portrait-upside-down", .rotate(.fixed(.portraitUpsideDown))), ("viewfinder", .viewfinder(.show)),
      ("viewfinder 0 0 1 1", .viewfinder(.place(x: 0, y: 0, width: 1, height: 1))),
      ("viewfinder 10 20 100 32767", .viewfinder(.place(x: 10, y: 20, width: 100, height: 32_767))),
      ("viewfinder move -32767 7", .viewfinder(.move(x: -32_767, y: 7))), ("snapshot", .snapshot(.whole)),
      ("snapshot crop", .snapshot(.viewfinder)), ("preview", .preview(.once)), ("preview live", .preview(.live)),
    ] as [(String, Command)])
  func parsesCamera(line: String, command: Command) {
    parses(line: line, command: command)
  }

  @Test(
    "A camera command with invalid arguments is refused with what was expected",
    arguments: [
      ("zoom 1e1", "zoom expects a plain decimal number, with at most 15 digits, not \"1e1\""),
      ("zoom 2 3 4", "zoom takes [X [RATE|now]], not \"4\" as well"),
      ("zoom 2 now 3", "zoom takes [X [RATE|now]], not \"3\" as well"),
      (
        "rotate left",
        "rotate expects an orientation (auto landscape-left portrait landscape-right portrait-upside-down), not \"left\""
      ),
      ("rotate portrait 90", "rotate takes [auto|ORIENTATION], not \"90\" as well"),
      ("snapshot all", "snapshot expects crop or nothing, not \"all\""),
      ("snapshot crop 1", "snapshot takes [crop], not \"1\" as well"),
      ("preview once", "preview expects live or nothing, not \"once\""),
      ("preview live 1", "preview takes [live], not \"1\" as well"),
      ("viewfinder 1 2 3 4 5", "viewfinder takes [X Y W H|move DX DY], not \"5\" as well"),
      ("viewfinder move 1 2 3", "viewfinder takes [X Y W H|move DX DY], not \"3\" as well"),
      ("viewfinder 1", "viewfinder expects X Y W H or move DX DY: Y is missing"),
      ("viewfinder 1 2 3", "viewfinder expects X Y W H or move DX DY: H is missing"),
      ("viewfinder move", "viewfinder expects move DX DY: DX is missing"),
      ("viewfinder move 7", "viewfinder expects move DX DY: DY is missing"),
    ])
  func refusesCamera(line: String, reason: String) {
    refuses(line: line, reason: reason)
  }

  @Test(
    "A player command with invalid arguments is refused with what was expected",
    arguments: [
      ("prepare \"\"", "prepare expects a file"), ("prepare ''", "prepare expects a file"),
      ("dispose it", "dispose takes nothing, not \"it\" as well"),
      ("play at", "play at expects nanoseconds of the monotonic clock"),
      ("play at -1", "play at expects nanoseconds of the monotonic clock, not \"-1\""),
      ("play at 1.5", "play at expects nanoseconds of the monotonic clock, not \"1.5\""),
      ("play at 0x10", "play at expects nanoseconds of the monotonic clock, not \"0x10\""),
      (
        "play at 18446744073709551616",
        "play at expects nanoseconds of the monotonic clock, not \"18446744073709551616\""
      ),
      ("play at 1 2", "play takes [N|last|FILE|at NS], not \"2\" as well"),
      ("pause 1", "pause takes nothing, not \"1\" as well"), ("stop 1", "stop takes nothing, not \"1\" as well"),
      ("player 1", "player takes nothing, not \"1\" as well"), ("next 1", "next takes nothing, not \"1\" as well"),
      ("previous 1", "previous takes nothing, not \"1\" as well"),
      ("rescan music", "rescan takes nothing, not \"music\" as well"),
      ("list pictures", "list expects a kind (audio video photo music), not \"pictures\""),
      ("gain loud", "gain expects -200…200 decibels"), ("gain mic 300", "gain expects -200…200 decibels, not \"300\""),
      ("gain 3 4", "gain takes [json|DB|NAME DB], not \"4\" as well"),
      ("list audio video", "list expects a kind, json or nothing, not \"video\""),
      ("find", "find expects a tag (artist title)"),
      ("find album x", "find expects a tag (artist title), not \"album\""),
      ("find artist", "find artist expects a name"), ("find title \"\"", "find title expects a name"),
      ("queue artist", "queue artist expects a name"), ("queue replace", "queue replace expects files"),
      ("queue repeat ever", "queue repeat expects a word (off one all), not \"ever\""),
      ("queue shuffle all", "queue shuffle expects on, off or nothing, not \"all\""),
      ("queue clear all", "queue takes [FILE…|clear|json], not \"all\" as well"),
      ("tone loud", "tone expects 20…20000 Hz, on or off, not \"loud\""),
      ("tone off now", "tone takes [HZ [DB]|on|off], not \"now\" as well"),
      ("tone 880 -18 5", "tone takes [HZ [DB]|on|off], not \"5\" as well"),
      ("standby maybe", "standby expects on, off or nothing, not \"maybe\""),
      ("standby on off", "standby takes [on|off], not \"off\" as well"),
      ("chord", "chord expects a name such as Am7, or find, search, save, saved or forget"),
      ("chord X", "chord expects a chord such as Am7, F#m7b5 or C/G, not \"X\""),
      ("chord Am7 0", "chord expects a position, from 1, or six frets such as x32010, not \"0\""),
      ("chord Am7 209", "chord expects a position, from 1, or six frets such as x32010, not \"209\""),
      ("chord Am7 1 2", "chord takes NAME [N]|find|search|…, not \"2\" as well"),
      ("chord save", "chord save expects a chord such as Am7, F#m7b5 or C/G"),
      ("chord search", "chord search expects a part of a name"),
      (
        "chord find x3201",
        "chord find expects six frets, the lowest string first, x for a muted one, such as x32010, not \"x3201\""
      ),
      ("tuning EADGB", "tuning expects six notes such as EADGBE, the lowest string first, or standard, not \"EADGB\""),
      (
        "practice 39", "practice expects 40…200 beats a minute, yes, no, progress, stop or reset, not \"39\""
      ),
      ("tuner 389", "tuner expects 390…466 Hz, or nothing for 440, not \"389\""),
      ("metronome 19", "metronome expects 20…400 beats a minute, off or tap, not \"19\""),
      ("metronome 401", "metronome expects 20…400 beats a minute, off or tap, not \"401\""),
      ("metronome 60 17", "metronome expects 1…16 beats to a bar, not \"17\""),
      ("metronome 60 4 5", "metronome expects 1…4 clicks to a beat, not \"5\""),
      ("loop", "loop expects two instants of 0…1000000 seconds, or off"),
      ("loop 5", "loop expects an end of 0…1000000 seconds"),
      ("loop 5 5", "loop expects an end after its start, not \"5\""),
      ("loop 5 4.9", "loop expects an end after its start, not \"4.9\""),
      ("loop 5 off", "loop expects an end of 0…1000000 seconds, not \"off\""),
      ("loop off 5", "loop takes A B|off, not \"5\" as well"), ("loop 1 2 3", "loop takes A B|off, not \"3\" as well"),
      ("seek", "seek expects 0…1000000 seconds, or minutes as 1:30, or + or - with them"),
      ("seek 1 2", "seek takes S, not \"2\" as well"),
      ("rate 1 2", "rate takes [X], not \"2\" as well"), ("volume 1 2", "volume takes [X], not \"2\" as well"),
    ])
  func refusesPlayer(line: String, reason: String) {
    refuses(line: line, reason: reason)
  }

  @Test(
    "Every numeric argument refuses text that is no plain number or is out of range",
    arguments: [
      (
        "seek", "0…1000000 seconds, or minutes as 1:30, or + or - with them",
        ["1000000.1", "-1000001", "+", "-", "+-5", "1:60", "1:-5", "1.5:00", ":30", "1:", "1:1e2", "20:000:00:00"]
      ),
      ("loop", "two instants of 0…1000000 seconds, or off", ["1000001", "-1"]),
      ("loop 1", "an end of 0…1000000 seconds", ["1000001", "-1"]), ("rate", "0.5…2.0", ["0.49", "2.01", "-1"]),
      ("volume", "0.0…1.0", ["1.01", "-0.01", "50%"]), ("tone", "20…20000 Hz, on or off", ["19.9", "20000.1", "-880"]),
      ("tone 880", "a level of -90…0 dBFS", ["-90.1", "0.1", "18"]),
      ("zoom", "a plain decimal number, with at most 15 digits", ["nan", "inf", "1e9", ".5e1", "in"]),
      ("zoom 2", "a rate of 0.1…50 powers of two a second, or now", ["0", "-3", "0.099", "50.1"]),
      ("viewfinder", "X Y W H or move DX DY: X is a whole number of 0…32767", ["1.5", "-1", "32768"]),
      ("viewfinder 1 1", "X Y W H or move DX DY: W is a whole number of 1…32767", ["0", "-1", "32768"]),
      ("viewfinder move 1", "move DX DY: DY is a whole number of -32767…32767", ["-32768", "32768"]),
    ])
  func refusesNumbers(command: String, expected: String, outside: [String]) {
    let noNumbers = [
      "nan", "NaN", "inf", "-inf", "infinity", "0x1", "1e0", "1,0", "+1", "1.0.0", "--1", ".", "-", "¹",
      "99999999999999999999999999999999",
    ]
    let name = command.prefix { $0 != " " }
    // A signed number is a relative seek.
    for number in noNumbers + outside where command != "seek" || number != "+1" {
      refuses(line: "\(command) \(number)", reason: "\(name) expects \(expected), not \"\(number)\"")
    }
  }

  @Test("A path of 256 bytes and a name of 128 are accepted whole, and longer ones refused")
  func boundsTexts() throws {
    let path = String(repeating: "녹", count: 84) + ".wav"
    #expect(path.utf8.count == 256)
    parses(line: "prepare '\(path)'", command: .player(.prepare(FixedText(path))))
    parses(line: "queue \(path)", command: .library(.enqueue(words: FixedText(path))))
    refuses(line: "prepare '\(path)x'", reason: "prepare expects a file of at most 256 bytes")
    refuses(line: "queue \(path)x", reason: "queue expects files of at most 256 bytes")
    let name = String(repeating: "é", count: 64)
    parses(line: "find artist \(name)", command: .library(.find(.artist, FixedText(name))))
    parses(line: "queue artist \(name)", command: .library(.enqueueArtist(FixedText(name))))
    refuses(line: "find title \(name)x", reason: "find title expects a name of at most 128 bytes")
    refuses(line: "queue artist \(name)x", reason: "queue artist expects a name of at most 128 bytes")
  }

  @Test("LF, CR and CR LF end a line of a stream")
  func lineEnds() {
    let expected = ConsoleHarness.requests(of: "version\nwait 5\nversion\n")
    let found = ConsoleHarness.requests(of: "version\rwait 5\r\nversion\r")
    #expect(found.requests == expected.requests && found.said == expected.said)
  }

  @Test("A question mark is help at a terminal, and not in a stream: noise there is that byte often enough")
  func questionMark() {
    #expect(ConsoleHarness.requests(of: "?\n").said == "error: unknown command \"?\": help lists all\n")
    for (short, long) in [("?", "help"), ("? status", "help status"), ("  ?  kit", "help kit"), ("? x", "help x")] {
      let replies = [short, long].map { line in
        var harness = ConsoleHarness(isTerminal: true)
        harness.type(line + "\r")
        harness.run()
        return harness.said.split(separator: "\n").dropFirst()
      }
      #expect(replies[0] == replies[1] && !replies[0].isEmpty)
    }
  }

  @Test("help exit explains quit, whose other name that is")
  func otherNames() {
    #expect(ConsoleHarness.requests(of: "help exit\n").said == ConsoleHarness.requests(of: "help quit\n").said)
  }

  /// The rows of `help` for a word on a terminal, without the prompt.
  private func rows(ofHelp word: String) -> [String] {
    var harness = ConsoleHarness(isTerminal: true)
    harness.type("help \(word)\r")
    harness.run()
    return harness.said.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { String($0.filter { $0 != "\r" }) }
  }

  @Test("help GROUP lists a group on one screen, after the command of the same name; each command is in a group")
  func listsGroups() throws {
    let document = try String(
      contentsOf: ProgramUnderTest.checkout.appendingPathComponent("docs/console.md"), encoding: .utf8)
    let sections = document.components(separatedBy: "\n## ")[1].components(separatedBy: "\n### ").dropFirst()
    let groups = ["record", "play", "queue", "listen", "device", "takes", "kit", "settings", "help"]
    #expect(sections.count == groups.count)
    var grouped: Set<String> = []
    for (group, section) in zip(groups, sections) {
      let rows = rows(ofHelp: group)
      #expect(rows.count < 24 && rows.last == "ok", "\(group): \(rows)")
      #expect(rows.filter { Screen.columnCount(of: $0) >= 80 } == [])
      let heading = rows.firstIndex(of: "Other commands of this group:")
      #expect((heading != nil) == Self.names.contains(group))
      var names = Set(rows[((heading ?? -1) + 1)...].dropLast().map { String($0.prefix { $0 != " " }) })
      if heading != nil {
        #expect(rows[0].hasPrefix(group) && !names.contains(group))
        names.insert(group)
      }
      let cells = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "| ")[0] }
      let documented = Set(cells.flatMap { $0.matches(of: /`([a-z]+)/).map { String($0.output.1) } })
      #expect(names == documented.intersection(Self.names), "\(group)")
      grouped.formUnion(names)
    }
    #expect(grouped == Set(Self.names))
  }

  @Test("help lists every command once, and help COMMAND explains each of them")
  func helps() {
    let (_, list) = ConsoleHarness.requests(of: "help\n")
    let lines = list.split(separator: "\n")
    #expect(lines.last == "ok")
    let names = lines.dropLast().map { String($0.prefix { $0 != " " }) }
    #expect(names == Self.names)
    for (name, line) in zip(names, lines) {
      let (_, explanation) = ConsoleHarness.requests(of: "help \(name)\n")
      let group = explanation.range(of: "Other commands of this group:\n")
      let own = group.map { explanation[..<$0.lowerBound] + "ok\n" } ?? explanation[...]
      let told = own.split(separator: "\n")
      #expect((3...5).contains(told.count) && told.last == "ok")
      #expect(told[2...].dropLast().allSatisfy { $0.hasPrefix("  \(name)") })
      #expect(told.first?.hasPrefix(name) == true)
      #expect(told.first?.split(separator: ": ").last == line.dropFirst(33))
      // A line that was truncated for lack of space has no period.
      #expect(told[1].hasSuffix("."))
    }
  }
}

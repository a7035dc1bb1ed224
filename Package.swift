// swift-tools-version: 6.2
import PackageDescription

/// `FIELDCORDER_FIRMWARE` is `host` or `pi` when the firmware is built: Embedded Swift that the compiler refuses to
/// let near the heap. Without it the same sources are ordinary Swift, for `swift test`.
let firmware = Context.environment["FIELDCORDER_FIRMWARE"]

let language: [SwiftSetting] = [
  .enableExperimentalFeature("SuppressedAssociatedTypes"),
  .enableExperimentalFeature("Lifetimes"),
  .enableExperimentalFeature("AddressableParameters"),
  .strictMemorySafety(),
  .unsafeFlags(["-warnings-as-errors"]),
]
let embedded: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"),
  // A section for each function: the linker leaves out what is not called, the runtime that would allocate included.
  // Libraries are those that are named below: what a module map links would come before the linker's options.
  .unsafeFlags([
    "-wmo", "-no-allocations", "-Xfrontend", "-function-sections", "-Xfrontend", "-disable-all-autolinking",
  ]),
]
/// On the device a function's failed checks end in one trap instead of one each: what is found in a core is the function,
/// not the line. Elsewhere each has its own.
let trapping: [SwiftSetting] =
  firmware == "pi" ? [.unsafeFlags(["-Xfrontend", "-mergeable-traps"])] : []
let settings = firmware == nil ? language : language + embedded + trapping
/// No guard value on the stack of the recorder: Swift checks the bounds of what it writes to, and the few unsafe
/// pointers stay in small types. The programs that parse foreign bytes keep it.
let unguarded: [SwiftSetting] =
  firmware == "pi" ? [.unsafeFlags(["-Xfrontend", "-disable-stack-protector"])] : []
/// Instructions that functions have in common become functions of their own, and so do those of these functions.
let outlined = ["-Xllvm", "-enable-machine-outliner=always", "-Xllvm", "-machine-outliner-reruns=3"]
/// What is called replaces the call less readily than `-Osize` alone has it.
let called = ["-Xfrontend", "-sil-inline-caller-benefit-reduction-factor", "-Xfrontend", "3"]
/// For modules that mostly decide and tell: theirs is most of the program, and on the device they are small before they
/// are fast. The loops in them that calculate with samples and pixels are marked `@_optimize(speed)`. On amd64 the
/// compiler would save size by copying structures with `rep movsb`, which takes many times longer than a call.
let compact = firmware == "pi" ? settings + [.unsafeFlags(["-Osize"] + outlined + called)] : settings
/// For modules that have no such loops, or one that calls nothing: in a function of more than 20 blocks every call stays.
let deciding =
  firmware == "pi" ? compact + [.unsafeFlags(["-Xllvm", "-sil-inline-overall-caller-block-limit=20"])] : settings

/// The C libraries are named here because the compiler heeds the `link` lines of module maps only for targets that have
/// an operating system, and it takes the Raspberry Pi's for one without. A program is linked with those of them that it
/// calls: the linker's option counts for what follows it, and the compiler would put its own `-l` first.
func linked(_ libraries: [String]) -> [LinkerSetting] {
  libraries.isEmpty
    ? [] : [.unsafeFlags((["--as-needed"] + libraries.map { "-l\($0)" }).flatMap { ["-Xlinker", $0] })]
}

/// - Parameter small: `compact` or `deciding`.
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = [], small: [SwiftSetting]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(name)",
    swiftSettings: small.map { $0 + unguarded } ?? settings,
    linkerSettings: linked(libraries))
}

/// `make test` builds for release: what is tested moves pictures and sound. Most tests only ask and compare: they are
/// not optimised, and compiled file by file, so that a changed line costs little.
func tests(
  _ name: String, in part: String, _ dependencies: [Target.Dependency], libraries: [String] = [],
  isOptimised: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(part)/\(name)",
    swiftSettings: language + (isOptimised ? [] : [quick]),
    linkerSettings: linked(libraries))
}
let quick = SwiftSetting.unsafeFlags(
  ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))

/// A C library as its headers say it is.
func library(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/C/\(name)") }

/// A little C of our own, for what Swift cannot see; `generated` names folders of `build/` with headers, `headers` one of
/// the machine that it is built for.
func shim(
  _ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = [], generated: [String] = [],
  headers: String? = nil, exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/C/\(name)", exclude: exclude,
    cSettings: [
      .unsafeFlags(
        ["-Wall", "-Wextra", "-Werror"] + generated.map { "-I\(Context.packageDirectory)/build/\($0)" }
          + (headers.map { ["-iwithsysroot", $0] } ?? []))
    ],
    linkerSettings: linked(libraries))
}

let cModules: [Target] = [
  library("CLinux"), library("CMath"), library("CINI"), library("CCharset"), library("CUTF8"), library("CALSA"),
  library("CI2C"), library("CVideo4Linux"), library("CDRM"), library("CFFmpeg"), library("CSonic"), library("CSodium"),
  library("CAvahi"), library("CCurl"), library("CHTTP"), library("CShout"),
  shim("CDeviceArena"), shim("CHeapMeter", ["CDeviceArena"]), shim("CSandbox"),
  shim("CGPIO", libraries: ["gpiod"]), shim("CJPEG", libraries: ["jpeg"]), shim("CGlyphs", generated: ["glyphs"]),
  shim("CFont", ["CDeviceArena"], libraries: ["freetype"], headers: "/usr/include/freetype2"),
  shim("CMessages", generated: ["messages"], exclude: ["ko.po"]),
]

/// In the order of the flow: what all of it is made of, the machine, what is recorded, kept and played, and the loop.
let modules: [Target] = [
  module("Base", ["CMath", "CMessages"], libraries: ["m"]),
  module("Kit", ["Base", "CMath"], small: compact),
  module("Wire", ["Base", "CCharset"]),
  module("Media", ["Base", "CJPEG", "CMath", "CSodium"], libraries: ["sodium"], small: compact),
  module("Drawing", ["Base", "CFont", "CGlyphs", "Kit", "Wire"]),
  module("Configuration", ["Base", "CINI", "Kit", "Media"], libraries: ["inih"], small: deciding),
  module(
    "Machine", ["Base", "CALSA", "CDeviceArena", "CGPIO", "CI2C", "CLinux", "CVideo4Linux", "Media", "Wire"],
    libraries: ["asound", "i2c", "v4l2"], small: deciding),
  module("Record", ["Base", "CMath", "Configuration", "Drawing", "Machine", "Media"], small: compact),
  module("Playback", ["Base", "CMath", "Kit", "Machine", "Wire"], small: compact),
  module(
    "Catalog", ["Base", "CUTF8", "Configuration", "Kit", "Machine", "Media", "Record", "Wire"], libraries: ["utf8proc"],
    small: deciding),
  module("Console", ["Base", "Kit", "Machine", "Record", "Wire"], small: deciding),
  module(
    "App", ["Base", "Catalog", "Configuration", "Console", "Kit", "Machine", "Media", "Playback", "Record", "Wire"],
    small: deciding),
  module("Net", ["Base", "CLinux", "Machine", "Wire"], small: compact),
  module("Screens", ["Base", "CDRM", "CLinux", "Drawing", "Machine"], libraries: ["drm"], small: compact),
]

let programs: [Target] = [
  .executableTarget(
    name: "fieldcorder",
    dependencies: [
      "App", "Base", "CDeviceArena", "CHeapMeter", "Catalog", "Configuration", "Kit", "Machine", "Media", "Playback",
      "Record",
    ], path: "Sources/Programs/fieldcorder",
    // The program's entry is a C function: an embedded program is given its arguments no other way.
    swiftSettings: deciding + unguarded + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "fieldcorder-decode",
    dependencies: ["Base", "CFFmpeg", "CLinux", "CSandbox", "CSonic", "Machine", "Wire"],
    path: "Sources/Programs/fieldcorder-decode",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: linked(["avformat", "avcodec", "swresample", "avutil", "sonic", "z"])),
  .executableTarget(
    name: "fieldcorder-fetch",
    dependencies: ["Base", "CAvahi", "CCurl", "CLinux", "CSandbox", "Machine", "Media", "Wire"],
    path: "Sources/Programs/fieldcorder-fetch",
    swiftSettings: compact + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: linked(["avahi-client", "avahi-common", "curl"])),
  .executableTarget(
    name: "fieldcorder-view",
    dependencies: ["Base", "CLinux", "CSandbox", "Drawing", "Machine", "Media", "Screens", "Wire"],
    path: "Sources/Programs/fieldcorder-view",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "fieldcorder-monitor",
    dependencies: ["Base", "CFFmpeg", "CHTTP", "CLinux", "CSandbox", "Configuration", "Kit", "Machine", "Net", "Wire"],
    path: "Sources/Programs/fieldcorder-monitor",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: linked(["microhttpd", "avformat", "avcodec", "swresample", "avutil"])),
  .executableTarget(
    name: "fieldcorder-relay",
    dependencies: ["Base", "CLinux", "CSandbox", "CShout", "Configuration", "Machine", "Wire"],
    path: "Sources/Programs/fieldcorder-relay",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])], linkerSettings: linked(["shout"])),
]

/// For `make bench`. It is built with the firmware, so that it keeps up with it.
let bench: Target = .executableTarget(
  name: "record-pictures",
  dependencies: ["Base", "CLinux", "Configuration", "Machine", "Media", "Record"],
  path: "board/bench/RecordPictures", swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])

let testTargets: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["Base", "Machine", "Wire"],
    path: "Tests/Support/TestSupport",
    swiftSettings: language),
  // What is computed of millions of samples takes minutes when it is not optimised.
  .target(
    name: "MediaZoo", dependencies: ["TestSupport"], path: "Tests/Support/MediaZoo",
    swiftSettings: language + [.unsafeFlags(["-O"])]),
  tests("MediaZooTests", in: "Support", ["MediaZoo", "TestSupport"]),
  tests("FormatsTests", in: "Media", ["Base", "Media", "TestSupport"]),
  tests("ConfigurationTests", in: "Recorder", ["Base", "Configuration", "TestSupport"]),
  tests(
    "ConsoleTests", in: "Recorder", ["Base", "Console", "Kit", "Machine", "Record", "TestSupport", "Wire"]),
  tests("CalculatorTests", in: "Kit", ["Base", "Kit", "TestSupport"], isOptimised: true),
  tests(
    "CalculationHistoryTests", in: "Kit", ["Base", "Catalog", "Kit", "Machine", "TestSupport"], isOptimised: true),
  tests("TextTests", in: "Media", ["Base", "TestSupport"]),
  tests("MessagesTests", in: "Media", ["Base", "TestSupport"]),
  tests("TimeZonesTests", in: "Media", ["Base", "TestSupport"], isOptimised: true),
  tests("DecodingTests", in: "Protocols", ["Base", "TestSupport", "Wire"]),
  tests("FetchingTests", in: "Protocols", ["Base", "TestSupport", "Wire"]),
  tests("DecodeTests", in: "Programs", ["Base", "Machine", "MediaZoo", "TestSupport", "Wire"]),
  tests("ControlsTests", in: "Recorder", ["Base", "Record", "TestSupport"]),
  tests("RingsTests", in: "Media", ["Base", "TestSupport"]),
  .target(
    name: "TestPictures", dependencies: ["Base", "Media", "TestSupport"],
    path: "Tests/Support/TestPictures", swiftSettings: language),
  tests(
    "ImagingTests", in: "Media", ["Base", "CHeapMeter", "CJPEG", "Media", "TestPictures", "TestSupport"],
    isOptimised: true),
  .target(
    name: "CTrueType", path: "Tests/Support/CTrueType",
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror", "-O2"])], linkerSettings: linked(["m"])),
  tests(
    "DrawingTests", in: "Media", ["Base", "CHeapMeter", "CTrueType", "Drawing", "TestSupport", "Wire"]),
  tests("ScreensTests", in: "Board", ["Base", "Screens", "TestSupport"]),
  tests(
    "CaptureTests", in: "Recorder", ["Base", "Machine", "Media", "Record", "TestSupport"]),
  tests(
    "EncodeTests", in: "Recorder", ["Base", "Machine", "Media", "Record", "TestPictures", "TestSupport"]),
  tests("StillsTests", in: "Recorder", ["Base", "Media", "Record", "TestPictures", "TestSupport"]),
  tests(
    "LibraryTests", in: "Recorder", ["Base", "Catalog", "Machine", "TestSupport", "Wire"]),
  tests("SealingTests", in: "Media", ["Media", "TestSupport"], isOptimised: true),
  tests("LoudnessTests", in: "Media", ["Base", "Media", "TestSupport"], isOptimised: true),
  tests(
    "TakesTests", in: "Recorder", ["Base", "Configuration", "Machine", "Media", "Record", "TestSupport"],
    isOptimised: true),
  tests("PitchTests", in: "Kit", ["Base", "Kit", "TestSupport"], isOptimised: true),
  tests("GuitarTests", in: "Kit", ["Base", "Kit", "TestSupport"], isOptimised: true),
  tests("ScheduleTests", in: "Kit", ["Base", "Kit", "Machine", "TestSupport"], isOptimised: true),
  tests("HangulClockTests", in: "Kit", ["Base", "Kit", "TestSupport"], isOptimised: true),
  tests(
    "PlaybackTests", in: "Recorder", ["Base", "Kit", "Machine", "Playback", "TestSupport", "Wire"],
    isOptimised: true),
  tests(
    "LoopTests", in: "Recorder",
    [
      "App", "Base", "Catalog", "Configuration", "Console", "Kit", "Machine", "Media", "Playback", "Record",
      "TestSupport", "Wire",
    ]),
  tests(
    "RetentionTests", in: "Recorder", ["Base", "Catalog", "Configuration", "Machine", "Media", "Record", "TestSupport"]),
  tests("SnapcastTests", in: "Protocols", ["Base", "TestSupport", "Wire"], isOptimised: true),
  tests("ViewingTests", in: "Protocols", ["Base", "TestSupport", "Wire"]),
  tests("PositioningTests", in: "Protocols", ["Base", "Wire"]),
  tests("ListeningTests", in: "Protocols", ["Base", "TestSupport", "Wire"]),
  tests(
    "LiveStreamsTests", in: "Media", ["Base", "TestSupport", "Wire"], isOptimised: true),
  tests("PreviewTests", in: "Recorder", ["Base", "Record", "TestSupport"]),
  tests("SimBoardTests", in: "Board", ["Base", "Machine", "Record", "TestSupport"]),
  tests(
    "ContractTests", in: "Programs", ["Base", "CFFmpeg", "Machine", "MediaZoo", "TestSupport", "Wire"],
    libraries: ["avformat", "avcodec", "avutil"]),
  .executableTarget(
    name: "stand-in-decoder", dependencies: ["Base", "CLinux", "CSandbox", "Machine", "Wire"],
    path: "Tests/Support/StandInDecoder",
    swiftSettings: language + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "snapcast-source",
    dependencies: ["Base", "CLinux", "Machine", "Net", "Wire"],
    path: "Tests/Support/SnapcastSource",
    swiftSettings: language + [.unsafeFlags(["-parse-as-library"])]),
  tests(
    "PosixTests", in: "Board", ["Base", "CHeapMeter", "CLinux", "Machine", "TestSupport", "Wire", "stand-in-decoder"]),
  tests(
    "SnapcastServingTests", in: "Board", ["Base", "Machine", "Net", "TestSupport", "Wire"]),
  tests("DeviceArenaTests", in: "Board", ["CDeviceArena", "CHeapMeter", "TestSupport"]),
  .target(
    name: "CFakeCamera", path: "Tests/Support/CFakeCamera",
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .target(
    name: "CFakeCard", path: "Tests/Support/CFakeCard",
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])], linkerSettings: linked(["asound"])),
  tests(
    "LinuxBoardTests", in: "Board",
    [
      "Base", "CALSA", "CDeviceArena", "CFakeCamera", "CFakeCard", "CHeapMeter", "CVideo4Linux", "Machine",
      "TestSupport",
    ]),
]

/// `make test FILTER=name` builds the tests that it runs, named in `FIELDCORDER_TESTS`, and no others.
let chosenTests = Context.environment["FIELDCORDER_TESTS"].map { names in
  testTargets.filter { $0.type != .test || names.split(separator: " ").contains(Substring($0.name)) }
}

/// For `make fuzz`: libFuzzer on the parsers. It is built with instruments in all modules (board/fuzz/build).
let fuzzing: [Target] = [
  .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
  .executableTarget(
    name: "fieldcorder-fuzz",
    dependencies: [
      "Base", "CFuzzer", "CINI", "Catalog", "Configuration", "Console", "Machine", "Media", "Playback", "Record",
      "TestSupport", "Wire",
    ], path: "Tests/Fuzz/Fuzzer",
    swiftSettings: [
      .enableExperimentalFeature("SuppressedAssociatedTypes"), .enableExperimentalFeature("Lifetimes"),
      .unsafeFlags(["-warnings-as-errors", "-parse-as-library"]),
    ]),
]

let package = Package(
  name: "fieldcorder",
  targets: cModules + modules + programs + (firmware == nil ? chosenTests ?? testTargets : [])
    + (firmware == "host" ? [bench] : []) + (Context.environment["FIELDCORDER_FUZZ"] == nil ? [] : fuzzing)
)

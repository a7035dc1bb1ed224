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
  .unsafeFlags(["-wmo", "-no-allocations", "-Xfrontend", "-function-sections"]),
]
let settings = firmware == nil ? language : language + embedded
/// For modules that decide and tell, and move no samples or pictures: theirs is half of the program, and they are small
/// before they are fast. What the outliner would take out of them had no name of its own by which to see whether the
/// linker kept it.
let compact =
  firmware == nil ? language : settings + [.unsafeFlags(["-Osize", "-Xllvm", "-enable-machine-outliner=never"])]

/// The C libraries are named here because the compiler heeds the `link` lines of module maps only for targets that have
/// an operating system, and it takes the Raspberry Pi's for one without.
/// A module lies in a folder of its name; the folder around it says which part of the house it belongs to.
func module(
  _ name: String, in part: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = [],
  isCompact: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(part)/\(name)",
    swiftSettings: isCompact ? compact : settings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// `make test` builds for release: what is tested moves pictures and sound. Most tests only ask and compare, and would
/// take longer to optimise than they then save.
func tests(
  _ name: String, in part: String, _ dependencies: [Target.Dependency], libraries: [String] = [],
  isOptimised: Bool = false
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(part)/\(name)",
    swiftSettings: language + (isOptimised ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A C library as its headers say it is.
func library(_ name: String) -> Target { .systemLibrary(name: name, path: "Sources/C/\(name)") }

/// A little C of our own, for what Swift cannot see; `generated` names folders of `build/` with headers.
func shim(
  _ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = [], generated: [String] = [],
  exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/C/\(name)", exclude: exclude,
    cSettings: [
      .unsafeFlags(["-Wall", "-Wextra", "-Werror"] + generated.map { "-I\(Context.packageDirectory)/build/\($0)" })
    ],
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

let cModules: [Target] = [
  library("CLinux"), library("CMath"), library("CINI"), library("CUTF8"), library("CALSA"), library("CI2C"),
  library("CVideo4Linux"), library("CDRM"), library("CFFmpeg"), library("CSonic"), library("CSodium"),
  library("CAvahi"), library("CCurl"), library("CHTTP"), library("CShout"),
  shim("CDeviceArena"), shim("CHeapMeter", ["CDeviceArena"]), shim("CSandbox"),
  shim("CGPIO", libraries: ["gpiod"]), shim("CJPEG", libraries: ["jpeg"]), shim("CGlyphs", generated: ["glyphs"]),
  shim("CMessages", generated: ["messages"], exclude: ["ko.po"]),
]

/// In the order of the flow: the shared words, what is pure, the port and what goes through it, the machines.
let modules: [Target] = [
  module("Text", in: "Media", libraries: ["m"], isCompact: true),
  module("TimeZones", in: "Media", ["Text"], isCompact: true),
  module("Values", in: "Media", ["CMath", "Text"]),
  module("Messages", in: "Media", ["CMessages", "Text", "Values"], isCompact: true),
  module("Rings", in: "Media", ["Values"]),
  module("Formats", in: "Media", ["Values", "Text"]),
  module("Calculator", in: "Kit", ["Text"], isCompact: true),
  module("Sealing", in: "Media", ["CSodium", "Text"], libraries: ["sodium"], isCompact: true),
  module("Controls", in: "Recorder", ["Values", "Text"], isCompact: true),
  module("Imaging", in: "Media", ["CJPEG", "CMath", "Values", "Rings"]),
  module("Configuration", in: "Recorder", ["CINI", "Formats", "Values", "Text"], libraries: ["inih"], isCompact: true),
  module("Decoding", in: "Protocols", ["Values", "Text"], isCompact: true),
  module("Fetching", in: "Protocols", ["Decoding", "Text", "Values"], isCompact: true),
  module("Viewing", in: "Protocols", ["Values", "Rings", "Text"]),
  module("Listening", in: "Protocols", ["Decoding", "Text"], isCompact: true),
  module("LiveStreams", in: "Media", ["Rings", "Text", "Values"]),
  module("Snapcast", in: "Protocols", ["Rings", "Text", "Values"]),
  module("Preview", in: "Recorder", ["Imaging", "Values", "Rings", "Text"]),
  module("Drawing", in: "Media", ["CGlyphs", "HangulClock", "Messages", "Values", "Rings", "Text", "Viewing"]),
  module("Port", in: "Board", ["Decoding", "Fetching", "Listening", "Rings", "Values", "Text"]),
  module(
    "CalculationHistory", in: "Kit", ["Calculator", "Port", "Rings", "Text", "Values"], isCompact: true),
  module("Encode", in: "Recorder", ["Port", "Drawing", "Imaging", "Values", "Rings", "Text"]),
  module("Stills", in: "Recorder", ["Port", "Imaging", "Values", "Rings", "Text"], isCompact: true),
  module(
    "Capture", in: "Recorder", ["Port", "CMath", "Encode", "Imaging", "Values", "Rings", "Stills", "Text"]),
  module(
    "Takes", in: "Recorder", ["Port", "Formats", "Values", "Rings", "Sealing", "Stills", "Text"], isCompact: true),
  module(
    "Retention", in: "Recorder", ["Formats", "Port", "Rings", "Sealing", "Takes", "Text", "Values"], isCompact: true),
  module(
    "Library", in: "Recorder", ["Port", "CUTF8", "Decoding", "Values", "Rings", "Text"], libraries: ["utf8proc"],
    isCompact: true),
  module("HangulClock", in: "Kit", ["Text", "Values"], isCompact: true),
  module("Guitar", in: "Kit", ["CMath", "Rings", "Text"], isCompact: true),
  module("Pitch", in: "Kit", ["CMath", "Guitar", "Rings", "Text", "Values"]),
  module("Playback", in: "Recorder", ["Port", "Decoding", "Fetching", "Guitar", "Values", "Rings", "Text"]),
  module(
    "Console", in: "Recorder",
    ["Port", "Controls", "Decoding", "Guitar", "Messages", "Pitch", "Values", "Rings", "Text"], isCompact: true),
  module(
    "Loop", in: "Recorder",
    [
      "Port", "CalculationHistory", "Calculator", "Capture", "Encode", "Configuration", "Console", "Controls",
      "Decoding", "Fetching", "Formats", "Guitar", "HangulClock", "Imaging", "Library", "Listening", "Pitch", "Values",
      "Playback", "Preview", "Retention", "Rings", "Sealing", "Stills", "Takes", "Text", "TimeZones", "Viewing",
    ], isCompact: true),
  module(
    "Posix", in: "Board",
    ["Port", "CLinux", "Decoding", "Fetching", "Listening", "Sealing", "Values", "Text", "TimeZones", "Viewing"],
    isCompact: true),
  module(
    "SnapcastServing", in: "Board", ["CLinux", "Posix", "Rings", "Snapcast", "Text", "Values"], isCompact: true),
  module(
    "LinuxBoard", in: "Board",
    ["Port", "CALSA", "CDeviceArena", "CGPIO", "CI2C", "CLinux", "CVideo4Linux", "Values", "Posix", "Rings", "Text"],
    libraries: ["asound", "i2c", "v4l2"], isCompact: true),
  module(
    "Screens", in: "Board", ["CDRM", "CLinux", "Drawing", "Values", "Posix", "Text"], libraries: ["drm"],
    isCompact: true),
  module("SimBoard", in: "Board", ["Port", "Imaging", "Values", "Posix", "Rings", "Text"], isCompact: true),
]

let programs: [Target] = [
  .executableTarget(
    name: "fieldcorder",
    dependencies: [
      "Loop", "Port", "CDeviceArena", "CHeapMeter", "Encode", "Configuration", "Imaging", "Library", "LinuxBoard",
      "Messages",
      "Pitch", "Values", "Playback", "Posix", "Preview", "Retention", "Rings", "Sealing", "SimBoard", "Stills", "Takes",
      "Text", "TimeZones",
      "Viewing",
    ], path: "Sources/Programs/fieldcorder",
    // The program's entry is a C function: an embedded program is given its arguments no other way.
    swiftSettings: compact + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "fieldcorder-decode",
    dependencies: ["Port", "CFFmpeg", "CLinux", "CSandbox", "CSonic", "Decoding", "Values", "Posix", "Text"],
    path: "Sources/Programs/fieldcorder-decode",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: ["avformat", "avcodec", "swresample", "avutil", "sonic"].map { .linkedLibrary($0) }),
  .executableTarget(
    name: "fieldcorder-fetch",
    dependencies: [
      "CAvahi", "CCurl", "CLinux", "CSandbox", "Fetching", "Values", "Posix", "Rings", "Snapcast", "Text",
    ],
    path: "Sources/Programs/fieldcorder-fetch",
    swiftSettings: compact + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: ["avahi-client", "avahi-common", "curl"].map { .linkedLibrary($0) }),
  .executableTarget(
    name: "fieldcorder-view",
    dependencies: ["CLinux", "Drawing", "Imaging", "Values", "Posix", "Rings", "Screens", "Text", "Viewing"],
    path: "Sources/Programs/fieldcorder-view",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "fieldcorder-monitor",
    dependencies: [
      "CFFmpeg", "CHTTP", "CLinux", "CSandbox", "Configuration", "Listening", "LiveStreams", "Posix", "Rings",
      "Snapcast", "SnapcastServing", "Text", "Values", "Viewing",
    ],
    path: "Sources/Programs/fieldcorder-monitor",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: ["microhttpd", "avformat", "avcodec", "swresample", "avutil"].map { .linkedLibrary($0) }),
  .executableTarget(
    name: "fieldcorder-relay",
    dependencies: ["CLinux", "CSandbox", "CShout", "Configuration", "LiveStreams", "Posix", "Text", "Values"],
    path: "Sources/Programs/fieldcorder-relay",
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])], linkerSettings: [.linkedLibrary("shout")]),
]

/// For `make bench`. It is built with the firmware, so that it keeps up with it.
let bench: Target = .executableTarget(
  name: "record-pictures",
  dependencies: [
    "Port", "CLinux", "Encode", "Formats", "Imaging", "Values", "Posix", "Rings", "Sealing", "Stills", "Takes", "Text",
  ],
  path: "board/bench/RecordPictures", swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])

let testTargets: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["Port", "Decoding", "Fetching", "Values", "Rings", "Text"],
    path: "Tests/Support/TestSupport",
    swiftSettings: language),
  // What is computed of millions of samples takes minutes when it is not optimised.
  .target(
    name: "MediaZoo", dependencies: ["TestSupport"], path: "Tests/Support/MediaZoo",
    swiftSettings: language + [.unsafeFlags(["-O"])]),
  tests("MediaZooTests", in: "Support", ["MediaZoo", "TestSupport"]),
  tests("FormatsTests", in: "Media", ["Formats", "Values", "TestSupport"]),
  tests("ConfigurationTests", in: "Recorder", ["Configuration", "Formats", "Values", "TestSupport", "Text"]),
  tests(
    "ConsoleTests", in: "Recorder",
    ["Port", "Console", "Controls", "Decoding", "Guitar", "Values", "Rings", "TestSupport", "Text"]),
  tests("CalculatorTests", in: "Kit", ["Calculator", "TestSupport", "Text"], isOptimised: true),
  tests(
    "CalculationHistoryTests", in: "Kit",
    ["CalculationHistory", "Calculator", "Port", "Rings", "TestSupport", "Text", "Values"], isOptimised: true),
  tests("TextTests", in: "Media", ["TestSupport", "Text"]),
  tests("MessagesTests", in: "Media", ["Messages", "TestSupport", "Text", "Values"]),
  tests("TimeZonesTests", in: "Media", ["TestSupport", "Text", "TimeZones"], isOptimised: true),
  tests("DecodingTests", in: "Protocols", ["Decoding", "Values", "TestSupport", "Text"]),
  tests("FetchingTests", in: "Protocols", ["Fetching", "TestSupport", "Text"]),
  tests("DecodeTests", in: "Programs", ["Port", "Decoding", "Values", "MediaZoo", "Posix", "TestSupport", "Text"]),
  tests("ControlsTests", in: "Recorder", ["Controls", "Values", "TestSupport"]),
  tests("RingsTests", in: "Media", ["Rings", "TestSupport", "Values"]),
  .target(
    name: "TestPictures", dependencies: ["Imaging", "Rings", "TestSupport", "Values"],
    path: "Tests/Support/TestPictures", swiftSettings: language),
  tests(
    "ImagingTests", in: "Media",
    ["CHeapMeter", "CJPEG", "Imaging", "Values", "Rings", "TestPictures", "TestSupport", "Text"], isOptimised: true),
  tests(
    "DrawingTests", in: "Media",
    ["CHeapMeter", "Drawing", "Messages", "Values", "Rings", "TestSupport", "Text", "Viewing"]),
  tests("ScreensTests", in: "Board", ["Screens", "TestSupport", "Values", "Text"]),
  tests(
    "CaptureTests", in: "Recorder",
    ["Port", "Capture", "Encode", "Imaging", "Values", "Rings", "Stills", "TestSupport"]),
  tests(
    "EncodeTests", in: "Recorder",
    ["Port", "Encode", "Imaging", "Values", "Rings", "TestPictures", "TestSupport", "Text"]),
  tests("StillsTests", in: "Recorder", ["Imaging", "Values", "Rings", "Stills", "TestPictures", "TestSupport"]),
  tests(
    "LibraryTests", in: "Recorder",
    ["Port", "CUTF8", "Decoding", "Library", "Values", "Posix", "Rings", "TestSupport", "Text"]),
  tests("SealingTests", in: "Media", ["Sealing", "TestSupport", "Text"], isOptimised: true),
  tests(
    "TakesTests", in: "Recorder",
    ["Port", "Formats", "Values", "Rings", "Sealing", "Stills", "Takes", "TestSupport", "Text"],
    isOptimised: true),
  tests("PitchTests", in: "Kit", ["Guitar", "Pitch", "Rings", "TestSupport", "Text", "Values"], isOptimised: true),
  tests("GuitarTests", in: "Kit", ["Guitar", "Rings", "TestSupport", "Text"], isOptimised: true),
  tests("HangulClockTests", in: "Kit", ["HangulClock", "TestSupport", "Text", "Values"], isOptimised: true),
  tests(
    "PlaybackTests", in: "Recorder",
    ["Port", "Decoding", "Guitar", "Values", "Playback", "Rings", "TestSupport", "Text"],
    isOptimised: true),
  tests(
    "LoopTests", in: "Recorder",
    [
      "Loop", "Port", "Capture", "Configuration", "Console", "Controls", "Decoding", "Encode", "Fetching", "Guitar",
      "Imaging", "Library", "Listening", "Pitch", "Values", "Playback", "Posix", "Preview", "Retention", "Rings",
      "SimBoard",
      "Stills", "Takes",
      "TestSupport", "Text", "TimeZones", "Viewing",
    ], isOptimised: true),
  tests(
    "RetentionTests", in: "Recorder",
    ["Port", "Posix", "Retention", "Rings", "Sealing", "Takes", "TestSupport", "Text", "Values"]),
  tests("SnapcastTests", in: "Protocols", ["Rings", "Snapcast", "TestSupport", "Text", "Values"], isOptimised: true),
  tests("ViewingTests", in: "Protocols", ["Values", "Rings", "TestSupport", "Text", "Viewing"]),
  tests("ListeningTests", in: "Protocols", ["Listening", "TestSupport", "Text"]),
  tests(
    "LiveStreamsTests", in: "Media", ["LiveStreams", "Rings", "TestSupport", "Text", "Values"], isOptimised: true),
  tests("PreviewTests", in: "Recorder", ["Preview", "Rings", "TestSupport", "Values"]),
  tests("SimBoardTests", in: "Board", ["Port", "Controls", "Values", "Rings", "SimBoard", "TestSupport", "Text"]),
  tests(
    "ContractTests", in: "Programs",
    ["CFFmpeg", "MediaZoo", "Rings", "SimBoard", "Snapcast", "TestSupport", "Text", "Values"],
    libraries: ["avformat", "avcodec", "avutil"]),
  .executableTarget(
    name: "stand-in-decoder", dependencies: ["CLinux", "CSandbox", "Decoding", "Posix", "Text"],
    path: "Tests/Support/StandInDecoder",
    swiftSettings: language + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "snapcast-source",
    dependencies: ["CLinux", "Posix", "Rings", "Snapcast", "SnapcastServing", "Text", "Values"],
    path: "Tests/Support/SnapcastSource",
    swiftSettings: language + [.unsafeFlags(["-parse-as-library"])]),
  tests(
    "PosixTests", in: "Board",
    [
      "Port", "CHeapMeter", "CLinux", "Decoding", "Values", "Posix", "Rings", "TestSupport", "Text", "TimeZones",
      "stand-in-decoder",
    ]),
  tests(
    "SnapcastServingTests", in: "Board",
    ["Posix", "Rings", "Snapcast", "SnapcastServing", "TestSupport", "Text", "Values"]),
  tests("DeviceArenaTests", in: "Board", ["CDeviceArena", "CHeapMeter", "TestSupport"]),
  .target(
    name: "CFakeCamera", path: "Tests/Support/CFakeCamera",
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .target(
    name: "CFakeCard", path: "Tests/Support/CFakeCard",
    cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])], linkerSettings: [.linkedLibrary("asound")]),
  tests(
    "LinuxBoardTests", in: "Board",
    [
      "Port", "CALSA", "CDeviceArena", "CFakeCamera", "CFakeCard", "CHeapMeter", "CVideo4Linux", "LinuxBoard", "Values",
      "TestSupport", "Text",
    ]),
]

/// For `make fuzz`: libFuzzer on the parsers. It is built with instruments in all modules (board/fuzz/build).
let fuzzing: [Target] = [
  .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
  .executableTarget(
    name: "fieldcorder-fuzz",
    dependencies: [
      "CFuzzer", "CINI", "Configuration", "Console", "Controls", "Decoding", "Formats", "Imaging", "Playback", "Port",
      "Retention", "Rings", "Snapcast", "Takes", "TestSupport", "Text", "Values",
    ], path: "Tests/Fuzz/Fuzzer",
    swiftSettings: [
      .enableExperimentalFeature("SuppressedAssociatedTypes"), .enableExperimentalFeature("Lifetimes"),
      .unsafeFlags(["-warnings-as-errors", "-parse-as-library"]),
    ]),
]

let package = Package(
  name: "fieldcorder",
  targets: cModules + modules + programs + (firmware == nil ? testTargets : [])
    + (firmware == "host" ? [bench] : []) + (Context.environment["FIELDCORDER_FUZZ"] == nil ? [] : fuzzing)
)

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
func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = [], isCompact: Bool = false
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: isCompact ? compact : settings,
    linkerSettings: libraries.map { .linkedLibrary($0) })
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: language)
}

let cModules: [Target] = [
  .systemLibrary(name: "CLinux"),
  .systemLibrary(name: "CMath"),
  .systemLibrary(name: "CINI"),
  .systemLibrary(name: "CUTF8"),
  .target(name: "CDeviceArena", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .target(name: "CHeapMeter", dependencies: ["CDeviceArena"]),
  .target(name: "CSandbox", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]),
  .target(
    name: "CGPIO", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
    linkerSettings: [.linkedLibrary("gpiod")]),
  .systemLibrary(name: "CALSA"),
  .systemLibrary(name: "CI2C"),
  .systemLibrary(name: "CVideo4Linux"),
  .systemLibrary(name: "CDRM"),
  .systemLibrary(name: "CFFmpeg"),
  .systemLibrary(name: "CSonic"),
  .target(
    name: "CJPEG", cSettings: [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])],
    linkerSettings: [.linkedLibrary("jpeg")]),
]

/// In the order of the flow: the shared words, what is pure, the port and what goes through it, the machines.
let modules: [Target] = [
  module("Text", libraries: ["m"], isCompact: true),
  module("Media", ["Text"]),
  module("Rings"),
  module("Trace"),
  module("Formats", ["Media", "Text"]),
  module("Controls", ["Media", "Text"], isCompact: true),
  module("Imaging", ["CJPEG", "CMath", "Media", "Rings"]),
  module("Configuration", ["CINI", "Formats", "Media", "Text"], libraries: ["inih"], isCompact: true),
  module("Decoding", ["Media", "Text"], isCompact: true),
  module("Viewing", ["Imaging", "Media", "Rings", "Text"]),
  module("Drawing", ["Media", "Rings", "Text", "Viewing"]),
  module("Board", ["Decoding", "Media", "Text"]),
  module("Capture", ["Board", "CMath", "Imaging", "Media", "Rings", "Trace"]),
  module("Coding", ["Board", "Imaging", "Media", "Rings", "Text"]),
  module("Takes", ["Board", "Formats", "Media", "Rings", "Text"], isCompact: true),
  module(
    "Library", ["Board", "CUTF8", "Decoding", "Media", "Rings", "Text"], libraries: ["utf8proc"], isCompact: true),
  module("Playback", ["Board", "Decoding", "Media", "Rings", "Text"]),
  module("Console", ["Board", "Controls", "Decoding", "Media", "Rings", "Text"], isCompact: true),
  module(
    "Appliance",
    [
      "Board", "Capture", "Coding", "Configuration", "Console", "Controls", "Decoding", "Formats", "Imaging", "Library",
      "Media",
      "Playback", "Rings", "Takes", "Text", "Trace", "Viewing",
    ], isCompact: true),
  module("Posix", ["Board", "CLinux", "Decoding", "Media", "Text"], isCompact: true),
  module(
    "LinuxBoard",
    ["Board", "CALSA", "CDeviceArena", "CGPIO", "CI2C", "CLinux", "CVideo4Linux", "Media", "Posix", "Text"],
    libraries: ["asound", "v4l2"], isCompact: true),
  module("Screens", ["CDRM", "CLinux", "Drawing", "Media", "Posix", "Text"], libraries: ["drm"], isCompact: true),
  module("SimBoard", ["Board", "Imaging", "Media", "Posix", "Rings", "Text"], isCompact: true),
]

let programs: [Target] = [
  .executableTarget(
    name: "fieldcorder",
    dependencies: [
      "Appliance", "Board", "CDeviceArena", "CHeapMeter", "CLinux", "Coding", "Configuration", "Decoding", "Imaging",
      "Library", "LinuxBoard", "Media", "Playback", "Posix", "Rings", "SimBoard", "Takes", "Text", "Viewing",
    ],
    // The program's entry is a C function: an embedded program is given its arguments no other way.
    swiftSettings: compact + [.unsafeFlags(["-parse-as-library"])]),
  .executableTarget(
    name: "fieldcorder-decode",
    dependencies: ["Board", "CFFmpeg", "CLinux", "CSandbox", "CSonic", "Decoding", "Media", "Posix", "Text"],
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
    linkerSettings: ["avformat", "avcodec", "swresample", "avutil", "sonic"].map { .linkedLibrary($0) }),
  .executableTarget(
    name: "fieldcorder-view",
    dependencies: ["CLinux", "Drawing", "Imaging", "Media", "Posix", "Rings", "Screens", "Text", "Viewing"],
    swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]),
]

/// Only `make bench` builds it.
let bench: Target = .executableTarget(
  name: "record-pictures",
  dependencies: ["Board", "CLinux", "Formats", "Imaging", "Media", "Posix", "Rings", "Takes", "Text"],
  path: "board/bench/RecordPictures", swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])])

let testTargets: [Target] = [
  .target(
    name: "TestSupport", dependencies: ["Board", "Decoding", "Media", "Rings", "Text"], path: "Tests/TestSupport",
    swiftSettings: language),
  // What is computed of millions of samples takes minutes when it is not optimised.
  .target(
    name: "MediaZoo", dependencies: ["TestSupport"], path: "Tests/MediaZoo",
    swiftSettings: language + [.unsafeFlags(["-O"])]),
  tests("MediaZooTests", ["MediaZoo", "TestSupport"]),
  tests("FormatsTests", ["Formats", "Media", "TestSupport"]),
  tests("ConfigurationTests", ["Configuration", "Formats", "Media", "TestSupport", "Text"]),
  tests(
    "ConsoleTests", ["Board", "Console", "Controls", "Decoding", "Media", "Rings", "TestSupport", "Text"]),
  tests("TextTests", ["TestSupport", "Text"]),
  tests("DecodingTests", ["Decoding", "Media", "TestSupport", "Text"]),
  tests("DecodeTests", ["Board", "Decoding", "Media", "MediaZoo", "Posix", "TestSupport", "Text"]),
  tests("ControlsTests", ["Controls", "Media", "TestSupport"]),
  tests("RingsTests", ["Rings", "TestSupport"]),
  tests("ImagingTests", ["CHeapMeter", "CJPEG", "Imaging", "Media", "Rings", "TestSupport", "Text"]),
  tests("DrawingTests", ["CHeapMeter", "Drawing", "Media", "Rings", "TestSupport", "Text", "Viewing"]),
  tests("ScreensTests", ["Screens", "TestSupport", "Text"]),
  tests("TraceTests", ["TestSupport", "Trace"]),
  tests("CaptureTests", ["Board", "Capture", "Imaging", "Media", "Rings", "TestSupport", "Trace"]),
  tests("CodingTests", ["Board", "Coding", "Imaging", "Media", "Rings", "TestSupport", "Text"]),
  tests(
    "LibraryTests", ["Board", "CUTF8", "Decoding", "Library", "Media", "Posix", "Rings", "TestSupport", "Text"]),
  tests("TakesTests", ["Board", "Formats", "Media", "Rings", "Takes", "TestSupport", "Text"]),
  tests("PlaybackTests", ["Board", "Decoding", "Media", "Playback", "Rings", "TestSupport", "Text"]),
  tests(
    "ApplianceTests",
    [
      "Appliance", "Board", "Configuration", "Decoding", "Imaging", "Media", "Playback", "Rings", "SimBoard", "Takes",
      "TestSupport", "Text", "Viewing",
    ]),
  tests("ViewingTests", ["Imaging", "Media", "Rings", "TestSupport", "Viewing"]),
  tests("SimBoardTests", ["Board", "Controls", "Media", "Rings", "SimBoard", "TestSupport", "Text"]),
  tests("ContractTests", ["MediaZoo", "SimBoard", "TestSupport"]),
  .executableTarget(
    name: "stand-in-decoder", dependencies: ["CLinux", "CSandbox", "Decoding", "Posix", "Text"],
    path: "Tests/StandInDecoder",
    swiftSettings: language + [.unsafeFlags(["-parse-as-library"])]),
  tests(
    "PosixTests",
    [
      "Board", "CHeapMeter", "CLinux", "Decoding", "Media", "Posix", "TestSupport", "Text", "stand-in-decoder",
    ]),
  tests("DeviceArenaTests", ["CDeviceArena", "CHeapMeter", "TestSupport"]),
  tests(
    "LinuxBoardTests",
    ["Board", "CALSA", "CDeviceArena", "CHeapMeter", "CVideo4Linux", "LinuxBoard", "Media", "TestSupport", "Text"]),
]

let package = Package(
  name: "fieldcorder",
  targets: cModules + modules + programs + (firmware == nil ? testTargets : [])
    + (Context.environment["FIELDCORDER_BENCH"] == nil ? [] : [bench])
)

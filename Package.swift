// swift-tools-version: 6.2
import PackageDescription

/// `FIELDCORDER_FIRMWARE` is `host` or `pi` when the firmware is built: Embedded Swift that the compiler refuses to
/// let near the heap. Without it the same sources are ordinary Swift, for `swift test`.
let firmware = Context.environment["FIELDCORDER_FIRMWARE"]

let language: [SwiftSetting] = [
  .enableExperimentalFeature("SuppressedAssociatedTypes"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .unsafeFlags(["-warnings-as-errors"]),
]
let embedded: [SwiftSetting] = [
  .enableExperimentalFeature("Embedded"),
  // A section for each function: the linker leaves out what is not called, the runtime that would allocate included.
  .unsafeFlags(["-wmo", "-no-allocations", "-Xfrontend", "-function-sections"]),
]
let settings = firmware == nil ? language : language + embedded

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: language)
}

let cModules: [Target] = [
  .systemLibrary(name: "CLinux"),
  .systemLibrary(name: "CINI"),
  .target(name: "CHeapMeter"),
]

let modules: [Target] = [
  module("Media"),
  module("Text"),
  module("Rings"),
  module("Formats", ["Media"]),
  module("Board", ["Media", "Text"]),
  module("Trace"),
  module("Capture", ["Board", "Media", "Rings", "Trace"]),
  module("Takes", ["Board", "Formats", "Media", "Rings", "Text"]),
  module("Configuration", ["CINI", "Media", "Text"]),
  module("Console", ["Board", "Controls", "Media", "Rings", "Text"]),
  module("Posix", ["Board", "CLinux", "Media", "Text"]),
  module("Controls", ["Media", "Text"]),
  module("SimBoard", ["Board", "Media", "Posix", "Rings", "Text"]),
]

let testTargets: [Target] = [
  tests("FormatsTests", ["Formats", "Media"]),
  .target(name: "TestSupport", dependencies: ["Rings"], path: "Tests/TestSupport", swiftSettings: language),
  tests("ControlsTests", ["Controls", "TestSupport"]),
  tests("RingsTests", ["Rings", "TestSupport"]),
]

let package = Package(
  name: "fieldcorder",
  targets: cModules + modules + (firmware == nil ? testTargets : [])
)

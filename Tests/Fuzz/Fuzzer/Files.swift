import Base
import Machine
import Media

/// Repairs a movie that was left open: nothing confirmed is lost, and the result is complete.
func fuzzMovie(_ input: UnsafeRawBufferPointer) {
  var choices = FuzzChoices(input)
  let part = choices.next()
  var file = FuzzFile(choices.content)
  let confirmed = file.byteCount * part / 255
  let first = repair(&file, confirmed: part % 2 == 0 ? .atLeast(confirmed) : .exactly(confirmed))
  precondition(file.byteCount >= confirmed, "repair has cut off what was confirmed")
  let again = repair(&file, confirmed: .atLeast(0))
  if first == .finished { precondition(again == .alreadyFinished, "a repaired movie is not whole: \(again)") }
}

private func repair(_ file: inout FuzzFile, confirmed: ConfirmedLength) -> MovieProgress {
  var finisher = MovieFinisher<FuzzFile>(confirmed: confirmed)
  var progress = MovieProgress.working
  var stepCount = 0
  var hashes = HashList<FuzzFile>(source: nil)
  withScratch { scratch in
    while progress == .working {
      progress = (try? finisher.step(&file, scratch: &scratch, &hashes)) ?? .foreign
      stepCount += 1
      precondition(stepCount < 1_000_000, "the repair finds no end")
    }
  }
  return progress
}

/// Repairs an audio file: nothing confirmed is lost, and a second repair has nothing to do.
func fuzzAudio(_ input: UnsafeRawBufferPointer) {
  var choices = FuzzChoices(input)
  let part = choices.next()
  var file = FuzzFile(choices.content)
  let confirmed = file.byteCount * part / 255
  var hashes = HashList<FuzzFile>(source: nil)
  withScratch { scratch in
    let first = try? AudioRepair.repair(&file, confirmedByteCount: confirmed, &hashes, scratch: &scratch)
    guard case .repaired(let byteCount)? = first else { return }
    let isWhole = try? AudioRepair.isWhole(&file, dataByteCount: byteCount, scratch: &scratch)
    precondition(isWhole == true, "repaired sound is not whole")
    let again = try? AudioRepair.repair(&file, confirmedByteCount: 0, &hashes, scratch: &scratch)
    precondition(again == .alreadyWhole(dataByteCount: byteCount), "sound is repaired twice")
  }
}

/// Changes the date in a file: the length stays, and the date can be changed back.
func fuzzDates(_ input: UnsafeRawBufferPointer) {
  var choices = FuzzChoices(input)
  let kind = choices.next() % 3
  let old = Int64(choices.next() << 24 | choices.next() << 16 | choices.next() << 8 | choices.next())
  var file = FuzzFile(choices.content)
  let before = file.byteCount
  let correction = DateCorrection(from: old, to: 1_767_225_600)
  withScratch { scratch in
    switch kind {
    case 0: _ = try? correction.correct(movie: &file, scratch: &scratch)
    case 1: _ = try? correction.correct(audio: &file, scratch: &scratch)
    default: _ = try? correction.correct(still: &file, scratch: &scratch)
    }
  }
  precondition(file.byteCount == before, "a date has changed a file's length")
}

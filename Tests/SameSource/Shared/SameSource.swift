import Foundation

/// Programs that use the URL loading system, compiled against either module.
///
///     samesource PROGRAM URL [STEP…]
///
/// A program runs all its steps, or the named ones, against the server at the URL and prints what
/// it sees.
@main
struct SameSource {
    private static let programs: [String: [Step]] = [
        "jsonclient": JSONClientScript.steps,
        "downloader": DownloaderScript.steps,
        "eventreader": EventReaderScript.steps,
        "surface": SurfaceScript.steps,
    ]

    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let steps = programs[arguments[0]],
            let base = URL(string: arguments[1])
        else {
            let names = programs.keys.sorted().joined(separator: "|")
            FileHandle.standardError.write(Data("samesource \(names) URL [STEP…]\n".utf8))
            exit(2)
        }
        let chosen = arguments.dropFirst(2)
        let stage = Stage(base: base, transcript: Transcript())
        for step in steps where chosen.isEmpty || chosen.contains(step.name) {
            stage.log("== \(step.name)")
            do {
                try await step.run(stage)
            } catch {
                stage.log("failed: \(stage.text(of: error))")
            }
        }
        stage.log("== end")
    }
}

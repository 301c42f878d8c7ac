/// A program's output, step by step.
struct Transcript: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        let name: String
        var lines: [String]
    }

    private(set) var steps: [Step] = []

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            if line.hasPrefix("== ") {
                steps.append(Step(name: String(line.dropFirst(3)), lines: []))
            } else if !steps.isEmpty {
                steps[steps.count - 1].lines.append(String(line))
            }
        }
    }

    var names: [String] { steps.map(\.name) }
    var isWhole: Bool { steps.last == Step(name: "end", lines: []) }

    func lines(_ step: String) -> [String]? {
        steps.first { $0.name == step }?.lines
    }
}

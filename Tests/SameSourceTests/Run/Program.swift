internal import Testing

/// One of the programs, and its expected output.
struct Program: Sendable, CustomTestStringConvertible {
    let name: String
    /// The output that Apple's documentation of the URL loading system implies.
    let expected: Transcript
    /// The deviations of FoundationNetworking.
    let deviations: [Deviation]

    init(_ name: String, expected: String, deviations: [Deviation]) {
        self.name = name
        self.expected = Transcript(expected)
        self.deviations = deviations
    }

    static let all = [jsonClient, downloader, eventReader, surface]

    var testDescription: String { name }

    /// The known output of FoundationNetworking in a step that it completes.
    func known(_ step: String) -> [String]? {
        let documented = expected.lines(step) ?? []
        let deviation = deviations.first { $0.step == step }
        return deviation.map { $0.lines(insteadOf: documented) } ?? documented
    }

    /// The steps that FoundationNetworking completes with the same output each time.
    var comparableSteps: [String] {
        let left = deviations.filter { $0.lines(insteadOf: []) == nil }.map(\.step)
        return expected.names.filter { $0 != "end" && !left.contains($0) }
    }
}

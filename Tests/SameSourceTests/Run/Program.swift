internal import Testing

/// One of the programs, and what it should write.
struct Program: Sendable, CustomTestStringConvertible {
    let name: String
    /// By the documentation of Apple's URL loading system.
    let expected: Transcript
    /// What FoundationNetworking does instead.
    let deviations: [Deviation]

    init(_ name: String, expected: String, deviations: [Deviation]) {
        self.name = name
        self.expected = Transcript(expected)
        self.deviations = deviations
    }

    static let all = [jsonClient, downloader, eventReader, surface]

    var testDescription: String { name }

    /// What FoundationNetworking is known to write in a step that it comes through.
    func known(_ step: String) -> [String]? {
        let documented = expected.lines(step) ?? []
        let deviation = deviations.first { $0.step == step }
        return deviation.map { $0.lines(insteadOf: documented) } ?? documented
    }

    /// The steps that FoundationNetworking comes through, and always in the same way.
    var comparableSteps: [String] {
        let left = deviations.filter { $0.lines(insteadOf: []) == nil }.map(\.step)
        return expected.names.filter { $0 != "end" && !left.contains($0) }
    }
}

internal import TestSupport
internal import Testing

/// The programs compiled against FoundationNetworking: what it does as Apple documents it, and where
/// it is known to do something else. A deviation that is gone is found here, too.
@Suite(.timeLimit(.minutes(10))) struct FoundationNetworkingTests {
    /// A step of a program, run by itself because the process may not survive it.
    struct Lone: Sendable, CustomTestStringConvertible {
        let program: String
        let deviation: Deviation

        var testDescription: String { "\(program): \(deviation.step)" }
    }

    private static var lone: [Lone] {
        Program.all.flatMap { program in
            program.deviations.map { Lone(program: program.name, deviation: $0) }
        }
    }

    private static var trapping: [Lone] {
        lone.filter { if case .traps = $0.deviation.way { true } else { false } }
    }

    private static var hanging: [Lone] {
        lone.filter { if case .hangs = $0.deviation.way { true } else { false } }
    }

    /// It has races of its own, by which it now and then ends the process or says something too early:
    /// what didn't come as known gets further chances.
    @Test(arguments: Program.all)
    func itDoesWhatIsDocumentedButForWhatIsKnown(_ program: Program) async throws {
        var left = program.comparableSteps
        var last: ProgramRun?
        for _ in 0..<8 where !left.isEmpty {
            let run = try await ProgramRun(
                .foundationNetworking,
                program.name,
                steps: left,
                limit: .seconds(60)
            )
            left.removeAll { run.transcript.lines($0) == program.known($0) }
            last = run
        }
        for step in left {
            let lines = last?.transcript.lines(step) ?? []
            #expect(lines == program.known(step), "\(step), status \(last?.status ?? 0)")
        }
    }

    @Test(arguments: Program.all)
    func everyDeviationIsOne(_ program: Program) {
        let steps = program.deviations.map(\.step)
        #expect(Set(steps).count == steps.count)
        for deviation in program.deviations {
            let documented = program.expected.lines(deviation.step)
            #expect(documented != nil, "\(deviation.step) is no step")
            #expect(deviation.lines(insteadOf: documented ?? []) != documented)
            guard case .changes(let changes) = deviation.way else { continue }
            #expect(Set(changes.keys).isSubset(of: documented ?? []), "\(deviation.step)")
        }
    }

    @Test(arguments: trapping)
    func itEndsTheProcess(_ lone: Lone) async throws {
        let run = try await ProgramRun(
            .foundationNetworking,
            lone.program,
            steps: [lone.deviation.step]
        )
        #expect(run.status > 128 && run.status != ProgramRun.killed, "\(run.output)")
        #expect(!run.transcript.isWhole)
    }

    /// While it hangs, no machine is so slow that it comes to an end within the limit.
    @Test(arguments: hanging)
    func itComesToNoEnd(_ lone: Lone) async throws {
        let run = try await ProgramRun(
            .foundationNetworking,
            lone.program,
            steps: [lone.deviation.step],
            limit: .seconds(3)
        )
        #expect(run.status != 0, "\(run.output)")
        #expect(!run.transcript.isWhole)
    }
}

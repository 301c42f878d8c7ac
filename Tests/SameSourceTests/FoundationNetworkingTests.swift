internal import TestSupport
internal import Testing

/// Programs compiled against FoundationNetworking do what Apple documents, with known deviations.
///
/// A test also fails if a known deviation no longer occurs.
@Suite(.timeLimit(.minutes(10))) struct FoundationNetworkingTests {
    /// A step that runs alone, because it may end the process.
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

    /// Steps with unexpected lines run up to eight times.
    ///
    /// FoundationNetworking has races of its own, which sometimes end the process or log events too
    /// early.
    @Test(arguments: Program.all)
    func programHasExpectedOutputExceptKnownDeviations(_ program: Program) async throws {
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
    func everyKnownDeviationDiffers(_ program: Program) {
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
    func crashingStepCrashes(_ lone: Lone) async throws {
        let run = try await ProgramRun(
            .foundationNetworking,
            lone.program,
            steps: [lone.deviation.step]
        )
        #expect(run.status > 128 && run.status != ProgramRun.killed, "\(run.output)")
        #expect(!run.transcript.isWhole)
    }

    /// The step never ends, so the limit suffices on any machine.
    @Test(arguments: hanging)
    func hangingStepHangs(_ lone: Lone) async throws {
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

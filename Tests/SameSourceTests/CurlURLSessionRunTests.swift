internal import TestSupport
internal import Testing

/// Programs compiled against CurlURLSession do what Apple documents.
@Suite(.timeLimit(.minutes(10))) struct CurlURLSessionRunTests {
    @Test(arguments: Program.all)
    func programHasExpectedOutput(_ program: Program) async throws {
        let run = try await ProgramRun(.curlURLSession, program.name)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.transcript.names == program.expected.names)
        for step in program.expected.steps {
            #expect(run.transcript.lines(step.name) == step.lines, "\(step.name)")
        }
    }
}

internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct ChildProcessTests {
    @Test func outputAndStatusAreReported() throws {
        let result = try ChildProcess.run(["/bin/sh", "-c", "echo out; echo err >&2; exit 3"])
        #expect(result.status == 3)
        #expect(result.output == "out\nerr\n")
    }

    @Test func missingProgramIsAnError() {
        #expect(throws: SystemError.self) { try ChildProcess.run(["/nowhere/nothing"]) }
    }

    @Test func programIgnoringSIGTERMIsKilledWithChildren() async throws {
        let script = "trap '' TERM; sleep 1000 & echo child $! end; while :; do wait; done"
        let process = try ChildProcess(["/bin/sh", "-c", script])
        let output = try await process.output(containing: "end")
        let child = try #require(output.split(separator: " ").dropFirst().first)
        let isChildAlive: @Sendable () -> Bool = {
            FileManager.default.fileExists(atPath: "/proc/\(child)/cwd")
        }
        #expect(isChildAlive())
        #expect(
            try await NativeThread.run { process.stop(patience: .milliseconds(100)) } == 128 + 9
        )
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(process.id)"))
        // The signal was sent to the child too, but `stop` waits only for its parent.
        try await Inspection.wait { !isChildAlive() }
    }

    @Test("Running a program doesn't wait for descendants in other process groups")
    func descendantsOutputIsNotAwaited() async throws {
        // Its id is written after it has left the group, and its error output is the program's.
        let script = "id=$(setsid sh -c 'echo $$; exec sleep 1000 >&2' &); echo $id"
        let result = try await NativeThread.run { try ChildProcess.run(["/bin/sh", "-c", script]) }
        let descendant = try #require(Int32(result.output.dropLast()))
        // It still runs, so its end was not awaited.
        let stat = try String(contentsOfFile: "/proc/\(descendant)/stat", encoding: .utf8)
        #expect(!stat.contains(") Z"), "\(stat)")
        #expect(kill(descendant, SIGKILL) == 0)
        #expect(result.status == 0)
    }

    @Test func slowProgramIsKilled() async throws {
        let long = try ChildProcess(["/bin/sleep", "1000"])
        let status = try await NativeThread.run { long.waitForEnd(atMost: .milliseconds(100)) }
        #expect(status == 128 + 9)
        let short = try ChildProcess(["/bin/sh", "-c", "exit 3"])
        #expect(try await NativeThread.run { short.waitForEnd(atMost: .seconds(600)) } == 3)
    }

    @Test func cleanupProcessEndsProgramAndRemovesDirectory() throws {
        let process = try ChildProcess(["/bin/sleep", "1000"])
        let folder = try TemporaryDirectory()
        let cleanup = try CleanupProcess(group: process.id, folder: folder.path)
        cleanup.closePipe()
        #expect(process.waitForEnd() == 128 + 9)
        cleanup.waitForEnd()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func programInheritsNoDescriptors() throws {
        let result = try ChildProcess.run(["/bin/sh", "-c", "ls /proc/$$/fd"])
        let descriptors = result.output.split(separator: "\n").compactMap { Int($0) }
        #expect(descriptors.allSatisfy { $0 < 3 || $0 == 10 })
    }
}

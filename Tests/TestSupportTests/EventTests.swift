internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct EventTests {
    @Test func openGateResumesEveryWaiterOnce() async throws {
        let gate = Gate()
        let calls = EventRecorder<Int>()
        gate.onOpen { calls.record(1) }
        async let waiter: Void = gate.wait()
        gate.open()
        gate.open()
        try await waiter
        gate.waitBlocking()
        gate.onOpen { calls.record(2) }
        #expect(calls.events == [1, 2])
    }

    @Test func cancelledWaitEnds() async {
        let recorder = EventRecorder<Int>()
        let task = Task { try await recorder.wait(count: 1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func firstMatchingEventIsFound() async throws {
        let recorder = EventRecorder<Int>()
        async let found = recorder.first { $0 > 2 }
        for event in 1...5 { recorder.record(event) }
        #expect(try await found > 2)
        #expect(try await recorder.wait(count: 5) == [1, 2, 3, 4, 5])
    }

    @Test func processFactsAreReadable() async throws {
        #expect(ProcessFacts.openDescriptorCount > 2)
        #expect(ProcessFacts.threadCount >= 1)
        #expect(ProcessFacts.residentBytes > 1 << 20)
        #expect(ProcessFacts.peakResidentBytes >= 1 << 20)
        let gate = Gate()
        let started = Gate()
        let thread = try NativeThread(name: "known by name") {
            started.open()
            gate.waitBlocking()
        }
        try await started.wait()
        #expect(ProcessFacts.threadCount(namePrefix: "known by") == 1)
        gate.open()
        thread.join()
        // The kernel lists a thread for a moment after it has been joined.
        try await ProcessFacts.threadsEnd(namePrefix: "known by")
    }
}

import HTTPTypes
import Testing

@testable import BatchFetch

/// Inputs from sequences and closures of the program.
@Suite struct SequenceInputTests {
    private func read(
        _ input: BatchInput,
        limit: Int = .max
    ) throws(BatchFailure) -> LineCollector {
        let reader = InputReader(input, file: try InputReader.open(input))
        var collector = LineCollector()
        collector.limit = limit
        let failure = reader.read(into: &collector)
        #expect(failure == nil)
        return collector
    }

    @Test("Elements are numbered from 1 and delivered in order", arguments: [0, 1, 127, 128, 300])
    func elementsAreNumbered(count: Int) throws {
        let all = try read(.urls((0..<count).map { "http://h/\($0)" }))
        #expect(all.texts == (0..<count).map { "http://h/\($0)" })
        #expect(all.lines.map(\.number) == Array(1..<count + 1))
        #expect(all.lines.allSatisfy { $0.source == nil })
        // The last elements must not stay behind.
        #expect(all.flushes.last == count)
    }

    @Test("Elements are delivered before the sequence ends")
    func elementsArePassedOnBeforeTheEnd() throws {
        let all = try read(.urls((0..<1000).map(String.init)))
        #expect(all.flushes.first.map { $0 < 1000 } == true)
        #expect(all.flushes == all.flushes.sorted())
    }

    @Test("An endless input is asked only for what its receiver takes")
    func endlessInputEndsWithItsReceiver() throws {
        let calls = Counter()
        let input = BatchInput.generated { number in
            calls.increment()
            return "http://h/\(number)"
        }
        let all = try read(input, limit: 200)
        #expect(all.texts == (0..<200).map { "http://h/\($0)" })
        #expect(calls.value < 1000)
    }

    @Test("A closure is not called again after its first nil")
    func closureIsNotCalledAfterNil() throws {
        let numbers = Recorder()
        let input = BatchInput.generated { number in
            numbers.append("\(number)")
            return number == 2 ? nil : "http://h/\(number)"
        }
        #expect(try read(input).texts == ["http://h/0", "http://h/1"])
        #expect(numbers.values == ["0", "1", "2"])
    }

    @Test("Elements are URLs as they are, not comments, patterns or references")
    func elementsAreTakenLiterally() throws {
        let texts = ["# no", "", " http://h/{1..3} ", "relative", "a\nb"]
        var input = BatchInput.urls(texts)
        input.options.expandsPatterns = true
        input.options.base = "http://h/"
        #expect(try read(input).texts == texts)
    }

    @Test("A request keeps all its details")
    func requestKeepsItsDetails() throws {
        var request = BatchRequest(url: "http://h/")
        request.method = .put
        request.body = .file(path: "/a")
        request.priority = -3
        request.timeout = .seconds(2)
        let all = try read(.requests([request, BatchRequest(url: "x")]))
        #expect(all.lines.map(\.content) == [.request(request), .request(BatchRequest(url: "x"))])
    }

    @Test("The same input can be read twice")
    func inputCanBeReadTwice() throws {
        let input = BatchInput.urls(["a", "b"])
        #expect(try read(input).texts == ["a", "b"])
        #expect(try read(input).texts == ["a", "b"])
    }
}

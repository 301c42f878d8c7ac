internal import FuzzWire
internal import Glibc

/// A process that runs cases.
struct Child {
    enum End {
        case finished
        case failed(String)
    }

    private let id: pid_t
    private let output: Int32

    init(_ program: String, _ arguments: [String], shared: Int32) {
        var words = arguments.map { strdup($0) }
        words.append(nil)
        var output: Int32 = -1
        id = fuzz_spawn(program, words, environ, shared, &output)
        self.output = output
        for word in words { free(word) }
    }

    /// Reads its lines until it ends, or until it has made no progress for `patience` seconds.
    func wait(
        patience: Double,
        progress: () -> UInt64,
        line: (Substring) -> Void
    ) -> End {
        guard id > 0 else { return .failed("no process could be started") }
        var (seen, seenAt) = (progress(), fuzz_now())
        var isHung = false
        var text: [UInt8] = []
        while true {
            var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            if poll(&watched, 1, 200) > 0 {
                guard read(into: &text) else { break }
                while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                    line(Substring(decoding: text[..<end], as: UTF8.self))
                    text.removeSubrange(...end)
                }
            }
            let now = fuzz_now()
            if progress() != seen { (seen, seenAt) = (progress(), now) }
            if !isHung, now - seenAt > patience {
                isHung = true
                kill(id, SIGABRT)
            }
        }
        close(output)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if isHung { return .failed("no progress for \(Int(patience)) s") }
        if status & 0x7f != 0 { return .failed("signal \(status & 0x7f)") }
        return status == 0 ? .finished : .failed("exit status \(status >> 8 & 0xff)")
    }

    private func read(into text: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 4096) { buffer in
            let count = Glibc.read(output, buffer.baseAddress, buffer.count)
            guard count > 0 else { return count < 0 && errno == EINTR }
            text += buffer[..<count]
            return true
        }
    }
}

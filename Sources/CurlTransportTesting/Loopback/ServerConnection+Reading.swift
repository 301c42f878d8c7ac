internal import Posix

extension ServerConnection {
    private enum Reading {
        case some
        case nothingYet
        case closed
    }

    func readHead() -> Outcome? {
        while true {
            if let head = input.takeHead() {
                guard let new = LoopbackRequest(connection: id, head: head) else {
                    return .ended(.server)
                }
                begin(new)
                return nil
            }
            if let outcome = outcome(of: receive()) { return outcome }
        }
    }

    func readBody(_ until: Int) -> Outcome? {
        while true {
            decode()
            guard let request, !request.isComplete, request.bodyByteCount < until else {
                return nil
            }
            if let outcome = outcome(of: receive()) { return outcome }
        }
    }

    func readUntilClosed() -> Outcome? {
        while true {
            input.removeAll()
            switch receive() {
            case .some: if budget <= 0 { return .yields }
            case .nothingYet: return .wants(.readable)
            case .closed: return nil
            }
        }
    }

    func converse(_ answer: @escaping @Sendable ([UInt8]) -> [LoopbackStep]?) -> Outcome? {
        while input.isEmpty {
            guard budget > 0 else { return .yields }
            switch receive() {
            case .some: break
            case .nothingYet: return .wants(.readable)
            case .closed:
                proceed(with: answer([]) ?? [])
                return nil
            }
        }
        guard let next = answer(Array(input.take(atMost: 1 << 30))) else { return nil }
        proceed(with: next + [.converse(answer)])
        return nil
    }

    /// Discards unread bytes, so that closing the socket doesn't cause a reset.
    func drain() {
        budget = 1 << 24
        while budget > 0, case .some = receive() { input.removeAll() }
    }

    private func outcome(of reading: Reading) -> Outcome? {
        switch reading {
        case .some: budget > 0 ? nil : .yields
        case .nothingYet: .wants(.readable)
        case .closed: .ended(.peer)
        }
    }

    private func receive() -> Reading {
        let count: Int
        switch input.receive(from: descriptor) {
        case .moved(let received): count = received
        case .wouldBlock: return .nothingYet
        case .ended: return .closed
        }
        budget -= count
        core.watched.update { $0.connections[id].bytesReceived += count }
        return .some
    }

    private func begin(_ new: LoopbackRequest) {
        var new = new
        let decoder = BodyDecoder(new)
        new.isComplete = decoder.hasEnded
        self.decoder = decoder
        request = new
        let records = core.options.recordsRequests
        recordIndex = core.watched.update { [new] state -> Int? in
            state.requestCount += 1
            state.connections[id].requestCount += 1
            if records { state.requests.append(new) }
            return records ? state.requests.count - 1 : nil
        }
    }

    private func decode() {
        guard var decoder, var current = request, !current.isComplete else { return }
        // Keeps one owner at a time, so that a long body isn't copied for each piece.
        request = nil
        let limit = core.options.maximumRecordedBody
        decoder.decode(&input) { bytes in
            current.bodyByteCount += bytes.count
            let room = limit - current.body.count
            if room > 0 { current.body += bytes.prefix(room) }
        }
        current.isComplete = decoder.hasEnded
        current.trailerLines = decoder.trailerLines
        self.decoder = decoder
        request = current
        guard let recordIndex else { return }
        let isComplete = current.isComplete
        core.watched.update { [current] state in
            state.requests[recordIndex].bodyByteCount = current.bodyByteCount
            if isComplete { state.requests[recordIndex] = current }
        }
    }
}

internal import CurlTransport
internal import Foundation

// What a loader tells.

extension TaskState {
    func isCurrent(_ loader: any Loader) -> Bool {
        load?.loader === loader && !hasEnded && reason == nil
    }

    mutating func noteSent(_ sent: Int64, of expected: Int64?, by loader: any Loader) {
        guard isCurrent(loader) else { return }
        load?.sent = sent
        let offset = load?.plan.upload?.offset ?? 0
        counts.sent = offset + sent
        if let expected { counts.expectedToSend = offset + expected }
        guard recipients.task != nil else { return }
        load?.sentAt = Date()
        delivery.noteSentBytes()
    }

    mutating func note(tunnelHead head: ResponseHead, from loader: any Loader) {
        guard isCurrent(loader) else { return }
        load?.note(tunnelHead: head)
    }

    mutating func receive(_ response: LoadedResponse, from loader: any Loader) -> DeliveryDecision {
        guard isCurrent(loader) else { return .cancel }
        load?.note(response)
        noteCookies(of: response)
        switch intent(of: response) {
        case .deliver:
            deliverResponse()
        case .ask(let question):
            load?.phase = .held
            ask(question)
        case .follow(let plan):
            goOn(with: plan)
        case .fail(let error):
            reason = error
            return .cancel
        }
        return .proceed
    }

    /// The response is the task's.
    mutating func deliverResponse() {
        load?.phase = .delivering
        guard let response = load?.response else { return }
        counts.expectedToReceive = response.contentLength
        counts.encoded = response.encodedContentLength.map { length in
            ByteCounts.Encoded(received: counts.encoded?.received ?? 0, expected: length)
        }
        accepted += authentication.takeAccepted()
        if kind == .download {
            beginFile(for: response)
        } else if consumer.isDelegate, recipients.data != nil {
            delivery.noteResponse()
        }
    }

    /// The response that was held is the task's, with what has come of its content.
    mutating func deliverHeld() {
        if load?.plan.upload == .inquiry { return refuseInquiry() }
        let kept = received
        received = Data()
        isWindowFull = false
        deliverResponse()
        if !kept.isEmpty { isWindowFull = take(kept.span) == .pause }
        if let outcome = load?.outcome {
            if let failure = outcome.failure {
                finish(with: userError(of: failure))
            } else {
                complete()
            }
        }
        updateFlow()
    }

    /// What asked who the client is is how the load comes out: a response, or a tunnel's refusal.
    mutating func leaveUnanswered() {
        guard let failure = load?.outcome?.failure, load?.response == nil else {
            return deliverHeld()
        }
        finish(with: userError(of: failure))
    }

    // MARK: Content

    mutating func receive(_ bytes: Span<UInt8>, from loader: any Loader) -> DeliveryDecision {
        guard isCurrent(loader), let phase = load?.phase else { return .cancel }
        switch phase {
        case .waiting:
            return .cancel
        case .held:
            return keep(bytes, upTo: TaskLoad.maximumDiscarded)
        case .delivering:
            return take(bytes)
        case .discarding(let left):
            guard bytes.count <= left else { return .cancel }
            load?.phase = .discarding(left: left - bytes.count)
            return .proceed
        }
    }

    mutating func note(encodedBytes received: Int64, from loader: any Loader) {
        guard isCurrent(loader), let phase = load?.phase else { return }
        switch phase {
        case .waiting, .discarding: break
        case .held, .delivering:
            let expected = load?.response?.encodedContentLength ?? -1
            counts.encoded = ByteCounts.Encoded(received: received, expected: expected)
        }
    }

    /// Bytes of the content that is the task's.
    private mutating func take(_ bytes: Span<UInt8>) -> DeliveryDecision {
        counts.received += Int64(bytes.count)
        if let file {
            guard file.append(bytes) else { return .proceed }
            isWindowFull = true
            return .pause
        }
        // It has been given away.
        guard kind != .download else { return .cancel }
        switch consumer {
        case .awaited, .dataHandler, .fileHandler:
            let room = AnnouncedRoom.capacity(
                expected: counts.expectedToReceive,
                held: received.count,
                adding: bytes.count
            )
            if let room { received.reserveCapacity(room) }
            received.append(copying: bytes)
            return .proceed
        case .stream:
            return keep(bytes, upTo: Self.window)
        case .delegate:
            guard recipients.data != nil else { return .proceed }
            delivery.noteBytes()
            return keep(bytes, upTo: Self.window)
        }
    }

    private mutating func keep(_ bytes: Span<UInt8>, upTo limit: Int) -> DeliveryDecision {
        received.append(copying: bytes)
        guard received.count >= limit else { return .proceed }
        isWindowFull = true
        return .pause
    }

    /// Takes what has come, for a reader.
    mutating func takeReceived() -> Data {
        var taken = Data()
        swap(&taken, &received)
        return taken
    }

    /// A reader is done with what it took.
    mutating func reopenWindow() {
        guard isWindowFull else { return }
        isWindowFull = false
        updateFlow()
    }

    // MARK: The end of a load

    mutating func end(_ outcome: LoadOutcome, of loader: any Loader) {
        guard load?.loader === loader, !(load?.isOver ?? true) else { return }
        load?.outcome = outcome
        noteTransaction()
        guard !hasEnded else { return }
        if let reason { return finish(with: reason) }
        switch load?.phase {
        case nil, .discarding?, .held?:
            // Whether a response that leads on is complete matters only to whom it is the response.
            break
        case .waiting?, .delivering?:
            guard let failure = outcome.failure else { return complete() }
            end(after: failure)
        }
    }

    private mutating func end(after failure: LoadOutcome.Failure) {
        guard !mayWait(after: failure), let load else { return }
        if load.response == nil,
            let question = certificateQuestion(failure, load) ?? tunnelQuestion(failure, load)
        {
            self.load?.phase = .held
            ask(question)
        } else {
            finish(with: userError(of: failure))
        }
    }

    private func userError(of failure: LoadOutcome.Failure) -> any Error {
        switch failure {
        case .other(let error): error
        case .transport(let error): urlError(error)
        }
    }

    private mutating func noteCookies(of response: LoadedResponse) {
        guard response.receivedHead?.setsCookies ?? false, let load,
            let settings = session?.core.settings
        else { return }
        cookies = ReceivedCookies(of: response, to: load.plan.request, settings: settings)
    }
}

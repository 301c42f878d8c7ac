internal import CurlTransport
internal import Foundation

// Handles the events of a loader.

extension TaskState {
    func isCurrent(_ loader: any Loader) -> Bool {
        exchange.load?.loader === loader && !hasEnded && reason == nil
    }

    mutating func noteSent(_ sent: Int64, of expected: Int64?, by loader: any Loader) {
        guard isCurrent(loader) else { return }
        exchange.load?.sent = sent
        let offset = exchange.load?.loadRequest.upload?.offset ?? 0
        counts.sent = offset + sent
        if let expected { counts.expectedToSend = offset + expected }
        guard delegates.task != nil else { return }
        exchange.load?.sentAt = Date()
        delivery.note(.sentBytes)
    }

    mutating func note(tunnelHead head: ResponseHead, from loader: any Loader) {
        guard isCurrent(loader) else { return }
        exchange.load?.note(tunnelHead: head)
    }

    mutating func receive(_ response: LoadedResponse, from loader: any Loader) -> DeliveryDecision {
        guard isCurrent(loader) else { return .cancel }
        let pooled = exchange.pooled(response)
        exchange.load?.note(pooled)
        exchange.noteCookies(of: response, session: session?.core)
        switch intent(of: response) {
        case .deliver:
            deliverResponse()
        case .ask(let question):
            exchange.load?.phase = .held
            ask(question)
        case .follow(let loadRequest):
            replaceLoad(with: loadRequest)
        case .fail(let error):
            reason = error
            return .cancel
        }
        return .proceed
    }

    /// Takes the response as the task's.
    mutating func deliverResponse() {
        exchange.load?.phase = .delivering
        guard let response = exchange.load?.response else { return }
        counts.expectedToReceive = response.contentLength
        counts.encoded = response.encodedContentLength.map { length in
            ByteCounts.Encoded(received: counts.encoded?.received ?? 0, expected: length)
        }
        exchange.noteAccepted()
        if kind.isDownload {
            beginFile(for: response)
        } else if reportsContent, !kind.isWebSocket {
            // A WebSocket's delegate gets no response. A step for it would delay the opening: the
            // first messages could be received before.
            delivery.note(.response)
        }
    }

    /// Takes the held response, with the bytes received so far.
    mutating func deliverHeld() {
        if exchange.load?.loadRequest.upload == .inquiry { return refuseInquiry() }
        let kept = exchange.buffer.take()
        exchange.buffer.isFull = false
        deliverResponse()
        if !kept.isEmpty { exchange.buffer.isFull = take(kept.span) == .pause }
        // The loader may have no turn for a long time.
        exchange.buffer.stopWaiting()
        if let outcome = exchange.load?.outcome {
            if let failure = outcome.failure {
                finish(with: exchange.userError(of: failure))
            } else {
                complete()
            }
        }
        updateFlow()
    }

    /// Ends the load without answering a challenge.
    ///
    /// The task gets the challenging response, or the error of the refused tunnel.
    mutating func leaveUnanswered() {
        guard let failure = exchange.load?.outcome?.failure, exchange.load?.response == nil else {
            return deliverHeld()
        }
        finish(with: exchange.userError(of: failure))
    }

    // MARK: Body

    mutating func receive(_ bytes: Span<UInt8>, from loader: any Loader) -> DeliveryDecision {
        guard isCurrent(loader), let phase = exchange.load?.phase else { return .cancel }
        switch phase {
        case .waiting:
            return .cancel
        case .held:
            return exchange.buffer.keep(bytes, upTo: TaskLoad.maximumDiscarded)
        case .delivering:
            return take(bytes)
        case .discarding(let left):
            guard bytes.count <= left else { return .cancel }
            exchange.load?.phase = .discarding(left: left - bytes.count)
            return .proceed
        }
    }

    mutating func note(encodedBytes received: Int64, from loader: any Loader) {
        guard isCurrent(loader), let phase = exchange.load?.phase else { return }
        switch phase {
        case .waiting, .discarding: break
        case .held, .delivering:
            let expected = exchange.load?.response?.encodedContentLength ?? -1
            counts.encoded = ByteCounts.Encoded(received: received, expected: expected)
        }
    }

    /// Takes bytes of the task's body.
    private mutating func take(_ bytes: Span<UInt8>) -> DeliveryDecision {
        counts.received += Int64(bytes.count)
        if case .download(let download) = kind {
            // Without a file, it was already handed over.
            guard let file = download.file else { return .cancel }
            guard !file.append(bytes) else {
                exchange.buffer.isFull = true
                return .pause
            }
            // The queue that writes a file reports its progress.
            if reportsFile, file.isWrittenByLoop { delivery.note(.bytes) }
            return .proceed
        }
        switch consumer {
        case .awaited, .dataHandler, .fileHandler:
            exchange.buffer.collect(bytes, expected: counts.expectedToReceive)
            if reportsContent { delivery.note(.bytes) }
            return .proceed
        case .stream:
            return exchange.buffer.keep(bytes)
        case .delegate:
            guard delegates.data != nil else { return .proceed }
            delivery.note(.bytes)
            if delegates.collector != nil {
                exchange.buffer.reserveCapacity(
                    adding: bytes.count,
                    expected: counts.expectedToReceive
                )
            }
            return exchange.buffer.keep(bytes)
        }
    }

    /// All bytes of the body so far; `nil` if the consumer takes them piece by piece.
    func collectedBody(from loader: any Loader) -> Data? {
        guard isCurrent(loader), case .delivering? = exchange.load?.phase,
            !kind.isDownload,
            collectsContent || (consumer.isDelegate && delegates.collector != nil)
        else { return nil }
        return exchange.buffer.bytes
    }

    /// Resumes receiving after a consumer has taken the bytes.
    mutating func reopenWindow() {
        guard exchange.buffer.isFull else { return }
        exchange.buffer.isFull = false
        updateFlow()
    }

    // MARK: The end of a load

    mutating func end(_ outcome: LoadOutcome, of loader: any Loader) {
        guard exchange.load?.loader === loader, !(exchange.load?.isOver ?? true) else { return }
        exchange.load?.end(with: outcome)
        if delegates.task != nil {
            exchange.noteEnd(expectedToSend: counts.expectedToSend)
        }
        guard !hasEnded else { return }
        if let reason { return finish(with: reason) }
        switch exchange.load?.phase {
        case nil, .discarding?, .held?:
            // It doesn't matter whether the body of a redirect or challenge is complete, unless it
            // becomes the response.
            break
        case .waiting?, .delivering?:
            guard let failure = outcome.failure else { return complete() }
            end(after: failure)
        }
    }

    private mutating func end(after failure: LoadOutcome.Failure) {
        guard !mayWait(after: failure), let load = exchange.load else { return }
        if load.response == nil,
            let question = certificateQuestion(failure, load)
                ?? exchange.tunnelQuestion(failure, load, session: session?.core)
        {
            exchange.load?.phase = .held
            ask(question)
        } else {
            finish(with: exchange.userError(of: failure))
        }
    }
}

// Decides whether to deliver a response, or to send another request.

/// How a task handles a response.
enum ResponseIntent {
    case deliver
    case ask(TaskQuestion)
    case follow(LoadRequest)
    case fail(any Error)
}

extension TaskState {
    mutating func intent(of response: LoadedResponse) -> ResponseIntent {
        let intent = usualIntent(of: response)
        guard case .deliver = intent, let loadRequest = exchange.load?.loadRequest,
            let step = loadRequest.upload
        else {
            return intent
        }
        return kind.upload?.intent(of: response, to: loadRequest, step) ?? intent
    }

    private mutating func usualIntent(of response: LoadedResponse) -> ResponseIntent {
        if case .response = response { return .deliver }
        guard let statusCode = response.statusCode else { return .deliver }
        switch statusCode {
        // A WebSocket handshake doesn't follow redirects (RFC 6455, 4.1).
        case 300...399 where kind.isWebSocket:
            return .deliver
        // An upload's offset is only asked of the URL that the server gave for it.
        case 300...399 where exchange.load?.loadRequest.upload == .inquiry:
            return .deliver
        case 301, 302, 303, 307, 308:
            return exchange.intent(
                ofRedirect: response,
                statusCode,
                isUpload: kind.isUpload,
                asksDelegate: delegates.task != nil
            )
        case 401:
            return exchange.intent(
                ofChallenge: response,
                session: session?.core,
                isWebSocket: kind.isWebSocket
            )
        case 407:
            return exchange.intent(ofProxyChallenge: response, session: session?.core)
        case 206 where kind.download?.hasRestarted ?? false:
            return .fail(unrequestedPart)
        case 206, 416:
            let needsWholeContent = kind.download?.needsWholeContent(after: response) ?? false
            return needsWholeContent ? restart() : .deliver
        default:
            return .deliver
        }
    }

    private mutating func restart() -> ResponseIntent {
        guard let loadRequest = exchange.load?.loadRequest,
            let whole = kind.download?.restart(loadRequest)
        else {
            return .deliver
        }
        return .follow(whole)
    }

    private var unrequestedPart: URLError {
        URLError(
            .badServerResponse,
            url: exchange.load?.loadRequest.request.url,
            reason:
                "the server sent a partial response (206) to a request for the whole content; start "
                + "the download again."
        )
    }

    /// Returns a question if the server requests or requires a client certificate.
    ///
    /// The load failed for that reason, and a delegate can provide one. It is asked once.
    func certificateQuestion(
        _ failure: LoadOutcome.Failure,
        _ load: TaskLoad
    ) -> TaskQuestion? {
        let authorization = load.loadRequest.authorization ?? Authorization()
        guard case .transport(let error) = failure, error.code == .clientCertificateRequired,
            authorization.identity == nil, !authorization.declinesIdentity,
            delegates.connection != nil
        else { return nil }
        return .clientCertificate(error)
    }
}

internal import CurlTransport
internal import Foundation

// Decides whether to deliver a response, or to send another request.

/// What a task does with a response.
enum ResponseIntent {
    case deliver
    case ask(TaskQuestion)
    case follow(LoadRequest)
    case fail(any Error)
}

extension TaskState {
    mutating func intent(of response: LoadedResponse) -> ResponseIntent {
        let intent = usualIntent(of: response)
        guard case .deliver = intent, let plan = exchange.load?.plan, let step = plan.upload else {
            return intent
        }
        return kind.upload?.intent(of: response, to: plan, step) ?? intent
    }

    private mutating func usualIntent(of response: LoadedResponse) -> ResponseIntent {
        if case .response = response { return .deliver }
        guard let statusCode = response.statusCode else { return .deliver }
        switch statusCode {
        // A WebSocket handshake doesn't follow redirects (RFC 6455, 4.1).
        case 300...399 where kind.isWebSocket:
            return .deliver
        // An upload's offset is only asked of the URL that the server gave for it.
        case 300...399 where exchange.load?.plan.upload == .inquiry:
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
            return .fail(unaskedPart)
        case 206 where kind.download?.isOfAnotherPart(response) ?? false, 416:
            return restart()
        default:
            return .deliver
        }
    }

    private mutating func restart() -> ResponseIntent {
        guard let plan = exchange.load?.plan, let whole = kind.download?.restart(plan) else {
            return .deliver
        }
        return .follow(whole)
    }

    private var unaskedPart: URLError {
        URLError(
            .badServerResponse,
            url: exchange.load?.plan.request.url,
            reason:
                "the server sent a partial response (206) to a request for the whole content; start "
                + "the download again."
        )
    }

    /// Returns a question if the server requires a client certificate.
    ///
    /// The TLS handshake failed for that reason, and a delegate can provide one.
    func certificateQuestion(
        _ failure: LoadOutcome.Failure,
        _ load: TaskLoad
    ) -> TaskQuestion? {
        guard case .transport(let error) = failure, error.code == .clientCertificateRequired,
            load.plan.authorization?.identity == nil, delegates.connection != nil
        else { return nil }
        return .clientCertificate(error)
    }
}

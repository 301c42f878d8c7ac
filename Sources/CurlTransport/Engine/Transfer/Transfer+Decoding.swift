internal import ContentCoding
internal import Curl
internal import Posix

// Decodes bodies before they are delivered.
//
// libcurl can decode them, too. But it doesn't report whether a compressed stream is complete, and
// while the transfer is paused, it buffers the whole decoded output of a piece: up to a thousand
// times the size of the input.

extension Transfer {
    /// The weight of a byte between combined codings in a turn's share.
    ///
    /// It reflects the decoding time: 128 KiB of them use up a share.
    private static let turnWeight = 128

    /// Decodes bytes of the body and delivers the result until the delegate pauses.
    ///
    /// When the transfer pauses, libcurl keeps the remaining encoded bytes and delivers the same
    /// bytes again. So a transfer buffers at most one piece of decoded body, whatever the ratio.
    func received(
        encoded bytes: Span<UInt8>,
        of attempt: TransferAttempt,
        by decoder: ContentDecoder
    ) -> EasyDataAction {
        guard !attempt.decoding.skipsRepeated(bytes.count) else { return .accept }
        var piece: [UInt8] = []
        swap(&piece, &driver.buffers.decoded)
        defer {
            swap(&piece, &driver.buffers.decoded)
            if attempt.memory.taken > 0, !decoder.usesLargeMemory {
                driver.releaseDecoderMemory(of: attempt)
            }
        }
        while true {
            guard attempt.turnBytes <= LoopDriver.maximumTurnBytes else {
                return holdBackUntilNextRound(attempt)
            }
            let isDrained: Bool
            do throws(DecodingFailure) {
                guard try driver.takeMemory(for: decoder, of: self, attempt, before: bytes)
                else {
                    attempt.heldBack.receiving = true
                    return .pause
                }
                isDrained = try decode(bytes, of: attempt, by: decoder, into: &piece)
            } catch {
                return end(with: undecodable(attempt, error.reason))
            }
            if let limit = attempt.decoding.exceededLimit {
                return end(with: .decompressionLimitExceeded(limit, url: redactedURL))
            }
            let decision = deliver(decoded: piece.span, of: attempt)
            switch decision {
            case .proceed:
                if isDrained { return .accept }
            case .pause:
                paused.receiving = true
                driver.round.movedBytes = 0
                if isDrained { return .accept }
                attempt.heldBack.receiving = true
                return .pause
            case .cancel:
                return end(with: .cancelled)
            }
        }
    }

    /// Decodes the next piece. Returns whether these bytes yield no more.
    private func decode(
        _ bytes: Span<UInt8>,
        of attempt: TransferAttempt,
        by decoder: ContentDecoder,
        into piece: inout [UInt8]
    ) throws(DecodingFailure) -> Bool {
        let progress = try attempt.decoding.decode(
            bytes,
            by: decoder,
            into: &piece,
            size: LoopBuffers.decodedSize
        )
        attempt.turnBytes += piece.count + progress.work * Self.turnWeight
        return progress.isDrained
    }

    private func deliver(decoded piece: Span<UInt8>, of attempt: TransferAttempt)
        -> DeliveryDecision
    {
        guard !piece.isEmpty else { return .proceed }
        // The delegate gets the encoded size before the decoded piece.
        reportEncodedBytes()
        guard !driver.isCancelled(self) else { return .cancel }
        attempt.response.bodyBytes += Int64(piece.count)
        driver.round.movedBytes += piece.count
        return delegate.transfer(handle, didReceiveBody: piece)
    }

    private func undecodable(_ attempt: TransferAttempt, _ reason: String) -> TransportError {
        var error = TransportError(curlCode: .badContentEncoding, context: context(of: attempt))
        error.curlCode = nil
        error.message = "the response body couldn't be decompressed: \(reason)."
        return error
    }

    /// The error if the response ended before its compressed body; otherwise nil.
    func missingEndOfCoding(of attempt: TransferAttempt) -> TransportError? {
        // A part of a compressed body may end anywhere (RFC 9110, section 15.3.7).
        guard let decoder = attempt.decoding.decoder, !attempt.response.isPartial,
            !decoder.isComplete,
            machine.state == .running
        else { return nil }
        var error = TransportError(curlCode: .partialFile, context: context(of: attempt))
        error.curlCode = nil
        error.message =
            "the response ended within its compressed body, of which \(attempt.decoding.encodedBytes) bytes came."
        return error
    }
}

internal import CCurl

/// Keeps libcurl from writing to freed memory when it uses an easy handle again.
///
/// libcurl stores a response's header fields, and appends a folded line to the field before it.
/// From 7.83 to 8.0, it regards the last field of the handle's previous transfer as the one before
/// a response's first line, although that field is freed by then
/// (<https://github.com/curl/curl/issues/11101>). No function of libcurl clears its pointer, not
/// even `curl_easy_reset`.
///
/// These versions pass a field's line to the debug callback, then store it, then pass it to the
/// header callback. So this type sets `CURLOPT_VERBOSE` after the status line, examines the next
/// line before it is stored, and clears the option again at the first field. It replaces the first
/// byte of a folded line, in libcurl's buffer, until the header callback, so that libcurl takes
/// the line for the end of the head and doesn't store it.
///
/// Lines of two kinds are stored without being passed to the debug callback: the trailers of a
/// proxy's answer to `CONNECT`, and the head of a transfer that is paused meanwhile. So a handle
/// that has served a transfer must not be used with a proxy, nor be paused before the first field.
///
/// See <https://curl.se/libcurl/c/CURLOPT_DEBUGFUNCTION.html>.
@safe
final class FirstFieldGuard {
    // A class, because accesses to its small properties need no checks of exclusivity at run time.

    private enum State {
        /// Nothing to do: the handle is new, or has stored a field of this transfer.
        case idle
        /// No line has arrived yet.
        case beforeStatusLine
        /// The next line may be the first field.
        case beforeField
        /// A folded line is about to be delivered, which began with this byte.
        case foldedLine(UInt8)
    }

    private static let lineEnd = UInt8(ascii: "\r")
    private static let isNeeded = CurlVersion.current.keepsFreedField

    private let pointer: OpaquePointer
    private var state = State.idle
    private var hasServed = false

    /// Whether the handle's owner has enabled libcurl's log.
    var isVerbose = false

    /// Creates a guard for the handle `pointer`, which hasn't served a transfer.
    init(of pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// Called when a transfer is assigned to the handle.
    func begin() {
        state = hasServed && Self.isNeeded ? .beforeStatusLine : .idle
        hasServed = true
    }

    /// Called when the transfer has left the multi handle.
    func end() {
        if examinesLines { stopExamining() }
        state = .idle
    }

    /// Called by the debug callback for each line of a head.
    func willStore(_ line: UnsafeMutableRawBufferPointer) {
        guard examinesLines, let first = unsafe line.first else { return }
        state = .beforeField
        switch first {
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            state = .foldedLine(first)
            unsafe line[0] = Self.lineEnd
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            // The end of a head without a field. Another head may follow.
            break
        case _ where unsafe Self.beginsLikeStatusLine(line):
            break
        default:
            stopExamining()
        }
    }

    /// Called by the header callback for each line, before anything else.
    func willDeliver(_ line: UnsafeMutableRawBufferPointer) {
        switch state {
        case .idle, .beforeField:
            break
        case .beforeStatusLine:
            state = .beforeField
            if !isVerbose { setLog(true) }
        case .foldedLine(let first):
            state = .beforeField
            if unsafe line.first == Self.lineEnd { unsafe line[0] = first }
        }
    }

    /// Whether libcurl may take the line for a status line, which it doesn't store.
    ///
    /// libcurl ignores the case.
    private static func beginsLikeStatusLine(_ line: UnsafeMutableRawBufferPointer) -> Bool {
        let start = "http/".utf8
        guard line.count >= start.count else { return false }
        return unsafe zip(line, start).allSatisfy { byte, expected in byte | 0x20 == expected }
    }

    private var examinesLines: Bool {
        switch state {
        case .idle, .beforeStatusLine: false
        case .beforeField, .foldedLine: true
        }
    }

    private func stopExamining() {
        state = .idle
        if !isVerbose { setLog(false) }
    }

    private func setLog(_ isOn: Bool) {
        // libcurl can't refuse this option.
        _ = unsafe ccurl_easy_setopt_long(pointer, CURLOPT_VERBOSE, isOn ? 1 : 0)
    }
}

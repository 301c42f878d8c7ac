public import Foundation

extension URLSessionWebSocketTask {
    /// What is sent and received.
    public enum Message: Sendable {
        /// Bytes.
        case data(Data)
        /// Text, which goes over the wire as UTF-8.
        case string(String)
    }
}

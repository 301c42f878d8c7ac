internal import CurlURLSession

/// The request to which a manager's serializer is given the response: what serializes doesn't say it, and some
/// rules about empty bodies are about it.
enum AnsweredRequest {
    @TaskLocal static var current: URLRequest?
}

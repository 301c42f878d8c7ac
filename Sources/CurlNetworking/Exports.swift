// Whoever uses AFNetworking's layers uses the URL loading system's types in every line: requests,
// responses, tasks. One import brings both.
@_exported public import CurlURLSession

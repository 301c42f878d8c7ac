// Clients of AFNetworking's layers use the URL loading system's types everywhere: requests,
// responses, tasks. One import provides both.
@_exported public import CurlURLSession

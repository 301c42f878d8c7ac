/// The header fields that every client sends, so that all of them build and send the same.
public enum RequestFields {
    /// Those that are the same each time.
    public static let fixed = [
        (name: "user-agent", value: "loadclient/1.0"),
        (name: "accept", value: "application/json, */*"),
        (name: "accept-language", value: "en;q=1.0"),
    ]

    /// The name of the field whose value is the request's number, and so a new one each time.
    public static let identifier = "x-request-id"
}

extension String {
    /// With zeros before it, so that it has at least so many bytes.
    func zeroPadded(to width: Int) -> String {
        String(repeating: "0", count: max(0, width - utf8.count)) + self
    }
}

/// What went wrong in the support library itself, in words.
package struct SupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

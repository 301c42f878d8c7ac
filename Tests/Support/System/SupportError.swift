/// An error of the support library itself, with its description.
package struct SupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

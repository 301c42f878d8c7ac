/// A moment in nanoseconds that may not have come, in no more room than the number.
@propertyWrapper
package struct Moment: Sendable, Hashable {
    private var nanoseconds: Int64

    /// Below zero nothing has a place on a transfer's clock.
    package init(wrappedValue: Int64?) {
        nanoseconds = max(-1, wrappedValue ?? -1)
    }

    package var wrappedValue: Int64? {
        get { nanoseconds < 0 ? nil : nanoseconds }
        set { self = Moment(wrappedValue: newValue) }
    }
}

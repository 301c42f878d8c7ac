import ArgumentParser
import Testing

@testable import BatchFetch
@testable import BatchFetchCommand

/// Swift Testing has a type of the same name.
private typealias Status = BatchFetchCommand.ExitStatus

/// The command's exit status, and the values of its options.
@Suite struct ExitStatusTests {
    @Test(
        "Each exit status has its documented code",
        arguments: [
            (.success, 0), (.someFailed, 1), (.usage, 2), (.input, 3), (.output, 4),
            (.timeLimit, 124), (.interrupted(signal: 2), 130), (.interrupted(signal: 15), 143),
        ] as [(Status, Int32)]
    )
    fileprivate func outcomeHasItsCode(status: Status, code: Int32) {
        #expect(status.code == code)
    }

    @Test("The kind of a failure before the run decides the exit status")
    func failureHasTheStatusOfItsKind() {
        let codes: [(BatchFailure.Code, Status)] = [
            (.input, .input), (.output, .output), (.journal, .output), (.resources, .output),
            (.configuration, .usage), (.timeout, .usage),
        ]
        for (code, status) in codes { #expect(Status(BatchFailure(code, "m")) == status) }
    }

    @Test(
        "A failure policy is parsed from never, any or a percentage",
        arguments: [
            ("never", .never), ("any", .any), ("0%", .percent(0)), ("100%", .percent(100)),
            ("2.5%", .percent(2.5)), ("", nil), ("Any", nil), ("5", nil), ("%", nil), ("-1%", nil),
            ("100.1%", nil), ("nan%", nil), ("5 %", nil), ("5%%", nil),
        ] as [(String, FailurePolicy?)]
    )
    func policyIsParsed(text: String, policy: FailurePolicy?) {
        #expect(FailurePolicy(argument: text) == policy)
    }

    @Test("A run fails if it exceeds the percentage of failures; an empty run doesn't fail")
    func percentageMustBeExceeded() {
        let policy = FailurePolicy.percent(10)
        #expect(!policy.isFailure(failed: 10, of: 100) && policy.isFailure(failed: 11, of: 100))
        #expect(!policy.isFailure(failed: 0, of: 0) && !policy.isFailure(failed: 0, of: 5))
        #expect(FailurePolicy.percent(0).isFailure(failed: 1, of: 1_000_000))
        #expect(!FailurePolicy.percent(100).isFailure(failed: 5, of: 5))
        #expect(FailurePolicy.any.isFailure(failed: 1, of: 5))
        #expect(!FailurePolicy.any.isFailure(failed: 0, of: 5))
        #expect(!FailurePolicy.never.isFailure(failed: 5, of: 5))
    }

    // MARK: Option values

    private func message(_ parse: () throws -> Void) -> String? {
        do {
            try parse()
            return nil
        } catch {
            return (error as? ValidationError)?.message ?? "\(error)"
        }
    }

    @Test("Option values are parsed, and the error of an invalid one shows examples")
    func optionValuesAreRead() throws {
        #expect(try OptionValue.duration("500ms") == .milliseconds(500))
        #expect(try OptionValue.duration("0") == .zero)
        #expect(try OptionValue.limit("5m") == .seconds(300))
        #expect(try OptionValue.bytes("500k") > 0)
        _ = try OptionValue.rate("5/s")
        _ = try OptionValue.hostRule("x.org: rate=5/s")
        let messages: [(String, () throws -> Void)] = [
            (
                "“soon” is not a duration: use 2s, 500ms, 5m or 1h.",
                { _ = try OptionValue.duration("soon") }
            ),
            (
                "“-1s” is not a duration: use 2s, 500ms, 5m or 1h.",
                { _ = try OptionValue.duration("-1s") }
            ),
            ("“0s” is not a timeout: use more than zero.", { _ = try OptionValue.limit("0s") }),
            ("“x” is not a duration: use 2s, 500ms, 5m or 1h.", { _ = try OptionValue.limit("x") }),
            ("“fast” is not a rate: use 5/s, 30/m or 100/h.", { _ = try OptionValue.rate("fast") }),
            (
                "“0” is not a number of bytes: use 500k, 20M, 1.5G.",
                { _ = try OptionValue.bytes("0") }
            ),
            (
                "“-5k” is not a number of bytes: use 500k, 20M, 1.5G.",
                { _ = try OptionValue.bytes("-5k") }
            ),
        ]
        for (expected, parse) in messages { #expect(message(parse) == expected) }
        #expect(message { _ = try OptionValue.hostRule("x") }?.hasSuffix(".") == true)
    }

    @Test("A number below its minimum is an error, and a missing number isn't")
    func numberIsCheckedAgainstItsLeastValue() {
        #expect(message { try OptionValue.check("--n", nil, atLeast: 1) } == nil)
        #expect(message { try OptionValue.check("--n", 1, atLeast: 1) } == nil)
        #expect(
            message { try OptionValue.check("--n", 0, atLeast: 1) } == "--n is 0: use 1 or more."
        )
        #expect(
            message { try OptionValue.check("--n", .min, atLeast: 0) }?.contains("use 0") == true
        )
    }
}

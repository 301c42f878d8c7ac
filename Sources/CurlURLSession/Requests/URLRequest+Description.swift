internal import Foundation

extension URLRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL.
    public var description: String {
        url?.description ?? "url: nil"
    }

    /// The URL.
    public var debugDescription: String { description }

    /// The properties by their names.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "url": url as Any,
                "cachePolicy": cachePolicy.rawValue,
                "timeoutInterval": timeoutInterval,
                "mainDocumentURL": mainDocumentURL as Any,
                "networkServiceType": networkServiceType,
                "allowsCellularAccess": allowsCellularAccess,
                "allowsExpensiveNetworkAccess": allowsExpensiveNetworkAccess,
                "allowsConstrainedNetworkAccess": allowsConstrainedNetworkAccess,
                "assumesHTTP3Capable": assumesHTTP3Capable,
                "httpMethod": httpMethod as Any,
                "allHTTPHeaderFields": allHTTPHeaderFields as Any,
                "httpBody": httpBody as Any,
                "httpBodyStream": httpBodyStream as Any,
                "httpShouldHandleCookies": httpShouldHandleCookies,
                "httpShouldUsePipelining": httpShouldUsePipelining,
            ],
            displayStyle: .struct
        )
    }
}

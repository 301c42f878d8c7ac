// Tests that import the support also see the scripted server and the events.
@_exported public import CurlTransportTesting

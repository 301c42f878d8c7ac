// Whoever reads XML with these serializers hands them to a manager.
@_exported public import CurlNetworking

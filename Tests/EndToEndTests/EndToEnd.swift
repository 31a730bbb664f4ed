import Testing

/// Real processes share two cores and one loopback: one test at a time.
@Suite(.serialized) struct EndToEnd {}

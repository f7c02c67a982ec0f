// Replaces the module RxJQ: fuzzers with this file compile no expressions.

package struct JQLibrary {
    package init() {}
}

package final class JQBatch {
    package init(_ library: JQLibrary) {}
}

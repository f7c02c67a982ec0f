/// A sink in front of a boundary's that passes elements to ``Hooks/onNextDropped`` when the boundary's run is over.
///
/// It is there only while that hook is set, so that the boundary itself need not look for it at each element.
final class DropReportingSink<Element>: PassThroughSink<Element> {
    /// Returns a sink to use in place of `sink`: the same one unless the hook is set.
    @inline(__always)
    static func wrapping(_ sink: Sink<Element>) -> Sink<Element> {
        DiagnosticSwitches.isOn(DiagnosticSwitches.nextDropped) ? DropReportingSink(to: sink) : sink
    }

    override func next(_ element: Element) {
        if live.isActive { downstream.next(element) } else { Hooks.dropped(element) }
    }
}

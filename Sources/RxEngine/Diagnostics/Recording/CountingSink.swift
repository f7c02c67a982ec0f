/// A sink that counts the elements of an operator for its ``SubscriptionRecord``. The operator's sink has it as its
/// downstream while ``Resources/recording`` counts elements.
final class CountingSink<Element>: PassThroughSink<Element> {
    private let counted: SubscriptionRecord

    init(to downstream: Sink<Element>, _ counted: SubscriptionRecord) {
        self.counted = counted
        super.init(to: downstream)
    }

    override var record: SubscriptionRecord? { counted }

    override func next(_ element: Element) {
        counted.count()
        downstream.next(element)
    }
}

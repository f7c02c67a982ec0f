import FoundationEssentials

extension ObservableType where Element == Data {
    /// Reads a value of `type` out of each element. An error thrown by `decoder` ends the sequence.
    ///
    ///     source                                              --{"x":1}--{"x":2}--|
    ///     decode(type: P.self, decoder: JSONDecoder())        --P(1)-----P(2)-----|
    @inlinable
    public func decode<Item: Decodable, Decoder: DataDecoder>(
        type: Item.Type, decoder: Decoder
    ) -> Observable<Item> {
        asObservable().lift(.decode, with: decoder) { DecodeSink(to: $1, $0) }
    }
}

@usableFromInline
final class DecodeSink<Item: Decodable, Decoder: DataDecoder>: OperatorSink<Data, Item> {
    private let decoder: Decoder

    @usableFromInline
    init(to downstream: Sink<Item>, _ decoder: Decoder) {
        self.decoder = decoder
        super.init(.decode, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Data) {
        let item: Item
        do {
            item = try decoder.decode(Item.self, from: element)
        } catch {
            return downstream.error(error)
        }
        if live.isActive { downstream.next(item) }
    }
}

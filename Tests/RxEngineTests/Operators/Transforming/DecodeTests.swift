import FoundationEssentials
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DecodeTests {
    struct Item: Decodable, Equatable {
        let x: Int
    }

    /// A decoder that is not Foundation's.
    struct FixedDecoder: DataDecoder {
        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            guard let value = Item(x: data.count) as? Value else { throw TestError("no value") }
            return value
        }
    }

    @Test func valuesAreDecoded() {
        let data = Observable.of(Data(#"{"x": 1}"#.utf8), Data(#"{"x": 2}"#.utf8))
        let source = data.decode(type: Item.self, decoder: JSONDecoder())
        #expect(emitted(by: source) == [.next(Item(x: 1)), .next(Item(x: 2)), .completed])
    }

    @Test func anyDecoderIsAccepted() {
        #expect(
            emitted(by: Observable.just(Data([1, 2])).decode(type: Item.self, decoder: FixedDecoder())) == [
                .next(Item(x: 2)), .completed,
            ])
        #expect(
            emitted(by: Observable.just(Data()).decode(type: Int.self, decoder: FixedDecoder())) == [
                .error(TestError("no value"))
            ])
    }

    @Test func decodingErrorFailsSequence() {
        let subject = PublishSubject<Data>()
        let log = EventLog<Item>()
        _ = subject.decode(type: Item.self, decoder: JSONDecoder()).subscribe(log)
        subject.onNext(Data("{".utf8))
        #expect(log.events.count == 1 && log.events.first?.error is DecodingError)
        #expect(!subject.hasObservers)
    }
}

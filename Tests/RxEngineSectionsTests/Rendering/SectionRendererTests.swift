import RxEngineSections
import Testing

@Suite struct SectionRendererTests {
    private struct Reloading: SectionRenderer {
        var sections: Sections = []
        var reloads = 0

        mutating func replaceAll(with sections: Sections) {
            self.sections = sections
            reloads += 1
        }
    }

    @Test func minimalRendererReloadsOnceForAllStages() {
        var renderer = Reloading()
        renderer.update(to: sections("A 1 2 | B 3"))
        renderer.update(to: sections("B 4 | C 1v1"))
        #expect(renderer.sections == sections("B 4 | C 1v1"))
        #expect(renderer.reloads == 2)
        renderer.update(to: sections("B 4 | C 1v1"))
        #expect(renderer.reloads == 2)
    }

    @Test func stepwiseRendererRendersOnlyWhatIsNew() {
        var outline = Outline()
        outline.update(to: sections("A 1 2 | B 3"))
        #expect(outline.rendered == ["A", "B"])
        outline.update(to: sections("B 2 3v1 | A 4 | C 1 5"))
        #expect(outline.rendered == ["A", "B", "C", "4"])
        #expect(outline.shown == sections("B 2 3v1 | A 4 | C 1 5"))
        #expect(outline.replacements == 0)
    }

    @Test func stepwiseRendererReplacesWhatHasDuplicates() {
        var outline = Outline()
        for text in ["A 1 2", "A 1 1", "A 1 2"] {
            outline.update(to: sections(text))
            #expect(outline.shown == sections(text))
        }
        #expect(outline.replacements == 2)
    }
}

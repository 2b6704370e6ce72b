//! Changes that disable tests or checks. This is a convenience and no guard: the same can be written in many ways.

use super::changes::Change;
use crate::text::quote;

/// What disables a test, a whole file of them, or a check of the code.
const MARKERS: &str = "#[ignore, @Disabled, @Ignore, @Test(enabled, @describetag :skip, @moduletag :skip, @tag :skip, @ts-ignore, \
     @ts-nocheck, @unittest.expectedFailure, @unittest.skip, Fact(Skip, GTEST_SKIP, NOLINT, T().Skip, \
     Theory(Skip, XCTSkip, [Ignore, biome-ignore, collect_ignore, context.only, context.skip, describe.only, \
     describe.skip, eslint-disable, fdescribe(, it.only, it.skip, it.todo, markTestIncomplete, markTestSkipped, \
     noqa, nolint, pylint: disable, pytest.mark.skip, pytest.mark.xfail, pytest.skip(, pytest.xfail(, \
     pytest_collection_modifyitems, pytest_ignore_collect, rubocop:disable, self.skipTest(, skip: true, \
     suite.skip, t.Skip, test.fixme, test.only, test.skip, test.todo, xcontext ', xdescribe ', xdescribe(, \
     xit ', xit \", xit(, xtest(, || true";

/// What a line begins with that declares a test.
const DECLARATIONS: &str = "#[async_std::test, #[rstest, #[test, #[tokio::test, @ParameterizedTest, @Test, TEST(, TEST_F(, TEST_P(, \
     [Fact, [Test], [TestCase, [TestMethod, [Theory, async def test_, def test_, func Test, func test, it \", \
     it ', it(, it.each, public function test, test \", test(, test.each, testWidgets(";

/// Says by what a change disables a test or a check: it adds such a mark, or declares fewer tests than before.
pub(super) fn found(change: &Change<'_>) -> Option<String> {
    let count = |texts: &[&str], marker: &str| texts.iter().map(|text| times(text, marker)).sum::<usize>();
    let marker =
        MARKERS.split(", ").find(|marker| count(&change.added, marker) > count(&change.removed, marker));
    if let Some(marker) = marker {
        return Some(format!("adds {}", quote(marker.trim_end_matches(['(', '\'', '"', ' ']))));
    }
    let declared = |texts: &[&str]| texts.iter().map(|text| declarations(text)).sum::<usize>();
    let (before, after) = (declared(&change.removed), declared(&change.added));
    (after < before).then(|| format!("declares {after} where there were {before}"))
}

/// Returns how often a mark stands in a text, and is no end of another word.
fn times(text: &str, marker: &str) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let found = text.match_indices(marker);
    found.filter(|(at, _)| !(marker.starts_with(is_word) && text[..*at].ends_with(is_word))).count()
}

fn declarations(text: &str) -> usize {
    let declares = |line: &&str| DECLARATIONS.split(", ").any(|start| line.trim_start().starts_with(start));
    text.lines().filter(declares).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(removed: &str, added: &str) -> Option<String> {
        found(&Change { removed: vec![removed], added: vec![added] })
    }

    #[test]
    fn what_disables_a_test_or_a_check_is_found() {
        for (removed, added) in [
            ("@Test\nfun a() {", "@Ignore(\"flaky\")\n@Test\nfun a() {"),
            ("def test_a():", "@pytest.mark.skipif(True)\ndef test_a():"),
            ("", "def pytest_collection_modifyitems(items):\n    items.clear()"),
            ("it('adds', () => {", "it.skip('adds', () => {"),
            ("it('adds', () => {", "xit('adds', () => {"),
            ("it 'adds' do", "xit 'adds' do"),
            ("func TestA(t *testing.T) {", "func TestA(t *testing.T) {\n\tt.Skip()"),
            ("#[test]\nfn a() {", "#[test]\n#[ignore]\nfn a() {"),
            ("[Fact]", "[Fact(Skip = \"later\")]"),
            ("const a = 1;", "// eslint-disable-next-line\nconst a = 1;"),
            ("run: make lint", "run: make lint || true"),
            ("import os", "import os  # noqa"),
            ("def test_a():\n    pass\ndef test_b():", "def test_b():"),
            ("    @Test\n    void a() {}", "    // @Test\n    void a() {}"),
            ("test('a', f)", ""),
        ] {
            assert!(change(removed, added).is_some(), "{removed} -> {added}");
        }
    }

    #[test]
    fn what_leaves_tests_and_checks_as_they_are_is_not_found() {
        for (removed, added) in [
            ("def test_a():", "def test_a():\n    pass\ndef test_b():"),
            ("it.skip('adds', () => {", "it('adds', () => {"),
            ("it.skip('a', f)", "it.skip('b', f)"),
            ("items", "items.iter().skip(1)"),
            ("", "commit.skip(1); exit(1); audit.only"),
            ("", "at.Skip(3); model.fit(x); process.exit (1)"),
            ("@Test\nfun a() {", "@Test\nfun b() {"),
            ("assert x", "assert y"),
        ] {
            assert_eq!(change(removed, added), None, "{removed} -> {added}");
        }
    }
}

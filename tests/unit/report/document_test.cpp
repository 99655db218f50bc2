#include "report/document.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/shown_unit.hpp"
#include "report/markup.hpp"
#include "report/packed_numbers.hpp"
#include "support/packed_numbers.hpp"

namespace armdyn {

namespace {

Fields energy(const Value& tcp) {
  return {{"start", "energy: {} J at the start", Value::number(1.23456)},
          {"tcp", ", of the tcp {} J", tcp},
          {"steps", for_programs, Value::count(3)},
          {for_people, ", {}", Value::count(1, "run")}};
}

std::vector<Fields> joints() {
  return {{words("first, second")},
          {{"name", "joint", Value::word("elbow")},
           {"peak", "peak |τ|", Value::number(-0.0)},
           {"limit", "limit", Value::number(std::nullopt)},
           {"stops", label_if(false, "stops"), Value::count(2)},
           {for_people, "share", Value::share(1.0, 8.0)}}};
}

}  // namespace

TEST(Document, SaysFieldsInTheirWordsAndGivesThemUnderTheirKeys) {
  EXPECT_EQ(sentence(energy(Value::number(2.0))),
            "energy: 1.235 J at the start, of the tcp 2 J, 1 run");
  EXPECT_EQ(compact_json(object(energy(Value::number(2.0)))),
            R"({"start":1.23456,"steps":3,"tcp":2.0})");
}

TEST(Document, LeavesOutFieldsWithoutAValue) {
  EXPECT_EQ(sentence(energy({})), "energy: 1.235 J at the start, 1 run");
  EXPECT_EQ(compact_json(object(energy({}))), R"({"start":1.23456,"steps":3})");
}

TEST(Document, IsATableForPeopleAndAListOfObjectsForPrograms) {
  EXPECT_EQ(text_of(Section{"joints", FieldTable{joints()}}),
            "joint          peak |τ|  limit  share\n"
            "first, second\n"
            "elbow                 0      -   12 %\n");
  EXPECT_EQ(text_of(Section{"joints", FieldTable{joints(), true}}),
            "joint          peak |τ|  limit  share\n"
            "first, second\n"
            "elbow          0         -      12 %\n");
  EXPECT_EQ(compact_json(objects({joints()})), R"([{},{"name":"elbow","peak":0.0,"stops":2}])");
}

TEST(Document, HasOneFormForEachKindOfValue) {
  EXPECT_EQ(Value::range(-0.0, 1.5).brief, "0 to 1.5");
  EXPECT_EQ(Value::moments(0.0, 1.0000001).brief, "0 to 1");
  EXPECT_EQ(Value::magnitude(1.23e-9).brief, "1.2e-09");
  EXPECT_EQ(Value::count(2, "row").brief, "2 rows");
  EXPECT_FALSE(Value::share(1.0, std::nullopt).exact);
}

TEST(Document, IsOneObjectForProgramsAndSectionsForPeople) {
  Document document;
  document.add(energy({}));
  document.add("joints", FieldTable{{{{"name", "joint", Value::word("elbow")}}}});
  document.add("joints", FieldTable{{{{"cut", for_programs, Value::count(2)}}}});
  document.sections.push_back({"notes", Paragraphs{"note  ", {"one", "two"}}, "Notes", true});
  document.sections.push_back(
      {"M", LabeledMatrix{{"a", "b"}, {"1", "2"}, Matrix(2, 2, {1, 0, 0.5, 2})}, "M", true});
  document.add("notes", Paragraphs{"", {"three"}});
  document.add(std::string("only people"));
  document.warnings = {"careful"};
  EXPECT_EQ(text_of(document),
            "energy: 1.235 J at the start, 1 run\n"
            "joint\n"
            "elbow\n"
            "\n"
            "Notes\n"
            "note  one\n"
            "note  two\n"
            "\n"
            "M\n"
            "     1    2\n"
            "  a  1    0\n"
            "  b  0.5  2\n"
            "three\n"
            "only people\n");
  EXPECT_EQ(
      compact_json(data_of(document)),
      R"({"M":[[1.0,0.0],[0.5,2.0]],"joints":[{"cut":2,"name":"elbow"}],"notes":["one","two","three"],)"
      R"("start":1.23456,"steps":3,"warnings":["careful"]})");
}

TEST(TextTable, HasRowsOfOneLineBesideLongLabels) {
  const std::string name(120, 'a'), blanks(117, ' ');
  EXPECT_EQ(text_table({{"arm", "at t [s]", "peak"}, {name, "", "1"}, {"b", "0.5", "2"}}, false),
            "arm" + blanks + "  at t [s]\n" + name + "\nb  " + blanks + "       0.5\n\n" + "arm" +
                blanks + "  peak\n" + name + "     1\nb  " + blanks + "     2\n");
}

TEST(Document, HasTablesAndHeadingsOfMarkdownAndLatex) {
  Document document;
  document.add(std::string("  k|1_ in one line"));
  document.add("joints", FieldTable{joints()});
  document.sections.push_back(
      {"M", LabeledMatrix{{"a b", "c"}, {"q̇1", "q̈2"}, Matrix(2, 2, {1, 0, -0.5, 2})}, "M [kg·m²]"});
  document.sections.push_back({"Z", LabeledMatrix{{"a"}, {"1"}, Matrix(1, 1, {0})}, "Z"});
  document.add(std::string("a  b\n50 %\n"));
  document.add(Formulas{"τ1 = g\n", "\\begin{align*}\n  \\tau_{1} ={}& g\n\\end{align*}\n"});
  EXPECT_EQ(markdown_of(document),
            "k\\|1\\_ in one line\n\n"
            "| joint | peak \\|τ\\| | limit | share |\n"
            "| --- | ---: | ---: | ---: |\n"
            "| first, second |\n"
            "| elbow | 0 | - | 12 % |\n\n"
            "### M \\[kg·m²\\]\n\n"
            "|  | q̇1 | q̈2 |\n"
            "| --- | ---: | ---: |\n"
            "| a b | 1 | 0 |\n"
            "| c | -0.5 | 2 |\n\n"
            "Z, all zero\n\n"
            "```text\na  b\n50 %\n```\n\n"
            "$$\n\\begin{align*}\n  \\tau_{1} ={}& g\n\\end{align*}\n$$\n");
  EXPECT_EQ(latex_of(document),
            "k$|$1\\_ in one line\n\n"
            "\\noindent\n\\begin{tabular}{lrrr}\n\\hline\n"
            "joint & peak $|$$\\tau$$|$ & limit & share \\\\\n\\hline\n"
            "first, second \\\\\n"
            "elbow & 0 & - & 12 \\% \\\\\n\\hline\n\\end{tabular}\n\n"
            "\\paragraph{M [kg$\\cdot$m$^2$]}\\mbox{}\\par\n\n"
            "\\noindent\n\\begin{tabular}{lrr}\n\\hline\n"
            " & $\\dot{q}$1 & $\\ddot{q}$2 \\\\\n\\hline\n"
            "a b & 1 & 0 \\\\\n"
            "c & -0.5 & 2 \\\\\n\\hline\n\\end{tabular}\n\n"
            "Z, all zero\n\n"
            "{\\ttfamily\\noindent a~ b\\\\\n50 \\%\\\\\n\\par}\n\n"
            "\\begin{align*}\n  \\tau_{1} ={}& g\n\\end{align*}\n\n");
}

TEST(Document, OfLatexHasNoMarkupAndNoLetterThatItsFontsLack) {
  Document document;
  document.add(std::string("[a]: r\u0304_i, \u1e8d, \u2026, \u00e9 \u00ab\u0111\u00bb\n* b & c\n"));
  EXPECT_EQ(latex_of(document),
            "{}[a]: $\\bar{r}$\\_i, $\\ddot{x}$, $\\dots$, \u00e9 [U+00AB][U+0111][U+00BB]\n\n"
            "{}* b \\& c\n\n");
  Document dashes;
  dashes.add(std::string("--all, -M--"));
  EXPECT_EQ(latex_of(dashes), "-{}-all, -M-{}-\n\n") << "TeX makes one dash of two";
  Document plain;
  plain.add(std::string("a &amp; b"));
  EXPECT_EQ(markdown_of(plain), "a \\&amp; b\n");
}

TEST(Document, OfMarkdownBeginsNoListWhereAParagraphBeginsSo) {
  const auto markdown = [](const std::string& text) {
    Document document;
    document.add(text);
    return markdown_of(document);
  };
  EXPECT_EQ(markdown("1. of two"), "1\\. of two\n");
  EXPECT_EQ(markdown("12) of two"), "12\\) of two\n");
  EXPECT_EQ(markdown("3."), "3\\.\n");
  EXPECT_EQ(markdown("+ one"), "\\+ one\n");
  EXPECT_EQ(markdown("---"), "\\---\n");
  EXPECT_EQ(markdown("## two"), "\\## two\n");
  for (const char* const text : {"1.5 N·m", "-3 rad", "2 rows. End", "a. b", "--report is there"}) {
    EXPECT_EQ(markdown(text), std::string(text) + "\n");
  }
}

/// What the script of a page draws.
Json drawn_on(const std::string& page) {
  const std::string begin = "id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return parse_json(page.substr(from, page.find("</script>", from) - from));
}

std::vector<double> numbers(const Json& list) {
  const Json::List& entries = list.entries();
  return unpacked(entries[0].as<std::size_t>(), entries[1].as<double>(), entries[2].as_text());
}

TEST(Page, HasDecimalsAsTheyAreAndOtherNumbersWithin48Bits) {
  std::vector<double> decimals, others, letters;
  for (int k = 0; k < 1000; ++k) {
    decimals.push_back(k % 7 == 3 ? NAN : 1.6e9 + k / 1000.0);
    others.push_back(1e-7 * std::sin(0.001 * k));
    letters.push_back(k % 2 == 0 ? -0x1.fffffp51 : 0x1.fffffp51);
  }
  const std::vector<double> jumps{0.0, 4.123456789012345, -4.123456789012345, 4.123456789012345};
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  EXPECT_TRUE(std::ranges::equal(numbers(packed(decimals)), decimals, same));
  EXPECT_TRUE(std::ranges::equal(numbers(packed(letters)), letters, same));
  EXPECT_TRUE(std::ranges::equal(numbers(packed(jumps)), jumps, same));
  EXPECT_LT(numbers(packed(std::vector{1.0, 1.0 / 3.0, -1e-17}))[2], 0.0);  // keeps its sign
  const std::vector<double> found = numbers(packed(others));
  ASSERT_EQ(found.size(), others.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], others[k], 1e-7 * 0x1p-48);
  // A smooth column takes hardly more than a letter for each number.
  EXPECT_LT(packed(others)[2].as_text().size(), 1100U);
  for (const std::vector<double>& few :
       {std::vector<double>{}, {0.0}, {NAN}, {-1.5}, {1e300, -1e300}}) {
    const std::vector<double> read = numbers(packed(few));
    ASSERT_EQ(read.size(), few.size());
    for (std::size_t k = 0; k < few.size(); ++k) {
      EXPECT_TRUE(same(read[k], few[k]) || std::abs(read[k] - few[k]) <= std::abs(few[0]) * 0x1p-48)
          << read[k] << " for " << few[k];
    }
  }
}

TEST(Page, HasTheSidesOfABandInTheSameRowsWithTheExtremesOfBoth) {
  constexpr std::size_t rows = 100'000;
  Curve low{"band", {}, {}}, high = low, lone{"lone", {}, {}};
  for (std::size_t k = 0; k < rows; ++k) {
    const double t = 1e-3 * static_cast<double>(k);
    for (Curve* const curve : {&low, &high, &lone}) curve->x.push_back(t);
    low.y.push_back(k == 70'001 ? -5.0 : -1.0 + 0.1 * std::sin(t));
    high.y.push_back(k == 20'002 ? 9.0 : 1.0 + 0.2 * std::cos(3 * t));
    lone.y.push_back(k / 100 == 500 ? NAN : std::sin(t));
  }
  Document document;
  document.views.figures = {{"title", "", {{"panel", "y", "m", {low, high, lone}}}}};
  const std::size_t first = 0;
  const Json curves = drawn_on(page_of(document, {}))["figures"][first]["panels"][first]["curves"];
  const std::vector<double> y_low = numbers(curves[first]["y"]),
                            y_high = numbers(curves[first + 1]["y"]);
  EXPECT_EQ(numbers(curves[first]["x"]), numbers(curves[first + 1]["x"]));
  EXPECT_EQ(y_low.size(), y_high.size());
  EXPECT_GT(y_low.size(), 1000U);
  EXPECT_LT(y_low.size(), 16'000U / 3 + 1);
  EXPECT_EQ(std::ranges::min(y_low), -5.0);
  EXPECT_EQ(std::ranges::max(y_high), 9.0);
  EXPECT_EQ(std::ranges::count_if(numbers(curves[first + 2]["y"]),
                                  [](double y) { return std::isnan(y); }),
            1);
}

TEST(Formulas, AreMathmlOfTheirLatex) {
  const auto rows = [](const std::string& lines) {
    const std::string math = mathml_of("\\begin{align*}\n" + lines + "\n\\end{align*}\n");
    const std::string begin = "<math display=\"block\"><mtable>\n", end = "\n</mtable></math>\n";
    EXPECT_TRUE(math.starts_with(begin) && math.ends_with(end)) << math;
    return math.substr(begin.size(), math.size() - begin.size() - end.size());
  };
  EXPECT_EQ(rows("\\tau_{1} ={}& -m_2 l_1^{2} \\ddot{q}_{1}"),
            "<mtr><mtd><mrow><msub><mi>τ</mi><mrow><mn>1</mn></mrow></msub><mo>=</mo><mrow></mrow>"
            "</mrow></mtd><mtd><mrow><mo>−</mo><msub><mi>m</mi><mn>2</mn></msub>"
            "<msubsup><mi>l</mi><mn>1</mn><mrow><mn>2</mn></mrow></msubsup>"
            "<msub><mover><mrow><mi>q</mi></mrow><mo>¨</mo></mover><mrow><mn>1</mn></mrow></msub>"
            "</mrow></mtd></mtr>");
  EXPECT_EQ(
      rows("\\frac{\\partial L}{2} & \\mathit{len} \\cdot 0.5 \\sin \\alpha_1 \\\\\n & + x"),
      "<mtr><mtd><mrow><mfrac><mrow><mo>∂</mo><mi>L</mi></mrow><mrow><mn>2</mn></mrow></mfrac>"
      "</mrow></mtd><mtd><mrow><mi>len</mi><mo>·</mo><mn>0.5</mn><mi>sin</mi>"
      "<msub><mi>α</mi><mn>1</mn></msub></mrow></mtd></mtr>\n"
      "<mtr><mtd><mrow></mrow></mtd><mtd><mrow><mo>+</mo><mi>x</mi></mrow></mtd></mtr>");
  EXPECT_EQ(rows("a\\% b ^ 2 _ { 3 }"),
            "<mtr><mtd><mrow><mi>a</mi><mi>%</mi><msubsup><mi>b</mi><mrow><mn>3</mn></mrow>"
            "<mn>2</mn></msubsup></mrow></mtd></mtr>");
  EXPECT_EQ(rows("<b"), "<mtr><mtd><mrow><mo>&lt;</mo><mi>b</mi></mrow></mtd></mtr>");
}

TEST(TextTable, FoldsAtAHundredColumnsAndKeepsUnitsWithTheirNumbers) {
  const std::string wide(43, 'w');
  EXPECT_EQ(text_table({{"of", wide, "peak", "", "limit"},
                        {"waist", "1", "0.25", "N·m, or N where the joint slides a long way", "9"},
                        {"a heading"}}),
            "of         " + wide +
                "\n"
                "waist      " +
                std::string(42, ' ') +
                "1\n"
                "a heading\n"
                "\n"
                "of         peak                                               limit\n"
                "waist      0.25  N·m, or N where the joint slides a long way      9\n"
                "a heading\n");
  EXPECT_EQ(text_table({{"a", "b"}, {"heading"}, {"1", "22"}}),
            "a         b\nheading\n1        22\n");
  EXPECT_EQ(text_table({{"one"}, {"two"}}), "one\ntwo\n");
  EXPECT_EQ(text_table({{"a", "b", "c"}, {"1", "22", "3"}}, true), "a  b   c\n1  22  3\n");
}

TEST(TextTable, PutsTheNamesOfGroupsOverTheirColumnsAndBreaksBetweenThem) {
  const TextCells cells{{"joint", "peak", "", "fit: before", "fit: after", "rest: a", "rest: b"},
                        {"waist", "7.967", "N·m", "45.05 %", "2.4 %", "1", "2"}};
  EXPECT_EQ(text_table(cells),
            "                   fit ----------  rest\n"
            "joint   peak        before  after  a  b\n"
            "waist  7.967  N·m  45.05 %  2.4 %  1  2\n");
  EXPECT_EQ(text_table(cells, false, 36),
            "                   fit ----------\n"
            "joint   peak        before  after\n"
            "waist  7.967  N·m  45.05 %  2.4 %\n"
            "\n"
            "       rest\n"
            "joint  a  b\n"
            "waist  1  2\n");
}

TEST(TextTable, RepeatsTheNameOfAGroupThatIsTooWide) {
  EXPECT_EQ(text_table({{"a", "g: one", "g: two"}, {"b", "1111111111", "2222222222"}}, false, 20),
            "   g --------\n"
            "a         one\n"
            "b  1111111111\n"
            "\n"
            "   g --------\n"
            "a         two\n"
            "b  2222222222\n");
}

TEST(Document, IsAsWideAsItsOutput) {
  Document narrow;
  narrow.width = 20;
  narrow.add(Paragraphs{"note ", {"one two three four"}});
  EXPECT_EQ(text_of(narrow), "note one two three\n     four\n");
}

TEST(Document, ShowsAnglesInDegreesAndNamesTheirUnitForPrograms) {
  const auto row = [](const char* unit_key) -> Fields {
    return {{"q", "q", Value::number(0.5, "rad")},
            {unit_key, "", Value::unit_of("rad")},
            {"tau", "τ", Value::number(0.5, "N·m/rad")},
            {"limit", "limit", Value::number(std::optional<double>(), "rad/s²")}};
  };
  show_degrees(true);
  const std::string text = text_of(Section{"", FieldTable{{row("unit")}}});
  const std::string named = compact_json(object(row("unit"))),
                    unnamed = compact_json(object(row(for_people)));
  const std::string speed = with_unit(2.0, "rad/s");
  show_degrees(false);
  EXPECT_EQ(text, "q             τ  limit\n28.65  deg  0.5      -\n");
  EXPECT_TRUE(named.starts_with(R"({"q":28.64788)")) << named;
  EXPECT_TRUE(named.ends_with(R"("tau":0.5,"unit":"deg"})")) << named;
  EXPECT_EQ(unnamed, R"({"q":0.5,"tau":0.5})");
  EXPECT_EQ(speed, "114.6 deg/s");
  EXPECT_EQ(with_unit(2.0, "rad/s"), "2 rad/s");
}

TEST(Document, ReadsItsJsonBackToTheBit) {
  const Json data{{"t", 0.1},     {"n", 3},
                  {"far", 1e300}, {"none", nullptr},
                  {"is", true},   {"list", Json::list(1, -2, "three", Json::object())}};
  EXPECT_EQ(compact_json(parse_json(compact_json(data))), compact_json(data));
  EXPECT_TRUE(parse_json("{no JSON").is_null());
  const auto levels = [](std::size_t count) {
    return std::string(count, '[') + std::string(count, ']');
  };
  EXPECT_EQ(compact_json(parse_json(levels(100))), levels(100));
  EXPECT_TRUE(parse_json(levels(101)).is_null());
  EXPECT_TRUE(parse_json("{\"a\":" + levels(400'000) + "}").is_null());
  EXPECT_EQ(compact_json("\xff"), "\"\xEF\xBF\xBD\"");
  EXPECT_TRUE(Json(1.0 / 0.0).is_null());
}

}  // namespace armdyn

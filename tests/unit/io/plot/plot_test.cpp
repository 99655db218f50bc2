#include "io/plot/plot.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <armdyn/error.hpp>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <numbers>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/file/output_file.hpp"
#include "io/plot/plot_script.hpp"
#include "support/svg_texts.hpp"

namespace armdyn {
namespace {

namespace fs = std::filesystem;

// A text that is too long keeps the letters before the ellipsis for which there is room, each whole.
TEST(PlotText, IsCutToItsRoomBetweenLetters) {
  const std::string text = "τ of the shoulder";
  const double font = 12;
  EXPECT_EQ(fitted(text, font, 1e3), text);
  EXPECT_EQ(fitted(text, font, 0), "…");
  for (double room = 20; room < 80; room += 7) {
    const std::string cut = fitted(text, font, room);
    const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
    EXPECT_TRUE(text.starts_with(kept) && cut.ends_with("…")) << cut;
    EXPECT_NE(kept, "\xCF");  // half of τ
    EXPECT_LE(text_width(kept, font) + font, room);
    const std::size_t next = kept.empty() ? 2 : kept.size() + 1;
    EXPECT_GT(text_width(text.substr(0, next), font) + font, room);
  }
}

Figure figure_of(std::size_t panels) {
  Figure figure;
  figure.title = "lift";
  for (std::size_t i = 0; i < panels; ++i) {
    const double size = 1.0 + static_cast<double>(i);
    Panel panel;
    panel.title = "joint_" + std::to_string(i + 1);
    panel.y_label = "τ";
    panel.unit = "N·m";
    panel.curves = {{"computed", {0, 1, 2}, {0, size, -size}}, {"measured", {0, 2}, {0, -size}}};
    panel.limits = {186, -186};
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

Figure with_curve(std::vector<double> x, std::vector<double> y) {
  Figure figure = figure_of(1);
  figure.panels[0].curves = {{"", std::move(x), std::move(y)}};
  return figure;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string svg_script(const Figure& figure) {
  return plot_script(figure, PlotFormat::svg);
}

template <class Call>
std::string refusal_of_plot(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

// ---- the script, which needs no gnuplot ----

TEST(PlotScript, HasAPanelAndBothCurvesForEachJoint) {
  const std::string script = svg_script(figure_of(6));
  EXPECT_EQ(count(script, "\nplot "), 6U);
  EXPECT_EQ(count(script, " << END\n"), 12U);
  EXPECT_TRUE(has(script, "'joint_6'"));
  EXPECT_EQ(count(script, "'τ [N·m]'"), 6U);
  EXPECT_EQ(count(script, "set label 'computed'"), 6U) << "a name beside each";
  EXPECT_FALSE(has(script, "set key at"));
}

TEST(PlotScript, LabelsTimeAtTheBottomOfEachColumnOnly) {
  EXPECT_EQ(count(svg_script(figure_of(1)), "'t [s]'"), 1U);
  EXPECT_EQ(count(svg_script(figure_of(3)), "'t [s]'"), 1U);
  EXPECT_EQ(count(svg_script(figure_of(6)), "'t [s]'"), 2U);
  EXPECT_EQ(count(svg_script(figure_of(7)), "'t [s]'"), 2U);
}

TEST(PlotScript, GivesAPanelItsOwnAxisBesideTheSharedOne) {
  Figure figure = figure_of(4);
  figure.panels[0].x_label = "speed";
  figure.panels[0].x_unit = "rad/s";
  figure.panels[0].curves[0].x = {0, 600, 300};
  figure.panels[0].curves[0].is_parametric = true;
  const std::string script = svg_script(figure);
  EXPECT_EQ(count(script, "set xrange [0:600]"), 1U);
  EXPECT_EQ(count(script, "set xrange [0:2]"), 3U);
  EXPECT_EQ(count(script, "'speed [rad/s]'"), 1U);
  EXPECT_LT(script.find("\n600 "), script.find("\n300 ")) << "in the order of the samples";
}

TEST(PlotScript, FillsTheBandBetweenNeighborsOfOneLabel) {
  Figure figure = figure_of(1);
  for (const double side : {-1.0, 2.0}) {
    figure.panels[0].curves.push_back({"half of them", {0, 1}, {side, side + 1}});
  }
  const std::string script = svg_script(figure);
  EXPECT_TRUE(has(script, "$p0c2 << END\n0 -1 2\n1 0 3\nEND\n"));
  EXPECT_EQ(count(script, "using 1:2:3 with filledcurves"), 1U);
  EXPECT_EQ(count(script, "set label 'half of them'"), 1U);
  EXPECT_FALSE(has(script, "$p0c3 using")) << "no lines at its sides";
}

TEST(PlotScript, DrawsABandOfOneRowAsABar) {
  Figure figure = figure_of(1);
  for (const double side : {-1.0, 2.0}) {
    figure.panels[0].curves.push_back({"half of them", {1}, {side}});
  }
  const std::string script = svg_script(figure);
  EXPECT_TRUE(has(script, "$p0c2 << END\n1 -1 2\nEND\n"));
  EXPECT_TRUE(has(script, "$p0c2 using 1:2:(0):($3-$2) with vectors nohead "));
}

/// The height of a name in its panel, and its color.
std::pair<double, std::string> name_in(const std::string& script, const std::string& name) {
  std::smatch found;
  const std::regex label("set label '" + name +
                         R"x(' at graph [\d.]+,graph ([\d.]+) font \S+ tc rgb '(#\w+)')x");
  if (!std::regex_search(script, found, label)) return {NAN, "none"};
  return {std::stod(found[1]), found[2]};
}

TEST(PlotScript, ScalesBothSidesOfABandAndLeavesItsGaps) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  Figure figure = with_curve({0, 2e6, 4e6}, {0, 0, 0});
  std::vector<Curve>& curves = figure.panels[0].curves;
  curves.push_back({"inner", {0, 2e6, 4e6}, {1e7, nan, 1.2e7}});
  curves.push_back({"inner", {0, 2e6, 4e6}, {3e7, 3.1e7, 3.6e7}});
  curves.push_back({"outer", {0, 1e6, 4e6}, {4e7, 4.5e7, 5e7}});
  curves.push_back({"outer", {0, 1e6, 4e6}, {-1e7, -1.5e7, -2e7}});
  const std::string script = svg_script(figure);
  EXPECT_TRUE(has(script, "$p0c1 << END\n0 10 30\n\n4 12 36\nEND\n")) << script;
  EXPECT_TRUE(has(script, "$p0c3 << END\n0 40 -10\n1 45 -15\n4 50 -20\nEND\n")) << script;
  EXPECT_FALSE(has(script, "$p0c2") || has(script, "$p0c4"));
  EXPECT_TRUE(has(script, "'τ [10⁶ N·m]'"));
}

TEST(PlotScript, NamesABandAtItsUpperSide) {
  for (const bool is_upper_first : {true, false}) {
    Figure figure = figure_of(1);
    figure.panels[0].limits = {};
    figure.panels[0].curves = {{"low", {0, 1}, {0, 0}}, {"high", {0, 1}, {0, 10}}};
    for (const bool is_upper : {is_upper_first, !is_upper_first}) {
      const double side = is_upper ? 9 : 1;
      figure.panels[0].curves.push_back({"band", {0, 1}, {side / 2, side}});
    }
    const std::string script = svg_script(figure);
    const auto high = name_in(script, "high").first, low = name_in(script, "low").first;
    EXPECT_NEAR(name_in(script, "band").first, low + 0.9 * (high - low), 1e-5);
  }
}

TEST(PlotScript, StacksNotesThatWouldHideOneAnother) {
  Figure figure = with_curve({0, 10}, {0, 10});
  figure.panels[0].limits = {};
  figure.panels[0].notes = {{5, 5, "one"}, {5, 5, "two"}, {5.1, 5, "three"}, {0, 5, "aside"}};
  const std::string script = svg_script(figure);
  const auto height = [&](const std::string& text) {
    std::smatch found;
    const std::regex label("set label '" + text + R"x(' at graph [\d.]+,graph ([\d.]+) center)x");
    return std::regex_search(script, found, label) ? 360 * std::stod(found[1]) : NAN;
  };
  EXPECT_NEAR(height("one"), 180 + 0.6 * 14, 1e-2);
  EXPECT_NEAR(height("two"), height("one") + 14, 1e-2);
  EXPECT_NEAR(height("three"), height("one") + 28, 1e-2);
  EXPECT_NEAR(height("aside"), height("one"), 1e-2);
}

TEST(PlotScript, ScalesAxesOfWhatIsNotReadable) {
  const auto label = [](double low, double high) {
    const std::string script = svg_script(with_curve({0, 1}, {low, high}));
    const std::size_t begin = script.find("'τ"), end = script.find('\'', begin + 1);
    return script.substr(begin + 1, end - begin - 1);
  };
  EXPECT_EQ(label(0, 0.001), "τ [N·m]");
  EXPECT_EQ(label(0, 0.00099), "τ [10⁻⁶ N·m]");
  EXPECT_EQ(label(-99999, 0), "τ [N·m]");
  EXPECT_EQ(label(-1e5, 0), "τ [10³ N·m]");
  EXPECT_EQ(label(0, 1e6), "τ [10⁶ N·m]");
  EXPECT_EQ(label(1e6, 1.0009e6), "τ [N·m]") << "only last digits differ";
  EXPECT_EQ(label(1e6, 1.0011e6), "τ [10⁶ N·m]");
  EXPECT_EQ(label(1e13, 1.0001e13), "τ [10¹² N·m]");
}

TEST(PlotScript, NamesCurvesWhereTheyEnd) {
  Figure figure = figure_of(1);
  figure.panels[0].limits = {};
  figure.panels[0].curves = {
      {"low", {0, 1}, {5, 0}}, {"high", {0, 1}, {0, 10}}, {"mean", {0, 1}, {0, 5}}};
  const std::string script = svg_script(figure);
  // The axis goes 6 % beyond the curves.
  EXPECT_NEAR(name_in(script, "low").first, 0.06 / 1.12, 1e-3);
  EXPECT_NEAR(name_in(script, "mean").first, 0.5, 1e-3);
  EXPECT_NEAR(name_in(script, "high").first, 1.06 / 1.12, 1e-3);
  EXPECT_EQ(name_in(script, "low").second, "#000000");
  EXPECT_NE(name_in(script, "mean").second, name_in(script, "high").second);
}

TEST(PlotScript, SpreadsNamesOfCurvesThatEndTogether) {
  constexpr double height = 360, row = 14 - 1e-3;
  for (const double end : {0.0, 0.5, 1.0}) {
    Figure figure = figure_of(1);
    figure.panels[0].curves = {{"whole", {0, 1}, {0, 1}}};
    for (const char* name : {"a", "b", "c", "d"}) {
      figure.panels[0].curves.push_back({name, {0, 1}, {0.5, end}});
    }
    const std::string script = svg_script(figure);
    std::vector<double> heights;
    for (const char* name : {"a", "b", "c", "d"}) {
      heights.push_back(height * name_in(script, name).first);
    }
    EXPECT_GE(heights[0], row / 2);
    EXPECT_LE(heights[3], height - row / 2);
    for (std::size_t i = 1; i < 4; ++i) EXPECT_GE(heights[i] - heights[i - 1], row) << end;
    if (end != 0.5) continue;
    EXPECT_NEAR(heights[1] + heights[2], height, 1.0) << "around their end";
  }
}

TEST(PlotScript, HasPanelsAsHighAsTheirNamesNeed) {
  Figure figure = figure_of(4);
  const auto height = [](const std::string& script) {
    std::smatch margins;
    const std::regex pattern(R"x(tmargin at screen (\S+)\nset bmargin at screen (\S+)\n)x");
    std::smatch size;
    const std::regex page(R"x( size [\d.]+,([\d.]+))x");
    if (!std::regex_search(script, margins, pattern)) return -1.0;
    if (!std::regex_search(script, size, page)) return -2.0;
    return (std::stod(margins[1]) - std::stod(margins[2])) * std::stod(size[1]);
  };
  EXPECT_NEAR(height(svg_script(figure)), 230, 0.1);
  for (int i = 0; i < 40; ++i) {
    figure.panels[1].curves.push_back({"joint " + std::to_string(i), {0, 1}, {0, 1}});
  }
  EXPECT_NEAR(height(svg_script(figure)), 42 * 14, 0.1);
}

TEST(PlotScript, GivesADrawingOneScale) {
  Figure figure = figure_of(1);
  figure.panels[0].is_drawing = true;
  figure.panels[0].limits.clear();
  for (const auto& [x, y] : {std::pair(0.1, 1.0), {2.0, 0.01}, {1e-5, 1e-7}, {1e-4, 1e7}}) {
    figure.panels[0].curves = {{"link", {0, x}, {0, y}}};
    const std::string script = svg_script(figure);
    std::smatch range;
    ASSERT_TRUE(std::regex_search(
        script, range, std::regex(R"x(xrange \[(\S+):(\S+)\]\nset yrange \[(\S+):(\S+)\])x")));
    const double width = std::stod(range[2]) - std::stod(range[1]);
    const double height = std::stod(range[4]) - std::stod(range[3]);
    EXPECT_NEAR(width / 720, height / 420, 1e-9 * width);
    std::smatch end;
    ASSERT_TRUE(std::regex_search(script, end, std::regex(R"x(\n0 0\n(\S+) (\S+)\nEND)x")));
    const double right = std::stod(end[1]), top = std::stod(end[2]);
    EXPECT_NEAR(right / top, x / y, 1e-9 * x / y);
    EXPECT_NEAR(std::stod(range[1]) + std::stod(range[2]), right, 1e-9 * width);  // in the middle
    EXPECT_NEAR(std::stod(range[3]) + std::stod(range[4]), top, 1e-9 * height);
  }
}

// The colors are those of Okabe and Ito (2008), which color-blind readers tell apart; printed in
// grey, each two curves differ in lightness, in dashes or in width.
TEST(PlotScript, TellsCurvesApartInColorAndInGrey) {
  struct Look {
    double grey, width;
    std::string dashes;
  };
  const std::set<std::string> okabe_ito{"000000", "e69f00", "56b4e9", "009e73",
                                        "f0e442", "0072b2", "d55e00", "cc79a7"};
  Figure figure = figure_of(1);
  for (int i = 0; i < 5; ++i) {
    figure.panels[0].curves.push_back({"more " + std::to_string(i), {0, 1}, {0, 1}});
  }
  const std::string script = svg_script(figure);
  const std::regex look(R"x(with lines lc rgb '#([0-9a-f]{6})' lw ([\d.]+) dt (\S+) notitle)x");
  std::vector<Look> looks;
  for (std::sregex_iterator it(script.begin(), script.end(), look), end; it != end; ++it) {
    const std::string color = (*it)[1];
    EXPECT_TRUE(okabe_ito.contains(color)) << color;
    const auto part = [&](std::size_t at) { return std::stoi(color.substr(at, 2), nullptr, 16); };
    looks.push_back({(0.2126 * part(0) + 0.7152 * part(2) + 0.0722 * part(4)) / 255.0,
                     std::stod((*it)[2]), (*it)[3]});
  }
  ASSERT_EQ(looks.size(), 7U);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      EXPECT_TRUE(looks[i].dashes != looks[k].dashes ||
                  std::abs(looks[i].grey - looks[k].grey) > 0.15 ||
                  std::abs(looks[i].width - looks[k].width) > 1.0)
          << i << " and " << k;
    }
  }
}

TEST(PlotScript, DrawsTheFirstCurveOverTheWideSecond) {
  const std::string script = svg_script(figure_of(1));
  const std::size_t plot = script.find("\nplot ");
  EXPECT_LT(script.find("$p0c1 using", plot), script.find("$p0c0 using", plot));
}

TEST(PlotScript, WritesLimitsWithFourDigits) {
  const auto note = [](std::vector<double> limits) {
    Figure figure = figure_of(1);
    figure.panels[0].limits = std::move(limits);
    const std::string script = svg_script(figure);
    const std::size_t start = script.find("'limit");
    return script.substr(start + 1, script.find('\'', start + 1) - start - 1);
  };
  EXPECT_EQ(note({-4000.5, 9e4}), "limits −4000 to 90000 N·m");
  EXPECT_EQ(note({-std::numbers::pi, std::numbers::pi}), "limit ±3.142 N·m");
  EXPECT_EQ(note({-0.00123456, 7e6}), "limits −0.001235 to 7·10⁶ N·m");
  EXPECT_EQ(note({12.345678}), "limit 12.35 N·m");
}

TEST(PlotScript, WritesAFarLimitAsANote) {
  const std::string script = svg_script(figure_of(1));
  EXPECT_TRUE(has(script, "'limit ±186 N·m'"));
  EXPECT_FALSE(has(script, "to graph 1, first"));
}

TEST(PlotScript, DrawsANearLimitAsALine) {
  Figure figure = figure_of(1);
  figure.panels[0].limits = {1.5, -40};
  const std::string script = svg_script(figure);
  EXPECT_TRUE(has(script, "from graph 0, first 1.5 to graph 1, first 1.5 "));
  EXPECT_FALSE(has(script, "first -40"));
  EXPECT_TRUE(has(script, "'limits −40 to 1.5 N·m'"));
}

TEST(PlotScript, DrawsLimitsWithinThreeQuartersOfTheRangeOfTheCurves) {
  Figure figure = with_curve({0, 1}, {0, 8});
  const auto near = [&figure](std::vector<double> limits) {
    figure.panels[0].limits = std::move(limits);
    return near_limits(figure, figure.panels[0]);
  };
  EXPECT_EQ(near({14, -6}), (std::vector<double>{14, -6}));
  EXPECT_EQ(near({14.01, -6}), std::vector<double>{-6});
  EXPECT_EQ(near({14, -6.01}), std::vector<double>{14});
  EXPECT_EQ(near({-1}), std::vector<double>{-1});
  EXPECT_EQ(near({}), std::vector<double>{});
}

TEST(PlotScript, NotesLimitsThatDifferOrAreAlone) {
  Panel panel;
  const auto note = [&panel](std::vector<double> limits, const std::string& unit = "N") {
    panel.limits = std::move(limits);
    panel.unit = unit;
    return limit_note(panel);
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(note({}), "");
  EXPECT_EQ(note({infinity, -infinity}), "");
  EXPECT_EQ(note({3, -infinity}), "limit 3 N");
  EXPECT_EQ(note({3, 3}, ""), "limit 3");
  EXPECT_EQ(note({3, -3}), "limit ±3 N");
  EXPECT_EQ(note({3, -2}), "limits −2 to 3 N");
  EXPECT_EQ(note({999.96, -1000.4}), "limits −1000 to 1000 N");
  EXPECT_EQ(note({123456, 12.3456}), "limits 12.35 to 123456 N");
  EXPECT_EQ(note({1e6, -1.5e-7}), "limits −1.5·10⁻⁷ to 1·10⁶ N");
}

TEST(PlotScript, DrawsAFarLimitThatIsExceededAllAlong) {
  const auto has_line = [](std::vector<double> limits, std::vector<double> y, int at) {
    Figure figure = with_curve({0, 1}, std::move(y));
    figure.panels[0].limits = std::move(limits);
    return has(svg_script(figure), fmt::format("to graph 1, first {} ", at));
  };
  EXPECT_TRUE(has_line({92, -92}, {140, 146}, 92));
  EXPECT_FALSE(has_line({92, -92}, {140, 146}, -92));
  EXPECT_TRUE(has_line({92, -92}, {-140, -146}, -92));
  EXPECT_TRUE(has_line({130}, {190, 200}, 130));
  EXPECT_FALSE(has_line({130}, {59, 60}, 130)) << "a single limit is an upper one";
}

TEST(PlotScript, QuotesTextSoThatNothingInItIsSpecial) {
  Figure figure = figure_of(1);
  figure.title = "it's `date` $HOME \"a_b\" {x}^2\n\xff @m \\n";
  const std::string script = svg_script(figure);
  EXPECT_TRUE(has(script, "\"it's \\140date\\140 $HOME \\042a_b\\042 {x}^2   @m \\134n\""));
}

TEST(PlotScript, LeavesAGapWhereAValueIsNotFinite) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string script = svg_script(with_curve({0, 1, 2, 3}, {1, nan, infinity, 2}));
  EXPECT_TRUE(has(script, "<< END\n0 1\n\n\n3 2\nEND\n"));
  EXPECT_FALSE(has(script, "nan\n"));
  EXPECT_FALSE(has(script, "inf"));
}

TEST(PlotScript, GivesFlatCurvesARange) {
  EXPECT_TRUE(has(svg_script(with_curve({0, 1}, {0, 0})), "set yrange [-1.12:1.12]"));
  EXPECT_TRUE(has(svg_script(with_curve({0, 1}, {10, 10})), "set yrange [8.88:11.12]"));
}

TEST(PlotScript, DrawsRoundingNoiseBesideRealTorquesAsZero) {
  Figure figure = figure_of(2);
  figure.panels[0].curves = {{"", {0, 1}, {1e-15, -2e-15}}};
  figure.panels[1].curves = {{"", {0, 1}, {40, -30}}};
  EXPECT_TRUE(has(svg_script(figure), "set yrange [-1.12:1.12]"));
  figure.panels.pop_back();
  EXPECT_TRUE(has(svg_script(figure), "τ [10⁻¹⁵ N·m]")) << "alone, it is what is to be seen";
}

TEST(PlotScript, ShowsExtremeNumbersByAPowerOfTen) {
  const std::string script = svg_script(with_curve({0, 1}, {0, 3e200}));
  EXPECT_TRUE(has(script, "'τ [10¹⁹⁸ N·m]'"));
  EXPECT_TRUE(has(script, "1 300\nEND"));
}

TEST(PlotScript, KeepsTheLastDigitsOfTheTimeOfDay) {
  const std::string script = svg_script(with_curve({1700000000.001, 1700000001}, {0, 1}));
  EXPECT_TRUE(has(script, "<< END\n1700000000.001 0\n1700000001 1\nEND\n"));
}

TEST(PlotScript, SaysWhereThereAreNoData) {
  EXPECT_EQ(count(svg_script(with_curve({}, {})), "'no data'"), 1U);
  EXPECT_EQ(count(svg_script(Figure{}), "'no data'"), 1U);
  EXPECT_FALSE(has(svg_script(figure_of(1)), "'no data'"));
}

TEST(PlotScript, PutsEighteenPanelsOnTwoPagesOfAPdf) {
  Figure figure = figure_of(18);
  figure.columns = 3;
  const std::string pdf = plot_script(figure, PlotFormat::pdf);
  EXPECT_EQ(count(pdf, "\nset multiplot\n"), 2U);
  EXPECT_EQ(count(pdf, "'t [s]'"), 6U);
  EXPECT_EQ(count(pdf, "'lift'"), 2U) << "a title on each page";
  EXPECT_EQ(count(svg_script(figure), "\nset multiplot\n"), 1U);
  figure.panels.resize(12);
  EXPECT_EQ(count(plot_script(figure, PlotFormat::pdf), "\nset multiplot\n"), 1U);
}

TEST(PlotScript, ChoosesTheTerminal) {
  const Figure figure = figure_of(1);
  EXPECT_TRUE(has(plot_script(figure, PlotFormat::svg), "set terminal svg "));
  EXPECT_TRUE(has(plot_script(figure, PlotFormat::png), "set terminal pngcairo "));
  EXPECT_TRUE(has(plot_script(figure, PlotFormat::png), "set terminal png "));
  EXPECT_TRUE(has(plot_script(figure, PlotFormat::pdf), "set terminal pdfcairo "));
}

TEST(PlotTarget, MustEndInAKnownWay) {
  for (const char* path : {"out.jpg", "out", "out.svg.gz", ".svg", ""}) {
    const std::string message = refusal_of_plot([path] { check_plot_target(path); });
    EXPECT_TRUE(has(message, "must end in .svg, .png or .pdf")) << message;
  }
  EXPECT_TRUE(has(refusal_of_plot([] { check_plot_target("a.jpg"); }), "'a.jpg'"));
}

// ---- with gnuplot, or with what passes for it ----

class PlotFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "armdyn-plot-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    const char* path = std::getenv("PATH");
    old_path_ = path != nullptr ? path : "";
  }
  void TearDown() override {
    setenv("PATH", old_path_.c_str(), 1);
    fs::remove_all(folder_);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  // A shell script in the place of gnuplot, for what the real one does only in bad luck.
  void pretend_gnuplot(const std::string& body) const {
    fs::create_directory(folder_ / "bin");
    const std::string program = file("bin/gnuplot");
    std::ofstream(program) << "#!/bin/sh\n" << body;
    chmod(program.c_str(), 0755);
    setenv("PATH", (file("bin") + ":" + old_path_).c_str(), 1);
  }

  // Every name in the folder but bin.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      if (entry.path().filename() != "bin") names.push_back(entry.path().filename().string());
    }
    return names;
  }

  fs::path folder_;
  std::string old_path_;
};

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_figure(const Figure& figure, const std::string& path) {
  OutputFile output(path);
  write_figure(figure, output);
  output.commit();
}

#define SKIP_WITHOUT_GNUPLOT() \
  if (!gnuplot_is_installed()) GTEST_SKIP() << "SKIPPED: gnuplot is not installed"

TEST_F(PlotFile, IsWrittenInEachFormat) {
  SKIP_WITHOUT_GNUPLOT();
  const std::vector<std::pair<std::string, std::string>> starts{
      {"a.svg", "<?xml"}, {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}, {"A.SVG", "<?xml"}};
  for (const auto& [name, start] : starts) {
    write_figure(figure_of(7), file(name));
    EXPECT_EQ(content(file(name)).rfind(start, 0), 0U) << name;
  }
  EXPECT_EQ(files().size(), starts.size()) << "no temporaries";
}

TEST_F(PlotFile, ShowsTextLiterally) {
  SKIP_WITHOUT_GNUPLOT();
  Figure figure = figure_of(2);
  figure.title = "a_b^2 {x} it's `date` @m \\n 100 %d τ N·m 关节";
  write_figure(figure, file("a.svg"));
  EXPECT_TRUE(has(content(file("a.svg")), ">" + figure.title + "<"));
  write_figure(figure, file("a.png"));
}

TEST_F(PlotFile, CutsNoTextAndLetsNoneLieOnAnother) {
  SKIP_WITHOUT_GNUPLOT();
  Figure many = figure_of(1), narrow = figure_of(2), drawing = figure_of(2);
  many.subtitle = "a subtitle";
  for (const char* label : {"inertia", "velocity", "gravity", "friction", "rotor", "wrench"}) {
    many.panels[0].curves.push_back({label, {0, 1}, {0, 1}});
  }
  Figure crowded = many;
  for (int i = 0; i < 20; ++i) {
    crowded.panels[0].curves.push_back({"joint " + std::to_string(i), {0, 1}, {0, 1.0 * i}});
  }
  narrow.panels[0].curves = {{"resting", {0, 1}, {-3.445712, -3.445718}}};
  narrow.panels[1].curves = {{"of the day", {0, 1}, {1700000001, 1700000002}}};
  for (Panel& panel : drawing.panels) {
    panel.is_drawing = true;
    panel.curves = {{"link", {0, 0.05}, {0, 1}}};
    panel.notes = {{0.02, 0.5, "a 0.05"}, {0.021, 0.501, "d 1"}, {0.02, 0.5, "a 0.05"}};
  }
  for (const Figure& figure :
       {many, crowded, narrow, drawing, figure_of(1), figure_of(2), figure_of(6), figure_of(18)}) {
    write_figure(figure, file("a.svg"));
    const std::string svg = content(file("a.svg"));
    EXPECT_EQ(testing::hard_to_read(svg), "");
    EXPECT_GT(testing::texts_of(svg).size(), 10U);
  }
}

TEST_F(PlotFile, DrawsWhatIsOddWithoutAWordFromGnuplot) {
  SKIP_WITHOUT_GNUPLOT();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Figure> figures{
      Figure{},
      with_curve({}, {}),
      with_curve({1}, {2}),
      with_curve({1, 1}, {2, 3}),
      with_curve({0, 1}, {nan, nan}),
      with_curve({0, 1, 2}, {0, 0, 0}),
      with_curve({0, 1}, {-1e308, 1e308}),
      with_curve({0, 1e-300}, {1e-320, 2e-300}),
      with_curve({1e300, 2e300}, {1e6, 1e6 + 1e-3}),
      figure_of(12),
  };
  for (const Figure& figure : figures) {
    const std::string script = svg_script(figure);
    EXPECT_TRUE(has(run_gnuplot(script, "</svg>"), "<svg"));
    // What gnuplot says is seen only when it fails.
    const std::string said =
        refusal_of_plot([&] { return run_gnuplot(script + "exit status 9", "x"); });
    EXPECT_EQ(said, "--plot: gnuplot failed (exit status 9)");
  }
}

TEST_F(PlotFile, NeedsNoLocaleOfTheUser) {
  SKIP_WITHOUT_GNUPLOT();
  const char* const before = std::getenv("LC_ALL");
  const std::string old = before == nullptr ? "" : before;  // "" counts as not set
  setenv("LC_ALL", "C", 1);
  const std::string script = svg_script(figure_of(1)) + "exit status 9";
  EXPECT_EQ(refusal_of_plot([&] { (void)run_gnuplot(script, "x"); }),
            "--plot: gnuplot failed (exit status 9)");
  setenv("LC_ALL", old.c_str(), 1);
}

TEST_F(PlotFile, ReplacesAnOldPictureButNotOnFailure) {
  SKIP_WITHOUT_GNUPLOT();
  std::ofstream(file("a.svg")) << "old";
  pretend_gnuplot("cat >/dev/null; echo half; echo 'no good' >&2; exit 3\n");
  const std::string message =
      refusal_of_plot([this] { write_figure(figure_of(1), file("a.svg")); });
  EXPECT_EQ(message, "--plot: gnuplot failed (exit status 3): no good");
  EXPECT_EQ(content(file("a.svg")), "old");
  EXPECT_EQ(files().size(), 1U);

  setenv("PATH", old_path_.c_str(), 1);
  write_figure(figure_of(1), file("a.svg"));
  EXPECT_TRUE(has(content(file("a.svg")), "</svg>"));
}

TEST_F(PlotFile, IsRefusedWhenGnuplotStopsHalfway) {
  pretend_gnuplot("cat >/dev/null; echo '<svg>'\n");
  EXPECT_TRUE(
      has(refusal_of_plot([this] { write_figure(figure_of(1), file("a.svg")); }), "incomplete"));
  pretend_gnuplot("cat >/dev/null; kill -9 $$\n");
  EXPECT_TRUE(
      has(refusal_of_plot([this] { write_figure(figure_of(1), file("a.svg")); }), "signal 9"));
  EXPECT_TRUE(files().empty());
}

TEST_F(PlotFile, SurvivesAGnuplotThatDoesNotListen) {
  std::signal(SIGPIPE, SIG_DFL);
  pretend_gnuplot(
      "exec <&-; i=0; while [ $i -lt 20000 ]; do echo complaint >&2; i=$((i+1)); done;"
      "exit 1\n");
  Figure figure = figure_of(1);
  for (int i = 0; i < 200000; ++i) {
    figure.panels[0].curves[0].x.push_back(i);
    figure.panels[0].curves[0].y.push_back(std::sin(i));
  }
  const std::string message = refusal_of_plot([&] { write_figure(figure, file("a.svg")); });
  EXPECT_TRUE(has(message, "complaint"));
  EXPECT_LT(message.size(), 1000U);
}

TEST_F(PlotFile, NeedsGnuplot) {
  setenv("PATH", file("nothing").c_str(), 1);
  EXPECT_FALSE(gnuplot_is_installed());
  EXPECT_THROW(check_plot_target(file("a.svg")), FileError);
  EXPECT_EQ(
      refusal_of_plot([this] { check_plot_target(file("a.svg")); }),
      "gnuplot is needed for --plot; install it (apt install gnuplot-nox, dnf install gnuplot, "
      "pacman -S gnuplot) or leave --plot "
      "out");
}

TEST_F(PlotFile, NeedsAFolder) {
  pretend_gnuplot("exit 1\n");
  EXPECT_TRUE(has(refusal_of_plot([this] { write_figure(figure_of(1), file("missing/a.svg")); }),
                  "there is no folder " + file("missing")));
  fs::create_directory(folder_ / "b.svg");
  EXPECT_THROW(write_figure(figure_of(1), file("b.svg")), FileError);
}

TEST_F(PlotFile, ReplacesCharactersThatNoFontHas) {
  fs::create_directory(folder_ / "bin");
  const std::string program = file("bin/fc-list");
  std::ofstream(program) << "#!/bin/sh\ncase \"$2\" in *5173*) exit 1;; esac\n";
  chmod(program.c_str(), 0755);
  setenv("PATH", (file("bin") + ":" + old_path_).c_str(), 1);
  EXPECT_EQ(without_missing_glyphs("a τ 关 b"), "a τ ? b");
  EXPECT_EQ(without_missing_glyphs("a τ"), "a τ");
  std::ofstream(program) << "#!/bin/sh\nexit 127\n";
  EXPECT_EQ(without_missing_glyphs("关"), "关") << "unknown: left as it is";
}

// A folder in which somebody has put a gnuplot is not one of PATH by an empty entry, or as "." .
TEST(Gnuplot, OfThePresentFolderIsNotRun) {
  const fs::path before = fs::current_path();
  const std::string path = std::getenv("PATH");
  const fs::path folder = fs::temp_directory_path() / ("armdyn-path-" + std::to_string(getpid()));
  fs::create_directories(folder / "below");
  fs::current_path(folder);
  for (const char* const place : {"gnuplot", "below/gnuplot"}) {
    std::ofstream(place) << "#!/bin/sh\ntouch was_run\n";
    fs::permissions(place, fs::perms::owner_all);
  }
  for (const char* const entries :
       {"", ":/none", "/none:", "/none::/other", ".", "below", "./below"}) {
    setenv("PATH", entries, 1);
    EXPECT_FALSE(gnuplot_is_installed()) << entries;
    EXPECT_THROW(static_cast<void>(run_gnuplot("", "")), FileError) << entries;
  }
  EXPECT_FALSE(fs::exists("was_run"));
  setenv("PATH", (folder / "below").c_str(), 1);
  EXPECT_TRUE(gnuplot_is_installed());
  setenv("PATH", path.c_str(), 1);
  fs::current_path(before);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace armdyn

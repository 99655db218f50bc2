#include "io/plot.hpp"

#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/gnuplot.hpp"
#include "io/output_file.hpp"

namespace armdyn {

namespace {

// ---- text ----

double char_width(const CodePoint& point, double font) {
  const bool symbol = point.code >= 0x2000 && point.code < 0x2e80;
  const bool square = point.code >= 0x1100 && !symbol;  // Chinese, Japanese, Korean
  return (square ? 1.0 : 0.6) * font;
}

double text_width(std::string_view text, double font) {
  double width = 0;
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    width += char_width(point, font);
    text.remove_prefix(point.length);
  }
  return width;
}

std::string fitted(std::string_view text, double font, double room) {
  if (text_width(text, font) <= room) return std::string(text);
  std::size_t kept = 0;
  double width = font;  // of the ellipsis
  while (kept < text.size()) {
    const CodePoint point = first_code_point(text.substr(kept));
    width += char_width(point, font);
    if (width > room) break;
    kept += point.length;
  }
  return std::string(text.substr(0, kept)) + "…";
}

std::string to_text(double value, std::chars_format format, int precision) {
  std::array<char, 64> buffer{};
  const auto result =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value + 0.0, format, precision);
  return {buffer.data(), result.ptr};
}

std::string script_number(double value) {
  return to_text(value, std::chars_format::general, 15);
}

std::string with_minus_sign(std::string text) {
  for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) {
    text.replace(at, 1, "−");
  }
  return text;
}

std::string superscript(int number) {
  static constexpr std::array<const char*, 10> digits{"⁰", "¹", "²", "³", "⁴",
                                                      "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string result;
  for (const char c : std::to_string(number)) {
    result += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return result;
}

// 186 or 4·10⁶
std::string written(double value) {
  const std::string text = to_text(value, std::chars_format::general, 6);
  const std::size_t e = text.find('e');
  const std::string mantissa = with_minus_sign(text.substr(0, e));
  if (e == std::string::npos) return mantissa;
  return mantissa + "·10" + superscript(std::atoi(text.c_str() + e + 1));
}

// ---- axes ----

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  double span() const { return high - low; }
  double largest() const { return empty() ? 0 : std::max(std::abs(low), std::abs(high)); }
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

struct Tick {
  double at;
  std::string text;
};

// All that reaches gnuplot is divided by 10^exponent, so that it never meets extreme numbers.
struct Axis {
  Range range;
  int exponent = 0;
  std::vector<Tick> ticks;

  double scaled(double value) const { return value / std::pow(10.0, exponent); }
  double fraction(double value) const { return (value - range.low) / range.span(); }
  double widest_tick(double font) const {
    double width = 0;
    for (const Tick& tick : ticks) width = std::max(width, text_width(tick.text, font));
    return width;
  }
};

// A power of a thousand; none for numbers that are easily read as they are, and none where they
// differ in their last digits only, as in 1700000002.
int readable_exponent(const Range& range) {
  const double largest = range.largest();
  if (!(largest > 0) || (largest >= 1e-3 && largest < 1e5)) return 0;
  const bool last_digits = range.span() < 1e-3 * largest && range.span() >= 1e-3;
  if (last_digits && largest < 1e12) return 0;
  return std::clamp(3 * static_cast<int>(std::floor(std::log10(largest) / 3)), -300, 306);
}

std::vector<Tick> make_ticks(const Range& range, double about) {
  const double rough = range.span() / about;
  const double power = std::floor(std::log10(rough));
  const double lead = rough / std::pow(10.0, power);
  const double factor = lead < 1.41 ? 1 : lead < 3.16 ? 2 : lead < 7.07 ? 5 : 10;
  const double step = factor * std::pow(10.0, power);
  const int decimals = std::clamp(-static_cast<int>(power) - (factor == 10 ? 1 : 0), 0, 12);
  std::vector<Tick> ticks;
  for (double k = std::ceil(range.low / step - 1e-6); k <= range.high / step + 1e-6; k += 1) {
    const double at = k * step;
    ticks.push_back({at, with_minus_sign(to_text(at, std::chars_format::fixed, decimals))});
  }
  return ticks;
}

Range scaled_range(const Range& range, const Axis& axis) {
  return {axis.scaled(range.low), axis.scaled(range.high)};
}

std::string axis_text(const std::string& label, const std::string& unit, int exponent) {
  const std::string factor = exponent == 0 ? "" : "10" + superscript(exponent);
  const std::string gap = factor.empty() || unit.empty() ? "" : " ";
  const std::string scale = factor + gap + unit;
  if (scale.empty()) return label;
  return label + (label.empty() ? "[" : " [") + scale + "]";
}

bool can_be_drawn(double value) {
  return std::abs(value) <= 1e305;
}

template <class Use>
void for_each_point(const Curve& curve, Use use) {
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (can_be_drawn(curve.x[i]) && can_be_drawn(curve.y[i])) use(curve.x[i], curve.y[i]);
  }
}

Range y_range(const Panel& panel) {
  Range range;
  for (const Curve& curve : panel.curves) {
    for_each_point(curve, [&range](double, double y) { range.include(y); });
  }
  return range;
}

// What the other panels of the same quantity reach: a measure of what counts as nothing.
double largest_beside(const Figure& figure, const Panel& panel) {
  double largest = 0;
  for (const Panel& other : figure.panels) {
    if (other.y_label == panel.y_label && other.unit == panel.unit) {
      largest = std::max(largest, y_range(other).largest());
    }
  }
  return largest;
}

Range widened_if_flat(const Range& range, double beside) {
  constexpr double noise = 1e-10;
  constexpr double flat = 1e-6;
  const double largest = range.largest();
  if (largest <= noise * beside || largest < 1e-300) {
    const double half = beside >= 1e-300 ? std::min(1.0, beside) : 1.0;
    return {-half, half};
  }
  if (range.span() > flat * largest) return range;
  return {range.low - 0.1 * largest, range.high + 0.1 * largest};
}

bool within_reach(double limit, const Range& curves) {
  const double reach = 0.75 * curves.span();
  return limit >= curves.low - reach && limit <= curves.high + reach;
}

// ---- look ----

struct Style {
  const char* colour;
  double width;
  const char* dashes;
  int layer;  // lower ones are drawn first
};

constexpr std::array<Style, 8> styles{{
    {"#000000", 1.5, "solid", 1},
    {"#a6a6a6", 3.6, "solid", 0},
    {"#000000", 1.6, "(7,4)", 2},
    {"#6e6e6e", 1.8, "solid", 1},
    {"#404040", 2.0, "(1.5,2.5)", 2},
    {"#808080", 2.2, "(9,3,2,3)", 2},
    {"#bdbdbd", 3.0, "(5,2.5)", 0},
    {"#595959", 1.8, "(9,3,2,3,2,3)", 2},
}};

const Style& style_of(std::size_t number) {
  return styles[number % styles.size()];
}

std::string line_look(const Style& style) {
  return std::string("lc rgb '") + style.colour + "' lw " + script_number(style.width) + " dt " +
         style.dashes;
}

std::string point_look(const Style& style, const std::string& size) {
  return "pt 7 ps " + size + " lc rgb '" + style.colour + "'";
}

// Lengths are pixels of the SVG; the PNG has two by two pixels for each, the PDF 96 to the inch.
constexpr double tick_font = 12;
constexpr double label_font = 13;
constexpr double panel_font = 14;
constexpr double title_font = 17;
constexpr double note_font = 11.5;
constexpr double edge = 14;
constexpr double strip = 28;  // above a panel, for its title
constexpr double title_row = 30;
constexpr double legend_row = 22;
constexpr double legend_sample = 34;
constexpr double tick_row = 26;  // tick labels below a panel
constexpr double label_row = 20;
constexpr double column_gap = 18;
constexpr double note_height = 16;

struct Box {
  double left, bottom, right, top;
  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

struct PanelView {
  const Panel* panel;
  Box box;
  Axis y;
  std::vector<LimitLine> lines;  // within reach, scaled
  std::string note;              // about the others
  bool lowest = false;           // of its column
};

struct LegendEntry {
  std::string label;
  std::size_t style;
  Drawing drawing;
  double left;  // from the first panel's left edge
  std::size_t row;
};

double panel_height(std::size_t rows) {
  static constexpr std::array<double, 5> heights{0, 360, 230, 185, 165};
  return rows < heights.size() ? heights[rows] : 150;
}

std::string limit_text(const LimitLine& limit, const std::string& unit, const char* sign = "") {
  const std::string number = written(limit.value);
  std::string text = limit.label + (limit.label.empty() ? "" : " ") + sign + number;
  return unit.empty() ? text : text + " " + unit;
}

// limit ±186 N·m for a pair, else one after another.
std::string note_on(std::vector<LimitLine> limits, const std::string& unit) {
  std::string note;
  while (!limits.empty()) {
    LimitLine limit = limits.front();
    limits.erase(limits.begin());
    const auto mirrored = std::find_if(limits.begin(), limits.end(), [&](const LimitLine& other) {
      return other.label == limit.label && other.value == -limit.value && limit.value != 0;
    });
    const char* sign = "";
    if (mirrored != limits.end()) {
      limits.erase(mirrored);
      limit.value = std::abs(limit.value);
      sign = "±";
    }
    note += (note.empty() ? "" : ", ") + limit_text(limit, unit, sign);
  }
  return note;
}

// The text of a limit stands on the side of its line that is away from the middle.
bool text_is_above(const LimitLine& line, const Range& range) {
  return line.value >= range.low + range.span() / 2;
}

Range with_margins(const Range& range, const std::vector<LimitLine>& lines, double height) {
  const double margin = range.span() * 0.06;
  const double text_margin = range.span() * 1.4 * note_height / height;
  Range wide{range.low - margin, range.high + margin};
  for (const LimitLine& line : lines) {
    wide.include(line.value + (text_is_above(line, range) ? text_margin : -text_margin));
  }
  return wide;
}

// ---- layout ----

class Sheet {
 public:
  Sheet(const Figure& figure, PlotFormat format);

  std::string script() const;

 private:
  void number_the_styles();
  void view_panels();
  void measure_y(PanelView& view) const;
  void measure_x();
  void place_legend();
  void place_panels();

  std::size_t style_number(const Panel& panel, std::size_t curve) const;
  std::string panel_title(const Panel& panel) const;

  std::string position(double x, double y) const;
  std::string label(const std::string& text, double x, double y, double font, const char* colour,
                    const std::string& how) const;
  std::string font(double size) const;
  std::string terminal_script() const;
  std::string legend_sample_script(const LegendEntry& entry, double x, double y) const;
  std::string header_script() const;
  std::string data_script() const;
  std::string panel_script(std::size_t number) const;
  std::string axes_script(const PanelView& view) const;
  std::string texts_script(const PanelView& view) const;
  std::string limits_script(const PanelView& view) const;
  std::string curves_script(std::size_t number) const;
  double free_place_for(const PanelView& view, double value, double text_width, bool above) const;

  const Figure& figure_;
  PlotFormat format_;
  std::size_t columns_;
  std::size_t rows_;
  double panel_width_;
  double panel_height_;
  double left_room_ = 0;  // y label and tick labels
  double header_ = 0;
  double width_ = 0;
  double height_ = 0;
  bool titles_tell_labels_ = false;
  std::map<std::string, std::size_t> style_numbers_;
  std::vector<const Curve*> labels_;  // the first curve with each
  std::vector<LegendEntry> legend_;
  std::size_t legend_rows_ = 0;
  std::vector<PanelView> views_;
  Axis x_;
};

Sheet::Sheet(const Figure& figure, PlotFormat format)
    : figure_(figure),
      format_(format),
      columns_(figure.panels.size() > 3 ? 2 : 1),
      rows_((figure.panels.size() + columns_ - 1) / columns_),
      panel_width_(columns_ == 1 ? 720 : 400),
      panel_height_(panel_height(rows_)) {
  number_the_styles();
  view_panels();
  measure_x();
  place_legend();
  place_panels();
}

void Sheet::number_the_styles() {
  bool single = true;
  for (const Panel& panel : figure_.panels) {
    single = single && panel.curves.size() <= 1;
    for (const Curve& curve : panel.curves) {
      if (curve.label.empty()) continue;
      if (style_numbers_.emplace(curve.label, labels_.size()).second) {
        labels_.push_back(&curve);
      }
    }
  }
  titles_tell_labels_ = single && labels_.size() > 1;
}

std::size_t Sheet::style_number(const Panel& panel, std::size_t curve) const {
  if (titles_tell_labels_) return 0;
  const auto found = style_numbers_.find(panel.curves[curve].label);
  return found != style_numbers_.end() ? found->second : curve;
}

std::string Sheet::panel_title(const Panel& panel) const {
  if (!titles_tell_labels_ || panel.curves.empty()) return panel.title;
  const std::string& label = panel.curves.front().label;
  return panel.title.empty() || label.empty() ? panel.title + label : panel.title + " · " + label;
}

void Sheet::view_panels() {
  for (const Panel& panel : figure_.panels) {
    PanelView view;
    view.panel = &panel;
    measure_y(view);
    left_room_ = std::max(left_room_, view.y.widest_tick(tick_font));
    views_.push_back(std::move(view));
  }
  left_room_ = std::min(left_room_, 120.0) + label_row + 14;
}

void Sheet::measure_y(PanelView& view) const {
  const Panel& panel = *view.panel;
  const Range plain = widened_if_flat(y_range(panel), largest_beside(figure_, panel));
  view.y.exponent = readable_exponent(plain);
  const Range curves = scaled_range(plain, view.y);
  Range range = curves;
  std::vector<LimitLine> far;
  for (const LimitLine& limit : panel.limits) {
    if (!std::isfinite(limit.value)) continue;
    const double at = view.y.scaled(limit.value);
    if (!within_reach(at, curves)) {
      far.push_back(limit);
      continue;
    }
    view.lines.push_back({at, limit_text(limit, panel.unit)});
    range.include(at);
  }
  view.note = note_on(std::move(far), panel.unit);
  view.y.range = with_margins(range, view.lines, panel_height_);
  view.y.ticks = make_ticks(view.y.range, std::max(3.6, panel_height_ / 45));
}

void Sheet::measure_x() {
  Range range;
  for (const Panel& panel : figure_.panels) {
    for (const Curve& curve : panel.curves) {
      for_each_point(curve, [&range](double x, double) { range.include(x); });
    }
  }
  if (range.empty()) range = {0, 1};
  if (!(range.span() > 1e-12 * range.largest())) {
    const double half = std::max(0.5, 1e-3 * range.largest());
    range = {range.low - half, range.high + half};
  }
  x_.exponent = readable_exponent(range);
  x_.range = scaled_range(range, x_);
  for (double about = panel_width_ / 60; about > 1; about -= 1) {
    x_.ticks = make_ticks(x_.range, about);
    const double needed = x_.widest_tick(tick_font) + 16;
    if (needed * static_cast<double>(x_.ticks.size()) < panel_width_) break;
  }
}

void Sheet::place_legend() {
  if (labels_.empty() || titles_tell_labels_) return;
  const auto columns = static_cast<double>(columns_);
  const double room = columns * panel_width_ + (columns - 1) * (left_room_ + column_gap);
  double left = 0;
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const std::string text = fitted(labels_[i]->label, label_font, room - legend_sample - 8);
    const double width = legend_sample + 8 + text_width(text, label_font);
    if (left > 0 && left + width > room) {
      left = 0;
      ++legend_rows_;
    }
    legend_.push_back({text, i, labels_[i]->drawing, left, legend_rows_});
    left += width + 26;
  }
  ++legend_rows_;
}

void Sheet::place_panels() {
  const auto columns = static_cast<double>(columns_);
  const auto rows = static_cast<double>(rows_);
  const double legend = static_cast<double>(legend_rows_) * legend_row;
  header_ = (figure_.title.empty() ? 4 : title_row + 4) + legend;
  const double column = left_room_ + panel_width_ + column_gap;
  const double row = strip + panel_height_ + 8;
  const double last_tick = x_.widest_tick(tick_font) / 2 + 4;
  width_ = std::round(columns * column - column_gap + std::max(column_gap + edge, last_tick));
  height_ = std::round(header_ + rows * row + tick_row + label_row + 4);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const double left = static_cast<double>(i % columns_) * column + left_room_;
    const double top = height_ - header_ - static_cast<double>(i / columns_) * row - strip;
    views_[i].box = {left, top - panel_height_, left + panel_width_, top};
    views_[i].lowest = i + columns_ >= views_.size();
  }
}

// ---- script ----

std::string Sheet::position(double x, double y) const {
  return script_number(x / width_) + "," + script_number(y / height_);
}

std::string Sheet::font(double size) const {
  switch (format_) {
    case PlotFormat::svg:
      return "font 'sans-serif," + script_number(size) + "'";
    case PlotFormat::png:  // whose points are 4/3 pixels
      return "font 'Sans," + script_number(size * 0.75) + "'";
    case PlotFormat::pdf:  // whose points are 4/3 points
      return "font 'Sans," + script_number(size * 0.75 * 0.75) + "'";
  }
  return {};
}

std::string Sheet::label(const std::string& text, double x, double y, double size,
                         const char* colour, const std::string& how) const {
  return "set label " + gnuplot_literal(text) + " at screen " + position(x, y) + " " + how + " " +
         font(size) + " tc rgb '" + colour + "' noenhanced\n";
}

std::string Sheet::terminal_script() const {
  const auto size = [this](double factor, const char* unit) {
    return " size " + script_number(width_ * factor) + unit + "," +
           script_number(height_ * factor) + unit;
  };
  const std::string common = " noenhanced background '#ffffff' " + font(tick_font);
  switch (format_) {
    case PlotFormat::svg:
      return "set terminal svg" + common + size(1, "") + "\n";
    case PlotFormat::png: {
      const std::string twice = size(2, "") + " fontscale 2 linewidth 2";
      return "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {\n  set terminal pngcairo" + common +
             twice + " pointscale 2\n} else {\n  set terminal png truecolor" + common + twice +
             "\n}\n";
    }
    case PlotFormat::pdf:
      return "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') == 0) {\n"
             "  exit error 'this gnuplot cannot draw PDF files; use .svg or .png'\n}\n"
             "set terminal pdfcairo" +
             common + size(1.0 / 96, "in") + " fontscale 1 linewidth 1\n";
  }
  return {};
}

std::string Sheet::legend_sample_script(const LegendEntry& entry, double x, double y) const {
  const Style& style = style_of(entry.style);
  if (entry.drawing == Drawing::points) {
    return "set label '' at screen " + position(x + legend_sample / 2, y) + " point " +
           point_look(style, "0.5") + "\n";
  }
  return "set arrow from screen " + position(x, y) + " to screen " +
         position(x + legend_sample, y) + " nohead " + line_look(style) + "\n";
}

std::string Sheet::header_script() const {
  std::string script;
  const double left = left_room_;
  if (!figure_.title.empty()) {
    const std::string text = fitted(figure_.title, title_font, width_ - left - edge);
    script += label(text, left, height_ - title_row / 2 - 4, title_font, "#000000", "left");
  }
  const double legend_top = height_ - (figure_.title.empty() ? 4 : title_row + 4);
  for (const LegendEntry& entry : legend_) {
    const double x = left + entry.left;
    const double y = legend_top - (static_cast<double>(entry.row) + 0.5) * legend_row;
    script += legend_sample_script(entry, x, y);
    script += label(entry.label, x + legend_sample + 8, y, label_font, "#000000", "left");
  }
  return script;
}

std::string block_name(std::size_t panel, std::size_t curve) {
  return "$p" + std::to_string(panel) + "c" + std::to_string(curve);
}

std::string data_block(const std::string& name, const Curve& curve, const Axis& x, const Axis& y) {
  std::string block = name + " << END\n";
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (can_be_drawn(curve.x[i]) && can_be_drawn(curve.y[i])) {
      block += script_number(x.scaled(curve.x[i])) + " " + script_number(y.scaled(curve.y[i]));
    }
    block += '\n';  // an empty line is a gap
  }
  return block + "END\n";
}

std::size_t point_count(const Curve& curve) {
  std::size_t count = 0;
  for_each_point(curve, [&count](double, double) { ++count; });
  return count;
}

std::string Sheet::data_script() const {
  std::string script;
  for (std::size_t p = 0; p < views_.size(); ++p) {
    const auto& curves = views_[p].panel->curves;
    for (std::size_t c = 0; c < curves.size(); ++c) {
      if (point_count(curves[c]) == 0) continue;
      script += data_block(block_name(p, c), curves[c], x_, views_[p].y);
    }
  }
  return script;
}

std::string tick_list(const std::vector<Tick>& ticks, bool with_text) {
  std::string list;
  for (const Tick& tick : ticks) {
    list += (list.empty() ? "" : ", ") + gnuplot_literal(with_text ? tick.text : "") + " " +
            script_number(tick.at);
  }
  return "(" + list + ") nomirror";
}

std::string Sheet::axes_script(const PanelView& view) const {
  const auto range = [](const Range& r) {
    return "[" + script_number(r.low) + ":" + script_number(r.high) + "]\n";
  };
  const std::string look =
      " scale 0.5 noenhanced " + font(tick_font) + " textcolor rgb '#303030'\n";
  std::string script;
  script += "set lmargin at screen " + script_number(view.box.left / width_) + "\n";
  script += "set rmargin at screen " + script_number(view.box.right / width_) + "\n";
  script += "set bmargin at screen " + script_number(view.box.bottom / height_) + "\n";
  script += "set tmargin at screen " + script_number(view.box.top / height_) + "\n";
  script += "set xrange " + range(x_.range) + "set yrange " + range(view.y.range);
  const char* raised = format_ == PlotFormat::svg ? " offset 0,0.4" : "";  // else it sits lower
  script += "set xtics " + tick_list(x_.ticks, view.lowest) + raised + look;
  script += "set ytics " + tick_list(view.y.ticks, true) + look;
  return script;
}

std::string Sheet::texts_script(const PanelView& view) const {
  const Panel& panel = *view.panel;
  const Box& box = view.box;
  const std::string note = fitted(view.note, note_font, box.width() * 0.65);
  const double note_room = note.empty() ? 0 : text_width(note, note_font) + 14;
  const std::string title = fitted(panel_title(panel), panel_font, box.width() - note_room);
  const std::string y_text =
      fitted(axis_text(panel.y_label, panel.unit, view.y.exponent), label_font, box.height() + 30);
  std::string script = label(title, box.left, box.top + 12, panel_font, "#000000", "left");
  if (!note.empty()) {
    script += label(note, box.right, box.top + 11, note_font, "#505050", "right");
  }
  script += label(y_text, box.left - left_room_ + label_row / 2 + 4, (box.bottom + box.top) / 2,
                  label_font, "#000000", "center rotate by 90");
  if (view.lowest) {
    const std::string x_text =
        fitted(axis_text(figure_.x_label, figure_.x_unit, x_.exponent), label_font, box.width());
    script += label(x_text, (box.left + box.right) / 2, box.bottom - tick_row - label_row / 2 + 2,
                    label_font, "#000000", "center");
  }
  return script;
}

struct Point {
  double x, y;
};

bool crosses(const Box& box, Point a, Point b) {
  if (b.x < a.x) std::swap(a, b);
  if (b.x < box.left || a.x > box.right) return false;
  const double slope = b.x > a.x ? (b.y - a.y) / (b.x - a.x) : 0;
  const double y_in = a.x < box.left ? a.y + slope * (box.left - a.x) : a.y;
  const double y_out = b.x > box.right ? b.y - slope * (b.x - box.right) : b.y;
  return std::max(y_in, y_out) >= box.bottom && std::min(y_in, y_out) <= box.top;
}

// The left edge for a text beside a limit line where it is in the way of the curves least.
double Sheet::free_place_for(const PanelView& view, double value, double width, bool above) const {
  const double height = note_height / view.box.height();
  const double bottom = view.y.fraction(value) - (above ? 0 : height);
  const double share = width / view.box.width();
  const std::array places{0.99 - share, 0.01, 0.5 - share / 2, 0.75 - share / 2, 0.25 - share / 2};
  std::array<std::size_t, places.size()> covered{};
  for (const Curve& curve : view.panel->curves) {
    std::optional<Point> before;
    for_each_point(curve, [&](double x, double y) {
      const Point point{x_.fraction(x_.scaled(x)), view.y.fraction(view.y.scaled(y))};
      for (std::size_t i = 0; i < places.size(); ++i) {
        const Box box{places[i], bottom, places[i] + share, bottom + height};
        if (crosses(box, before.value_or(point), point)) ++covered[i];
      }
      before = point;
    });
  }
  const auto best = std::min_element(covered.begin(), covered.end()) - covered.begin();
  return view.box.left + places[static_cast<std::size_t>(best)] * view.box.width();
}

std::string Sheet::limits_script(const PanelView& view) const {
  std::string script;
  for (const LimitLine& line : view.lines) {
    const double level = view.y.fraction(line.value);
    const bool above = text_is_above(line, view.y.range);
    const double y =
        view.box.bottom + level * view.box.height() + (above ? 0.5 : -0.5) * note_height;
    const std::string text = fitted(line.label, note_font, view.box.width() * 0.9);
    const double width = text_width(text, note_font);
    const double x = free_place_for(view, line.value, width, above);
    const std::string at = script_number(line.value);
    script += "set arrow from graph 0, first " + at + " to graph 1, first " + at +
              " nohead front lc rgb '#303030' lw 1.1 dt (10,6)\n";
    script += x > view.box.left + view.box.width() / 2
                  ? label(text, x + width, y, note_font, "#303030", "right boxed")
                  : label(text, x, y, note_font, "#303030", "left boxed");
  }
  return script;
}

std::string drawing_text(const Curve& curve, const Style& style) {
  const bool lone = point_count(curve) == 1;  // no line to see
  if (curve.drawing == Drawing::points || lone) {
    return "with points " + point_look(style, lone ? "0.9" : "0.5");
  }
  return (curve.drawing == Drawing::steps ? "with steps " : "with lines ") + line_look(style);
}

std::string Sheet::curves_script(std::size_t number) const {
  const Panel& panel = *views_[number].panel;
  std::string list;
  for (int layer = 0; layer <= 2; ++layer) {
    for (std::size_t c = panel.curves.size(); c-- > 0;) {
      const Style& style = style_of(style_number(panel, c));
      if (style.layer != layer || point_count(panel.curves[c]) == 0) continue;
      list += (list.empty() ? "" : ", ") + block_name(number, c) + " using 1:2 " +
              drawing_text(panel.curves[c], style) + " notitle";
    }
  }
  return "plot " + (list.empty() ? "NaN notitle" : list) + "\n";
}

std::string Sheet::panel_script(std::size_t number) const {
  const PanelView& view = views_[number];
  std::string script = axes_script(view) + texts_script(view) + limits_script(view);
  if (y_range(*view.panel).empty()) {
    script += label("no data", (view.box.left + view.box.right) / 2,
                    (view.box.bottom + view.box.top) / 2, label_font, "#505050", "center boxed");
  }
  return script + curves_script(number) + "unset label\nunset arrow\n";
}

std::string Sheet::script() const {
  std::string script = "set encoding utf8\n" + terminal_script() +
                       "unset key\n"
                       "set border 15 lc rgb '#909090' lw 0.8\n"
                       "set grid xtics ytics lt 1 lc rgb '#e2e2e2' lw 0.8 back\n"
                       "set xzeroaxis lt 1 lc rgb '#909090' lw 1\n"
                       "set tics out\n"
                       "set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.5,0\n";
  script += data_script() + "set multiplot\n" + header_script();
  for (std::size_t i = 0; i < views_.size(); ++i) script += panel_script(i);
  return script + "unset multiplot\n";
}

// ---- file ----

namespace fs = std::filesystem;

std::optional<PlotFormat> format_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (ending == ".svg") return PlotFormat::svg;
  if (ending == ".png") return PlotFormat::png;
  if (ending == ".pdf") return PlotFormat::pdf;
  return std::nullopt;
}

std::string_view end_mark(PlotFormat format) {
  return format == PlotFormat::svg ? "</svg>" : format == PlotFormat::png ? "IEND" : "%%EOF";
}

void check_folder(const std::string& path) {
  std::error_code ignored;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    throw FileError("cannot write " + path + ": there is no folder " + folder.string() +
                    "; create it first");
  }
  if (fs::is_directory(path, ignored)) {
    throw FileError("cannot write " + path + ": it is a folder");
  }
}

}  // namespace

void check_plot_target(const std::string& path) {
  if (!format_of(path)) {
    throw Error("--plot: '" + path + "' must end in .svg, .png or .pdf");
  }
  if (!gnuplot_is_installed()) {
    throw FileError(
        "gnuplot is needed for --plot; install it (apt install gnuplot-nox) or leave --plot out");
  }
  check_folder(path);
}

std::string plot_script(const Figure& figure, PlotFormat format) {
  if (!figure.panels.empty()) return Sheet(figure, format).script();
  Figure with_panel = figure;
  with_panel.panels.emplace_back();
  return Sheet(with_panel, format).script();
}

void write_figure(const Figure& figure, const std::string& path) {
  check_plot_target(path);
  const PlotFormat format = *format_of(path);
  const std::string script = plot_script(figure, format);
  const bool has_own_fonts = format == PlotFormat::svg;
  OutputFile file(path);
  file.write(
      run_gnuplot(has_own_fonts ? script : without_missing_glyphs(script), end_mark(format)));
  file.commit();
}

}  // namespace armdyn

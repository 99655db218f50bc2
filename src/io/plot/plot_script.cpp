#include "io/plot/plot_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "io/plot/plot.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

constexpr double tick_font = 12, label_font = 13, panel_font = 14, title_font = 17,
                 note_font = 11.5;

double char_width(const CodePoint& point, double font) {
  const bool symbol = point.code >= 0x2000 && point.code < 0x2e80;
  const bool square = point.code >= 0x1100 && !symbol;  // Chinese, Japanese, Korean
  return (square ? 1.0 : 0.6) * font;
}

/// Writes a number for the script, without −0: 0.1, -2e-07.
std::string script_number(double value) {
  return fmt::format("{:.15g}", value + 0.0);
}

}  // namespace

double text_width(std::string_view text, double font) {
  double width = 0;
  for_each_code_point(text, [&](const CodePoint& point, std::string_view /*bytes*/) {
    width += char_width(point, font);
  });
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
    kept += std::max(point.length, std::size_t{1});
  }
  return std::string(text.substr(0, kept)) + "…";
}

namespace {

// Axes of a panel.

/// An axis; gnuplot gets its numbers divided by 10^exponent, none of them extreme.
struct Axis {
  AxisRange range;  ///< scaled
  int exponent = 0;

  double scaled(double value) const { return value / std::pow(10.0, exponent); }
  /// Label: "τ [10³ N·m]".
  std::string text(const std::string& label, const std::string& unit) const {
    const std::string factor = exponent == 0 ? "" : "10" + superscript(exponent);
    const std::string gap = factor.empty() || unit.empty() ? "" : " ";
    const std::string scale = factor + gap + unit;
    if (scale.empty()) return label;
    return label + (label.empty() ? "[" : " [") + scale + "]";
  }
};

std::size_t drawn_points(const Curve& curve) {
  return where(curve.x.size(), [&](std::size_t i) { return is_drawn(curve, i); }).size();
}

/// Place on an axis: 0 at its beginning, 1 at its end.
double part(const Axis& axis, double value) {
  return (axis.scaled(value) - axis.range.low) / axis.range.span();
}

/// Axis in a power of a thousand, but for readable numbers, and those that differ in their last
/// digits only, as 1700000002.
Axis axis_over(const AxisRange& range) {
  const double largest = range.largest();
  const bool is_readable = !(largest > 0) || (largest >= 1e-3 && largest < 1e5);
  const bool is_narrow = range.span() < 1e-3 * largest && largest > 1 && largest < 1e12;
  if (is_readable || is_narrow) return {range};
  Axis axis{{}, std::clamp(3 * static_cast<int>(std::floor(std::log10(largest) / 3)), -300, 306)};
  axis.range = {axis.scaled(range.low), axis.scaled(range.high)};
  return axis;
}

bool has_own_x(const Panel& panel) {
  return !panel.x_label.empty();
}

/// Common axis of panels, but for those with their own; or the own of one.
Axis x_axis(std::span<const Panel> panels) {
  AxisRange range;
  for (const Panel& panel : panels) {
    if (panels.size() > 1 && has_own_x(panel)) continue;
    const AxisRange here = range_of_curves(panel, &Curve::x);
    range = {std::min(range.low, here.low), std::max(range.high, here.high)};
  }
  if (range.empty()) range = {0, 1};
  if (!(range.span() > 1e-13 * range.largest())) {  // 0.2 ms at the time of day, in seconds
    const double half = std::max(0.5, 1e-9 * range.largest());
    range = {range.low - half, range.high + half};
  }
  return axis_over(range);
}

/// Axis of y, with the limits that are shown.
Axis y_axis(const Figure& figure, const Panel& panel) {
  Axis axis = axis_over(y_range(figure, panel));
  for (const double limit : near_limits(figure, panel)) axis.range.include(axis.scaled(limit));
  const double margin = axis.range.span() * 0.06;
  axis.range = {axis.range.low - margin, axis.range.high + margin};
  return axis;
}

/// Gives both axes one scale, and room around the curves.
void share_scale(Axis& x, double width, Axis& y, double height) {
  const int exponent = std::max(x.exponent, y.exponent);
  for (Axis* const axis : {&x, &y}) {
    const double factor = std::pow(10.0, axis->exponent - exponent);
    *axis = {{factor * axis->range.low, factor * axis->range.high}, exponent};
  }
  const double scale = 1.12 * std::max(x.range.span() / width, y.range.span() / height);
  const auto widen = [scale](AxisRange& range, double length) {
    const double middle = 0.5 * (range.low + range.high), half = 0.5 * scale * length;
    range = {middle - half, middle + half};
  };
  widen(x.range, width);
  widen(y.range, height);
}

/// Approximate width of the numbers at an axis.
double tick_width(const Axis& axis) {
  const double step = axis.range.span() / 10;
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 9);
  return text_width(fmt::format("{:.{}f}", -axis.range.largest(), decimals), tick_font);
}

// Lengths are pixels of the SVG.
constexpr double left_room = 88;   // of a panel, for its y label and ticks, at least
constexpr double right_room = 28;  // of the last panel, for half a tick label
constexpr double column_gap = 14;
constexpr double strip = 36;  // above a panel, for its title
constexpr double foot = 56;   // below the lowest panels, for ticks and x label
constexpr double title_row = 34;
constexpr double subtitle_row = 20;
constexpr double note_row = 14;
constexpr double name_lead = 10;  // from the end of a curve to its sample
constexpr double name_sample = 24;
constexpr double name_gap = 5;  // between sample and name
constexpr double widest_name = 240;
constexpr std::size_t most_panels_on_a_page = 12;

/// Style of a curve. Bands are below, the lighter ones first; where one is a line, it is wide.
const CurveStyle& style_of(std::size_t number, bool is_band) {
  static constexpr std::array<CurveStyle, 2> bands{{
      {"#9fd3f1", "#2e80b2", 12, "solid", -1},
      {"#d6ecf9", "#2e80b2", 12, "solid", -2},
  }};
  return is_band ? bands[number % bands.size()] : curve_styles[number % curve_styles.size()];
}

std::string line_look(const CurveStyle& style) {
  return fmt::format("lc rgb '{}' lw {:.15g} dt {}", style.color, style.width, style.dashes);
}

/// Curves with a point; of a band its first side.
std::vector<std::size_t> drawn_curves(const Panel& panel) {
  std::vector<std::size_t> drawn;
  for (std::size_t c = 0; c < panel.curves.size(); ++c) {
    const bool is_second_side = c > 0 && begins_band(panel, c - 1);
    if (!is_second_side && drawn_points(panel.curves[c]) > 0) drawn.push_back(c);
  }
  return drawn;
}

/// Curves with names beside the panel.
std::vector<std::size_t> named_curves(const Panel& panel) {
  std::vector<std::size_t> named = drawn_curves(panel);
  std::erase_if(named, [&panel](std::size_t c) { return panel.curves[c].label.empty(); });
  return named;
}

/// Ascending places at least `gap` apart, as near to the wanted ones as all are within the bounds.
std::vector<double> spread(const std::vector<double>& wanted, double gap, const AxisRange& bounds) {
  const auto push_up = [gap](std::vector<double>& places, double lowest) {
    for (double& place : places) lowest = (place = std::max(place, lowest)) + gap;
  };
  const auto push_down = [gap](std::vector<double>& places, double highest) {
    for (std::size_t i = places.size(); i-- > 0;) {
      highest = (places[i] = std::min(places[i], highest)) - gap;
    }
  };
  std::vector<double> places = wanted, below = wanted;
  push_up(places, bounds.low);
  push_down(below, bounds.high);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = (places[i] + below[i]) / 2;
  push_up(places, bounds.low);
  push_down(places, bounds.high);
  return places;
}

std::string point_look(const CurveStyle& style) {
  return fmt::format("pt 7 ps 0.9 lc rgb '{}'", style.color);
}

bool is_line(const Curve& curve) {
  return drawn_points(curve) > 1;
}

std::string block_name(std::size_t panel, std::size_t curve) {
  return fmt::format("$p{}c{}", panel, curve);
}

/// Data of a curve; `other` is the other side of a band, with the same x, or null.
std::string data_block(const std::string& name, const Curve& curve, const Curve* other,
                       const Axis& x, const Axis& y) {
  std::string block = name + " << END\n";
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (is_drawn(curve, i)) {
      block += script_number(x.scaled(curve.x[i])) + " " + script_number(y.scaled(curve.y[i]));
      if (other != nullptr) block += " " + script_number(y.scaled(other->y[i]));
    }
    block += '\n';  // an empty line is a gap
  }
  return block + "END\n";
}

class ScriptWriter {
 public:
  ScriptWriter(const Figure& figure, PlotFormat format)
      : figure_(figure), format_(format), labels_(labels_of(figure)), x_(x_axis(figure.panels)) {
    const std::size_t panels = figure.panels.size();
    columns_ = figure.columns > 0 ? figure.columns : panels > 3 ? 2 : 1;
    const std::size_t all_rows = (panels + columns_ - 1) / columns_;
    const std::size_t pages = format == PlotFormat::pdf
                                  ? (panels + most_panels_on_a_page - 1) / most_panels_on_a_page
                                  : 1;
    rows_ = (all_rows + pages - 1) / pages;
    static constexpr std::array<double, 5> heights{0, 360, 230, 185, 165};
    const bool draws = panels > 0 && figure.panels.front().is_drawing;
    panel_height_ = draws ? 420 : rows_ < heights.size() ? heights[rows_] : 150;
    panel_width_ = columns_ == 1 ? 720 : 400;
    place_columns();
    header_ =
        4 + (figure.title.empty() ? 0 : title_row) + (figure.subtitle.empty() ? 0 : subtitle_row);
    if (std::ranges::any_of(figure.panels, has_own_x)) strip_ += foot;
    height_ =
        header_ + strip - strip_ + static_cast<double>(rows_) * (strip_ + panel_height_) + foot;
  }

  std::string script() const {
    std::string script =
        "set encoding utf8\n" + terminal() +
        "if (GPVAL_VERSION >= 5.4) {\n  set minussign\n}\n"
        "unset key\n"
        "set border 15 lc rgb '#909090' lw 0.8\n"
        "set grid xtics ytics lt 1 lc rgb '#e2e2e2' lw 0.8 back\n"
        "set xzeroaxis lt 1 lc rgb '#909090' lw 1\n"
        "set tics out nomirror scale 0.5 noenhanced textcolor rgb '#303030'\n"
        "set format y '%.10g'\n"
        "set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.5,0\n";
    const std::size_t on_a_page = rows_ * columns_;
    for (std::size_t first = 0; first < figure_.panels.size(); first += on_a_page) {
      script += page(first, std::min(first + on_a_page, figure_.panels.size()));
    }
    return script;
  }

 private:
  /// Places the columns, with room for their longest names, and makes panels as high as their names.
  void place_columns() {
    double left_room_needed = left_room, x = 0;
    for (const Panel& panel : figure_.panels) {
      left_room_needed =
          std::max(left_room_needed, tick_width(y_axis(figure_, panel)) + 2.4 * label_font);
    }
    for (std::size_t column = 0; column < columns_; ++column) {
      x += left_room_needed;
      left_.push_back(x);
      double names = 0;
      for (std::size_t i = column; i < figure_.panels.size(); i += columns_) {
        const std::vector<std::size_t> named = named_curves(figure_.panels[i]);
        panel_height_ = std::max(panel_height_, note_row * static_cast<double>(named.size()));
        for (const std::size_t c : named) {
          const double name = text_width(figure_.panels[i].curves[c].label, note_font);
          names = std::max(names, name_lead + name_sample + name_gap + std::min(name, widest_name));
        }
      }
      x += panel_width_ + std::max(names, column + 1 < columns_ ? 0 : right_room - column_gap) +
           column_gap;
    }
    width_ = x;
  }

  /// Font of a size in pixels: a PNG's points are 4/3 of them, a PDF's 4/3 of those.
  std::string font(double size) const {
    const bool is_svg = format_ == PlotFormat::svg;
    const double points = is_svg ? 1.0 : format_ == PlotFormat::png ? 0.75 : 0.75 * 0.75;
    return fmt::format("font '{},{:.15g}'", is_svg ? "sans-serif" : "Sans", size * points);
  }

  const CurveStyle& style(const Panel& panel, std::size_t curve) const {
    return style_of(style_number(labels_, panel, curve), begins_band(panel, curve));
  }

  std::string label(const std::string& text, const std::string& at, double size,
                    const char* color) const {
    return fmt::format("set label {} at {} {} tc rgb '{}' noenhanced\n", gnuplot_literal(text), at,
                       font(size), color);
  }

  std::string terminal() const {
    const auto look = [this](double factor, const char* unit) {
      return fmt::format(" noenhanced background '#ffffff' {} size {:.15g}{},{:.15g}{}",
                         font(tick_font), width_ * factor, unit, height_ * factor, unit);
    };
    switch (format_) {
      case PlotFormat::svg:
        return "set terminal svg" + look(1, "") + "\n";
      case PlotFormat::png:
        return fmt::format(
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) {{\n"
            "  set terminal pngcairo{0} fontscale 2 linewidth 2 pointscale 2\n}} else {{\n"
            "  set terminal png truecolor{0} fontscale 2 linewidth 2\n}}\n",
            look(2, ""));
      case PlotFormat::pdf:
        return "if (strstrt(GPVAL_TERMINALS, 'pdfcairo') == 0) {\n"
               "  exit error 'this gnuplot cannot draw PDF files; use .svg or .png'\n}\n"
               "set terminal pdfcairo" +
               look(1.0 / 96, "in") + " fontscale 1 linewidth 1\n";
    }
    return {};
  }

  /// Title and subtitle.
  std::string head() const {
    std::string script;
    double y = 4;
    const auto row = [&](const std::string& text, double height, double size, const char* color) {
      if (text.empty()) return;
      script += label(fitted(text, size, width_ - left_[0]),
                      fmt::format("screen {:.15g},{:.15g} left", left_[0] / width_,
                                  1 - (y + height / 2) / height_),
                      size, color);
      y += height;
    };
    row(figure_.title, title_row, title_font, "#000000");
    row(figure_.subtitle, subtitle_row, label_font, "#505050");
    return script;
  }

  std::string page(std::size_t first, std::size_t end) const {
    std::string script = "set multiplot\n";
    for (std::size_t i = first; i < end; ++i) {
      const std::size_t row = (i - first) / columns_, column = (i - first) % columns_;
      const double top = header_ + strip + static_cast<double>(row) * (strip_ + panel_height_);
      const auto margin = [&script](char side, double place) {
        script += fmt::format("set {}margin at screen {:.15g}\n", side, place);
      };
      margin('l', left_[column] / width_);
      margin('r', (left_[column] + panel_width_) / width_);
      margin('t', 1 - top / height_);
      margin('b', 1 - (top + panel_height_) / height_);
      const std::size_t below = i + columns_;
      script += panel(i, i == first, below >= end || has_own_x(figure_.panels[below]));
    }
    return script + "unset multiplot\n";
  }

  /// Commands of a panel; `is_lowest` of those that share its x.
  std::string panel(std::size_t number, bool is_first, bool is_lowest) const {
    const Panel& panel = figure_.panels[number];
    Axis y = y_axis(figure_, panel);
    const bool is_own = has_own_x(panel);
    Axis x = is_own ? x_axis({&panel, 1}) : x_;
    if (panel.is_drawing) share_scale(x, panel_width_, y, panel_height_);
    std::string data;
    for (const std::size_t c : drawn_curves(panel)) {
      const Curve* const other = begins_band(panel, c) ? &panel.curves[c + 1] : nullptr;
      data += data_block(block_name(number, c), panel.curves[c], other, x, y);
    }
    std::string script = fmt::format(
        "set xrange [{:.15g}:{:.15g}]\nset yrange [{:.15g}:{:.15g}]\nset format x '{}'\n",
        x.range.low + 0.0, x.range.high + 0.0, y.range.low + 0.0, y.range.high + 0.0,
        is_lowest || is_own ? "%.10g" : "");
    script += fmt::format("set xlabel {} noenhanced offset 0,0.5 {}\n",
                          gnuplot_literal(is_own      ? x.text(panel.x_label, panel.x_unit)
                                          : is_lowest ? x.text(figure_.x_label, figure_.x_unit)
                                                      : std::string()),
                          font(label_font));
    const double beside = left_[number % columns_] - left_[0] + label_font;
    script += label(y.text(panel.y_label, panel.unit),
                    fmt::format("screen {:.15g}, graph 0.5 center rotate by 90", beside / width_),
                    label_font, "#000000");
    script += limits(panel, y);
    script += names(panel, x, y);
    script += notes(panel, x, y);
    if (data.empty()) {
      script += label("no data", "graph 0.5,0.5 center boxed", label_font, "#505050");
    }
    if (is_first) script += head();
    script += curves(panel, number);
    return data + script + "unset label\nunset arrow\n";
  }

  /// Names of the curves in their colors, right of the panel, each behind a sample of its curve;
  /// the sample is joined to a curve that ends at the panel's side.
  std::string names(const Panel& panel, const Axis& x, const Axis& y) const {
    struct End {
      double x, y;  // of the panel's width and height
      std::size_t curve;
    };
    std::vector<End> ends;
    for (const std::size_t c : named_curves(panel)) {
      const Curve& curve = panel.curves[c];
      std::size_t last = curve.x.size() - 1;
      while (!is_drawn(curve, last)) --last;
      const double value = begins_band(panel, c)
                               ? std::max(curve.y[last], panel.curves[c + 1].y[last])
                               : curve.y[last];
      ends.push_back({part(x, curve.x[last]), part(y, value), c});
    }
    std::ranges::stable_sort(ends, {}, &End::y);
    const std::vector<double> wanted =
        each(ends, [&](const End& end) { return end.y * panel_height_; });
    const std::vector<double> places =
        spread(wanted, note_row, {note_row / 2, panel_height_ - note_row / 2});
    const auto at = [&](double right, double up) {
      return fmt::format("graph {:.6g},graph {:.6g}", 1 + right / panel_width_, up / panel_height_);
    };
    std::string script;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const Curve& curve = panel.curves[ends[i].curve];
      const CurveStyle& style = this->style(panel, ends[i].curve);
      const double sample = name_lead + name_sample, up = places[i];
      if (ends[i].x > 0.99) {
        script += fmt::format("set arrow from {} to {} nohead lc rgb '{}' lw 0.8\n",
                              at(0, wanted[i]), at(name_lead, up), style.color);
      }
      script += is_line(curve) || begins_band(panel, ends[i].curve)
                    ? fmt::format("set arrow from {} to {} nohead {}\n", at(name_lead, up),
                                  at(sample, up), line_look(style))
                    : fmt::format("set label '' at {} point {}\n", at(sample - name_lead, up),
                                  point_look(style));
      script += label(fitted(curve.label, note_font, widest_name), at(sample + name_gap, up),
                      note_font, style.ink);
    }
    return script;
  }

  /// Notes, each above its place and above earlier ones there.
  std::string notes(const Panel& panel, const Axis& x, const Axis& y) const {
    struct Box {
      double x, y, half_width;
    };
    std::vector<Box> boxes;
    std::string script;
    for (const Note& note : panel.notes) {
      Box box{part(x, note.x) * panel_width_, part(y, note.y) * panel_height_ + 0.6 * note_row,
              0.5 * text_width(note.text, note_font)};
      const auto is_hidden = [&box](const Box& other) {
        return std::abs(box.x - other.x) < box.half_width + other.half_width &&
               std::abs(box.y - other.y) < note_row;
      };
      while (std::ranges::any_of(boxes, is_hidden)) box.y += note_row;
      boxes.push_back(box);
      script += label(note.text,
                      fmt::format("graph {:.6g},graph {:.6g} center front boxed",
                                  box.x / panel_width_, box.y / panel_height_),
                      note_font, "#303030");
    }
    return script;
  }

  std::string limits(const Panel& panel, const Axis& y) const {
    std::string script;
    for (const double limit : near_limits(figure_, panel)) {
      script += fmt::format(
          "set arrow from graph 0, first {0:.15g} to graph 1, first {0:.15g} nohead front lc rgb "
          "'#303030' lw 1.1 dt (10,6)\n",
          y.scaled(limit));
    }
    const std::string note = fitted(limit_note(panel), note_font, panel_width_ * 0.65);
    const double note_room = note.empty() ? 0 : text_width(note, note_font) + 14;
    if (!note.empty()) {
      script += label(note, "graph 1,1 right offset 0,character 0.75", note_font, "#505050");
    }
    return script + label(fitted(panel.title, panel_font, panel_width_ - note_room),
                          "graph 0,1 left offset 0,character 0.8", panel_font, "#000000");
  }

  std::string curves(const Panel& panel, std::size_t number) const {
    const auto look = [&](std::size_t c) -> std::string {
      const Curve& curve = panel.curves[c];
      const CurveStyle& style = this->style(panel, c);
      if (!begins_band(panel, c)) {
        return is_line(curve) ? "1:2 with lines " + line_look(style)
                              : "1:2 with points " + point_look(style);
      }
      if (!is_line(curve)) return "1:2:(0):($3-$2) with vectors nohead " + line_look(style);
      return fmt::format("1:2:3 with filledcurves fs solid noborder lc rgb '{}'", style.color);
    };
    const std::vector<std::size_t> drawn = drawn_curves(panel);
    std::vector<std::string> parts;
    for (int layer = -2; layer <= 2; ++layer) {
      for (auto c = drawn.rbegin(); c != drawn.rend(); ++c) {
        if (style(panel, *c).layer != layer) continue;
        parts.push_back(fmt::format("{} using {} notitle", block_name(number, *c), look(*c)));
      }
    }
    if (parts.empty()) parts.emplace_back("NaN notitle");
    return fmt::format("plot {}\n", fmt::join(parts, ", "));
  }

  const Figure& figure_;
  PlotFormat format_;
  std::vector<std::string> labels_;  // the place of each is the number of its style
  Axis x_;
  std::size_t columns_, rows_;  // of panels on a page
  std::vector<double> left_;    // sides of the panels of each column
  double panel_width_, panel_height_, width_, height_, header_, strip_ = strip;
};

}  // namespace

std::string plot_script(const Figure& figure, PlotFormat format) {
  if (!figure.panels.empty()) return ScriptWriter(figure, format).script();
  Figure with_panel = figure;
  with_panel.panels.emplace_back();
  return ScriptWriter(with_panel, format).script();
}

}  // namespace armdyn

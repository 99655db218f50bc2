#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "io/plot/gnuplot.hpp"
#include "io/plot/plot.hpp"
#include "io/plot/plot_layout.hpp"
#include "io/plot/plot_text.hpp"

namespace armdyn {

namespace {

struct Style {
  const char* colour;
  double width;
  const char* dashes;
  int layer;  // lower ones are drawn first
};

const Style& style_of(std::size_t number) {
  static constexpr std::array<Style, 4> styles{{
      {"#000000", 1.5, "solid", 1},
      {"#a6a6a6", 3.6, "solid", 0},
      {"#000000", 1.6, "(7,4)", 2},
      {"#6e6e6e", 1.8, "solid", 1},
  }};
  return styles[number % styles.size()];
}

std::string line_look(const Style& style) {
  return std::string("lc rgb '") + style.colour + "' lw " + script_number(style.width) + " dt " +
         style.dashes;
}

std::string curve_look(const Curve& curve, const Style& style) {
  if (drawn_points(curve) > 1) return "with lines " + line_look(style);
  return std::string("with points pt 7 ps 0.9 lc rgb '") + style.colour + "'";  // no line to see
}

std::string block_name(std::size_t panel, std::size_t curve) {
  return "$p" + std::to_string(panel) + "c" + std::to_string(curve);
}

std::string data_block(const std::string& name, const Curve& curve, const Axis& x, const Axis& y) {
  std::string block = name + " << END\n";
  for (std::size_t i = 0; i < length(curve); ++i) {
    if (is_drawn(curve, i)) {
      block += script_number(x.scaled(curve.x[i])) + " " + script_number(y.scaled(curve.y[i]));
    }
    block += '\n';  // an empty line is a gap
  }
  return block + "END\n";
}

std::string data_script(const Sheet& sheet) {
  std::string script;
  for (std::size_t p = 0; p < sheet.panels.size(); ++p) {
    const std::vector<Curve>& curves = sheet.panels[p].panel->curves;
    for (std::size_t c = 0; c < curves.size(); ++c) {
      if (drawn_points(curves[c]) == 0) continue;
      script += data_block(block_name(p, c), curves[c], sheet.x, sheet.panels[p].y);
    }
  }
  return script;
}

// Nothing where there is nothing to draw.
std::string curve_list(const PanelView& view, std::size_t number) {
  const std::vector<Curve>& curves = view.panel->curves;
  std::string list;
  for (int layer = 0; layer <= 2; ++layer) {
    for (std::size_t c = curves.size(); c-- > 0;) {
      const Style& style = style_of(view.styles[c]);
      if (style.layer != layer || drawn_points(curves[c]) == 0) continue;
      list += (list.empty() ? "" : ", ") + block_name(number, c) + " using 1:2 " +
              curve_look(curves[c], style) + " notitle";
    }
  }
  return list;
}

std::string range_text(const AxisRange& range) {
  return "[" + script_number(range.low) + ":" + script_number(range.high) + "]\n";
}

std::string tick_list(const std::vector<Tick>& ticks, bool with_text) {
  std::string list;
  for (const Tick& tick : ticks) {
    list += (list.empty() ? "" : ", ") + gnuplot_literal(with_text ? tick.text : "") + " " +
            script_number(tick.at);
  }
  return "(" + list + ") nomirror";
}

class ScriptWriter {
 public:
  ScriptWriter(const Figure& figure, PlotFormat format)
      : figure_(figure), format_(format), sheet_(lay_out(figure)) {}

  std::string script() const;

 private:
  std::string position(double x, double y) const;
  std::string font(double size) const;
  std::string label(const std::string& text, double x, double y, double size, const char* colour,
                    const std::string& how) const;
  std::string terminal() const;
  std::string title() const;
  std::string legend() const;
  std::string axes(const PanelView& view) const;
  std::string texts(const PanelView& view) const;
  std::string limit_lines(const PanelView& view) const;
  std::string panel(std::size_t number) const;

  const Figure& figure_;
  PlotFormat format_;
  Sheet sheet_;
};

std::string ScriptWriter::position(double x, double y) const {
  return script_number(x / sheet_.width) + "," + script_number(y / sheet_.height);
}

std::string ScriptWriter::font(double size) const {
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

std::string ScriptWriter::label(const std::string& text, double x, double y, double size,
                                const char* colour, const std::string& how) const {
  return "set label " + gnuplot_literal(text) + " at screen " + position(x, y) + " " + how + " " +
         font(size) + " tc rgb '" + colour + "' noenhanced\n";
}

std::string ScriptWriter::terminal() const {
  const auto size = [this](double factor, const char* unit) {
    return " size " + script_number(sheet_.width * factor) + unit + "," +
           script_number(sheet_.height * factor) + unit;
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

std::string ScriptWriter::title() const {
  if (figure_.title.empty()) return "";
  const double left = sheet_.left_room;
  const std::string text = fitted(figure_.title, title_font, sheet_.width - left - edge);
  return label(text, left, sheet_.height - title_row / 2 - 4, title_font, "#000000", "left");
}

std::string ScriptWriter::legend() const {
  std::string script;
  const double y = sheet_.legend_top - legend_row / 2;
  for (std::size_t i = 0; i < sheet_.legend.size(); ++i) {
    const double x = sheet_.left_room + sheet_.legend[i].left;
    script += "set arrow from screen " + position(x, y) + " to screen " +
              position(x + legend_sample, y) + " nohead " + line_look(style_of(i)) + "\n";
    script +=
        label(sheet_.legend[i].label, x + legend_sample + 8, y, label_font, "#000000", "left");
  }
  return script;
}

std::string ScriptWriter::axes(const PanelView& view) const {
  const std::string look =
      " scale 0.5 noenhanced " + font(tick_font) + " textcolor rgb '#303030'\n";
  const char* raised = format_ == PlotFormat::svg ? " offset 0,0.4" : "";  // else it sits lower
  std::string script;
  script += "set lmargin at screen " + script_number(view.box.left / sheet_.width) + "\n";
  script += "set rmargin at screen " + script_number(view.box.right / sheet_.width) + "\n";
  script += "set bmargin at screen " + script_number(view.box.bottom / sheet_.height) + "\n";
  script += "set tmargin at screen " + script_number(view.box.top / sheet_.height) + "\n";
  script += "set xrange " + range_text(sheet_.x.range);
  script += "set yrange " + range_text(view.y.range);
  script += "set xtics " + tick_list(sheet_.x.ticks, view.lowest) + raised + look;
  script += "set ytics " + tick_list(view.y.ticks, true) + look;
  return script;
}

std::string ScriptWriter::texts(const PanelView& view) const {
  const Panel& panel = *view.panel;
  const Box& box = view.box;
  const std::string note = fitted(view.limits.note, note_font, box.width() * 0.65);
  const double note_room = note.empty() ? 0 : text_width(note, note_font) + 14;
  const std::string title = fitted(view.title, panel_font, box.width() - note_room);
  const std::string y_text =
      fitted(view.y.text(panel.y_label, panel.unit), label_font, box.height() + 30);
  std::string script = label(title, box.left, box.top + 12, panel_font, "#000000", "left");
  if (!note.empty()) {
    script += label(note, box.right, box.top + 11, note_font, "#505050", "right");
  }
  script += label(y_text, box.left - sheet_.left_room + label_row / 2 + 4,
                  (box.bottom + box.top) / 2, label_font, "#000000", "center rotate by 90");
  if (view.lowest) {
    const std::string x_text =
        fitted(sheet_.x.text(figure_.x_label, figure_.x_unit), label_font, box.width());
    script += label(x_text, (box.left + box.right) / 2, box.bottom - tick_row - label_row / 2 + 2,
                    label_font, "#000000", "center");
  }
  return script;
}

// The text of a limit stands on the side of its line that is away from the middle.
std::string ScriptWriter::limit_lines(const PanelView& view) const {
  const Box& box = view.box;
  std::string script;
  for (const LimitLine& limit : view.limits.lines) {
    const double value = view.y.scaled(limit.value);
    const double level = view.y.fraction(value);
    const bool above = view.y.range.in_upper_half(value);
    const std::string text = fitted(limit.label, note_font, box.width() * 0.9);
    const double width = text_width(text, note_font);
    const double height = note_height / box.height();
    const Place place =
        freest_in_row({0, level - (above ? 0 : height), width / box.width(), height}, *view.panel,
                      sheet_.x, view.y);
    const double x = box.left + place.left * box.width();
    const double y = box.bottom + level * box.height() + (above ? 0.5 : -0.5) * note_height;
    const std::string at = script_number(value);
    script += "set arrow from graph 0, first ";
    script += at;
    script += " to graph 1, first ";
    script += at;
    script += " nohead front lc rgb '#303030' lw 1.1 dt (10,6)\n";
    script += place.left > 0.5 ? label(text, x + width, y, note_font, "#303030", "right boxed")
                               : label(text, x, y, note_font, "#303030", "left boxed");
  }
  return script;
}

std::string ScriptWriter::panel(std::size_t number) const {
  const PanelView& view = sheet_.panels[number];
  const std::string curves = curve_list(view, number);
  std::string script = axes(view) + texts(view) + limit_lines(view);
  if (curves.empty()) {
    script += label("no data", (view.box.left + view.box.right) / 2,
                    (view.box.bottom + view.box.top) / 2, label_font, "#505050", "center boxed");
  }
  script += "plot " + (curves.empty() ? "NaN notitle" : curves) + "\n";
  return script + "unset label\nunset arrow\n";
}

std::string ScriptWriter::script() const {
  std::string script = "set encoding utf8\n" + terminal() +
                       "unset key\n"
                       "set border 15 lc rgb '#909090' lw 0.8\n"
                       "set grid xtics ytics lt 1 lc rgb '#e2e2e2' lw 0.8 back\n"
                       "set xzeroaxis lt 1 lc rgb '#909090' lw 1\n"
                       "set tics out\n"
                       "set style textbox opaque noborder fillcolor rgb '#ffffff' margins 0.5,0\n";
  script += data_script(sheet_) + "set multiplot\n" + title() + legend();
  for (std::size_t i = 0; i < sheet_.panels.size(); ++i) script += panel(i);
  return script + "unset multiplot\n";
}

}  // namespace

std::string plot_script(const Figure& figure, PlotFormat format) {
  if (!figure.panels.empty()) return ScriptWriter(figure, format).script();
  Figure with_panel = figure;
  with_panel.panels.emplace_back();
  return ScriptWriter(with_panel, format).script();
}

}  // namespace armdyn

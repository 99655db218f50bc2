#include <fmt/format.h>
#include <armdyn/robot.hpp>

#include <cctype>
#include <filesystem>

#include "math/each.hpp"
#include "math/rigid.hpp"
#include "model/joint_kind.hpp"
#include "model/mechanism.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "report/markup.hpp"
#include "report/packed_numbers.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

// --- answers in HTML

std::string escaped(std::string_view text) {
  return markup_text(in_lines(text));
}

/// Element with a text; nothing without one.
std::string element(const std::string& tag, std::string_view text) {
  return text.empty() ? "" : fmt::format("<{0}>{1}</{0}>\n", tag, escaped(text));
}

std::string list(const std::string& name, const std::vector<std::string>& texts) {
  if (texts.empty()) return "";
  std::string html = fmt::format("<ul class=\"{}\">\n", name);
  for (const std::string& text : texts) html += element("li", text);
  return html + "</ul>\n";
}

/// Begin of what is behind the group of a label: of "last" in "held out: last".
std::size_t behind_group(std::string_view label) {
  const std::size_t colon = label.find(": ");
  return colon == label.npos ? 0 : colon + 2;
}

std::string_view group_of(std::string_view label) {
  const std::size_t behind = behind_group(label);
  return label.substr(0, behind - std::min<std::size_t>(2, behind));
}

class Html {
 public:
  [[nodiscard]] std::string heading(const std::string& text) const { return element("h3", text); }
  [[nodiscard]] std::string paragraph(const std::string& text) const { return element("p", text); }
  [[nodiscard]] std::string aligned(const std::string& text) const { return element("pre", text); }
  [[nodiscard]] std::string formulas(const Formulas& formulas) const {
    return mathml_of(formulas.latex);
  }
  [[nodiscard]] std::string table(const TextCells& cells, bool all_left) const {
    std::string html =
        fmt::format("<div class=\"table\"><table class=\"answer{}\">\n", all_left ? " left" : "");
    TextCells rows = cells;
    std::vector<std::string>& labels = rows.front();
    html += groups(labels);
    for (std::string& label : labels) label.erase(0, behind_group(label));
    const char* cell = "th";
    for (const std::vector<std::string>& row : rows) {
      html += "<tr>";
      for (const std::string& text : row) {
        const std::size_t rest = &text == &row.back() ? cells.front().size() - row.size() : 0;
        html += spanning(cell, text, 1 + rest);
      }
      html += "</tr>\n";
      cell = "td";
    }
    return html + "</table></div>\n";
  }

 private:
  static std::string spanning(const char* cell, const std::string& text, std::size_t columns) {
    const std::string span = columns > 1 ? fmt::format(" colspan=\"{}\"", columns) : "";
    return fmt::format("<{0}{1}>{2}</{0}>", cell, span, escaped(text));
  }
  /// Row of the labels' groups, as in text; a unit's column, which has no label, stays with the one before.
  static std::string groups(const std::vector<std::string>& labels) {
    std::string row;
    bool is_grouped = false;
    for (std::size_t i = 0; i < labels.size();) {
      const std::string group(group_of(labels[i]));
      std::size_t end = i + 1;
      while (end < labels.size() && (group_of(labels[end]) == group || labels[end].empty())) ++end;
      row += spanning("th", group, end - i);
      is_grouped = is_grouped || !group.empty();
      i = end;
    }
    return is_grouped ? "<tr class=\"groups\">" + row + "</tr>\n" : "";
  }
};

// --- data of the page's script

constexpr std::size_t points_of_page = 12'000;  // for 400 kB in all

/// Rows to draw of curves seen together: all rows, or if there are more than `most` some with all
/// extremes.
std::vector<std::size_t> rows_seen(std::span<const Curve> together, std::size_t most) {
  auto columns = each(together, [](const Curve& curve) { return std::span(curve.y); });
  if (together[0].is_parametric) columns.emplace_back(together[0].x);
  const std::size_t count = columns[0].size();
  return count > most ? rows_with_extremes(columns, most) : in_order(count);
}

/// Curve at those rows, with its gaps.
Curve at_rows(const Curve& curve, const std::vector<std::size_t>& rows) {
  Curve kept{curve.label, {}, {}};
  auto next = curve.y.begin();
  for (const std::size_t row : rows) {
    const auto here = curve.y.begin() + static_cast<std::ptrdiff_t>(row);
    const auto gap = std::find_if(next, here, [](double y) { return std::isnan(y); });
    if (gap != here) {
      kept.x.push_back(curve.x[row]);
      kept.y.push_back(*gap);
    }
    kept.x.push_back(curve.x[row]);
    kept.y.push_back(*here);
    next = here + 1;
  }
  return kept;
}

/// Values with as many decimals as give the largest, or the longest way along an axis, six digits. Many
/// are packed.
Json rounded(std::span<const double> values, bool is_axis) {
  double largest = 0.0;  // NaN is not larger
  const bool is_way = is_axis && values.size() > 1;
  for (const double value : values) {
    largest = std::max(largest, std::abs(value - (is_way ? values[0] : 0.0)));
  }
  const int decimals =
      largest > 0.0 ? std::clamp(5 - static_cast<int>(std::floor(std::log10(largest))), 0, 300) : 0;
  const std::vector<double> decimal = each(values, [decimals](double value) {
    return parse_number(fmt::format("{:.{}f}", value, decimals)).value_or(std::nan("")) + 0.0;
  });
  return decimal.size() > 50 ? packed(decimal) : Json(decimal);
}

Json figure_data(const Figure& figure, std::size_t points) {
  const std::vector<std::string> labels = labels_of(figure);
  Json panels = Json::list();
  for (const Panel& panel : figure.panels) {
    Json curves = Json::list();
    std::vector<std::size_t> rows;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      if (c == 0 || !begins_band(panel, c - 1)) {  // or the rows are those of the band's other side
        rows = rows_seen(std::span(panel.curves).subspan(c, begins_band(panel, c) ? 2 : 1), points);
      }
      const Curve curve = at_rows(panel.curves[c], rows);
      curves.push_back(Json{{"label", curve.label},
                            {"is_parametric", panel.curves[c].is_parametric},
                            {"style", style_number(labels, panel, c)},
                            {"begins_band", begins_band(panel, c)},
                            {"x", rounded(curve.x, true)},
                            {"y", rounded(curve.y, false)}});
    }
    const AxisRange range = y_range(figure, panel);
    panels.push_back(Json{{"title", panel.title},
                          {"y_label", panel.y_label},
                          {"unit", panel.unit},
                          {"x_label", panel.x_label.empty() ? figure.x_label : panel.x_label},
                          {"x_unit", panel.x_label.empty() ? figure.x_unit : panel.x_unit},
                          {"note", limit_note(panel)},
                          {"limits", near_limits(figure, panel)},
                          {"range", Json::list(range.low, range.high)},
                          {"has_zero", panel.has_zero},
                          {"curves", curves}});
  }
  return {{"title", figure.title},   {"subtitle", figure.subtitle}, {"x_label", figure.x_label},
          {"x_unit", figure.x_unit}, {"columns", figure.columns},   {"panels", panels}};
}

Json frame_data(const Transform& T) {
  return {{"R", list_of_axes(T.R)}, {"p", coordinates(T.p)}};
}

Json link_data(const Link& link) {
  return {{"turns", is_turning(link.joint)},
          {"a", link.a},
          {"alpha", Json::list(link.cos_alpha, link.sin_alpha)},
          {"d", link.d},
          {"theta", Json::list(link.cos_theta, link.sin_theta)},
          {"com", coordinates(link.body.com)},
          {"mass", link.body.mass}};
}

/// Number of joint k's link among those of all chains.
std::size_t drawn_link(const Arm& arm, std::size_t k) {
  if (arm.is_serial()) return k;
  auto [chain, link] = chain_link(arm, k);
  while (chain-- > 0) link += arm.chains[chain].rows.size();
  return link;
}

/// Links in the proximal form, frames of the user's table in theirs, and q. A mechanism has the links
/// of all chains, each with the place of the frame before and its row over q; the tool is at `end`.
Json arm_data(const Views& views, std::size_t points) {
  if (!views.robot) return {};
  const Arm arm = normalize(*views.robot);
  Json links = Json::list(), user = Json::list(), q = Json::list();
  const auto add = [&](const Arm& chain, const auto& finish) {
    for (std::size_t i = 0; i < chain.dof(); ++i) {
      Json link = link_data(chain.links[i]);
      finish(i, link);
      links.push_back(link);
      user.push_back(frame_data(chain.user_frame[i]));
    }
  };
  if (arm.is_serial()) add(arm, [](std::size_t, Json&) {});
  for (std::size_t before = 0; const Chain& chain : arm.chains) {
    add(chain.arm, [&](std::size_t i, Json& link) {
      const auto& [joints, factors, offset] = chain.rows[i];
      link["before"] = i == 0 ? 0 : before;
      link["joints"] = joints;
      link["factors"] = factors;
      link["offset"] = offset;
      ++before;
    });
  }
  for (std::size_t i = 0; i < arm.dof(); ++i) {
    const Curve curve = i < views.q.size()
                            ? at_rows(views.q[i], rows_seen(std::span(&views.q[i], 1), points))
                            : Curve{"", {0.0}, {0.0}};
    q.push_back(Json::list(rounded(curve.x, true), rounded(curve.y, false)));
  }
  const Json arrows = each(views.arrows, [&arm](const ForceArrow& arrow) {
    return Json{{"link", drawn_link(arm, arrow.link)},
                {"at", coordinates(arrow.at)},
                {"force", coordinates(arrow.force)},
                {"from", arrow.from},
                {"to", arrow.to},
                {"label", arrow.label}};
  });
  Json data{{"links", links},
            {"arrows", arrows},
            {"user", user},
            {"base", frame_data(arm.base)},
            {"tool", frame_data(arm.tool)},
            {"gravity", coordinates(views.robot->gravity)},
            {"q", q}};
  if (!arm.is_serial()) data["end"] = arm.chains.front().rows.size();
  return data;
}

Json number_or_none(const std::optional<double>& number) {
  return number ? Json(*number) : Json();
}

/// The formulas as operation, left and right of one step after the other, constants by their number.
Json adjustable_data(const Views& views) {
  if (!views.adjustable) return {};
  const auto& [torque, rows, has_wrench, rms, count, has_plain_gear] = *views.adjustable;
  const Robot& robot = *views.robot;
  Json steps = Json::list(), constants = Json::list(), results = Json::list(),
       joints = Json::list();
  for (const FormulaList::Step& step : torque.steps) {
    const bool is_constant = step.operation == 0;
    steps.push_back(step.operation);
    steps.push_back(is_constant ? constants.entries().size() : std::size_t{step.left});
    steps.push_back(std::size_t{step.right});
    if (is_constant) constants.push_back(step.value);
  }
  for (const auto& [step, factor] : torque.results) {
    results.push_back(Json::list(std::size_t{step}, factor));
  }
  for (std::size_t i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints[i];
    Json entry{{"name", joint.name},
               {"unit", torque_unit(joint)},
               {"limit", number_or_none(joint.limits.torque)},
               {"turns", is_turning(joint.type)},
               {"rms", rms.empty() ? Json() : Json(rms[i])}};
    if (!has_plain_gear.empty()) {
      const double ratio = joint.motor.gear_ratio;
      entry["motor"] = Json{{"ratio", std::abs(ratio)},
                            {"sign", ratio < 0.0 ? -1 : 1},
                            {"is_plain", static_cast<bool>(has_plain_gear[i])},
                            {"peak", number_or_none(joint.motor.ratings.peak_torque)},
                            {"continuous", number_or_none(joint.motor.ratings.continuous_torque)}};
    }
    joints.push_back(std::move(entry));
  }
  Json bodies = Json::list();
  for (std::size_t k = 0; k < number_of_joints(robot); ++k) {
    const Joint& joint = joint_at(robot, k);
    bodies.push_back(Json{{"name", joint.name}, {"mass", joint.body.mass}});
  }
  return {{"steps", steps},
          {"constants", constants},
          {"results", results},
          {"joints", joints},
          {"bodies", bodies},
          {"gravity", coordinates(robot.gravity)},
          {"payload", Json::list(robot.payload.mass, robot.payload.com.x, robot.payload.com.y,
                                 robot.payload.com.z)},
          {"rows", each(rows, [](const auto& column) { return packed(column); })},
          {"count", count},
          {"has_wrench", has_wrench}};
}

/// Data of the script as an element of the page, which no text within can end.
std::string data_of(const Views& views) {
  std::size_t curves = views.q.size();
  for (const Figure& figure : views.figures) {
    for (const Panel& panel : figure.panels) curves += panel.curves.size();
  }
  const std::size_t points =
      std::max<std::size_t>(100, points_of_page / std::max<std::size_t>(1, curves));
  const Json figures =
      each(views.figures, [points](const Figure& figure) { return figure_data(figure, points); });
  const Json styles = each(curve_styles, [](const CurveStyle& style) {
    return Json{{"color", style.color},
                {"width", style.width},
                {"dashes", style.dashes},
                {"layer", style.layer}};
  });
  const bool has_figure = !views.figures.empty();
  const Json drawn{{"figures", figures},
                   {"styles", styles},
                   {"arm", arm_data(views, points)},
                   {"adjustable", adjustable_data(views)},
                   {"x_label", has_figure ? views.figures.front().x_label : "t"},
                   {"x_unit", has_figure ? views.figures.front().x_unit : "s"}};
  std::string data = compact_json(drawn);
  replace_all(data, "<", "\\u003c");
  return "<script type=\"application/json\" id=\"data\">" + data + "</script>\n";
}

std::string name_of(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string head_of(const Json& robot, const PageHead& head) {
  const std::string name = robot["name"].as_text();
  std::string html = element("h1", name.empty() ? "armdyn" : name);
  html += "<pre class=\"command\">" + escaped("$ " + head.command) + "</pre>\n<dl>\n";
  const auto entry = [&html](const std::string& term, const std::string& text) {
    html += element("dt", term) + element("dd", text);
  };
  entry("armdyn", head.version);
  if (robot.is_object()) entry(name_of(robot["file"].as_text()), robot["digest"].as_text());
  for (const auto& [input, digest] : head.inputs) entry(input, digest);
  return html + "</dl>\n";
}

}  // namespace

std::string page_of(const Document& document, const PageHead& head) {
  const std::vector<std::string> none;
  const auto of_model = document.model_warnings.value_or(none);
  const std::string title =
      document.views.figures.empty() ? head.command : document.views.figures.front().title;
  const Json all = data_of(document);
  const Json& robot = all["robot"];
  const std::string file = robot["file"].as_text();
  const auto without_folder = [&file](std::string html) {
    if (file.find('/') != file.npos) replace_all(html, escaped(file), escaped(name_of(file)));
    return html;
  };
  const std::string answer = without_folder(marked_up(document.sections, Html()));
  // Above all stands what the answer begins with: its verdict, before plots all of it.
  const auto& adjustable = document.views.adjustable;
  const bool has_plots =
      !document.views.figures.empty() || (adjustable && adjustable->rows.front().size() > 1);
  std::size_t verdict = 0;
  while ((has_plots || verdict == 0) && answer.compare(verdict, 3, "<p>") == 0) {
    verdict = answer.find("</p>\n", verdict) + 5;
  }
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"";
  html.append(page_policy).append("\">\n");
  html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  html += element("title", title);
  html.append("<style>").append(page_style).append("</style>\n</head>\n<body>\n<header>\n");
  const bool is_sheet = document.views.is_sheet;
  html += head_of(robot, head) + "</header>\n<main" + (is_sheet ? " class=\"sheet\"" : "") + ">\n" +
          answer.substr(0, verdict) +
          without_folder(list("warnings", document.warnings.value_or(none)));
  if (!of_model.empty()) {
    html += "<details>" +
            element("summary", counted(of_model.size(), "warning") + " about the model") +
            without_folder(list("warnings", of_model)) + "</details>\n";
  }
  if (adjustable) html += "<section id=\"adjust\"></section>";
  html += "<div class=\"views\">";
  if (document.views.robot) html += "<section id=\"arm\"></section>";
  html += has_plots ? "<section id=\"plots\"></section></div>\n<section>\n" : "<section>\n";
  std::string parts = answer.substr(verdict);
  if (is_sheet) {
    replace_all(parts, "<h3>", "</div>\n<div class=\"part\">\n<h3>");
    parts = "<div class=\"parts\"><div>" + parts + "</div></div>\n";
  }
  html += parts + "</section>\n";
  html += has_plots ? "</main>\n" : "</div></main>\n";
  html += "<footer>\n<details>";
  html +=
      "<summary>Licenses: this page by armdyn, BSD 3-Clause; its plots by uPlot, MIT</summary>\n";
  html += element("pre", page_license) + "</details>\n</footer>\n" + data_of(document.views);
  html.append("<script>")
      .append(page_library)
      .append(page_script)
      .append("</script>\n</body>\n</html>\n");
  return html;
}

// --- MathML

namespace {

/// Sign of a command, by default its name.
std::string sign_of(std::string_view command) {
  if (command == "left" || command == "right") return "";
  const auto greek = std::ranges::find(greek_words, command);
  if (greek != greek_words.end()) {
    return std::string(
        greek_letters.substr(2 * static_cast<std::size_t>(greek - greek_words.begin()), 2));
  }
  const std::string_view sign = word_behind(command, "partial ∂ cdot · pi π times × pm ±");
  return markup_text(sign.empty() ? command : sign);
}

std::string node(std::string_view tag, std::string_view content) {
  return fmt::format("<{0}>{1}</{0}>", tag, content);
}

/// Parser of LaTeX, from left to right.
class MathParser {
 public:
  explicit MathParser(std::string_view latex) : rest_(latex) {}

  /// Reads the lines of an alignment, each with its cells.
  std::string table() {
    std::string rows, cells;
    while (true) {
      cells += node("mtd", row());
      if (taken("&")) continue;
      rows += node("mtr", cells) + "\n";
      cells.clear();
      if (!taken("\\\\")) return rows;
    }
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\n\v\f\r"), rest_.size()));
  }
  bool taken(std::string_view text) {
    skip_blanks();
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// Takes the longest beginning whose bytes are such, or one byte.
  std::string_view take(int (*is_such)(int)) {
    std::size_t size = 0;
    while (size < rest_.size() && is_such(static_cast<unsigned char>(rest_[size])) != 0) ++size;
    const std::string_view found = rest_.substr(0, std::max<std::size_t>(1, size));
    rest_.remove_prefix(found.size());
    return found;
  }

  /// Reads up to the end of a group, a cell or a line.
  std::string row() {
    std::string items;
    for (skip_blanks(); !rest_.empty(); skip_blanks()) {
      const char next = rest_.front();
      if (next == '}' || next == '&' || rest_.starts_with("\\\\") || rest_.starts_with("\\end"))
        break;
      items += with_scripts(atom());
    }
    return node("mrow", items);
  }

  std::string with_scripts(std::string base) {
    std::string below, above;
    for (bool is_below = false; (is_below = taken("_")) || taken("^");) {
      (is_below ? below : above) = atom();
    }
    if (below.empty() && above.empty()) return base;
    return node(above.empty() ? "msub" : below.empty() ? "msup" : "msubsup", base + below + above);
  }

  std::string atom() {
    skip_blanks();
    if (rest_.empty()) return "";
    if (taken("{")) {
      std::string group = row();
      taken("}");
      return group;
    }
    if (taken("\\")) return command(take(std::isalpha));
    if (std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      return node("mn", take([](int c) { return c == '.' ? 1 : std::isdigit(c); }));
    }
    const std::size_t size = std::max<std::size_t>(1, first_code_point(rest_).length);
    const std::string sign = markup_text(rest_.substr(0, size));
    const bool is_letter = size > 1 || std::isalpha(static_cast<unsigned char>(sign.front())) != 0;
    rest_.remove_prefix(size);
    return node(is_letter ? "mi" : "mo", sign == "-" ? "−" : sign);
  }

  std::string command(std::string_view name) {
    if (name == "frac" || name == "tfrac") {
      const std::string above = atom();
      return node("mfrac", above + atom());
    }
    if (name == "begin" && taken("{bmatrix}")) {
      const std::string entries = table();
      taken("\\end{bmatrix}");
      return node("mo", "[") + node("mtable", entries) + node("mo", "]");
    }
    if (name == "dot" || name == "ddot") {
      return node("mover", atom() + node("mo", name == "dot" ? "˙" : "¨"));
    }
    if (name == "mathit" || name == "mathrm") {
      taken("{");
      const std::string word = markup_text(rest_.substr(0, rest_.find('}')));
      rest_.remove_prefix(std::min(rest_.size(), word.size() + 1));
      return node("mi", word);
    }
    const std::string text = sign_of(name);
    const bool is_operator = name == "cdot" || name == "partial";
    return text.empty() ? "" : node(is_operator ? "mo" : "mi", text);
  }

  std::string_view rest_;
};

}  // namespace

std::string mathml_of(const std::string& latex) {
  std::string_view lines = latex;
  constexpr std::string_view begin = "\\begin{align*}", end = "\\end{align*}";
  if (lines.starts_with(begin)) lines.remove_prefix(begin.size());
  lines = lines.substr(0, lines.find(end));
  return "<math display=\"block\"><mtable>\n" + MathParser(lines).table() + "</mtable></math>\n";
}

}  // namespace armdyn

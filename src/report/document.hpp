#pragma once

// Answer of a verb as a document: each value once, with its key for programs and its words for
// people. Renderers make of it text (document_text.cpp), Markdown, LaTeX, JSON and pages
// (document_page.cpp); another format is one more file like those.

#include <armdyn/json.hpp>
#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include "figure/figure.hpp"
#include "math/bound.hpp"
#include "math/formula_list.hpp"

namespace armdyn {

/// Rows of a matrix.
[[nodiscard]] Json list_of_rows(const Matrix& A);
/// Rows of a rotation.
[[nodiscard]] Json list_of_axes(const Mat3& R);

/// A value: exact for programs, brief for people; by default none, "-" for people.
struct Value {
  std::optional<Json> exact = {};
  std::string brief = "-";
  std::string unit = {};  ///< of a number that people see in another one (shown_unit)

  /// Number in four significant digits; 0 for -0.
  [[nodiscard]] static Value number(double value);
  [[nodiscard]] static Value number(const std::optional<double>& value) {
    return value ? number(*value) : Value{};
  }
  /// Number of that SI unit; people see it in the shown one, and so do programs where its object
  /// names the unit.
  [[nodiscard]] static Value number(double value, std::string_view unit);
  [[nodiscard]] static Value number(const std::optional<double>& value, std::string_view unit) {
    return value ? number(*value, unit) : Value{};
  }
  /// The unit of numbers beside it.
  [[nodiscard]] static Value unit_of(std::string_view unit);
  /// Moment, s, in digits as of `moment_text`.
  [[nodiscard]] static Value moment(double t);
  /// First and last moment, s: "0 to 1.5".
  [[nodiscard]] static Value moments(double first, double last);
  /// Bounds of a moment, s, and of a number; as text they remain bounds.
  [[nodiscard]] static Value moment(double t, Bound bound);
  [[nodiscard]] static Value bounds(double lower, double upper);
  [[nodiscard]] static Value number(double value, Bound bound);
  /// Range: "-2 to 3".
  [[nodiscard]] static Value range(double lower, double upper);
  /// Number whose order of magnitude counts: "1.2e-07".
  [[nodiscard]] static Value magnitude(double value);
  /// Share of a limit: "12 %".
  [[nodiscard]] static Value share(double value, const std::optional<double>& limit);
  [[nodiscard]] static Value count(std::uint64_t count) { return {count, std::to_string(count)}; }
  /// Count with a noun: "1 row", "2 rows".
  [[nodiscard]] static Value count(std::uint64_t count, const std::string& singular);
  [[nodiscard]] static Value word(const std::string& word) { return {word, word}; }
  /// Data that people do not see.
  [[nodiscard]] static Value data(Json exact) { return {std::move(exact), ""}; }
};

/// A value of an answer.
struct Field {
  std::string key;                   ///< empty: for people alone
  std::optional<std::string> label;  ///< none: for programs alone
  Value value;
};
using Fields = std::vector<Field>;

inline constexpr const char* for_people = "";                 ///< as a key
inline constexpr std::nullopt_t for_programs = std::nullopt;  ///< as a label

/// Label that people see only if `is_shown`; programs have the field always.
[[nodiscard]] std::optional<std::string> label_if(bool is_shown, const std::string& label);

/// Words without a key.
[[nodiscard]] Field words(const std::string& text);

/// A number as people see it, with its unit: "1.2 rad".
[[nodiscard]] std::string with_unit(double value, std::string_view unit, int digits = 4);

/// Object of the fields that have a key and a value.
[[nodiscard]] Json object(const Fields& fields);

/// List of a number per joint, with 0 for -0.
[[nodiscard]] Json joint_values(const std::vector<double>& values);

// --- contents of sections. Fields alone are a sentence: for people the labels one behind the other,
// in each the value in place of {}, without fields that have no value

/// A table under the labels of the last row, common to all rows; a shorter row is a heading. Labels
/// "held out: before" and "held out: after" are of one group, whose name is over both; a table that is
/// too wide breaks between groups. For programs a list of objects.
struct FieldTable {
  std::vector<Fields> rows;
  bool all_left = false;  ///< all columns, not the first alone
};

[[nodiscard]] Json objects(const FieldTable& table);

/// Texts in lines, each behind `first`. For programs a list of texts.
struct Paragraphs {
  std::string first;
  std::vector<std::string> texts;
};

/// A matrix; for programs its rows. People see it transposed where it is wide.
struct LabeledMatrix {
  std::vector<std::string> rows, columns;
  Matrix values;
  bool is_wide = false;
};

/// Columns of different quantities, each of its own scale, for people. NaN: an empty cell.
struct LabeledColumn {
  std::string label;
  std::vector<double> values;
  std::optional<int> decimals = {};  ///< instead of five significant digits
  double scale = 0.0;                ///< magnitude of the terms that the values are sums of
};
struct LabeledColumns {
  std::vector<std::string> rows;
  std::vector<LabeledColumn> columns;
};

/// Equations for people, as text and as an align* environment of LaTeX; lines ended.
struct Formulas {
  std::string text, latex;
};

struct Section;
using Sections = std::vector<Section>;
/// Content of a section: Json is for programs, a text is a line for people, sections make an object.
using Content = std::variant<Json, Fields, FieldTable, std::string, Paragraphs, LabeledMatrix,
                             LabeledColumns, Formulas, Sections>;

/// `terminal`: people who may call the program again, by a hint.
enum class Audience { all, people, programs, terminal };

/// A part of an answer. Without a key, data and fields stand beside the other sections, and all else
/// is for people alone. Tables of one key have the same rows, each with more fields.
struct Section {
  std::string key;
  Content content;
  std::string heading = {};
  bool is_apart = false;  ///< a blank line before it
  Audience audience = Audience::all;
};

/// A force at a point of the arm, for a time.
struct ForceArrow {
  std::size_t link = 0;  ///< of that joint, in whose proximal frame the point is
  Vec3 at;               ///< m
  Vec3 force;            ///< in the world, N
  double from = 0.0, to = 0.0;
  std::string label;  ///< "38 N"
};

/// A trajectory whose torques a page computes anew, as its reader changes numbers of the robot.
struct AdjustableTorque {
  FormulaList torque;                     ///< as of adjustable_torque
  std::vector<std::vector<double>> rows;  ///< columns t, q, qd, qdd and τ, dof each but for t
  bool has_wrench = false;                ///< a part of τ is its, and stays as it is
  std::vector<double> rms = {};           ///< of τ of each joint, where rows were left out
  std::size_t count = 0;                  ///< of all rows of the trajectory; `rows` may be fewer
  /// Whether the torque of each joint's motor, of figures "motor τ" and "motor |τ|", is that of the joint
  /// over the gear ratio; empty: there are none.
  std::vector<bool> has_plain_gear = {};
};

/// Views of an answer: its figures, and the moving arm.
struct Views {
  std::vector<Figure> figures = {};
  std::optional<Robot> robot = {};
  std::vector<Curve> q = {};  ///< of each joint, rad or m, over the figures' x; none: q = 0
  std::vector<ForceArrow> arrows = {};
  std::optional<AdjustableTorque> adjustable = {};
  bool is_sheet = false;  ///< parts below headings stand side by side, and fit few sheets of paper
};

/// Width of texts that no terminal shows.
inline constexpr std::size_t usual_width = 100;

struct Document {
  Sections sections;
  std::optional<std::vector<std::string>> model_warnings = {}, warnings = {};
  std::size_t width = usual_width;  ///< of a text, in characters
  bool keeps_order = false;         ///< of its keys, in JSON with a matrix's rows on a line each
  Views views = {};                 ///< for pages alone

  void add(std::string key, Content content) {
    sections.push_back({std::move(key), std::move(content)});
  }
  void add(const Sections& more) { sections.insert(sections.end(), more.begin(), more.end()); }
  /// Adds content for people alone, or with keys of its own.
  void add(Content content) { add("", std::move(content)); }
  /// Data of an existing key.
  [[nodiscard]] Json& data(const std::string& key);
};

/// The same sections for one audience.
[[nodiscard]] Sections only_for(Audience audience, Sections sections);

// --- renderers

/// Text for reading, without the warnings.
[[nodiscard]] std::string text_of(const Document& document);
[[nodiscard]] std::string text_of(const Section& section, std::size_t width = usual_width);
[[nodiscard]] std::string sentence(const Fields& fields);

/// Markdown as of GitHub; matrices are tables.
[[nodiscard]] std::string markdown_of(const Document& document);
/// LaTeX, as a part of a document, and as one that pdfTeX prints.
[[nodiscard]] std::string latex_of(const Document& document);
[[nodiscard]] std::string latex_page_of(const Document& document);

using Renderer = std::string (*)(const Document&);
/// Formats by their names; a new one is its row, and a file.
inline std::vector<std::pair<std::string, Renderer>> answer_formats() {
  return {{"text", text_of}, {"markdown", markdown_of}, {"latex", latex_of}};
}

/// Data for programs, as one object.
[[nodiscard]] Json data_of(const Document& document);
/// JSON with a newline at the end. Bytes that are not UTF-8 are replaced (U+FFFD), and controls of
/// terminals escaped.
[[nodiscard]] std::string json_of(const Document& document);
[[nodiscard]] std::string json_of(const Json& data, bool keeps_order = false);
/// JSON in one line, without the newline.
[[nodiscard]] std::string compact_json(const Json& data);
/// Data of JSON; nothing where the text is none, or has more than 100 levels.
[[nodiscard]] Json parse_json(const std::string& text);

/// Words of a page before the answer.
struct PageHead {
  std::string version, command;
  std::vector<std::pair<std::string, std::string>> inputs;  ///< names and digests
};

/// HTML page that loads nothing else: warnings, plots, the arm, and all content for people. Curves
/// have some thousands of points, with all extremes. Texts are escaped.
[[nodiscard]] std::string page_of(const Document& document, const PageHead& head);

// Parts common to all pages, from src/report/page.

extern const std::string_view page_library;  ///< uPlot
extern const std::string_view page_script, page_style;
/// Content-Security-Policy: only library and script as one, and that style, by their SHA-256.
extern const std::string_view page_policy;
extern const std::string_view page_license;  ///< of uPlot

// --- aligned text

/// Rows of cells, the first one of labels.
using TextCells = std::vector<std::vector<std::string>>;

/// Cells of a table for people; none without any.
[[nodiscard]] TextCells cells_of(const FieldTable& table);
[[nodiscard]] TextCells cells_of(const LabeledColumns& table);
[[nodiscard]] TextCells cells_of(const LabeledMatrix& matrix);

/// Text of cells: the first column to the left, the others to the right, or all to the left; two
/// blanks between them, each line ended. Widths count characters, not bytes.
[[nodiscard]] std::string text_table(const TextCells& rows, bool all_left = false,
                                     std::size_t width = usual_width);

/// Wraps `first` and then words in lines of that width; the other lines begin with blanks as wide as
/// `first`.
[[nodiscard]] std::string wrapped(const std::string& first, const std::string& words,
                                  std::size_t width = usual_width);

}  // namespace armdyn

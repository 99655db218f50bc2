#pragma once

// An answer as a document: what a verb found, each value once, with its key for programs and its
// words for people. A renderer makes a text of it (document_text.cpp), Markdown, LaTeX, JSON or a page
// (document_page.cpp); another format is one more file like those.

#include <armdyn/robot.hpp>
#include <armdyn/vector.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "io/plot/plot.hpp"

namespace armdyn {

/// A value for programs: nothing, a truth, a number, a text, a list, or members under their keys.
/// Numbers that are not finite are nothing.
class Json {
 public:
  using List = std::vector<Json>;
  /// A type of its own: libstdc++ 12 takes a variant of texts and vectors alone for one that always
  /// holds a value, even where copying it ran out of memory.
  struct Members : std::vector<std::pair<std::string, Json>> {
    using vector::vector;
  };
  using Held = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                            List, Members>;

  Json() = default;
  Json(const Json&);
  Json(Json&&) noexcept;
  Json& operator=(const Json&);
  Json& operator=(Json&&) noexcept;
  ~Json();
  Json(std::initializer_list<std::pair<std::string, Json>> members);
  /// Holds a number, a text, an optional value, a range of values, or a map from texts.
  template <class T>
  requires(!std::is_same_v<T, Json>) Json(const T& value) : held_(held(value)) {}

  [[nodiscard]] static Json object() { return Json(Members{}); }
  [[nodiscard]] static Json list() { return Json(List{}); }
  template <class... Entries>
  [[nodiscard]] static Json list(const Entries&... entries) {
    return Json(List{Json(entries)...});
  }

  [[nodiscard]] const Held& held() const { return held_; }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(held_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Members>(held_); }
  /// Entries of a list, members of an object; of other data none.
  [[nodiscard]] const List& entries() const;
  [[nodiscard]] const Members& members() const;

  /// The member of that key, or nothing.
  [[nodiscard]] const Json& operator[](std::string_view key) const;
  [[nodiscard]] const Json& operator[](std::size_t i) const { return entries().at(i); }
  [[nodiscard]] bool contains(std::string_view key) const;
  /// A number as another kind of number; of other data, and what no 64 bits hold, 0.
  template <class Number>
  [[nodiscard]] Number as() const {
    return std::visit(
        [](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_floating_point_v<Value> && !std::is_floating_point_v<Number>) {
            const bool is_held = std::abs(value) < 0x1p63;
            return static_cast<Number>(is_held ? static_cast<std::int64_t>(value) : 0);
          } else if constexpr (std::is_arithmetic_v<Value>) {
            return static_cast<Number>(value);
          } else {
            return Number{};
          }
        },
        held_);
  }
  [[nodiscard]] std::string as_text() const;

  /// The member of that key, nothing yet where it is new. Nothing becomes an object by it.
  Json& operator[](std::string_view key);
  /// Takes over all members.
  void update(const Json& other);
  void erase(std::string_view key);
  /// Nothing becomes a list by it.
  void push_back(Json entry);

 private:
  template <class T>
  static Held held(const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::nullptr_t> ||
                  std::is_same_v<T, List> || std::is_same_v<T, Members>) {
      return value;
    } else if constexpr (std::is_constructible_v<std::string_view, const T&>) {
      return std::string(std::string_view(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isfinite(value) ? Held(static_cast<double>(value)) : Held(nullptr);
    } else if constexpr (std::is_unsigned_v<T>) {
      return std::uint64_t{value};
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (requires { value.has_value(); }) {
      return value ? Json(*value).held_ : Held(nullptr);
    } else if constexpr (requires { typename T::mapped_type; }) {
      Members members;
      for (const auto& [key, entry] : value) members.emplace_back(key, entry);
      return members;
    } else {
      List list;
      for (const auto& entry : value) list.emplace_back(entry);
      return list;
    }
  }

  Held held_ = nullptr;
};

/// The rows of a matrix.
[[nodiscard]] Json list_of_rows(const Matrix& A);

/// A value: exact for programs, brief for people. Default: there is none, "-" for people.
struct Value {
  std::optional<Json> exact = {};
  std::string brief = "-";

  /// Four significant digits; 0 for -0.
  [[nodiscard]] static Value number(double value);
  [[nodiscard]] static Value number(const std::optional<double>& value) {
    return value ? number(*value) : Value{};
  }
  /// Six significant digits: a moment, s.
  [[nodiscard]] static Value moment(double t);
  /// "0 to 1.5": the first and the last moment, s.
  [[nodiscard]] static Value moments(double first, double last);
  /// "-2 to 3".
  [[nodiscard]] static Value range(double lower, double upper);
  /// "1.2e-07": the order of magnitude counts.
  [[nodiscard]] static Value magnitude(double value);
  /// "12 %", of the limit.
  [[nodiscard]] static Value share(double value, const std::optional<double>& limit);
  [[nodiscard]] static Value count(std::uint64_t count) { return {count, std::to_string(count)}; }
  /// "1 row", "2 rows".
  [[nodiscard]] static Value count(std::uint64_t count, const std::string& singular);
  [[nodiscard]] static Value word(const std::string& word) { return {word, word}; }
  /// Data that people do not see.
  [[nodiscard]] static Value data(Json exact) { return {std::move(exact), ""}; }
};

/// A thing that an answer says.
struct Field {
  std::string key;                   ///< empty: for people alone
  std::optional<std::string> label;  ///< none: for programs alone
  Value value;
};
using Fields = std::vector<Field>;

inline constexpr const char* for_people = "";                 ///< as a key
inline constexpr std::nullopt_t for_programs = std::nullopt;  ///< as a label

/// A label that people see only if; programs have the field always.
[[nodiscard]] std::optional<std::string> label_if(bool is_shown, const std::string& label);

/// Words that have no key.
[[nodiscard]] Field words(const std::string& text);

/// An object, without the keys of values that are not there.
[[nodiscard]] Json object(const Fields& fields);

/// A list of a number per joint, with 0 for -0.
[[nodiscard]] Json joint_values(const std::vector<double>& values);

// --- what a section consists of; Fields alone are a sentence: for people the labels one behind the
// other, in each the value in place of {}, without fields that have no value

/// A table under the labels of the last row, which all rows have in common; a shorter row is a
/// heading. For programs a list of objects.
struct FieldTable {
  std::vector<Fields> rows;
  bool all_left = false;  ///< all columns, not the first alone
};

[[nodiscard]] Json objects(const FieldTable& table);

/// Texts in lines of 100 columns, each behind `first`. For programs a list of texts.
struct Paragraphs {
  std::string first;
  std::vector<std::string> texts;
};

/// A matrix; for programs its rows. People see it transposed where it is wide.
struct LabelledMatrix {
  std::vector<std::string> rows, columns;
  Matrix values;
  bool is_wide = false;
};

/// Columns of different quantities, each of its own scale, for people. NaN: an empty cell.
struct LabelledColumn {
  std::string label;
  std::vector<double> values;
  std::optional<int> decimals = {};  ///< instead of five significant digits
  double scale = 0.0;  ///< of what the values are sums of, where that is more than the values
};
struct LabelledColumns {
  std::vector<std::string> rows;
  std::vector<LabelledColumn> columns;
};

/// Equations for people, by signs and as an align* environment of LaTeX; lines ended.
struct Formulas {
  std::string text, latex;
};

struct Section;
using Sections = std::vector<Section>;
/// Json are for programs; a text is a line for people as it stands; sections make an object.
using Content = std::variant<Json, Fields, FieldTable, std::string, Paragraphs, LabelledMatrix,
                             LabelledColumns, Formulas, Sections>;

enum class Audience { all, people, programs };

/// A part of an answer. Without a key, what has keys of its own stands beside the other sections,
/// and the rest is for people alone. Tables of one key have the same rows, each with more of them.
struct Section {
  std::string key;
  Content content;
  std::string heading = {};
  bool is_apart = false;  ///< a blank line before it
  Audience audience = Audience::all;
};

/// Views of an answer: its figures, and the arm, which moves.
struct Views {
  std::vector<Figure> figures = {};
  std::optional<Robot> robot = {};
  std::vector<Curve> q = {};  ///< of each joint, rad or m over what the figures have; none: q = 0
};

struct Document {
  Sections sections;
  std::optional<std::vector<std::string>> model_warnings = {}, warnings = {};
  bool keeps_order = false;  ///< of its keys, in JSON with a matrix's rows on a line each
  Views views = {};          ///< for pages alone

  void add(std::string key, Content content) {
    sections.push_back({std::move(key), std::move(content)});
  }
  void add(const Sections& more) { sections.insert(sections.end(), more.begin(), more.end()); }
  /// Adds what is for people alone, or has keys of its own.
  void add(Content content) { add("", std::move(content)); }
  /// The data of that key, which are there.
  [[nodiscard]] Json& data(const std::string& key);
};

/// The same sections for those alone.
[[nodiscard]] Sections only_for(Audience audience, Sections sections);

// --- renderers

/// Text for reading in 100 columns, without the warnings.
[[nodiscard]] std::string text_of(const Document& document);
[[nodiscard]] std::string text_of(const Section& section);
[[nodiscard]] std::string sentence(const Fields& fields);

/// The same with tables of Markdown as GitHub has it; matrices are tables.
[[nodiscard]] std::string markdown_of(const Document& document);
/// The same with tables of LaTeX, to be put into a document, and as one that pdfTeX prints.
[[nodiscard]] std::string latex_of(const Document& document);
[[nodiscard]] std::string latex_page_of(const Document& document);

using Renderer = std::string (*)(const Document&);
/// The formats that people choose by their names; a new one is its row, and a file that has it.
inline std::vector<std::pair<std::string, Renderer>> answer_formats() {
  return {{"text", text_of}, {"markdown", markdown_of}, {"latex", latex_of}};
}

/// Data for programs, as one object.
[[nodiscard]] Json data_of(const Document& document);
/// JSON with a newline at the end. What is not UTF-8 is replaced (U+FFFD), and what would control a
/// terminal is escaped.
[[nodiscard]] std::string json_of(const Document& document);
[[nodiscard]] std::string json_of(const Json& data);
/// The same in one line, without the newline.
[[nodiscard]] std::string compact_json(const Json& data);
/// Nothing where that is no JSON, or has more than 100 levels.
[[nodiscard]] Json parse_json(const std::string& text);

/// Words of a page before the answer.
struct PageHead {
  std::string version, command;
  std::vector<std::pair<std::string, std::string>> inputs;  ///< names and digests
};

/// An HTML page that needs nothing else: warnings, plots, the arm, all that people are told. The
/// curves have some thousands of points, with all extremes. Whatever texts say, they are texts.
[[nodiscard]] std::string page_of(const Document& document, const PageHead& head);

// Parts of a page that are the same in all, from src/report/page.

extern const std::string_view page_library;  ///< uPlot
extern const std::string_view page_script, page_style;
/// Content-Security-Policy: nothing but library and script as one, and that style, by their SHA-256.
extern const std::string_view page_policy;
extern const std::string_view page_licence;  ///< of uPlot

// --- aligned text

/// Rows of cells, the first one of labels.
using TextCells = std::vector<std::vector<std::string>>;

/// Cells that people see of a table; none where they see nothing.
[[nodiscard]] TextCells cells_of(const FieldTable& table);
[[nodiscard]] TextCells cells_of(const LabelledColumns& table);
[[nodiscard]] TextCells cells_of(const LabelledMatrix& matrix);

/// Rows of cells: the first column to the left, the others to the right, or all to the left; two
/// blanks between them, each line ended. Widths count characters, not bytes.
[[nodiscard]] std::string text_table(const TextCells& rows, bool all_left = false);

/// Characters, not bytes, of a UTF-8 text.
[[nodiscard]] std::size_t character_count(const std::string& text);

/// `first` and then words, in lines of at most 100 columns; the other lines begin with blanks as
/// wide as `first`.
[[nodiscard]] std::string wrapped(const std::string& first, const std::string& words);

}  // namespace armdyn

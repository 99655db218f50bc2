#include "symbolic/verify.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {

namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

/// Signs and spaces as LaTeX and Unicode have them.
constexpr Replacement replacements[] = {
    {"{}", " "},         {"&", " "},         {"$", " "},       {"~", " "},
    {"\\pi", " pi "},    {"π", " pi "},      {"\\cdot", "*"},  {"\\times", "*"},
    {"**", "^"},         {"·", "*"},         {"×", "*"},       {"−", "-"},
    {".*", "*"},         {"./", "/"},        {".^", "^"},      {"\\tfrac", "frac"},
    {"\\dfrac", "frac"}, {"\\frac", "frac"}, {"\\sin", "sin"}, {"\\cos", "cos"},
    {"\\tan", "tan"},    {"½", "(1/2)"},     {"¼", "(1/4)"},   {"@", "*"},
    {"np.", " "},        {"sp.", " "},       {"math.", " "},   {"\\{", "("},
    {"\\}", ")"},        {"{", "("},         {"}", ")"},       {"[", "("},
    {"]", ")"},          {"¹", "^1"},        {"²", "^2"},      {"³", "^3"},
    {"⁴", "^4"},         {"⁵", "^5"},        {"⁶", "^6"},      {"⁷", "^7"},
    {"⁸", "^8"},         {"⁹", "^9"}};
constexpr std::string_view displays[] = {"align",   "equation",    "gather", "multline", "eqnarray",
                                         "flalign", "displaymath", "math",   "dmath"};
/// Displays with arguments.
constexpr std::string_view displays_with_columns[] = {"alignat", "xalignat", "IEEEeqnarray",
                                                      "empheq"};
/// Environments without formulas.
constexpr std::string_view unread[] = {"comment", "verbatim", "Verbatim", "lstlisting", "minted"};
constexpr std::string_view matrices[] = {"matrix",  "pmatrix", "bmatrix",    "Bmatrix",
                                         "vmatrix", "array",   "smallmatrix"};
/// Commands about looks, and those whose argument is no formula.
constexpr std::string_view blank_commands[] = {
    "limits",   "left",    "right",        "big",   "Big",   "bigg",  "Bigg",  "bigl",
    "bigr",     "Bigl",    "Bigr",         "biggl", "biggr", "Biggl", "Biggr", "notag",
    "nonumber", "enspace", "displaystyle", "hfill", "eqno",  "leqno"};
/// Commands between formulas, for =, and for relations that are none.
constexpr std::string_view between_formulas[] = {
    "quad", "qquad", "Rightarrow", "Longrightarrow", "implies", "therefore", "rightarrow", "iff"};
constexpr std::string_view equality_signs[] = {"equiv", "triangleq", "coloneqq", "eqdef"};
constexpr std::string_view other_relations[] = {"approx", "simeq", "sim", "neq",  "ne",    "leq",
                                                "le",     "geq",   "ge",  "cong", "propto"};
constexpr std::string_view asides[] = {"hspace",  "label",    "tag",     "intertext",
                                       "phantom", "hphantom", "vphantom"};
/// Commands behind which "(2)" at the end is the number of the equation.
constexpr std::string_view before_numbers[] = {"quad", "qquad", "hspace", "hfill"};
constexpr std::string_view fonts[] = {
    "mathrm", "mathit", "mathbf",     "mathsf",       "mathcal", "mathfrak", "mbox", "bm",
    "text",   "textrm", "boldsymbol", "operatorname", "si",      "unit",     "vec",  "underline"};
/// Units and what stands among them; longer ones first.
constexpr std::string_view unit_words[] = {
    "\\kilogram", "\\newton", "\\metre", "\\meter", "\\second", "\\radian", "\\squared",
    "\\cdot",     "rad",      "kg",      "in",      "N",        "m",        "s",
    "J",          "W",        "·",       "²",       "⋅"};
constexpr std::string_view functions[] = {"sin", "cos", "tan", "pi"};
/// Exponent of a transposed matrix.
constexpr std::string_view transposition_sign = "^ transposition ";
constexpr std::string_view partial_signs[] = {"\\partial", "∂"};
constexpr std::string_view without_normal_form[] = {"sqrt", "abs", "sign", "sgn",
                                                    "exp",  "ln",  "log"};

/// Environments within displayed formulas that only arrange them.
constexpr std::string_view inner_environments[] = {"aligned", "split", "gathered"};
/// Cells of a symmetric matrix whose entry stands on the other side.
constexpr std::string_view symmetry_signs[] = {"*", "\\ast", "sym", "symm", "sym.", "symm."};
constexpr std::string_view words_between[] = {"and", "with", "where", "or", "for"};
constexpr std::string_view vectors[] = {"omega", "omegad", "vd", "vdC", "F", "N", "f", "n"};
constexpr std::string_view jacobian_rows[] = {"vx", "vy", "vz", "omegax", "omegay", "omegaz"};

constexpr std::size_t most_formulas = 1000, longest_name = 200;

// Characters that stand for commands in a sheet's text.
constexpr char equation_end = '\v', row_end = '\f', cell_end = '\x01', matrix_begin = '\x02',
               matrix_end = '\x03', words_begin = '\x04', where_begin = '\x05', unit_begin = '\x06',
               display_end = '\x07', bound_sign = '\x0e';  // = of \sum_{i=1}

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// Returns 1 for a bracket that opens, -1 for one that closes, else 0.
int nesting(char c) {
  constexpr std::string_view brackets("([{\x02)]}\x03");
  const std::size_t place = brackets.find(c);
  return place == brackets.npos ? 0 : place < brackets.size() / 2 ? 1 : -1;
}

/// Place of the brace that closes the one at `at` or behind blanks there; npos where there is none
/// within 1000 characters.
std::size_t closing_brace(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 1000;
  while (at < text.size() && text[at] == ' ') ++at;
  if (at >= text.size() || text[at] != '{') return text.npos;
  int depth = 0;
  for (std::size_t end = at; end < std::min(text.size(), at + longest); ++end) {
    if (text[end] == '{' || text[end] == '}') depth += nesting(text[end]);
    if (depth == 0) return end;
  }
  return text.npos;
}

/// Tests whether a text is a unit, "(in kg m^2)"; one letter alone is none where it is a name.
bool is_unit(std::string_view text, const Names* names = nullptr) {
  std::string letters;
  if (text.size() > longest_name) return false;
  while (!text.empty()) {
    const auto word = std::ranges::find_if(
        unit_words, [&](std::string_view one) { return text.starts_with(one); });
    if (word != std::end(unit_words)) {
      if (*word != "in" && word->front() <= 'z') letters += *word;
      text.remove_prefix(word->size());
    } else if (std::string_view(" \t\r\n\v\x06.,*/^{}()[]-0123456789").find(text[0]) != text.npos) {
      text.remove_prefix(1);
    } else {
      return false;
    }
  }
  return !letters.empty() && (names == nullptr || !names->contains(letters));
}

/// Length of the ^T, ^\top or ^{\mathsf T} that a text begins with, or of ' and .T of a program; 0
/// where there is none.
std::size_t transposition(std::string_view text, bool is_program = false) {
  if (is_program && text.starts_with('\'')) return 1;
  if (is_program && text.starts_with(".T") && (text.size() == 2 || !is_letter_or_digit(text[2]))) {
    return 2;
  }
  constexpr std::string_view signs[] = {"T", "\\top", "\\intercal"};
  std::string sign;
  std::size_t end = text.starts_with('^') ? 1 : text.size();
  while (sign.empty() && end < text.size()) {
    const std::size_t begin = end++, brace = closing_brace(text, begin);
    if (brace != text.npos) end = brace + 1;
    const bool is_command = brace == text.npos && text[begin] == '\\';
    while (is_command && end < text.size() && is_letter(text[end])) ++end;
    sign = text.substr(begin, end - begin);
    for (const std::string_view font : fonts) replace_all(sign, "\\" + std::string(font), "");
    std::erase_if(sign, [](char c) { return c == '{' || c == '}' || c == ' '; });
  }
  return is_one_of(signs, sign) ? end : 0;
}

/// Fault of the frame before the name of a vector, which must be {i}; empty: none.
std::string frame_fault(std::string_view frame, std::string_view name) {
  const std::size_t letters = letters_of(name);
  if (frame.empty() || letters == name.size() || frame == name.substr(letters, 1)) return "";
  return fmt::format("expected {} in axes of {{{}}}; other axes are not read", name, name[letters]);
}

/// Tests whether one of these signs, by default + or −, stands outside of brackets.
bool has_sum(std::string_view text, std::string_view signs = "+-") {
  int depth = 0;
  return std::ranges::any_of(text, [&](char c) {
    depth += nesting(c);
    return depth == 0 && signs.find(c) != signs.npos;
  });
}

// Text beside formulas is overwritten with blanks, so that places in messages stay right.

void blank(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(&text[begin], &text[end], ' ');
}

/// Name that formulas have for a matrix of that left side: of g(q), which is not the g of gravity.
std::string matrix_name(const std::string& left) {
  return left == "g" ? "gofstate" : left;
}

/// Name of the matrix that begins there.
std::string literal_name(std::size_t begin) {
  return fmt::format("matrix{}", begin);
}

/// Writes a right side as FormulaReader reads it.
class Translation {
 public:
  Translation(const Sheet& sheet, std::string_view text, const Names& names, std::size_t* digits)
      : sheet_(sheet), whole_(text), names_(names), digits_(digits), is_latex_(sheet.is_latex()) {}

  Sheet::Formula formula(std::span<const Sheet::Part> parts) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_cell = i == 1;
      text_ = whole_.substr(0, parts[i].end);
      at_ = parts[i].begin;
      if (is_cell) formula_ += '(';
      while (at_ < text_.size()) {
        const std::size_t begin = at_;
        translate();
        places.resize(formula_.size(), begin);
      }
      if (is_cell) formula_ += ')';
      places.resize(formula_.size(), parts[i].begin);
    }
    return {std::move(formula_), std::move(places)};
  }

 private:
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(std::string_view words) {
    const bool is_next = text_.substr(at_).starts_with(words);
    if (is_next) at_ += words.size();
    return is_next;
  }
  std::string run(bool (*belongs)(char)) {
    const std::size_t begin = at_;
    while (belongs(here())) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void translate() {
    if (here() == matrix_begin) {
      formula_ += fmt::format(" {} ", literal_name(at_));
      at_ = std::min(text_.find(matrix_end, at_), text_.size() - 1) + 1;
      return;
    }
    if (const std::size_t size = transposition(text_.substr(at_), !is_latex_); size > 0) {
      formula_ += transposition_sign;
      at_ += size;
      return;
    }
    if (const std::size_t size = frame_before(); size > 0) {
      at_ += size;
      frame_end_ = at_;
      return;
    }
    if (take("\\sum")) return sum();
    if (take_derivative() || take_unit_vector() || take_products_of_rates()) return;
    const bool may_be_unit = here() == unit_begin || here() == '[' || here() == '(';
    if (may_be_unit && (here() != '(' || text_.find(unit_begin, at_) != text_.npos) &&
        is_unit(text_.substr(at_), &names_)) {
      at_ = text_.size();
      return;
    }
    for (const auto& [written, plain] : replacements) {
      if (!take(written)) continue;
      formula_ += plain;
      while (plain == "frac" && is_digit(here())) {  // \frac12
        formula_ += fmt::format("({})", text_[at_++]);
      }
      return;
    }
    if (is_digit(here()) || here() == '.') return number();
    if (std::string_view("+-*/^()").find(here()) != text_.npos) {
      const std::string_view rest = text_.substr(at_);
      if (rest.size() > 2 && rest[0] == '^' && is_digit(rest[1]) && is_digit(rest[2]) &&
          is_latex_) {
        sheet_.fail(at_,
                    "found " + std::string(rest.substr(0, 3)) +
                        ", which LaTeX prints as a power of one digit; write braces or a blank");
      }
      formula_ += text_[at_++];
    } else if (std::string_view(" \t\r\n\v\x06\x07").find(here()) != text_.npos) {
      formula_ += ' ';
      ++at_;
    } else {
      names();
    }
  }

  /// Length of {}^1 before \\omega_1; 0 where there is none.
  std::size_t frame_before() const {
    if (!text_.substr(at_).starts_with("{}^")) return 0;
    const std::size_t end =
        std::min(text_.find_first_not_of("0123456789{} ", at_ + 3), text_.size());
    const std::string frame = plain_name(text_.substr(at_ + 3, end - at_ - 3));
    const std::string_view rest = text_.substr(end, longest_name);
    const std::size_t index = rest.find('_');
    if (index == rest.npos) return 0;
    const std::size_t brace = closing_brace(rest, index + 1);
    const std::string name = plain_name(rest.substr(0, brace == rest.npos ? index + 2 : brace));
    if (const std::string fault = frame_fault(frame, name); !fault.empty()) sheet_.fail(at_, fault);
    return end - at_;
  }

  /// Number of joints among the names; 0 where there are none yet.
  [[nodiscard]] int joints() const {
    int count = 0;
    while (names_.contains(fmt::format("q{}", count + (names_.contains("q0") ? 0 : 1)))) ++count;
    return count;
  }
  /// Reads what is in braces, or one character.
  std::string group() {
    pass_blanks();
    const std::size_t begin = at_, end = closing_brace(text_, at_);
    at_ = std::min(end == text_.npos ? begin + 1 : end + 1, text_.size());
    std::string inside(text_.substr(begin, at_ - begin));
    std::erase_if(inside, [](char c) { return c == '{' || c == '}' || c == ' '; });
    return inside;
  }
  /// Value of a bound of a sum, as 1, n or n-1.
  int bound(std::string_view written, std::size_t at) const {
    const bool is_of_joints = written.starts_with('n') || written.starts_with('N');
    int value = is_of_joints ? joints() : 0, more = 0;
    if (is_of_joints) written.remove_prefix(1);
    if (written.empty() && is_of_joints) return value;
    if (written.starts_with('+')) written.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(written.data(), written.data() + written.size(), more);
    if (error != std::errc() || end != written.data() + written.size() || std::abs(more) > 9) {
      sheet_.fail(at, "expected bounds from 0 to 9 as in \\sum_{i=1}^{n}");
    }
    return value + more;
  }

  /// Reads the terms of \sum_{i=1}^{n} up to the next + or -, each with its number for the index.
  void sum() {
    const std::size_t begin = at_;
    std::string lower, upper = "n";
    for (pass_blanks(); here() == '_' || here() == '^'; pass_blanks()) {
      std::string& bound = text_[at_++] == '_' ? lower : upper;
      bound = group();
    }
    const std::size_t sign = std::min(lower.find(bound_sign), lower.size());
    if (sign != 1 || !is_letter(lower[0])) {
      sheet_.fail(begin, "expected one index of a sum, as in \\sum_{i=1}^{n}");
    }
    const int first = sign == lower.size() ? (names_.contains("q0") ? 0 : 1)
                                           : bound(lower.substr(sign + 1), begin);
    const int last = std::max(bound(upper, begin), joints() == 0 ? first : 0);
    std::size_t end = at_;
    for (int depth = 0; end < text_.size(); ++end) {
      depth += nesting(text_[end]);
      if (depth < 0 || (depth == 0 && (text_[end] == '+' || text_[end] == '-'))) break;
    }
    formula_ += first > last ? " (0" : " (";
    for (int k = first; k <= last; ++k) {
      const std::string term = with_number(lower[0], k, end);
      Translation translation(sheet_, term, names_, digits_);
      formula_ += (k > first ? "+ (" : "(") +
                  translation.formula(std::array{Sheet::Part{at_, end}}).text + ")";
      constexpr std::size_t longest = 100'000;
      if (formula_.size() > longest) sheet_.fail(begin, "expected a shorter sum");
    }
    formula_ += ") ";
    at_ = end;
  }
  /// The text with a number for that index, up to `end`, each character in its place.
  [[nodiscard]] std::string with_number(char index, int number, std::size_t end) const {
    std::string text(text_.substr(0, end));
    bool is_index = false;
    int depth = 0;
    for (std::size_t at = at_; at < end; ++at) {
      const bool begins = text[at] == '_' || text[at] == '^';
      if (is_index) depth += nesting(text[at]);
      if (text[at] == '\\') {
        while (at + 1 < end && is_letter(text[at + 1])) ++at;
      } else if (is_index && text[at] == index) {
        const std::string_view rest = std::string_view(text).substr(at + 1, 2);
        const bool has_number = depth > 0 && rest.size() == 2 && is_digit(rest[1]) &&
                                (rest[0] == '-' || rest[0] == '+');
        const int value = number + (has_number ? (rest[0] == '-' ? -1 : 1) * (rest[1] - '0') : 0);
        if (value < 0 || value > 9) sheet_.fail(at, "expected indices from 0 to 9");
        text[at] = static_cast<char>('0' + value);
        if (has_number) blank(text, at + 1, at + 3);
      }
      is_index = begins || depth > 0 || (is_index && text[at] == ' ');
    }
    return text;
  }

  /// Reads the beginning of \frac{\partial U}{\partial q_1}, of \frac{d}{dt}, or ∂U/∂q1.
  bool take_derivative() {
    const std::size_t begin = at_;
    const bool is_fraction = take("\\frac") || take("\\dfrac") || take("\\tfrac");
    if (is_fraction) {
      const std::size_t above = at_;
      if (group() == "d" && group() == "dt") {
        formula_ += " rate_ ";
        return true;
      }
      at_ = above;
      pass_blanks();
      if (take("{")) pass_blanks();
    }
    const auto take_sign = [this] { return take(partial_signs[0]) || take(partial_signs[1]); };
    if (!is_fraction && take("d/dt")) {
      formula_ += " rate_ ";
      return true;
    }
    if (!take_sign()) {
      at_ = begin;
      return false;
    }
    const bool is_within = formula_.ends_with('(');  // of the fraction's other brace
    const std::size_t slash = std::min(text_.find('/', at_), text_.size());
    if (is_fraction) {
      formula_ += " partial_ (";
    } else if (!is_within || slash < text_.size()) {
      const std::string_view above = text_.substr(at_, slash - at_);
      if (slash == text_.size() || has_sum(above))
        sheet_.fail(begin, "expected \\partial U/\\partial q_1");
      formula_ += " partial_ (";
      while (at_ < slash) translate();
      at_ = std::min(text_.find_first_not_of(" /", slash), text_.size());
      if (!take_sign()) sheet_.fail(at_, "expected \\partial U/\\partial q_1");
      formula_ += ") (";
      pass_blanks();
      names();
      formula_ += ')';
    }
    return true;
  }

  /// Reads Craig's \hat Z_i in axes of {i}, or of the base.
  bool take_unit_vector() {
    const std::size_t begin = at_;
    if (!take("\\hat")) return false;
    pass_blanks();
    const bool is_braced = take("{"), has_frame = frame_end_ == begin;
    const char axis = here();
    const bool is_axis = std::string_view("XYZxyz").find(axis) != std::string_view::npos;
    if (is_axis) ++at_;
    const std::string of = is_axis && (!is_braced || take("}")) ? index() : "";
    if (of.empty() || (of != "0" && !has_frame)) {
      sheet_.fail(begin,
                  "found \\hat; it is read of unit vectors in their own axes alone, as in "
                  "{}^1\\hat Z_1");
    }
    formula_ += fmt::format(" unit{} ", static_cast<char>(axis | 0x20));
    return true;
  }

  /// Reads Craig's columns [\dot\Theta\dot\Theta] and [\dot\Theta^2].
  bool take_products_of_rates() {
    if (here() != '[' && here() != '(') return false;
    const std::string_view rest = text_.substr(at_, 60);
    const std::size_t end = rest.find(here() == '[' ? ']' : ')');
    const std::string_view inside = rest.substr(0, end);
    if (end == rest.npos || inside.find('_') != inside.npos) return false;
    const std::string name = plain_name(inside);
    const bool is_square = inside.find('^') != inside.npos;
    const bool is_read =
        is_square ? name == "qd2" || name == "thetad2" : name == "qdqd" || name == "thetadthetad";
    if (!is_read) return false;
    formula_ += is_square ? " squares " : " products ";
    at_ += end + 1;
    return true;
  }

  void number() {
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const char* const end = std::from_chars(begin, text_.data() + text_.size(), value).ptr;
    const std::string number(begin, end);
    if (number.empty()) sheet_.fail(at_, "expected a number");
    at_ += number.size();
    if (number == "10" && text_.substr(at_).starts_with("^{")) {  // a power of ten is one number
      const std::size_t first = at_ + 2, brace = closing_brace(text_, at_ + 1);
      const std::string_view exponent = text_.substr(first, brace - first);
      if (exponent.find_first_not_of("0123456789", exponent.starts_with('-')) == exponent.npos) {
        formula_ += fmt::format("1e{} ", exponent);
        at_ = brace + 1;
        return;
      }
    }
    if (digits_ == nullptr || number.find_first_of(".eE") == number.npos) {
      formula_ += number + " ";
      return;
    }
    formula_ +=
        fmt::format("({} + {} * epsilon{})", number, half_unit(number, value), (*digits_)++);
  }

  /// Half a unit of the last digit, 0.05 of 1.3; at least what printing rounds.
  static std::string half_unit(const std::string& number, double value) {
    std::string unit = number;
    const std::size_t e = std::min(unit.find_first_of("eE"), unit.size());
    std::replace_if(unit.begin(), unit.begin() + static_cast<std::ptrdiff_t>(e), is_digit, '0');
    unit.insert(e, unit.find('.') == unit.npos ? ".5" : "5");
    double half = 0.0;
    std::from_chars(unit.data(), unit.data() + unit.size(), half);
    const double rounding = rounding_of_printing * value;
    return half < rounding ? fmt::format("{:.1e}", rounding) : unit;
  }

  std::string letters(bool is_one) {
    if (take("\\Theta")) return "theta";
    for (std::size_t k = 0; k < greek_words.size(); ++k) {
      std::string word(greek_words[k]);
      if (take(greek_letters.substr(2 * k, 2)) || take("\\" + word) || take("\\var" + word)) {
        return word;
      }
    }
    if (is_one && is_letter(here())) return std::string(1, text_[at_++]);
    return run(is_letter);
  }
  void pass_blanks() {
    run([](char c) { return c == ' '; });
  }
  /// Reads an index; in l^2_1 and l^{2}_1 the power comes first.
  std::string index() {
    const std::size_t next = text_.find_first_not_of(' ', at_);
    if (is_latex_ && next < text_.size() && text_[next] == '_') at_ = next;
    const std::string_view rest = text_.substr(at_);
    const std::size_t size = rest.starts_with("^{") ? 4 : 2;
    const bool is_whole = size == 2 || (rest.size() > 3 && rest[3] == '}');
    const bool is_turned = rest.size() > size && rest[size / 2] == 'T';
    if (is_whole && rest.size() > size && rest[0] == '^' &&
        (is_turned || is_digit(rest[size / 2])) && rest[size] == '_') {
      power_ = is_turned ? transposition_sign : fmt::format("^{}", rest[size / 2]);
      at_ += size;
    }
    if (!take("_")) return "";
    while (take("_")) {
    }
    pass_blanks();
    if (here() != '{') return is_digit(here()) ? run(is_digit) : run(is_letter_or_digit);
    const std::size_t begin = at_ + 1, end = closing_brace(text_, at_);
    const std::string_view inside = text_.substr(begin, end - begin);
    if (end == text_.npos || inside.size() > 40 || inside.find_first_of("-*/=") != inside.npos) {
      sheet_.fail(begin, "expected an index of letters and digits, and }");
    }
    at_ = end + 1;
    return plain_name(inside);
  }

  /// Translates a name, or several side by side: m2l1c12.
  void names() {
    const std::size_t begin = at_;
    std::size_t dots = take("\\ddot") ? 2 : take("\\dot") ? 1 : 0;
    const bool has_dots = dots > 0;
    if (has_dots) pass_blanks();
    const bool is_braced = has_dots && take("{");
    if (is_braced) pass_blanks();
    std::string word = letters(has_dots);
    if (word.empty()) {
      const bool is_command = take("\\");
      std::size_t size = is_command ? run(is_letter).size() + 1 : 1;
      while (begin + size < text_.size() && continues_character(text_[begin + size])) ++size;
      const std::string_view found = text_.substr(begin, size);
      const bool is_no_polynomial = found == "|" || is_one_of(without_normal_form, found.substr(1));
      refuse(begin, found, is_no_polynomial);
    }
    while (take("̇")) ++dots;
    if (take("̈")) dots += 2;
    std::string still = word;  // without dots
    word += std::string(dots, 'd') + run(is_letter_or_digit);
    word += index();
    if (is_braced) pass_blanks();
    if (is_braced && !take("}")) sheet_.fail(at_, "expected } after \\dot{");
    if (is_braced) word += index();
    still += word.substr(still.size() + dots);
    if (dots > 0 && names_.contains(still) && !names_.contains(word)) {
      sheet_.fail(begin,
                  "\\dot is read of the arm's positions alone, as \\dot q_1, and not of " + still);
    }
    for (std::string_view rest = word; !rest.empty();) {
      const std::string_view name = first_name(rest);
      if (is_one_of(without_normal_form, name)) refuse(begin, name, true);
      formula_ += " " + std::string(name) + " ";
      rest.remove_prefix(name.size());
    }
    formula_ += std::exchange(power_, "");
    const std::size_t end = at_;
    if (!is_one_of(functions, word)) pass_arguments();
    const bool may_be_matrix = at_ != end && formula_.ends_with(" " + word + " ");
    if (may_be_matrix && names_.contains(matrix_name(word))) {
      formula_.replace(formula_.size() - word.size() - 1, word.size(), matrix_name(word));
    }
  }
  /// Skips the arguments of h(\theta_2): a joint's angle is never a factor.
  void pass_arguments() {
    const std::string_view rest = text_.substr(at_, 60);
    const std::size_t begin = rest.find_first_not_of(' '), end = rest.find(')');
    if (begin == rest.npos || rest[begin] != '(' || end == rest.npos) return;
    std::string inside(rest.substr(begin + 1, end - begin - 1));
    const bool is_rate = inside.find("dot") != inside.npos || inside.find('\xCC') != inside.npos;
    if (is_rate && inside.find(',') == inside.npos) return;
    for (const char* word :
         {"\\vartheta", "\\theta", "\\Theta", "θ", "ϑ", "\\ddot", "\\dot", "̇", "q"}) {
      replace_all(inside, word, "");
    }
    if (inside == "t") at_ += end + 1;  // of time
    const bool is_list = inside.size() + 1 < end - begin &&
                         inside.find_first_not_of("0123456789_{}, ") == inside.npos;
    std::erase_if(inside, [](char c) { return !is_digit(c); });
    if (is_list && !names_.contains("dd" + inside))
      at_ += end + 1;  // of a prismatic joint it is one
  }
  /// Longest known name that the word begins with, else the whole word.
  [[nodiscard]] std::string_view first_name(std::string_view word) const {
    for (std::size_t size = std::min<std::size_t>(word.size(), 40); size > 0; --size) {
      const std::string_view name = word.substr(0, size);
      const bool is_within = size < word.size();
      const bool is_index = is_within && is_digit(word[size]) && !is_one_of(functions, name);
      const bool cuts =
          is_index || (is_within && !is_digit(word[size - 1]) && letters_of(name) < size);
      const bool is_known = names_.contains(name) || !joints_of(name, names_).empty() ||
                            !summands_of(name, names_).empty() || is_one_of(functions, name);
      if (is_known && !cuts) return name;
    }
    return word;
  }
  [[noreturn]] void refuse(std::size_t at, std::string_view found, bool is_no_polynomial) const {
    const bool is_command = found.size() > 1 && found[0] == '\\';
    sheet_.fail(at, is_no_polynomial
                        ? "roots, |x|, signs and other functions are no polynomials and cannot be "
                          "verified"
                        : "found " + shown_text(found) +
                              "; expected names, numbers, + - * / ^ ( ), \\dot, \\frac, \\sin" +
                              (is_command ? "; write commands of your own out" : ""));
  }

  const Sheet& sheet_;
  std::string_view whole_, text_;  // of the sheet, and to the end of a part
  std::size_t at_ = 0, frame_end_ = std::string::npos;
  const Names& names_;
  std::size_t* digits_;
  bool is_latex_;
  std::string formula_, power_;
};

std::string_view trimmed(std::string_view text) {
  return armdyn::trimmed(text, " \t\r&$\x06");
}

/// M of M(q).
std::string without_arguments(std::string_view written) {
  std::string name(trimmed(written));
  for (std::size_t begin = name.find('('); begin != name.npos; begin = name.find('(', begin + 1)) {
    const std::size_t end = std::min(name.find(')', begin), name.size() - 1);
    const std::string inside = name.substr(begin, end + 1 - begin);
    const bool is_argument = std::ranges::any_of(inside, is_letter) &&
                             inside.find("partial") == inside.npos &&
                             inside.find("∂") == inside.npos;
    if (is_argument) name.erase(begin--, inside.size());
  }
  return name;
}

/// The frame of Craig's ^2F_2 and {}^{2}F_2; empty: there is none.
std::string_view frame_of(std::string_view left) {
  left = trimmed(left);
  if (left.starts_with("{}")) left.remove_prefix(2);
  if (!left.starts_with('^') || left.size() < 2) return "";
  return left[1] == '{' ? trimmed(left.substr(2, left.find('}') - 2)) : left.substr(1, 1);
}

/// Name of a left side without arguments, and F2 of Craig's ^2F_2.
std::string left_name(std::string_view written) {
  std::string name = without_arguments(written);
  if (name.starts_with("{}")) name.erase(0, 2);
  if (name.starts_with("^")) name.erase(0, name.starts_with("^{") ? name.find('}') : 2);
  return plain_name(name);
}

/// Tests whether a left side has signs that make another number of an entry: G_2', M_{12}/2, |K|, or
/// the ! of !=. Before a name, ^2 is a frame.
bool is_changed(std::string_view written) {
  const std::string_view left = trimmed(written);
  const bool is_derivative = left.find("∂") != left.npos || left.find("partial") != left.npos;
  const std::size_t power = left.rfind('^');
  return left.find_first_of(is_derivative ? "!<>|'*" : "!<>|'*/") != left.npos ||
         (power != left.npos && power > left.find_first_not_of("{} "));
}

/// Distinguishes a name, as M_{21}, from a product.
bool is_one_name(std::string_view written) {
  if (trimmed(written).size() > longest_name) return false;
  const std::string plain = without_arguments(written);
  if (plain.find_first_of(" +-*/^(=\x02") != plain.npos) return false;
  const std::string name = left_name(written);
  const std::size_t letters = letters_of(name);
  return letters > 0 && std::ranges::all_of(name.substr(letters), is_digit);
}

/// Distinguishes a sum or a product from a left side as \dot v_{1,y}.
bool is_sum_or_product(std::string_view written) {
  const std::string_view whole = trimmed(written);
  std::string name = whole.size() > longest_name ? "" : left_name(whole);
  if (name.ends_with('x') || name.ends_with('y') || name.ends_with('z')) name.pop_back();
  return has_sum(whole, " *+-") && !is_one_name(name);
}

/// Removes comments, and the characters that stand for commands.
void remove_comments(std::string& text) {
  constexpr std::string_view signs("\x01\x02\x03\x04\x05\x06\x07\v\f\x0e");
  bool is_comment = false;
  for (char& c : text) {
    is_comment = c != '\n' && (is_comment || c == '%' || c == '#');
    if (is_comment || signs.find(c) != signs.npos) c = ' ';
  }
}

/// Writes "m₂" as "m__2", in as many characters.
void raise_indices(std::string& text) {
  for (std::size_t at = text.find("\xE2\x82"); at != text.npos; at = text.find("\xE2\x82", at)) {
    const std::size_t begin = at;
    std::string digits;
    while (text.compare(at, 2, "\xE2\x82") == 0 && at + 2 < text.size() &&
           static_cast<unsigned char>(text[at + 2]) <= 0x89U) {
      digits += static_cast<char>(text[at + 2] + 0x30 - 0x80);
      at += 3;
    }
    text.replace(begin, at - begin, std::string(2 * digits.size(), '_') + digits);
    if (digits.empty()) at += 2;
  }
}

/// Writes {}^0_1T and {}^0T_1 as T__1, {}^0_2T and T^0_2 as T__02, in as many characters.
void replace_frames(std::string& text) {
  constexpr std::string_view letters("TAR");
  const auto digit = [&text](std::size_t& at) {  // 2 or {2}
    const bool is_braced = text[at] == '{';
    const char c = is_braced ? text[at + 1] : text[at];
    if (!is_digit(c) || (is_braced && text[at + 2] != '}')) return '\0';
    at += is_braced ? 3 : 1;
    return c;
  };
  for (std::size_t sign = text.find('^'); sign < text.size(); sign = text.find('^', sign + 1)) {
    const bool is_behind = sign > 0 && letters.find(text[sign - 1]) != letters.npos &&
                           (sign == 1 || !is_letter_or_digit(text[sign - 2]));
    const bool has_braces = sign > 1 && text[sign - 1] == '}' && text[sign - 2] == '{';
    std::size_t at = sign + 1, begin = is_behind ? sign - 1 : has_braces ? sign - 2 : sign;
    const std::size_t before = text.find_last_not_of(' ', begin - std::min<std::size_t>(begin, 1));
    const bool is_first =
        begin == 0 || before == text.npos ||
        std::string_view("=+-([&\n$\x07").find(text[before]) != std::string_view::npos;
    if (!is_behind && !has_braces && !is_first) continue;
    const char from = digit(at);
    char to = '\0', letter = is_behind ? text[sign - 1] : '\0';
    for (int k = 0; k < 2; ++k) {
      if (at < text.size() && text[at] == '_') to = digit(++at);
      while (at < text.size() && letter == '\0' && text[at] == ' ') ++at;
      if (letter == '\0' && at < text.size() && letters.find(text[at]) != letters.npos)
        letter = text[at++];
    }
    if (from == '\0' || to == '\0' || letter == '\0' || (at < text.size() && is_letter(text[at])))
      continue;
    const std::string name = from + 1 == to ? std::string{letter, '_', '_', to}
                                            : std::string{letter, '_', '_', from, to};
    blank(text, begin, at);
    text.replace(begin, name.size(), name);
  }
}

/// Writes J_P^{(l_1)} as J_P_{ l_1 }, ≡ as =, and hides the = of \sum_{i=1}, in as many characters.
void replace_signs(std::string& text) {
  for (std::size_t at = text.find("\\sum"); at != text.npos; at = text.find("\\sum", at + 1)) {
    const std::size_t index = text.find('_', at), end = closing_brace(text, index + 1);
    if (index != text.npos && end != text.npos)
      std::replace(&text[index], &text[end], '=', bound_sign);
  }
  for (std::size_t at = text.find("^{("); at != text.npos; at = text.find("^{(", at + 1)) {
    const std::string_view rest = std::string_view(text).substr(at + 3, 15);
    const std::string_view inside = rest.substr(0, rest.find(")}"));
    const std::size_t end = at + 3 + inside.size();
    if (inside == rest || inside.empty() || !is_digit(inside.back()) ||
        std::ranges::none_of(inside, is_letter)) {
      continue;
    }
    text[at] = '_';
    text[at + 2] = text[end] = ' ';
  }
  for (std::size_t at = text.find("≡"); at != text.npos; at = text.find("≡"))
    text.replace(at, 3, "=  ");
}

/// Makes a matrix of the list in brackets at `begin`: [a, b; c, d] or [[a, b], [c, d]].
void replace_list(std::string& text, std::size_t begin) {
  const std::size_t inside = text.find_first_not_of(" \n", begin + 1);
  const bool has_rows = inside != text.npos && text[inside] == '[';
  std::vector<std::pair<std::size_t, char>> signs{{begin, matrix_begin}};
  int depth = 0;
  for (std::size_t at = begin; at < text.size() && text[at] != '='; ++at) {
    const int step = nesting(text[at]);
    depth += step;
    if (depth == 0) {
      signs.emplace_back(at, matrix_end);
      break;
    }
    const bool bounds_row = has_rows && depth == (step > 0 ? 2 : 1) && step != 0 && at > begin;
    if (text[at] == '\n' || bounds_row) signs.emplace_back(at, ' ');
    if (depth == 1 && (text[at] == ';' || (has_rows && text[at] == ','))) {
      signs.emplace_back(at, row_end);
    } else if (text[at] == ',' && depth == (has_rows ? 2 : 1)) {
      signs.emplace_back(at, cell_end);
    }
  }
  const auto parts =
      std::ranges::count_if(signs, [](const auto& one) { return one.second != ' '; });
  if (signs.back().second != matrix_end || parts < 3) return;
  for (const auto& [at, sign] : signs) text[at] = sign;
}

/// Makes matrices of lists behind =, as programs have them.
void replace_lists(std::string& text) {
  for (const std::string_view word : {"Matrix(", "array("}) {  // np.array(
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      std::size_t begin = at;
      while (begin > 0 && (is_letter_or_digit(text[begin - 1]) || text[begin - 1] == '.')) --begin;
      blank(text, begin, at + word.size() - 1);
    }
  }
  for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    const std::size_t before = text.find_last_not_of(" (", at - std::min<std::size_t>(at, 1));
    if (before != text.npos &&
        std::string_view("=*-").find(text[before]) != std::string_view::npos) {
      replace_list(text, at);
    }
  }
}

/// Beginning of the entries of a part of a Jacobian: J1v of J_{v_1} and J_P^{(l_1)}, Jomega of J_O;
/// empty: it is none.
std::string jacobian_part(const std::string& name) {
  const std::size_t letters = letters_of(name);
  if (!name.starts_with('J') || letters < 2 || name.size() > letters + 1) return "";
  const std::string of = name.substr(1, letters - 1);
  if (of.size() > 1 && of.ends_with('m')) return "";  // of a motor
  const bool is_linear = of[0] == 'v' || of[0] == 'P' || of[0] == 'L';
  const bool is_angular = of.starts_with("omega") || of[0] == 'O' || of[0] == 'w';
  return is_linear || is_angular ? "J" + name.substr(letters) + (is_linear ? "v" : "omega") : "";
}

/// Removes verbatim environments, \iffalse, and the text around the document.
void remove_unread(std::string& text) {
  const auto remove = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at)) {
      blank(text, at, std::min(text.find(to, at), text.size() - to.size()) + to.size());
    }
  };
  for (const std::string_view name : unread) {
    remove(fmt::format("\\begin{{{}}}", name), fmt::format("\\end{{{}}}", name));
  }
  remove("\\iffalse", "\\fi");
  const std::size_t begin = text.find("\\begin{document}"), end = text.find("\\end{document}");
  if (begin != text.npos) blank(text, 0, begin);
  if (end != text.npos) blank(text, end, text.size());
}

/// Tests whether this is the left side of a formula: one name with an index.
bool is_entry(std::string_view written) {
  return is_one_name(written) && std::ranges::any_of(left_name(written), is_digit);
}

/// Keeps displayed formulas alone, where there are some, and lists the places of = in formulas
/// within lines or that are lines. Returns false, and changes nothing, where there are none.
bool kept_displays(std::string& text, std::vector<std::size_t>& left_out,
                   std::vector<Sheet::Fault>& faults) {
  std::string kept(text.size(), ' '), end;
  std::vector<std::pair<std::string, std::size_t>> around;  // environments, and where they begin
  std::vector<std::size_t> unknown, in_lines;
  bool found = false, is_inline = false, is_listed = false;  // in $ $
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view(text).substr(at);
    const bool is_line_end = rest.starts_with("\\\\"), begins = rest.starts_with("\\begin{");
    if (!end.empty() && rest.starts_with(end)) {
      kept[at] = display_end;
      at += end.size() - 1;
      end.clear();
    } else if (!end.empty()) {
      kept[at] = text[at];
      if (is_line_end) kept[++at] = '\\';
    } else if (is_line_end) {
      ++at;
    } else if (rest.starts_with("\\(") || rest.starts_with("\\)") || text[at] == '\n' ||
               (text[at] == '$' && (is_inline || !rest.starts_with("$$")))) {
      is_inline = text[at] != '\n' && (text[at] == '$' ? !is_inline : rest[1] == '(');
      is_listed = false;
      if (text[at] == '\\') ++at;
    } else if (rest.starts_with("$$") || rest.starts_with("\\[")) {
      found = true;
      end = text[at] == '$' ? "$$" : "\\]";
      ++at;
    } else if (begins || rest.starts_with("\\end{")) {
      const std::size_t open = text.find('{', at),
                        close = std::min(text.find('}', at), text.size());
      const std::string name = text.substr(open + 1, close - open - 1);
      const std::string plain = name.substr(0, name.find('*'));
      const bool has_columns = is_one_of(displays_with_columns, plain);
      if (!begins && !around.empty()) around.pop_back();
      if (begins && (has_columns || is_one_of(displays, plain))) {
        found = true;
        end = fmt::format("\\end{{{}}}", name);
      } else if (begins) {
        around.emplace_back(plain, at);
      }
      at = close;
      while (has_columns && at + 1 < text.size() && (text[at + 1] == '{' || text[at + 1] == '[')) {
        at = std::min(text.find(text[at + 1] == '{' ? '}' : ']', at + 1), text.size());
      }
    } else if (text[at] == '[' && !is_inline) {  // options, as [width=5cm]
      const std::size_t close = rest.substr(0, 200).find(']');
      const std::string_view inside = rest.substr(0, std::min<std::size_t>(close, 200));
      const bool has_display = inside.find("\\[") != inside.npos ||
                               inside.find("\\begin") != inside.npos ||
                               inside.find('$') != inside.npos;
      if (close != rest.npos && !has_display) at += close;
    } else if (text[at] == '=' && is_inline) {
      if (!std::exchange(is_listed, true)) in_lines.push_back(at);
    } else if (text[at] == '=' && !around.empty() && around.back().first != "document") {
      const std::size_t begin = around.back().second;
      if (unknown.empty() || unknown.back() != begin) unknown.push_back(begin);
    } else if (text[at] == '=' && !std::exchange(is_listed, true)) {
      const std::size_t begin = text.rfind('\n', at) + 1;
      if (is_entry(std::string_view(text).substr(begin, at - begin))) in_lines.push_back(at);
    }
  }
  if (!found) return false;
  for (const std::size_t at : unknown) {
    faults.push_back(
        {at, "", "formulas in this environment are not read; write equation or align"});
  }
  left_out = std::move(in_lines);
  text = std::move(kept);
  return true;
}

/// Removes headings, which have a colon, and explanations behind "where" and "in this state"; lists
/// the removed lines with =.
void remove_words(std::string& text, std::vector<std::size_t>& left_out) {
  bool is_aside = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    is_aside = line.starts_with("where ") || line.starts_with("in this state") ||
               (is_aside && line.starts_with(' '));
    const std::size_t colon = line.find(": "), sign = line.find('=', std::min(colon, line.size())),
                      where = line.find(" where ");
    const bool is_heading = colon != line.npos && !is_aside, has_sign = sign != line.npos;
    const std::string_view left = has_sign ? line.substr(colon + 1, sign - colon - 1) : "";
    const bool is_read = is_entry(left);
    if (is_heading && !is_read && line.find('=') != line.npos) left_out.push_back(begin);
    if (is_heading && is_read) {
      blank(text, begin, begin + colon + 1);
    } else if (is_aside || is_heading) {
      blank(text, begin, end);
    } else if (where != line.npos) {
      blank(text, begin + where, begin + where + 7);
      text[begin + where] = where_begin;
    }
    begin = end + 1;
  }
}

/// Tests whether words introduce the meanings of names.
bool explains(std::string_view words) {
  constexpr std::string_view signs[] = {"where", "with", "for", "if"};
  return std::ranges::any_of(signs, [&](std::string_view sign) {
    const std::size_t begin = words.find(sign), end = begin + sign.size();
    return begin != words.npos && (begin == 0 || !is_letter(words[begin - 1])) &&
           (end == words.size() || !is_letter(words[end]));
  });
}

/// End of the equation number "(6.12)" at `at`, where an equation ends behind it; else `at`.
std::size_t equation_number_end(std::string_view text, std::size_t at) {
  const std::size_t open = std::min(text.find_first_not_of(" ~&", at), text.size());
  const std::size_t close = std::min(text.substr(open, 10).find(')'), text.size());
  const std::string_view inside = text.substr(open, close);
  if (!inside.starts_with('(') || inside.size() < 2 || close == text.size() ||
      inside.find_first_not_of("0123456789.-", 1) != inside.npos || !is_digit(inside[1])) {
    return at;
  }
  const std::size_t end = open + close + 1;
  const std::size_t next = std::min(text.find_first_not_of(" \t\r.,;~$", end), text.size());
  std::string_view rest = text.substr(next);
  const bool is_line_end = rest.starts_with('\n');
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n&"), rest.size()));
  constexpr std::string_view ends[] = {"\v", "\x07", "\\\\", "\\label", "\\no", "\\end"};
  const bool is_end =
      rest.empty() ||
      std::ranges::any_of(ends, [&](std::string_view one) { return rest.starts_with(one); }) ||
      (is_line_end && std::string_view("+-*/^(").find(rest[0]) == std::string_view::npos);
  return is_end ? end : at;
}

/// Replaces commands: those about looks by blanks; ends of equations, and matrices, by characters
/// that stand for them.
void replace_commands(std::string& text) {
  bool in_matrix = false, has_sign = false, has_right = false;  // behind the sign
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (in_matrix && text[at] == '\n') text[at] = ' ';
    if (in_matrix && text[at] == '&') text[at] = cell_end;
    const std::size_t next = text[at] == '&' ? text.find_first_not_of(" \n", at + 1) : text.npos;
    if (has_right && next != text.npos && text[next] != '=') {  // a column
      text[at] = equation_end;
      blank(text, at + 1, equation_number_end(text, at + 1));
    }
    has_sign = text[at] != equation_end && text[at] != display_end && (has_sign || text[at] == '=');
    has_right = has_sign &&
                (has_right || std::string_view("=& \n").find(text[at]) == std::string_view::npos);
    if (text[at] != '\\') continue;
    std::size_t end = at + 1;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string word = text.substr(at + 1, end - at - 1);
    if (word.empty()) {
      const std::string_view rest = std::string_view(text).substr(at, 40);
      if (rest.starts_with("\\\\[") && rest.find(']') != rest.npos) {
        blank(text, at + 2, at + rest.find(']') + 1);
      }
      if (text.compare(at, 2, "\\\\") == 0) {
        text[at] = in_matrix ? row_end : equation_end;
        text[at + 1] = ' ';
        has_sign = has_sign && in_matrix;
      } else if (rest.size() > 1 && std::string_view(",;:! ").find(rest[1]) != rest.npos) {
        blank(text, at, at + 2);
      }
      ++at;
      continue;
    }
    const std::size_t close = closing_brace(text, end);
    const bool has_argument = close != text.npos;
    const std::size_t open = std::min(text.find('{', end), close);
    const std::string argument = has_argument ? text.substr(open + 1, close - open - 1) : "";
    const bool begins = word == "begin";
    if (begins || word == "end") {
      const bool is_matrix = is_one_of(matrices, argument);
      if (!is_matrix && !is_one_of(inner_environments, argument)) continue;
      const std::size_t columns = closing_brace(text, close + 1);
      const bool has_columns = begins && argument == "array" && columns != text.npos;
      blank(text, at, (has_columns ? columns : close) + 1);
      if (is_matrix) text[at] = begins ? matrix_begin : matrix_end;
      in_matrix = is_matrix && begins;
    } else if (is_one_of(blank_commands, word)) {
      const bool is_bracket = word == "left" || word == "right";
      const bool is_none = is_bracket && end < text.size() && text[end] == '.';  // \right.
      blank(text, at,
            word.ends_with("eqno") ? std::min(text.find_first_of("\v\x07", end), text.size())
                                   : end + (is_none ? 1 : 0));
    } else if (is_one_of(between_formulas, word)) {
      blank(text, at, end);
      text[at] = equation_end;
    } else if (const bool is_equality = is_one_of(equality_signs, word);
               is_equality || is_one_of(other_relations, word)) {
      blank(text, at, end);
      text.replace(at, 2, is_equality ? "= " : "!=");
      has_sign = true;
    } else if (is_one_of(asides, word) && has_argument) {
      blank(text, at, close + 1);
      if (word == "intertext") text[at] = equation_end;
    } else if (word == "boxed" && has_argument && argument.find('=') != argument.npos) {
      blank(text, at, open + 1);
      text[close] = ' ';
    } else if (word == "boxed") {
      blank(text, at, end);
    } else if (is_one_of(fonts, word) && has_argument) {
      blank(text, at, close + 1);
      if (is_unit(argument)) {
        text.replace(close + 1 - argument.size(), argument.size(), argument);
        text[at] = unit_begin;
      } else if (argument.find(' ') != argument.npos || is_one_of(words_between, argument)) {
        text[at] = explains(argument) ? where_begin : words_begin;
      } else {
        text.replace(close + 1 - argument.size(), argument.size(), argument);
      }
    } else if (word == "ell") {
      text.replace(at, 4, "   l");
    }
    if (is_one_of(before_numbers, word) && !in_matrix) {
      const std::size_t behind = word == "hspace" && has_argument ? close + 1 : end;
      blank(text, behind, equation_number_end(text, behind));
    }
  }
}

/// Joins the lines of a display whose = all have their one name behind them: ... \\\\ + ... = \tau_1.
void join_lines_before_names(std::string& text) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(display_end, begin), text.size());
    std::vector<std::size_t> ends;
    bool are_names = true;
    for (std::size_t from = begin, at = text.find('=', begin); at < end;
         at = text.find('=', from)) {
      ends.push_back(std::min(text.find(equation_end, at), end));
      const std::string_view all = text;
      are_names =
          are_names &&
          is_entry(armdyn::trimmed(all.substr(at + 1, ends.back() - at - 1), " \t\r\n&$.,;~")) &&
          !is_one_name(armdyn::trimmed(all.substr(from, at - from), " \t\r\n&$\v"));
      from = ends.back();
    }
    for (std::size_t at = begin; are_names && !ends.empty() && at < ends.back(); ++at) {
      const bool is_within = (text[at] == equation_end || text[at] == '\n') &&
                             std::ranges::find(ends, at) == ends.end();
      if (is_within) text[at] = ' ';
    }
    begin = end + 1;
  }
}

}  // namespace

std::size_t letters_of(std::string_view name) {
  return std::min(name.find_first_of("0123456789"), name.size());
}

std::string plain_name(std::string_view name) {
  std::string plain(name);
  for (const auto& [written, dots] : {Replacement{"\\ddot", "dd"}, Replacement{"\\dot", "d"}}) {
    for (std::size_t at = plain.find(written); at != plain.npos; at = plain.find(written)) {
      plain.erase(at, written.size());
      at = std::min(plain.find_first_not_of("{\\ ", at), plain.size());
      while (at < plain.size() && is_letter(plain[at])) ++at;
      plain.insert(at, dots);
    }
  }
  constexpr Replacement words[] = {{"̇", "d"},         {"̈", "dd"},    {"\\frac", ""},
                                   {"\\partial", ""}, {"\\var", ""}, {"\\Theta", "theta"}};
  for (const auto& [written, word] : words) replace_all(plain, written, word);
  for (std::size_t k = 0; k < greek_words.size(); ++k) {
    replace_all(plain, greek_letters.substr(2 * k, 2), greek_words[k]);
  }
  std::erase_if(plain, [](char c) { return !is_letter_or_digit(c); });
  return plain;
}

void refuse_names_alike(const std::vector<std::string>& names) {
  std::map<std::string, std::string> known;
  for (const std::string& name : names) {
    const std::string& before = known.emplace(plain_name(name), name).first->second;
    if (before == name) continue;
    throw Error(fmt::format(
        "{} and {} are one name in LaTeX and on a sheet; give one another name in the file", before,
        name));
  }
}

std::vector<std::string> joints_of(std::string_view name, const Names& names) {
  const bool is_of_joints = name.size() > 1 && (name[0] == 's' || name[0] == 'c') &&
                            std::ranges::all_of(name.substr(1), is_digit);
  if (!is_of_joints) return {};
  std::vector<std::string> joints;
  const std::size_t digits = names.contains("q10") ? name.size() - 1 : 1;
  for (std::size_t i = 1; i < name.size(); i += digits) {
    const std::string joint = "q" + std::string(name.substr(i, digits));
    if (!names.contains(joint) || std::ranges::find(joints, joint) != joints.end()) return {};
    joints.push_back(joint);
  }
  return joints;
}

std::vector<std::string> summands_of(std::string_view name, const Names& names) {
  constexpr std::string_view positions[] = {"q",       "theta", "qd",     "qdd", "thetad",
                                            "thetadd", "dq",    "dtheta", "ddq", "ddtheta"};
  const std::size_t letters = letters_of(name);
  if (name.size() < letters + 2 || !is_one_of(positions, name.substr(0, letters))) return {};
  if (names.contains("q10")) return {};
  const std::string of(name.substr(0, letters));
  std::vector<std::string> parts;
  for (const char digit : name.substr(letters)) {
    parts.push_back(of + digit);
    if (!names.contains(parts.back())) return {};
  }
  return parts;
}

Sheet::Sheet(std::string file, std::string text)
    : file_(std::move(file)), written_(std::move(text)), text_(written_) {
  remove_comments(text_);
  remove_unread(text_);
  raise_indices(text_);
  replace_frames(text_);
  replace_signs(text_);
  const bool has_displays = kept_displays(text_, left_out_, faults_);
  if (!has_displays) remove_words(text_, left_out_);
  replace_lists(text_);
  replace_commands(text_);
  if (has_displays) join_lines_before_names(text_);
  constexpr std::string_view behind_comma(" \n\\&~\v\x07");
  int depth = 0;
  for (std::size_t begin = 0, at = 0; at <= text_.size(); ++at) {
    const char c = at < text_.size() ? text_[at] : '\n';
    depth += nesting(c);
    const bool is_words = c == words_begin || c == where_begin;
    const bool is_line_end = c == '\n' || c == equation_end || c == display_end || is_words;
    const bool is_separator = (c == ',' || c == ';') && depth <= 0 && at + 1 < text_.size() &&
                              behind_comma.find(text_[at + 1]) != behind_comma.npos;
    if (is_line_end) depth = 0;
    if (!is_line_end && !is_separator) continue;
    read([&] { add_line({begin, at}); });
    if (sides_.size() > most_formulas || faults_.size() > most_formulas) {
      fail(begin, fmt::format("more than {} formulas are no sheet", most_formulas));
    }
    if (is_words) words_ = std::max(words_, c);
    begin = at + 1;
  }
  find_matrices();
  for (const Sides& sides : sides_) {
    read([&] { add_equations(sides); }, left_name(this->text(sides.left)));
  }
  if (!equations_.empty()) return;
  if (!faults_.empty()) fail(faults_[0].at, faults_[0].message);
  throw InputError(file_ + ": found no formula");
}

void Sheet::read(const std::function<void()>& part, const std::string& left) {
  try {
    part();
  } catch (const SheetError& wrong) {
    faults_.push_back({wrong.at, left, wrong.message});
  }
}

std::string_view Sheet::text(Part part) const {
  return std::string_view(text_).substr(part.begin, part.end - part.begin);
}

/// Adds the equations of a line: several of a = b = c; a line without = continues those before.
void Sheet::add_line(Part line) {
  const std::size_t last = text(line).find_last_not_of(" \t\r&$,.;~");
  if (last == std::string_view::npos) return;
  line.end = line.begin + last + 1;
  std::vector<Part> parts;
  for (std::size_t begin = line.begin; begin <= line.end;) {
    if (parts.size() > most_formulas) fail(begin, "expected fewer =");
    const std::size_t sign = text({begin, line.end}).find('=');
    parts.push_back({begin, sign == std::string_view::npos ? line.end : begin + sign});
    begin = parts.back().end + 1;
  }
  const char words = std::exchange(words_, '\0');
  if (parts.size() == 1 && !sides_.empty()) {
    const bool goes_on = trimmed(text(line)).find_first_of("+-") == 0;
    if (words == where_begin && !goes_on) {  // the mass of m_2
      words_ = words;
      return;
    }
    if (words == where_begin || (words == words_begin && !goes_on)) {
      fail(line.begin,
           "expected = after the words; write \\text{…} around words that are no formula");
    }
    const std::size_t end = sides_.back().right.end;
    for (auto one = sides_.rbegin(); one != sides_.rend() && one->right.end == end; ++one) {
      one->right.end = line.end;
    }
    return;
  }
  if (parts.size() == 1) parts.insert(parts.begin(), {line.begin, line.begin});
  const bool is_turned =
      parts.size() == 2 && is_one_name(text(parts[1])) &&
      (is_entry(text(parts[1])) ? is_sum_or_product(text(parts[0]))
                                : has_sum(trimmed(text(parts[0])).substr(1), "+-/"));
  if (is_turned) std::swap(parts[0], parts[1]);
  const std::string_view last_side = trimmed(text(parts.back()));
  if (parts.size() > 2 && last_side.starts_with(':') && is_one_name(last_side.substr(1))) {
    const Part named{parts.back().begin + 1, parts.back().end};  // h of c_{121} = ... =: h
    parts.pop_back();
    sides_.push_back({named, parts.back()});
  }
  std::vector<Part> lefts{parts[0]};
  if (left_name(text(parts[0])).empty() && !sides_.empty()) lefts[0] = sides_.back().left;
  for (std::size_t k = 1; k < parts.size(); ++k) {
    if (k + 1 < parts.size() && is_one_name(text(parts[k]))) {
      lefts.push_back(parts[k]);
    } else {
      for (const Part left : lefts) sides_.push_back({left, parts[k]});
    }
  }
}

/// The matrix from `begin` to `end` of a part, with what is before and behind it.
Sheet::Matrix Sheet::matrix_at(Part part, std::size_t begin, std::size_t end) const {
  const std::string_view all = text(part);
  Matrix matrix{{}, {}, {{}}};
  for (std::size_t at = begin + 1, from = at; at <= end; ++at) {
    if (all[at] != cell_end && all[at] != row_end && at < end) continue;
    const std::string_view cell = trimmed(all.substr(from, at - from));
    const bool is_last = at == end && cell.empty();
    const std::size_t comma = cell.ends_with(',') ? all.rfind(',', at) : at;
    if (!is_last) matrix.rows.back().push_back({part.begin + from, part.begin + comma});
    if (all[at] == row_end) matrix.rows.emplace_back();
    from = at + 1;
  }
  if (matrix.rows.back().empty()) matrix.rows.pop_back();
  std::string_view before = trimmed(all.substr(0, begin)), behind = trimmed(all.substr(end + 1));
  if (before.ends_with('[') || before.ends_with('(')) {
    before.remove_suffix(1);
    behind = trimmed(behind.substr(std::min<std::size_t>(behind.size(), 1)));
  }
  const bool is_vector =
      matrix.rows.size() == 1 || (matrix.rows.size() > 1 && matrix.rows[0].size() == 1);
  if (const std::size_t size = is_vector ? transposition(behind) : 0; size > 0) {
    behind = trimmed(behind.substr(size));
    std::vector<std::vector<Part>> turned(matrix.rows[0].size());
    for (const std::vector<Part>& row : matrix.rows) {
      for (std::size_t j = 0; j < row.size() && j < turned.size(); ++j) turned[j].push_back(row[j]);
    }
    matrix.rows = std::move(turned);
  }
  const auto part_of = [this](std::string_view inside) {
    const auto at = static_cast<std::size_t>(inside.data() - text_.data());
    return Part{at, at + inside.size()};
  };
  matrix.before = part_of(before);
  matrix.behind = part_of(behind);
  return matrix;
}

/// Tests whether a right side has a matrix of the sheet, or the vector of all velocities, as factor
/// or summand.
bool Sheet::has_matrices(Part part) const {
  try {
    const Names known{{matrix_name("g"), 0.0}};
    std::string formula = Translation(*this, text_, known, nullptr).formula(std::array{part}).text;
    std::ranges::replace_if(
        formula, [](char c) { return !is_letter_or_digit(c); }, ' ');
    const std::vector<std::string> words = split_at(formula, ' ');
    return std::ranges::any_of(words, [&](const std::string& word) {
      return matrices_.contains(word) || is_one_of(names_of_all_joints, word) ||
             is_one_of(names_of_columns, word);
    });
  } catch (const SheetError&) {  // has its place where it is read
    return false;
  }
}

/// Lists the matrices within right sides, and the names that they make matrices of.
void Sheet::find_matrices() {
  for (const Sides& sides : sides_) {
    const std::string_view right = text(sides.right);
    for (std::size_t begin = right.find(matrix_begin); begin != right.npos;
         begin = right.find(matrix_begin, begin + 1)) {
      const std::size_t end = right.find(matrix_end, begin);
      if (end == right.npos) break;
      const Part part{sides.right.begin + begin, sides.right.begin + end + 1};
      auto& rows = matrices_[literal_name(part.begin)];
      for (const std::vector<Part>& row : matrix_at(part, 0, end - begin).rows) {
        rows.push_back(each(row, [](Part cell) { return Equation{"", {cell}}; }));
      }
      matrices_[matrix_name(left_name(text(sides.left)))];
    }
  }
  constexpr std::size_t longest_chain = 10;
  for (std::size_t k = 0, known = 0; k < longest_chain && known != matrices_.size(); ++k) {
    known = matrices_.size();
    for (const Sides& sides : sides_) {
      if (has_matrices(sides.right)) matrices_[matrix_name(left_name(text(sides.left)))];
    }
  }
  matrices_.erase("");
}

void Sheet::add_equations(const Sides& sides) {
  const std::string name = left_name(text(sides.left));
  const std::string_view left = text(sides.left), right = text(sides.right);
  if (has_sum(left) || is_changed(left)) {
    fail(sides.left.begin, "expected one entry, or a matrix of entries, as the left side");
  }
  for (const std::string_view accent : {"\\hat", "\\bar", "\\tilde", "\\Delta"}) {
    if (left.find(accent) != left.npos) {
      fail(sides.left.begin, fmt::format("found {}, which is not read in left sides", accent));
    }
  }
  const std::string fault = frame_fault(frame_of(left), name);
  if (!fault.empty()) fail(sides.left.begin, fault);
  const std::size_t begin = right.find(matrix_begin), end = right.find(matrix_end);
  if (begin == right.npos && end == right.npos) {
    equations_.push_back({name, {sides.right}});
    equations_.back().is_of_matrices = has_matrices(sides.right);
    return;
  }
  if (begin > end || end == right.npos)
    fail(sides.right.begin, "expected the ends of all matrices");
  const Matrix matrix = matrix_at(sides.right, begin, end);
  const std::string_view before = text(matrix.before), behind = text(matrix.behind);
  const bool is_alone = !behind.starts_with('^') && !has_sum(behind) &&
                        !has_sum(before.substr(before.starts_with('-') ? 1 : 0)) &&
                        behind.find(matrix_begin) == behind.npos && !has_matrices(matrix.before) &&
                        !has_matrices(matrix.behind);
  if (is_alone) return add_entries(sides, matrix);
  equations_.push_back({name, {sides.right}});
  equations_.back().is_of_matrices = true;
}

Sheet::Equation Sheet::entry(const Equation& whole, std::size_t i, std::size_t j, std::size_t rows,
                             std::size_t columns) {
  Equation entry = whole;
  const std::string& name = whole.left;
  entry.matrix = matrix_name(name);
  entry.row = i;
  entry.column = j;
  const std::string jacobian = jacobian_part(name);
  const bool is_step =
      rows == 3 && columns == 1 && is_one_of(vectors, name.substr(0, letters_of(name)));
  const bool is_jacobian = name.starts_with('J') && letters_of(name) == 1;
  if (is_step) {
    entry.left += "xyz"[i];
  } else if (is_jacobian && (rows == 6 || name == "J") && i < 6) {
    entry.left += fmt::format("{}{}", jacobian_rows[i], j + 1);
  } else if (!jacobian.empty() && i < 3) {
    entry.left = fmt::format("{}{}{}", jacobian, "xyz"[i], j + 1);
  } else if (rows == 1 || columns == 1) {
    if (rows > 1 || columns > 1) entry.left += fmt::format("{}", i + j + 1);
  } else {
    entry.left += fmt::format("{}{}", i + 1, j + 1);
  }
  entry.is_of_last_row = rows == 4 && columns == 4 && i == 3 && letters_of(name) == 1 &&
                         (name[0] == 'T' || name[0] == 'A');
  entry.own = jacobian.empty() ? name.size() : 2;
  return entry;
}

void Sheet::add_entries(const Sides& sides, const Matrix& right) {
  const std::string name = left_name(text(sides.left));
  const auto& rows = right.rows;
  std::optional<Matrix> left;
  const std::string_view whole = text(sides.left);
  const std::size_t begin = whole.find(matrix_begin), end = whole.find(matrix_end);
  if (begin < end && end != whole.npos) left = matrix_at(sides.left, begin, end);
  if (left && left->before.end - left->before.begin + left->behind.end > left->behind.begin) {
    fail(sides.left.begin, "expected one entry, or a matrix of entries, as the left side");
  }
  if (name.empty() && !left) fail(sides.right.begin, "expected a left side of the matrix, as M =");
  auto& matrix = matrices_[matrix_name(name)];
  const bool is_first = matrix.empty();
  std::vector<std::pair<std::size_t, std::size_t>> mirrored;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (is_first) matrix.emplace_back();
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      Equation one = entry({name, {right.before, rows[i][j], right.behind}}, i, j, rows.size(),
                           rows[0].size());
      if (left) {
        const bool is_vector = rows.size() == 1 || rows[0].size() == 1;
        const bool is_turned = is_vector && left->rows.size() != rows.size();
        const auto [row, column] = is_turned ? std::pair(j, i) : std::pair(i, j);
        if (row >= left->rows.size() || column >= left->rows[row].size()) {
          fail(sides.left.begin, "the matrices on both sides have different sizes");
        }
        one.left = left_name(text(left->rows[row][column]));
        one.own = std::string::npos;
      }
      const std::string_view cell = trimmed(text(rows[i][j]));
      const bool is_by_symmetry = is_one_of(symmetry_signs, cell);
      if (is_first) matrix.back().push_back(one);
      if (is_by_symmetry) mirrored.emplace_back(i, j);
      if (one.is_of_last_row && cell != (j == 3 ? "1" : "0")) {
        fail(rows[i][j].begin, "expected 0 0 0 1 as the last row");
      }
      if (!is_by_symmetry && !one.is_of_last_row) equations_.push_back(std::move(one));
    }
  }
  for (const auto& [i, j] : mirrored) {
    if (is_first && j < matrix.size() && i < matrix[j].size()) matrix[i][j] = matrix[j][i];
  }
}

Sheet::Formula Sheet::formula(const Equation& equation, const Names& names,
                              std::size_t* digits) const {
  return Translation(*this, text_, names, digits).formula(equation.parts);
}

std::string Sheet::left_out(std::string_view heading) const {
  std::vector<std::size_t> places = left_out_;
  std::erase_if(places, [&](std::size_t at) {
    return std::string_view(written_).substr(at).starts_with(heading);
  });
  return places.empty()
             ? ""
             : fmt::format("{}: formulas in lines of text are not read: {}, from here on",
                           place(places[0]), places.size());
}

std::string Sheet::place(std::size_t at) const {
  const std::string_view before = std::string_view(written_).substr(0, at);
  const auto begins = [](char c) { return !continues_character(c); };
  return fmt::format("{}:{}:{}", file_, std::ranges::count(before, '\n') + 1,
                     std::ranges::count_if(before.substr(before.rfind('\n') + 1), begins) + 1);
}

void Sheet::fail(std::size_t at, const std::string& message) const {
  throw SheetError(place(at), at, message);
}

}  // namespace armdyn

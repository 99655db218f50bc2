#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "symbolic/sheet_text.hpp"

namespace armdyn {

namespace {

/// Signs and spaces as LaTeX and Unicode have them.
constexpr Replacement replacements[] = {
    {"{}", " "},         {"&", " "},         {"$", " "},       {"~", " "},
    {"\\pi", " pi "},    {"π", " pi "},      {"\\cdot", "*"},  {"\\times", "*"},
    {"**", "^"},         {"·", "*"},         {"×", "*"},       {"−", "-"},
    {".*", "*"},         {"./", "/"},        {".^", "^"},      {"\\tfrac", "frac"},
    {"\\dfrac", "frac"}, {"\\frac", "frac"}, {"\\sin", "sin"}, {"\\cos", "cos"},
    {"\\tan", "tan"},    {"Sin[", "sin("},   {"Cos[", "cos("}, {"Tan[", "tan("},
    {"½", "(1/2)"},      {"¼", "(1/4)"},     {"@", "*"},       {"np.", " "},
    {"sp.", " "},        {"math.", " "},     {"\\{", "("},     {"\\}", ")"},
    {"{", "("},          {"}", ")"},         {"[", "("},       {"]", ")"},
    {"¹", "^1"},         {"²", "^2"},        {"³", "^3"},      {"⁴", "^4"},
    {"⁵", "^5"},         {"⁶", "^6"},        {"⁷", "^7"},      {"⁸", "^8"},
    {"⁹", "^9"}};
/// Matrices whose letters an arm's masses and inertias may have.
constexpr std::string_view matrices_beside_masses[] = {"M", "I", "D", "B", "H", "J"};
constexpr std::string_view functions[] = {"sin", "cos", "tan", "pi"};
/// Exponent of a transposed matrix.
constexpr std::string_view transposition_sign = "^ transposition ";
constexpr std::string_view partial_signs[] = {"\\partial", "∂"};
constexpr std::string_view without_normal_form[] = {"sqrt", "abs", "sign", "sgn",
                                                    "exp",  "ln",  "log"};

/// Half a unit of the last digit, 0.05 of 1.3; at least what printing rounds.
std::string half_unit(const std::string& number, double value) {
  std::string unit = number;
  const std::size_t e = std::min(unit.find_first_of("eE"), unit.size());
  std::replace_if(unit.begin(), unit.begin() + static_cast<std::ptrdiff_t>(e), is_digit, '0');
  unit.insert(e, unit.find('.') == unit.npos ? ".5" : "5");
  double half = 0.0;
  std::from_chars(unit.data(), unit.data() + unit.size(), half);
  const double rounding = rounding_of_printing * value;
  return half < rounding ? fmt::format("{:.1e}", rounding) : unit;
}

/// Number of joints among the names; 0 where there are none yet.
int joint_count(const Names& names) {
  int count = 0;
  while (names.contains(fmt::format("q{}", count + (names.contains("q0") ? 0 : 1)))) ++count;
  return count;
}

/// Value of a bound of a sum, as 1, n or n-1; nothing where it is none.
std::optional<int> bound_of_sum(std::string_view written, const Names& names) {
  const bool is_of_joints = written.starts_with('n') || written.starts_with('N');
  const int value = is_of_joints ? joint_count(names) : 0;
  if (is_of_joints) written.remove_prefix(1);
  if (written.empty() && is_of_joints) return value;
  if (written.starts_with('+')) written.remove_prefix(1);
  int more = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), more);
  if (error != std::errc() || end != written.data() + written.size() || std::abs(more) > 9)
    return {};
  return value + more;
}

/// The text with a number for that index from `at` to `end`, each character in its place.
std::string with_number(const Sheet& sheet, std::string_view whole, char index, int number,
                        std::size_t at, std::size_t end) {
  std::string text(whole.substr(0, end));
  bool is_index = false;
  int depth = 0;
  for (; at < end; ++at) {
    const bool begins = text[at] == '_' || text[at] == '^';
    if (is_index) depth += nesting(text[at]);
    if (text[at] == '\\') {
      while (at + 1 < end && is_letter(text[at + 1])) ++at;
    } else if (is_index && text[at] == index) {
      const std::string_view rest = std::string_view(text).substr(at + 1, 2);
      const bool has_number =
          depth > 0 && rest.size() == 2 && is_digit(rest[1]) && (rest[0] == '-' || rest[0] == '+');
      const int value = number + (has_number ? (rest[0] == '-' ? -1 : 1) * (rest[1] - '0') : 0);
      if (value < 0 || value > 9) sheet.fail(at, "expected indices from 0 to 9");
      text[at] = static_cast<char>('0' + value);
      if (has_number) blank(text, at + 1, at + 3);
    }
    is_index = begins || depth > 0 || (is_index && text[at] == ' ');
  }
  return text;
}

/// Longest known name that the word begins with, else the whole word.
std::string_view first_name(std::string_view word, const Names& names) {
  for (std::size_t size = std::min<std::size_t>(word.size(), 40); size > 0; --size) {
    const std::string_view name = word.substr(0, size);
    const bool is_within = size < word.size();
    const bool is_index = is_within && is_digit(word[size]) && !is_one_of(functions, name);
    const bool cuts =
        is_index || (is_within && !is_digit(word[size - 1]) && letters_of(name) < size);
    const bool is_known = names.contains(name) || !joints_of(name, names).empty() ||
                          !summands_of(name, names).empty() || is_one_of(functions, name);
    if (is_known && !cuts) return name;
  }
  return word;
}

/// Length of the arguments of h(\theta_2) at the beginning; 0 where there are none. A joint's angle
/// is never a factor, the position of a prismatic joint is.
std::size_t arguments(std::string_view rest, const Names& names) {
  rest = rest.substr(0, 60);
  const std::size_t begin = rest.find_first_not_of(' '), end = rest.find(')');
  if (begin == rest.npos || rest[begin] != '(' || end == rest.npos) return 0;
  std::string inside(rest.substr(begin + 1, end - begin - 1));
  const bool is_rate = inside.find("dot") != inside.npos || inside.find('\xCC') != inside.npos;
  if (is_rate && inside.find(',') == inside.npos) return 0;
  for (const char* word :
       {"\\vartheta", "\\theta", "\\Theta", "θ", "ϑ", "\\ddot", "\\dot", "̇", "q"}) {
    replace_all(inside, word, "");
  }
  if (inside == "t") return end + 1;  // of time
  const bool is_list =
      inside.size() + 1 < end - begin && inside.find_first_not_of("0123456789_{}, ") == inside.npos;
  std::erase_if(inside, [](char c) { return !is_digit(c); });
  return is_list && !names.contains("dd" + inside) ? end + 1 : 0;
}

/// Length of {}^1 before \\omega_1, or of {}^{C_1} before I_1, at `at`; 0 where there is none.
std::size_t frame_before(const Sheet& sheet, std::string_view text, std::size_t at) {
  if (!text.substr(at).starts_with("{}^") || transposition(text.substr(at + 2)) > 0) return 0;
  const std::size_t braced = closing_brace(text, at + 3),
                    begin = braced == text.npos ? at + 3 : braced;
  const std::size_t letter = text.substr(begin).starts_with('C') ? 1 : 0;  // {}^CI_1
  const std::size_t end =
      std::min(text.find_first_not_of("0123456789} ", begin + letter), text.size());
  const std::string frame = plain_name(text.substr(at + 3, end - at - 3));
  const std::string_view rest = text.substr(end, longest_name);
  const std::size_t index = rest.find('_');
  if (index == rest.npos) return 0;
  const std::size_t brace = closing_brace(rest, index + 1);
  const std::string name = plain_name(rest.substr(0, brace == rest.npos ? index + 2 : brace));
  if (const std::string fault = frame_fault(frame, name); !fault.empty()) sheet.fail(at, fault);
  return end - at;
}

/// Word for Craig's columns [\dot\Theta\dot\Theta] and [\dot\Theta^2], of that length; empty: there
/// is none.
std::string_view products_of_rates(std::string_view rest, std::size_t& length) {
  if (!rest.starts_with('[') && !rest.starts_with('(')) return "";
  const std::size_t end = rest.substr(0, 60).find(rest[0] == '[' ? ']' : ')');
  if (end == rest.npos || rest.substr(0, end).find('_') != rest.npos) return "";
  length = end + 1;
  const std::string name = plain_name(rest.substr(0, end));
  if (rest.substr(0, end).find('^') != rest.npos) {
    return name == "qd2" || name == "thetad2" ? " squares " : "";
  }
  return name == "qdqd" || name == "thetadthetad" ? " products " : "";
}

/// Reader of names, their indices, and groups in a sheet's text.
class Cursor {
 protected:
  explicit Cursor(const Sheet& sheet) : sheet_(sheet), is_latex_(sheet.is_latex()) {}

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
  void pass_blanks() {
    run([](char c) { return c == ' '; });
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

  const Sheet& sheet_;
  const bool is_latex_;
  std::string_view text_;  // of the sheet, to the end of a part
  std::size_t at_ = 0;
  std::string power_;  // of the last index
};

/// Writes a right side as FormulaReader reads it.
class Translation : Cursor {
 public:
  Translation(const Sheet& sheet, std::string_view text, const Names& names, std::size_t* digits)
      : Cursor(sheet), whole_(text), names_(names), digits_(digits) {}

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
    if (const std::size_t size = frame_before(sheet_, text_, at_); size > 0) {
      at_ += size;
      frame_end_ = at_;
      return;
    }
    if (take("\\sum")) return sum();
    if (take_derivative() || take_unit_vector()) return;
    std::size_t length = 0;
    if (const auto word = products_of_rates(text_.substr(at_), length); !word.empty()) {
      formula_ += word;
      at_ += length;
      return;
    }
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

  /// Reads the terms of \sum_{i=1}^{n} up to the next + or -, each with its number for the index.
  void sum() {
    const std::size_t begin = at_;
    std::string lower, upper = "n";
    for (pass_blanks(); here() == '_' || here() == '^'; pass_blanks()) {
      std::string& written = text_[at_++] == '_' ? lower : upper;
      written = group();
    }
    const auto bound = [&](std::string_view written) {
      const std::optional<int> value = bound_of_sum(written, names_);
      if (!value) sheet_.fail(begin, "expected bounds from 0 to 9 as in \\sum_{i=1}^{n}");
      return *value;
    };
    const std::size_t sign = std::min(lower.find(bound_sign), lower.size());
    if (sign != 1 || !is_letter(lower[0])) {
      sheet_.fail(begin, "expected one index of a sum, as in \\sum_{i=1}^{n}");
    }
    const int first =
        sign == lower.size() ? (names_.contains("q0") ? 0 : 1) : bound(lower.substr(sign + 1));
    const int last = std::max(bound(upper), joint_count(names_) == 0 ? first : 0);
    std::size_t end = at_;
    for (int depth = 0; end < text_.size(); ++end) {
      depth += nesting(text_[end]);
      if (depth < 0 || (depth == 0 && (text_[end] == '+' || text_[end] == '-'))) break;
    }
    formula_ += first > last ? " (0" : " (";
    for (int k = first; k <= last; ++k) {
      const std::string term = with_number(sheet_, text_, lower[0], k, at_, end);
      Translation translation(sheet_, term, names_, digits_);
      formula_ += (k > first ? "+ (" : "(") +
                  translation.formula(std::array{Sheet::Part{at_, end}}).text + ")";
      constexpr std::size_t longest = 100'000;
      if (formula_.size() > longest) sheet_.fail(begin, "expected a shorter sum");
    }
    formula_ += ") ";
    at_ = end;
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
    for (std::string one = index(); !one.empty(); one = index()) word += one;  // J_P_{l_1}
    if (is_braced) pass_blanks();
    if (is_braced && !take("}")) sheet_.fail(at_, "expected } after \\dot{");
    if (is_braced) word += index();
    still += word.substr(still.size() + dots);
    std::string rate_end;  // \dot x^2 is (\dot x)^2
    const bool is_matrix = sheet_.matrices().contains(still);
    if (dots > 0 && (is_matrix || names_.contains(still)) && !names_.contains(word)) {
      const bool is_of_sheet =
          is_matrix || std::ranges::any_of(sheet_.equations(), [&](const auto& one) {
            return one.left == still || one.matrix == still;
          });
      if (!is_of_sheet) {
        sheet_.fail(begin,
                    "\\dot is read of positions and of names of the sheet, and not of " + still);
      }
      for (; dots > 0; --dots) {
        formula_ += " (rate_ ";
        rate_end += ')';
      }
      word = still;
    }
    for (std::string_view rest = word; !rest.empty();) {
      const std::string_view name = first_name(rest, names_);
      if (is_one_of(without_normal_form, name)) refuse(begin, name, true);
      formula_ += " " + std::string(name) + " ";
      rest.remove_prefix(name.size());
    }
    const std::size_t end = at_;
    if (!is_one_of(functions, word)) at_ += arguments(text_.substr(at_), names_);
    const bool is_matrix_of_state = at_ != end && word.size() == 1 && names_.contains(word) &&
                                    std::ranges::none_of(sheet_.equations(), [&](const auto& one) {
                                      return one.left == word || one.matrix == word;
                                    });
    if (is_matrix_of_state && is_one_of(matrices_beside_masses, word))
      sheet_.fail(begin, "no line defines " + word + "(q)");
    const std::string matrix = at_ != end    ? matrix_name(word)
                               : word == "g" ? std::string(gravity_vector)
                                             : word;
    if (formula_.ends_with(" " + word + " ") && names_.contains(matrix)) {
      formula_.replace(formula_.size() - word.size() - 1, word.size(), matrix);
    }
    formula_ += rate_end + std::exchange(power_, "");
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

  std::string_view whole_;
  std::size_t frame_end_ = std::string::npos;
  const Names& names_;
  std::size_t* digits_;
  std::string formula_;
};

}  // namespace

Sheet::Formula translated(const Sheet& sheet, std::string_view text, const Names& names,
                          std::size_t* digits, std::span<const Sheet::Part> parts) {
  return Translation(sheet, text, names, digits).formula(parts);
}

}  // namespace armdyn

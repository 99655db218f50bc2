#include "symbolic/verify.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {

namespace {

bool is_letter_or_digit(char c) {
  return is_letter(c) || is_digit(c);
}

using Replacement = std::pair<std::string_view, std::string_view>;

/// Signs and spaces as LaTeX and Unicode have them.
constexpr Replacement replacements[] = {
    {"\\left", " "},     {"\\right", " "},   {"\\bigl", " "},  {"\\bigr", " "},
    {"\\Bigl", " "},     {"\\Bigr", " "},    {"\\qquad", " "}, {"\\quad", " "},
    {"\\nonumber", " "}, {"\\,", " "},       {"\\;", " "},     {"\\:", " "},
    {"\\!", " "},        {"\\ ", " "},       {"{}", " "},      {"&", " "},
    {"$", " "},          {"~", " "},         {"\\cdot", "*"},  {"\\times", "*"},
    {"·", "*"},          {"×", "*"},         {"−", "-"},       {"\\tfrac", "frac"},
    {"\\dfrac", "frac"}, {"\\frac", "frac"}, {"\\sin", "sin"}, {"\\cos", "cos"},
    {"\\tan", "tan"},    {"{", "("},         {"}", ")"},       {"[", "("},
    {"]", ")"},          {"¹", "^1"},        {"²", "^2"},      {"³", "^3"},
    {"⁴", "^4"},         {"⁵", "^5"},        {"⁶", "^6"},      {"⁷", "^7"},
    {"⁸", "^8"},         {"⁹", "^9"}};
constexpr std::string_view environments[] = {"align*",   "align",   "equation*",
                                             "equation", "aligned", "split"};
constexpr std::string_view functions[] = {"sin", "cos", "tan", "pi"};
constexpr std::string_view without_normal_form[] = {"sqrt", "abs", "sign", "sgn",
                                                    "exp",  "ln",  "log"};

/// Writes a right side as FormulaReader reads it.
class Translation {
 public:
  Translation(const Sheet& sheet, std::string_view text, std::size_t begin, const Names& names,
              std::size_t* digits)
      : sheet_(sheet), text_(text), at_(begin), names_(names), digits_(digits) {}

  std::string formula() {
    while (at_ < text_.size()) translate();
    return std::move(formula_);
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
      formula_ += text_[at_++];
    } else if (std::string_view(" \t\r\n\v").find(here()) != text_.npos) {
      formula_ += ' ';
      ++at_;
    } else {
      names();
    }
  }

  void number() {
    double value = 0.0;
    const char* const begin = text_.data() + at_;
    const char* const end = std::from_chars(begin, text_.data() + text_.size(), value).ptr;
    const std::string number(begin, end);
    if (number.empty()) sheet_.fail(at_, "expected a number");
    at_ += number.size();
    if (digits_ == nullptr || number.find_first_of(".eE") == number.npos) {
      formula_ += number + " ";
      return;
    }
    std::string unit = number;  // 0.05 of 1.3
    const std::size_t e = std::min(unit.find_first_of("eE"), unit.size());
    std::replace_if(unit.begin(), unit.begin() + static_cast<std::ptrdiff_t>(e), is_digit, '0');
    unit.insert(e, unit.find('.') == unit.npos ? ".5" : "5");
    formula_ += fmt::format("({} + {} * epsilon{})", number, unit, (*digits_)++);
  }

  std::string letters(bool is_one) {
    for (std::size_t k = 0; k < greek_words.size(); ++k) {
      std::string word(greek_words[k]);
      if (take(greek_letters.substr(2 * k, 2)) || take("\\" + word) || take("\\var" + word)) {
        return word;
      }
    }
    if (take("\\mathit{") || take("\\mathrm{") || take("\\text{")) {
      std::string word = run(is_letter);
      take("}");
      return word;
    }
    if (is_one && is_letter(here())) return std::string(1, text_[at_++]);
    return run(is_letter);
  }
  /// Reads an index; in l^2_1 the power comes first.
  std::string index() {
    const std::string_view rest = text_.substr(at_);
    if (rest.size() > 2 && rest[0] == '^' && is_digit(rest[1]) && rest[2] == '_') {
      power_ = rest.substr(0, 2);
      at_ += 2;
    }
    if (!take("_")) return "";
    if (!take("{")) return is_digit(here()) ? run(is_digit) : run(is_letter_or_digit);
    const std::size_t begin = at_, end = text_.find('}', at_);
    const std::string_view inside = text_.substr(begin, end - begin);
    if (end == text_.npos || inside.size() > 40 || inside.find_first_of("-*/=") != inside.npos) {
      sheet_.fail(begin, "expected an index of letters and digits, and }");
    }
    at_ = end + 1;
    return plain_name(inside);
  }

  /// One, or several side by side: m2l1c12.
  void names() {
    const std::size_t begin = at_;
    std::size_t dots = take("\\ddot") ? 2 : take("\\dot") ? 1 : 0;
    const bool has_dots = dots > 0;
    if (has_dots) run([](char c) { return c == ' '; });
    const bool is_braced = has_dots && take("{");
    std::string word = letters(has_dots);
    if (word.empty()) {
      const std::size_t size = take("\\") ? run(is_letter).size() + 1 : 1;
      const std::string_view found = text_.substr(begin, size);
      const bool is_no_polynomial =
          found == "|" ||
          std::ranges::find(without_normal_form, found.substr(1)) != std::end(without_normal_form);
      refuse(begin, found, is_no_polynomial);
    }
    while (take("̇")) ++dots;
    if (take("̈")) dots += 2;
    word += std::string(dots, 'd') + run(is_letter_or_digit);
    word += index();
    if (is_braced && !take("}")) sheet_.fail(at_, "expected } after \\dot{");
    if (is_braced) word += index();
    for (std::string_view rest = word; !rest.empty();) {
      const std::string_view name = first_name(rest);
      if (std::ranges::find(without_normal_form, name) != std::end(without_normal_form))
        refuse(begin, name, true);
      formula_ += " " + std::string(name) + " ";
      rest.remove_prefix(name.size());
    }
    formula_ += std::exchange(power_, "");
  }
  /// The longest that is known, or all.
  [[nodiscard]] std::string_view first_name(std::string_view word) const {
    for (std::size_t size = std::min<std::size_t>(word.size(), 40); size > 0; --size) {
      const std::string_view name = word.substr(0, size);
      const bool cuts = size < word.size() && is_digit(word[size - 1]) && is_digit(word[size]);
      const bool is_known = names_.contains(name) || !joints_of(name, names_).empty() ||
                            std::ranges::find(functions, name) != std::end(functions);
      if (is_known && !cuts) return name;
    }
    return word;
  }
  [[noreturn]] void refuse(std::size_t at, std::string_view found, bool is_no_polynomial) const {
    sheet_.fail(at, is_no_polynomial
                        ? "roots, |x|, signs and other functions are no polynomials and cannot be "
                          "verified"
                        : "found " + shown_text(found) +
                              "; expected names, numbers, + - * / ^ ( ), \\dot, \\frac, \\sin");
  }

  const Sheet& sheet_;
  std::string_view text_;  // to the end of the right side
  std::size_t at_;
  const Names& names_;
  std::size_t* digits_;
  std::string formula_, power_;
};

/// Makes blanks of comments, of headings, which have a colon, of what "where" tells and of
/// environments; \v of \\, where the next equation may begin.
void remove_words(std::string& text) {
  bool is_where = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    std::size_t comment = std::min(line.find_first_of("%#"), line.size());
    is_where = line.starts_with("where ") || (is_where && !line.empty());
    if (is_where || line.substr(0, comment).find(": ") != line.npos) comment = 0;
    std::fill(&text[begin + comment], &text[end], ' ');
    begin = end + 1;
  }
  for (const std::string_view environment : environments) {
    for (const char* command : {"\\begin", "\\end"}) {
      const std::string word = fmt::format("{}{{{}}}", command, environment);
      replace_all(text, word, std::string(word.size(), ' '));
    }
  }
  replace_all(text, "\\\\", "\v ");
}

}  // namespace

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
  constexpr Replacement words[] = {{"̇", "d"}, {"̈", "dd"}, {"\\frac", ""}, {"\\partial", ""}};
  for (const auto& [written, word] : words) replace_all(plain, written, word);
  for (std::size_t k = 0; k < greek_words.size(); ++k) {
    replace_all(plain, greek_letters.substr(2 * k, 2), greek_words[k]);
  }
  std::erase_if(plain, [](char c) { return !is_letter_or_digit(c); });
  return plain;
}

std::vector<std::string> joints_of(std::string_view name, const Names& names) {
  const bool is_of_joints = name.size() > 1 && (name[0] == 's' || name[0] == 'c') &&
                            std::ranges::all_of(name.substr(1), is_digit);
  if (!is_of_joints) return {};
  std::vector<std::string> joints;
  const std::size_t digits = names.contains("q10") ? name.size() - 1 : 1;
  for (std::size_t i = 1; i < name.size(); i += digits) {
    joints.push_back("q" + std::string(name.substr(i, digits)));
    if (!names.contains(joints.back())) return {};
  }
  return joints;
}

Sheet::Sheet(std::string file, std::string text) : file_(std::move(file)), text_(std::move(text)) {
  remove_words(text_);
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.find_first_of("\n\v", begin), text_.size());
    const std::string_view line = std::string_view(text_).substr(begin, end - begin);
    const std::size_t sign = line.find('='), last = line.find_last_not_of(" \t\r&$,.;");
    if (sign != line.npos)
      equations_.push_back({plain_name(line.substr(0, sign)), begin + sign + 1, 0});
    if (last != line.npos) {
      if (equations_.empty()) equations_.push_back({"", begin, 0});
      equations_.back().end = begin + last + 1;
    }
    begin = end + 1;
  }
  if (equations_.empty()) throw InputError(file_ + ": found no formula");
}

std::string Sheet::formula(const Equation& equation, const Names& names,
                           std::size_t* digits) const {
  const std::string_view to_end = std::string_view(text_).substr(0, equation.end);
  return Translation(*this, to_end, equation.begin, names, digits).formula();
}

std::string Sheet::place(std::size_t at) const {
  const std::string_view before = std::string_view(text_).substr(0, at);
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return fmt::format("{}:{}:{}", file_, std::ranges::count(before, '\n') + 1,
                     std::ranges::count_if(before.substr(before.rfind('\n') + 1), begins) + 1);
}

void Sheet::fail(std::size_t at, const std::string& message) const {
  throw InputError(place(at) + ": " + message);
}

}  // namespace armdyn

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "symbolic/sheet_text.hpp"

namespace armdyn {

namespace {

/// Cells of a symmetric matrix whose entry stands on the other side.
constexpr std::string_view symmetry_signs[] = {"*", "\\ast", "sym", "symm", "sym.", "symm."};
constexpr std::string_view jacobian_rows[] = {"vx", "vy", "vz", "omegax", "omegay", "omegaz"};

constexpr std::size_t most_formulas = 1000;

std::string_view part_of(std::string_view text, Sheet::Part part) {
  return text.substr(part.begin, part.end - part.begin);
}

/// The left and right sides on the lines of a sheet.
class SheetLines {
 public:
  /// Appends the faults of lines.
  SheetLines(const Sheet& sheet, std::string_view text, std::vector<Sheet::Fault>& faults)
      : sheet_(sheet), text_(text) {
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
      try {
        add({begin, at});
      } catch (const SheetError& wrong) {
        faults.push_back({wrong.at, "", wrong.message});
      }
      if (sides.size() > most_formulas || faults.size() > most_formulas) {
        sheet_.fail(begin, fmt::format("more than {} formulas are no sheet", most_formulas));
      }
      if (is_words) words_ = std::max(words_, c);
      begin = at + 1;
    }
  }

  std::vector<Sheet::Sides> sides;

 private:
  /// Adds the equations of a line: several of a = b = c; a line without = continues those before.
  void add(Sheet::Part line) {
    const std::size_t last = text(line).find_last_not_of(" \t\r&$,.;~");
    if (last == std::string_view::npos) return;
    line.end = line.begin + last + 1;
    std::vector<Sheet::Part> parts;
    for (std::size_t begin = line.begin; begin <= line.end;) {
      if (parts.size() > most_formulas) sheet_.fail(begin, "expected fewer =");
      const std::size_t sign = text({begin, line.end}).find('=');
      parts.push_back({begin, sign == std::string_view::npos ? line.end : begin + sign});
      begin = parts.back().end + 1;
    }
    const char words = std::exchange(words_, '\0');
    if (parts.size() == 1 && !sides.empty()) {
      const bool goes_on = trimmed(text(line)).find_first_of("+-") == 0;
      if (words == where_begin && !goes_on) {  // the mass of m_2
        words_ = words;
        return;
      }
      if (words == where_begin || (words == words_begin && !goes_on)) {
        sheet_.fail(line.begin,
                    "expected = after the words; write \\text{…} around words that are no formula");
      }
      const std::size_t end = sides.back().right.end;
      for (auto one = sides.rbegin(); one != sides.rend() && one->right.end == end; ++one) {
        one->right.end = line.end;
      }
      return;
    }
    if (parts.size() == 1) parts.insert(parts.begin(), {line.begin, line.begin});
    const std::string_view first = trimmed(text(parts[0]));
    const bool is_turned =
        parts.size() == 2 && is_one_name(text(parts[1])) &&
        (is_entry(text(parts[1]))
             ? is_sum_or_product(text(parts[0]))
             : has_sum(first.substr(std::min<std::size_t>(1, first.size())), "+-/"));
    const bool is_turned_vector =
        parts.size() == 2 && has_sum(text(parts[0])) && !name_of_entries(text(parts[1])).empty();
    if (is_turned || is_turned_vector) std::swap(parts[0], parts[1]);
    const std::string_view last_side = trimmed(text(parts.back()));
    if (parts.size() > 2 && last_side.starts_with(':') && is_one_name(last_side.substr(1))) {
      const Sheet::Part named{parts.back().begin + 1, parts.back().end};  // h of c_{121} = ... =: h
      parts.pop_back();
      sides.push_back({named, parts.back()});
    } else if (parts.size() > 2 && is_one_name(last_side) && left_name(last_side).size() == 1) {
      sides.push_back({parts.back(), parts[parts.size() - 2], true});
    }
    std::vector<Sheet::Part> lefts{parts[0]};
    if (left_name(text(parts[0])).empty() && !sides.empty()) lefts[0] = sides.back().left;
    for (std::size_t k = 1; k < parts.size(); ++k) {
      if (k + 1 < parts.size() && is_one_name(text(parts[k]))) {
        lefts.push_back(parts[k]);
      } else {
        for (const Sheet::Part left : lefts) sides.push_back({left, parts[k]});
      }
    }
  }
  [[nodiscard]] std::string_view text(Sheet::Part part) const { return part_of(text_, part); }

  const Sheet& sheet_;
  std::string_view text_;
  char words_ = '\0';  // kind of words before a line
};

/// The matrix from `begin` to `end` of a part, with what is before and behind it.
Sheet::Matrix matrix_at(std::string_view text, Sheet::Part part, std::size_t begin,
                        std::size_t end) {
  const std::string_view all = part_of(text, part);
  Sheet::Matrix matrix{{}, {}, {{}}};
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
    std::vector<std::vector<Sheet::Part>> turned(matrix.rows[0].size());
    for (const std::vector<Sheet::Part>& row : matrix.rows) {
      for (std::size_t j = 0; j < row.size() && j < turned.size(); ++j) turned[j].push_back(row[j]);
    }
    matrix.rows = std::move(turned);
  }
  const auto place_of = [text](std::string_view inside) {
    const auto at = static_cast<std::size_t>(inside.data() - text.data());
    return Sheet::Part{at, at + inside.size()};
  };
  matrix.before = place_of(before);
  matrix.behind = place_of(behind);
  return matrix;
}

/// Tests whether a column is the acceleration of gravity, as (0, -g, 0).
bool is_gravity(std::string_view text, const std::vector<std::vector<Sheet::Part>>& rows) {
  std::vector<std::string_view> cells;
  for (const std::vector<Sheet::Part>& row : rows) {
    for (const Sheet::Part cell : row) cells.push_back(trimmed(part_of(text, cell)));
  }
  std::erase(cells, "0");
  const bool is_column = rows.size() == 3 || (rows.size() == 1 && rows[0].size() == 3);
  if (!is_column || cells.size() != 1) return false;
  std::string_view size = cells[0];
  if (size.starts_with('-')) size = trimmed(size.substr(1));
  return plain_name(size) == "g" || plain_name(size) == "g0" ||
         size.find_first_not_of("0123456789.") == size.npos;
}

}  // namespace

Sheet::Sheet(std::string file, std::string text)
    : file_(std::move(file)), written_(std::move(text)) {
  SheetText alone = formulas_alone(written_);
  text_ = std::move(alone.text);
  left_out_ = std::move(alone.left_out);
  faults_ = std::move(alone.faults);
  sides_ = SheetLines(*this, text_, faults_).sides;
  find_matrices();
  for (const Sides& sides : sides_) {
    const std::string_view left = this->text(sides.left);
    try {
      add_equations(sides);
    } catch (const SheetError& wrong) {
      faults_.push_back({wrong.at, has_sum(left) ? "a sum" : left_name(left), wrong.message});
    }
  }
  if (!equations_.empty()) return;
  if (!faults_.empty()) fail(faults_[0].at, faults_[0].message);
  throw InputError(file_ + ": found no formula");
}

std::string_view Sheet::text(Part part) const {
  return part_of(text_, part);
}

/// Tests whether a right side has a matrix of the sheet, or the vector of all velocities, as factor
/// or summand.
bool Sheet::has_matrices(Part part) const {
  try {
    const Names known{{matrix_name("g"), 0.0}};
    std::string formula = translated(*this, text_, known, nullptr, std::array{part}).text;
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
      for (const std::vector<Part>& row : matrix_at(text_, part, 0, end - begin).rows) {
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
  const std::size_t letters = letters_of(name);
  if (trimmed(right) == "0" && is_one_of(vectors, name.substr(0, letters)) &&
      letters + 1 == name.size()) {
    auto& column = matrices_[name];
    for (std::size_t i = 0; i < 3; ++i) {  // \omega_0 = 0
      equations_.push_back(entry({name, {sides.right}}, i, 0, 3, 1));
      if (column.size() == i) column.push_back({equations_.back()});
    }
    return;
  }
  if (begin == right.npos && end == right.npos) {
    equations_.push_back({name, {sides.right}});
    equations_.back().is_of_matrices = has_matrices(sides.right);
    equations_.back().is_chain_end = sides.is_chain_end;
    return;
  }
  if (begin > end || end == right.npos)
    fail(sides.right.begin, "expected the ends of all matrices");
  const Matrix matrix = matrix_at(text_, sides.right, begin, end);
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
  const bool is_whole = name == "J" || name == "Jd";
  const bool is_jacobian = is_whole || (name.starts_with('J') && letters_of(name) == 1);
  if (is_step) {
    entry.left += "xyz"[i];
  } else if (is_jacobian && (rows == 6 || is_whole) && i < 6) {
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

bool Sheet::has_gravity_vector() const {
  return (written_.find("\\vec g") != written_.npos ||
          written_.find("\\vec{g}") != written_.npos) &&
         std::ranges::none_of(equations_, [&](const Equation& one) {
           return one.matrix == gravity_vector || one.matrix == "g" ||
                  one.matrix == matrix_name("g");
         });
}

void Sheet::add_entries(const Sides& sides, const Matrix& right) {
  std::string name = left_name(text(sides.left));
  if (name == "g" && is_gravity(text_, right.rows)) name = gravity_vector;
  const auto& rows = right.rows;
  std::optional<Matrix> left;
  const std::string_view whole = text(sides.left);
  const std::size_t begin = whole.find(matrix_begin), end = whole.find(matrix_end);
  if (begin < end && end != whole.npos) left = matrix_at(text_, sides.left, begin, end);
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
  return translated(*this, text_, names, digits, equation.parts);
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

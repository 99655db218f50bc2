#include "symbolic/verify.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/formula.hpp"
#include "model/robot_numbers.hpp"
#include "model/shown_text.hpp"
#include "symbolic/closed_forms.hpp"

namespace armdyn {

namespace {

/// Meanings of sheets' left sides, by the first letters of their names; where books differ, the
/// usual meaning first.
struct Family {
  std::string_view letters;
  ClosedEquation what;
  std::string_view key = "";   ///< of three indices: the entry by their places
  std::string_view note = "";  ///< for the reader of a verdict
};
constexpr Family families[] = {
    {"ddtL", ClosedEquation::lagrangian},
    {"omega", ClosedEquation::recursion},
    {"vd", ClosedEquation::recursion},
    {"F", ClosedEquation::recursion},
    {"N", ClosedEquation::recursion},
    {"f", ClosedEquation::recursion},
    {"n", ClosedEquation::recursion},
    {"L", ClosedEquation::lagrangian},
    {"Y", ClosedEquation::regressor},
    {"Y", ClosedEquation::base_parameters},
    {"a", ClosedEquation::base_parameters},
    {"beta", ClosedEquation::base_parameters},
    {"tau", ClosedEquation::torque},
    {"M", ClosedEquation::mass_matrix},
    {"V", ClosedEquation::velocity},
    {"V", ClosedEquation::potential},
    {"G", ClosedEquation::gravity},
    {"C", ClosedEquation::christoffel},
    {"C", ClosedEquation::craig, "", "Craig's, of squares of velocities"},
    {"J", ClosedEquation::jacobian},
    {"J", ClosedEquation::link_jacobian},
    {"K", ClosedEquation::kinetic},
    {"k", ClosedEquation::kinetic},
    {"U", ClosedEquation::potential},
    {"u", ClosedEquation::potential},
    {"u", ClosedEquation::torque},
    {"P", ClosedEquation::potential},
    {"c", ClosedEquation::christoffel},
    {"c", ClosedEquation::velocity},
    {"c", ClosedEquation::craig, "Gamma012", "Christoffel's symbol, its row first"},
    {"c", ClosedEquation::craig, "Gamma201", "Christoffel's symbol, its row last"},
    {"Gamma", ClosedEquation::craig, "Gamma012", "Christoffel's symbol, its row first"},
    {"Gamma", ClosedEquation::craig, "Gamma201", "Christoffel's symbol, its row last"},
    {"D", ClosedEquation::mass_matrix},
    {"d", ClosedEquation::mass_matrix},
    {"B", ClosedEquation::mass_matrix},
    {"B", ClosedEquation::craig, "", "Craig's, of products of velocities"},
    {"b", ClosedEquation::mass_matrix},
    {"b", ClosedEquation::craig, "Gamma012", "Christoffel's symbol"},
    {"b", ClosedEquation::craig, "B012", "Craig's, of a product of velocities"},
    {"H", ClosedEquation::mass_matrix},
    {"m", ClosedEquation::mass_matrix},
    {"g", ClosedEquation::gravity},
    {"T", ClosedEquation::kinetic},
    {"T", ClosedEquation::frames},
    {"T", ClosedEquation::hand},
    {"A", ClosedEquation::frames}};

std::vector<std::string> keys_of(const auto& map) {
  return each(map, [](const auto& one) { return one.first; });
}

/// Names of the arm's symbols, its other numbers and its state; theta1 or d1 name positions where
/// they name nothing else.
Names names_of(const SymbolicArm& arm, const RobotFile& file) {
  Names names;
  std::vector<std::string> written;
  for (const auto& [symbol, value] : arm.values) {
    written.push_back(arm.table->name(symbol));
    names.emplace(plain_name(written.back()), SymbolicNumber(symbol));
  }
  for (const Parameter& parameter : file.written.parameters) {
    written.push_back(parameter.name);
    const auto known = arm.parameters.find(parameter.name);
    if (known != arm.parameters.end()) names.emplace(plain_name(parameter.name), known->second);
  }
  refuse_names_alike(written);
  for (const bool is_zero : {false, true}) {  // of "g", the component that is not
    for (const NumberPlace& place : number_places(file.robot)) {
      if (place.name.empty() || (place.value == 0.0) != is_zero) continue;
      if (is_zero && place.name[0] == 'd') continue;
      const double value = place.names_magnitude() ? std::abs(place.value) : place.value;
      names.emplace(plain_name(place.name), value);
    }
  }
  for (std::size_t i = 0; i < arm.q.size(); ++i) {
    const bool turns = file.robot.joints[i].type == JointType::revolute;
    for (const std::string letters : {"q", turns ? "theta" : "d"}) {
      names.emplace(fmt::format("{}{}", letters, i + 1), arm.q[i]);
      for (const char* form :
           {"{0}{1}{2}", "{1}{0}{2}", "{0}{2}{1}", "{0}{1}ot{2}", "{0}{2}{1}ot"}) {
        names.emplace(fmt::format(fmt::runtime(form), letters, "d", i + 1), arm.qd[i]);
        names.emplace(fmt::format(fmt::runtime(form), letters, "dd", i + 1), arm.qdd[i]);
      }
    }
  }
  std::erase_if(names, [&](const auto& one) { return !joints_of(one.first, names).empty(); });
  return names;
}

/// The name with its indices so much higher, in its first characters; empty where one is not from
/// 0 to 9 then.
std::string with_indices(std::string name, int more, std::size_t own = std::string::npos) {
  for (char& c : std::span(name).first(std::min(own, name.size()))) {
    if (!is_digit(c)) continue;
    c = static_cast<char>(c + more);
    if (!is_digit(c)) return "";
  }
  return name;
}

/// Puts dots into a name: qd1.
std::string dotted(std::string name, const char* dots) {
  return name.insert(letters_of(name), dots);
}

/// A matrix of polynomials; a number is one of one entry. Sheets add and multiply them.
class MatrixNumber {
 public:
  using Rows = MatrixOf<SymbolicNumber>;

  MatrixNumber(double number) : MatrixNumber(SymbolicNumber(number)) {}  // implicit: for formulas
  MatrixNumber(SymbolicNumber number) : rows_(1, 1, {std::move(number)}) {}
  explicit MatrixNumber(Rows rows) : rows_(std::move(rows)) {}
  static MatrixNumber transposition() {
    MatrixNumber sign(1.0);
    sign.is_transposition_ = true;
    return sign;
  }

  [[nodiscard]] const Rows& rows() const { return rows_; }
  [[nodiscard]] bool is_number() const { return rows_.entries().size() == 1; }
  /// Throws FormulaError for a matrix.
  [[nodiscard]] const SymbolicNumber& number() const {
    if (!is_number()) throw FormulaError("found " + size() + " where a number must be");
    return rows_(0, 0);
  }

  friend MatrixNumber operator-(const MatrixNumber& a) { return MatrixNumber(-1.0) * a; }
  /// Adds a column to a row, too, as programs do with lists.
  friend MatrixNumber operator+(const MatrixNumber& a, const MatrixNumber& b) {
    const bool is_turned = a.rows_.rows() == b.rows_.columns() &&
                           a.rows_.columns() == b.rows_.rows() &&
                           (a.rows_.rows() == 1) != (b.rows_.rows() == 1);
    if (is_turned) return a + MatrixNumber(transposed(b.rows_));
    if (a.rows_.rows() != b.rows_.rows() || a.rows_.columns() != b.rows_.columns()) {
      throw FormulaError("adds " + a.size() + " and " + b.size());
    }
    Rows sum = a.rows_;
    for (std::size_t k = 0; k < sum.entries().size(); ++k) {
      SymbolicNumber& entry = sum(k / sum.columns(), k % sum.columns());
      entry = entry + b.rows_.entries()[k];
    }
    return MatrixNumber(std::move(sum));
  }
  friend MatrixNumber operator-(const MatrixNumber& a, const MatrixNumber& b) { return a + -b; }
  friend MatrixNumber operator*(const MatrixNumber& a, const MatrixNumber& b) {
    if (a.is_number() || b.is_number()) {
      const auto& [number, other] = a.is_number() ? std::tie(a, b) : std::tie(b, a);
      const SymbolicNumber& k = number.number();
      return MatrixNumber(Rows(other.rows_.rows(), other.rows_.columns(),
                               each(other.rows_.entries(), [&](const auto& x) { return k * x; })));
    }
    constexpr std::size_t most_entries = 10'000;
    if (a.rows_.columns() != b.rows_.rows() || a.rows_.rows() * b.rows_.columns() > most_entries) {
      throw FormulaError("multiplies " + a.size() + " and " + b.size());
    }
    return MatrixNumber(a.rows_ * b.rows_);
  }
  friend MatrixNumber operator/(const MatrixNumber& a, const MatrixNumber& b) {
    return a * MatrixNumber(1.0 / b.number());
  }
  friend bool is_zero(const MatrixNumber& x) { return x.is_number() && is_zero(x.number()); }
  friend MatrixNumber power(const MatrixNumber& base, const MatrixNumber& exponent) {
    if (exponent.is_transposition_ && base.is_number()) {
      throw FormulaError("only a matrix is transposed");
    }
    if (exponent.is_transposition_) return MatrixNumber(transposed(base.rows_));
    if (!base.is_number()) throw FormulaError("of powers of matrices ^T alone is read");
    return power(base.number(), exponent.number());
  }
  friend MatrixNumber root(const MatrixNumber& x) { return root(x.number()); }
  friend SinCosOf<MatrixNumber> sine_and_cosine(const MatrixNumber& angle) {
    const auto [s, c] = sine_and_cosine(angle.number());
    return {s, c};
  }

 private:
  [[nodiscard]] std::string size() const {
    return is_number() ? "a number"
                       : fmt::format("a matrix of {} x {}", rows_.rows(), rows_.columns());
  }

  Rows rows_;
  bool is_transposition_ = false;
};

/// An arm's formulas for entries, and what names mean in a sheet.
class ArmFormulas {
 public:
  ArmFormulas(const RobotFile& file, const VerifyRequest& request) : request_(request) {
    const bool divides = request_.what == ClosedEquation::cartesian;
    arm = symbolic_arm(file.robot, file.written, request_.symbols,
                       divides ? Angles::of_joints : Angles::of_sums);
    names = names_of(arm, file);
    add_sines_of_slides(file.robot);
    for (const Parameter& one : file.written.parameters) parameters_.insert(plain_name(one.name));
    for (const auto& [name, formula] : request_.names) {
      const std::string plain = plain_name(name), meaning = plain_name(formula);
      const bool is_family =
          std::ranges::any_of(families, [&](const Family& one) { return one.letters == meaning; });
      if (is_family && !value_of(meaning)) {
        letters_[plain] = meaning;
        continue;
      }
      const Sheet right("--names", formula);
      if (entry_of(meaning) != nullptr && !value_of(meaning)) {
        right.fail(0, fmt::format("{}={}: left sides have no index here; write {}={}", plain,
                                  meaning, plain.substr(0, letters_of(plain)),
                                  meaning.substr(0, letters_of(meaning))));
      }
      names[plain] = read(right, right.equations()[0], nullptr);
      for (const char* dots : {"d", "dd"}) {  // theta1=q1 is of their rates, too
        const auto rate = names.find(dotted(meaning, dots));
        if (rate != names.end()) names[dotted(plain, dots)] = SymbolicNumber(rate->second);
      }
    }
  }

  /// Value of a name, or the sine or cosine of a sum of joints; nothing for an unknown name.
  [[nodiscard]] std::optional<SymbolicNumber> value_of(std::string_view name) const {
    if (const auto known = names.find(name); known != names.end()) return known->second;
    const std::vector<std::string> joints = joints_of(name, names),
                                   parts = summands_of(name, names);
    if (!parts.empty()) return sum_of(parts);
    if (joints.empty()) return std::nullopt;
    const auto [s, c] = sin_cos(sum_of(joints));
    return name[0] == 's' ? s : c;
  }

  bool are_equal(const SymbolicNumber& a, const SymbolicNumber& b) {
    const TermBudget budget(steps_left);
    return is_zero(numerator_of(a - b));
  }

  SymbolicNumber read(const Sheet& sheet, const Sheet::Equation& equation, std::size_t* digits) {
    if (!equation.is_of_matrices) {
      return read_as<SymbolicNumber>(sheet, equation, names, digits,
                                     [](std::string_view name) -> std::optional<SymbolicNumber> {
                                       if (name == "transposition")
                                         throw FormulaError("only a matrix is transposed");
                                       return std::nullopt;
                                     });
    }
    return matrix(sheet, equation, digits).rows()(equation.row, equation.column);
  }

  /// Adds the words of right sides with matrices, whose values are not among those of names.
  [[nodiscard]] Names with_matrices(Names all) const {
    for (const auto& [name, cells] : matrices) all[name] = 0.0;
    for (const std::string_view name : names_of_all_joints) all.emplace(name, 0.0);
    for (const std::string_view name : names_of_columns) all.emplace(name, 0.0);
    all.emplace("transposition", 0.0);
    return all;
  }

  /// Size of the matrix that a right side makes, from those in it.
  std::pair<std::size_t, std::size_t> size_of(const Sheet& sheet, const Sheet::Equation& equation) {
    const MatrixNumber::Rows rows =
        read_matrix(
            sheet, equation, nullptr,
            [](const auto& cells) {
              return rows_of(cells, [](const Sheet::Equation&) { return SymbolicNumber(1.0); });
            },
            true)
            .rows();
    return {rows.rows(), rows.columns()};
  }

 private:
  /// Lets sheets take the sine of a slide, which is wrong, but not unreadable.
  void add_sines_of_slides(const Robot& robot) {
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      if (robot.joints[i].type != JointType::prismatic) continue;
      const std::size_t angle =
          arm.table->add_angle(fmt::format("q{} ", i + 1));  // sin(q2), not s2
      arm.parallel.push_back({{i}, {1}, {{angle}}});
      arm.table->set_angle(
          arm.q[i].terms()[0].monomial[0].symbol,
          {SymbolicNumber(SymbolTable::sine(angle)), SymbolicNumber(SymbolTable::cosine(angle))});
    }
  }
  /// A right side that matrices make.
  const MatrixNumber& matrix(const Sheet& sheet, const Sheet::Equation& equation,
                             std::size_t* digits) {
    const std::size_t place = equation.begin();
    const auto [found, is_new] = matrices_read_.try_emplace(place);
    if (!is_new) {
      if (!found->second) sheet.fail(place, "this matrix is defined by itself");
      return *found->second;
    }
    try {
      found->second = read_matrix(sheet, equation, digits, [&](const auto& cells) {
        return rows_of(cells,
                       [&](const Sheet::Equation& cell) { return read(sheet, cell, digits); });
      });
      return *found->second;
    } catch (const Error&) {  // with other names it may be read
      matrices_read_.erase(place);
      throw;
    }
  }

  static MatrixNumber::Rows rows_of(const std::vector<std::vector<Sheet::Equation>>& cells,
                                    const auto& value_of_cell) {
    MatrixNumber::Rows rows(cells.size(), cells.front().size());
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      if (cells[i].size() != rows.columns()) throw FormulaError("a matrix has rows of two lengths");
      for (std::size_t j = 0; j < rows.columns(); ++j) rows(i, j) = value_of_cell(cells[i][j]);
    }
    return rows;
  }

  /// Reads a sum or product of matrices, whose rows `rows_in` makes; for the size
  /// alone, unknown names stand for 1.
  MatrixNumber read_matrix(const Sheet& sheet, const Sheet::Equation& equation, std::size_t* digits,
                           const auto& rows_in, bool is_size_alone = false) {
    const auto value = [&](std::string_view name) -> std::optional<MatrixNumber> {
      if (name == "transposition") return MatrixNumber::transposition();
      const auto found = matrices.find(std::string(name));
      if (found != matrices.end() && !found->second.empty()) {
        return MatrixNumber(rows_in(found->second));
      }
      if (std::ranges::find(names_of_columns, name) != names_of_columns.end()) {
        return MatrixNumber(column(entries_of_column(name)));
      }
      if (std::ranges::find(names_of_all_joints, name) == names_of_all_joints.end()) {
        return std::nullopt;
      }
      const bool is_rate = name.starts_with('d') || name.ends_with('d');
      const bool is_acceleration = name.starts_with("dd") || name.ends_with("dd");
      return MatrixNumber(column(is_acceleration ? arm.qdd : is_rate ? arm.qd : arm.q));
    };
    return read_as<MatrixNumber>(sheet, equation, with_matrices(names), digits, value,
                                 is_size_alone);
  }

  /// Entries of a unit vector, or of Craig's [q̇q̇] and [q̇²].
  [[nodiscard]] std::vector<SymbolicNumber> entries_of_column(std::string_view name) const {
    std::vector<SymbolicNumber> entries;
    for (const char axis : std::string_view(name.starts_with("unit") ? "xyz" : "")) {
      entries.emplace_back(name.back() == axis ? 1.0 : 0.0);
    }
    for (std::size_t i = 0; entries.size() < 3 && i < arm.qd.size() && !name.starts_with("unit");
         ++i) {
      for (std::size_t j = i; j < arm.qd.size(); ++j) {
        if ((i == j) == (name == "squares")) entries.push_back(arm.qd[i] * arm.qd[j]);
      }
    }
    return entries;
  }

  /// Derivative by a position, velocity or acceleration; without, by time.
  [[nodiscard]] SymbolicNumber derivative_of(const SymbolicNumber& x,
                                             const SymbolicNumber* by) const {
    if (is_at_point) throw FormulaError("derivatives of formulas of this length are not read");
    std::map<Symbol, SymbolicNumber> rates;
    for (std::size_t i = 0; i < arm.q.size(); ++i) {
      const Symbol q = arm.q[i].terms()[0].monomial[0].symbol;
      for (const auto& [symbol, rate] :
           {std::pair(q, arm.qd[i]), std::pair(arm.qd_symbols[i], arm.qdd[i]),
            std::pair(arm.qdd_symbols[i], SymbolicNumber())}) {
        if (by == nullptr)
          rates[symbol] = rate;
        else if (*by == SymbolicNumber(symbol))
          rates[symbol] = 1.0;
      }
    }
    if (rates.empty()) throw FormulaError("a derivative is read by one position or velocity alone");
    return derivative(arm, x, rates);
  }
  [[nodiscard]] MatrixNumber derivative_of(const MatrixNumber& x, const MatrixNumber* by) const {
    if (by == nullptr || by->is_number()) {
      const SymbolicNumber* const variable = by == nullptr ? nullptr : &by->number();
      return MatrixNumber(MatrixNumber::Rows(
          x.rows().rows(), x.rows().columns(),
          each(x.rows().entries(),
               [&](const SymbolicNumber& one) { return derivative_of(one, variable); })));
    }
    if (x.rows().columns() > 1 || by->rows().columns() > 1)
      throw FormulaError("of matrices, a column by a column alone has a derivative");
    const bool is_gradient = x.is_number();
    const std::size_t n = by->rows().rows();
    MatrixNumber::Rows rows(is_gradient ? n : x.rows().rows(), is_gradient ? 1 : n);
    for (std::size_t k = 0; k < rows.rows() * rows.columns(); ++k) {
      const std::size_t i = k / rows.columns(), j = k % rows.columns();
      rows(i, j) = derivative_of(x.rows()(is_gradient ? 0 : i, 0),
                                 &by->rows().entries()[is_gradient ? i : j]);
    }
    return MatrixNumber(std::move(rows));
  }

  /// Reads a right side of these names, some with another meaning.
  template <class S>
  S read_as(const Sheet& sheet, const Sheet::Equation& equation, const Names& all,
            std::size_t* digits, const std::function<std::optional<S>(std::string_view)>& meaning,
            bool is_size_alone = false) {
    const Sheet::Formula formula = sheet.formula(equation, all, digits);
    std::set<std::string> unknown;
    std::size_t place = equation.begin(), first_unknown = 0;  // of the last name
    const auto value = [&](std::string_view name) -> S {
      const auto at = static_cast<std::size_t>(name.data() - formula.text.data());
      if (at < formula.places.size()) place = formula.places[at];
      if (const auto other = meaning(name)) return *other;
      if (const auto known = value_of(name)) return *known;
      if (name.starts_with("epsilon") && digits != nullptr) {
        const Symbol epsilon = arm.table->add(std::string(name));
        epsilons.insert(epsilon);
        return S(SymbolicNumber(epsilon));
      }
      if (unknown.empty()) first_unknown = place;
      unknown.emplace(name);
      return 1.0;
    };
    try {
      const TermBudget budget(steps_left);
      const auto products = FormulaReader<S>::Products::may_be_implied;
      S result = FormulaReader<S>(formula.text, value, products, [this](const S& x, const S* by) {
                   return derivative_of(x, by);
                 }).read();
      if (!unknown.empty() && !is_size_alone)
        refuse_unknown(sheet, first_unknown, unknown, equation.is_of_matrices);
      return result;
    } catch (const FormulaError& wrong) {
      if (!unknown.empty()) refuse_unknown(sheet, first_unknown, unknown, equation.is_of_matrices);
      sheet.fail(place, wrong.what());
    }
  }

 public:
  const std::map<std::string, SymbolicNumber>& entries(ClosedEquation what) {
    std::map<std::string, SymbolicNumber>& known = entries_[what];
    if (known.empty()) {
      for (const ClosedForm& form : closed_forms(arm, what, request_.view)) {
        known[plain_name(form.symbol + form.index)] = form.value;
      }
      if (what == ClosedEquation::lagrangian) known["L"] = known["K"] - known["U"];
      if (what == ClosedEquation::frames) add_products_of_transforms(known);
      if (what == ClosedEquation::craig) add_christoffel_symbols(known);
      if (what == ClosedEquation::link_jacobian) add_later_columns(known);
    }
    return known;
  }

  [[nodiscard]] std::string name_of(const Sheet::Equation& equation) const {
    const std::string name = equation.left.empty() ? plain_name(request_.entry)
                             : entries_from_zero   ? with_indices(equation.left, 1, equation.own)
                                                   : equation.left;
    const auto renamed = letters_.find(name.substr(0, letters_of(name)));
    return renamed == letters_.end() ? name : renamed->second + name.substr(letters_of(name));
  }

  /// An entry of the arm that a name may mean.
  struct Meaning {
    const Family* family;
    const SymbolicNumber* value;
  };
  /// Meanings of a left side, the likeliest first: those of --what and the letter exactly, then
  /// what other letters have these indices.
  std::vector<Meaning> meanings(std::string name) {
    std::vector<Meaning> exact, by_indices;
    if (name.empty() || factors.contains(name)) return {};
    replace_all(name, "theta", "q");
    const std::size_t of = name.find("Ld");  // \partial L / \partial d_2
    if (of != name.npos && names.contains("dd" + name.substr(letters_of(name)))) name[of + 1] = 'q';
    const auto add = [&](const Family& family) {
      // A link that carries a motor is one body in the file, and two in a book.
      const bool is_unlike = family.what == ClosedEquation::link_jacobian && !request_.what &&
                             !arm.constants.coupled_motors.empty();
      if (is_unlike) return;
      const auto& known = entries(family.what);
      const auto found = known.find(name);
      if (found != known.end() && family.key.empty()) {
        exact.push_back({&family, &found->second});
      } else if (const SymbolicNumber* const other = entry_by_indices(family, name)) {
        by_indices.push_back({&family, other});
      }
    };
    if (request_.what) add(asked_);
    for (const Family& family : families) {
      if (may_name(family, name)) add(family);
    }
    exact.insert(exact.end(), by_indices.begin(), by_indices.end());
    if (exact.empty()) add_derivatives(name, exact);
    return exact;
  }
  /// Names that are alike in letters and the number of indices have one meaning on a sheet.
  [[nodiscard]] static std::string kind_of(const std::string& name) {
    return fmt::format("{} {}", name.substr(0, letters_of(name)), name.size());
  }
  /// The meaning of a name; null where it has none.
  Meaning meaning_of(const std::string& name) {
    const std::vector<Meaning> all = meanings(name);
    const auto chosen = readings.find(kind_of(name));
    for (const Meaning& one : all) {
      if (chosen == readings.end() || one.family == chosen->second) return one;
    }
    return {};
  }
  const SymbolicNumber* entry_of(const std::string& name) { return meaning_of(name).value; }
  /// Entries of the family whose letters a name has.
  std::vector<std::string> entries_beside(const std::string& name) {
    if (request_.what) return keys_of(entries(*request_.what));
    for (const Family& family : families) {
      if (may_name(family, name)) return keys_of(entries(family.what));
    }
    return {};
  }

  /// Tests whether a name is one of the file's parameters or of the state.
  [[nodiscard]] bool is_fixed(const std::string& name) const {
    const SymbolicNumber& value = names.find(name)->second;
    const auto has = [&](const std::vector<SymbolicNumber>& state) {
      return std::ranges::find(state, value) != state.end();
    };
    return parameters_.contains(name) || has(arm.q) || has(arm.qd) || has(arm.qdd);
  }
  /// Takes 1 from the indices of all names: q0 is what q1 was.
  void count_from_zero() {
    Names lower;
    for (const auto& [name, value] : names) {
      const std::string other = with_indices(name, -1);
      if (!other.empty()) lower.emplace(other, value);
    }
    names = std::move(lower);
    std::set<std::string> parameters;
    for (const std::string& name : parameters_) parameters.insert(with_indices(name, -1));
    parameters_ = std::move(parameters);
  }

  SymbolicArm arm;
  Names names;
  std::map<std::string, const Family*> readings;      ///< by kinds of names
  bool entries_from_zero = false;                     ///< of left sides, as M00
  Sheet::Matrices matrices;                           ///< of the sheet
  std::set<std::string> factors;                      ///< letters of the sheet that are no entries
  bool has_base_parameters = false;                   ///< Y11 is on the sheet
  std::set<Symbol> epsilons;                          ///< of rounded decimals
  static constexpr std::size_t most_steps = 200'000;  ///< of the sheet's formulas
  std::size_t steps_left = most_steps;

  bool is_at_point = false;  ///< sines and cosines are numbers

  void forget_matrices() { matrices_read_.clear(); }

 private:
  /// Adds what ∂U/∂q1 may mean, whose name is Uq1.
  void add_derivatives(const std::string& name, std::vector<Meaning>& all) {
    const std::size_t by = name.rfind('q');
    if (by == name.npos || by == 0 || is_at_point) return;
    const auto variable = names.find(std::string_view(name).substr(by));
    if (variable == names.end()) return;
    for (const Meaning& one : meanings(name.substr(0, by))) {
      const auto [found, is_new] = derivatives_.try_emplace({one.value, name.substr(by)});
      if (is_new) found->second = derivative_of(*one.value, &variable->second);
      all.push_back({one.family, &found->second});
    }
  }

  [[nodiscard]] bool may_name(const Family& family, const std::string& name) const {
    const bool is_meant = family.what != ClosedEquation::base_parameters || has_base_parameters;
    return is_meant && name.starts_with(family.letters);
  }

  [[nodiscard]] SymbolicNumber sum_of(const std::vector<std::string>& parts) const {
    SymbolicNumber sum;
    for (const std::string& part : parts) sum = sum + names.find(part)->second;
    return sum;
  }

  /// Adds Γ_ijk, half of what multiplies q̇_j q̇_k for j ≠ k.
  void add_christoffel_symbols(std::map<std::string, SymbolicNumber>& known) const {
    const std::size_t n = arm.q.size();
    for (std::size_t k = 0; k < n * n * n; ++k) {
      const std::size_t row = k / n / n + 1, a = k / n % n + 1, b = k % n + 1;
      known[fmt::format("Gamma{}{}{}", row, a, b)] =
          a == b ? known.at(fmt::format("C{}{}", row, a))
                 : 0.5 * known.at(fmt::format("B{}{}{}", row, std::min(a, b), std::max(a, b)));
    }
  }
  /// Adds T02 of T1 and T2, and all others of links to later ones.
  void add_products_of_transforms(std::map<std::string, SymbolicNumber>& known) const {
    const auto entry = [&](const std::string& of, std::size_t i, std::size_t j) {
      return i == 3 ? SymbolicNumber(j == 3 ? 1.0 : 0.0)
                    : known.at(fmt::format("T{}{}{}", of, i + 1, j + 1));
    };
    const std::size_t n = std::min<std::size_t>(arm.q.size(), 9);
    for (std::size_t from = 0; from + 1 < n; ++from) {
      std::string before = std::to_string(from + 1);
      for (std::size_t to = from + 2; to <= n; ++to) {
        const std::string name = fmt::format("{}{}", from, to);
        for (std::size_t k = 0; k < 12; ++k) {
          SymbolicNumber& product = known[fmt::format("T{}{}{}", name, k / 4 + 1, k % 4 + 1)];
          for (std::size_t l = 0; l < 4; ++l)
            product = product + entry(before, k / 4, l) * entry(std::to_string(to), l, k % 4);
        }
        before = name;
      }
    }
  }
  /// Adds the zeros of joints behind a link.
  void add_later_columns(std::map<std::string, SymbolicNumber>& known) const {
    for (std::size_t link = 1; link <= arm.q.size(); ++link) {
      for (const char* row : {"vx", "vy", "vz", "omegax", "omegay", "omegaz"}) {
        for (std::size_t j = link + 1; j <= arm.q.size(); ++j)
          known[fmt::format("J{}{}{}", link, row, j)];
      }
    }
  }

  /// The only entry of a family with the indices of a name that has another letter, as D12.
  const SymbolicNumber* entry_by_indices(const Family& family, const std::string& name) {
    const auto& known = entries(family.what);
    const std::size_t letters = letters_of(name);
    const std::string digits = name.substr(letters);
    if (!family.key.empty()) {
      if (letters != family.letters.size() || digits.size() != 3) return nullptr;
      std::string key(family.key);
      for (char& c : std::span(key).last(3)) c = digits[static_cast<std::size_t>(c - '0')];
      const auto found = known.find(key);
      return found == known.end() ? nullptr : &found->second;
    }
    if (letters != 1 && family.letters != name.substr(0, letters) && &family != &asked_)
      return nullptr;
    std::string mirrored = digits;  // M21 is M12
    if (family.what == ClosedEquation::mass_matrix && digits.size() > 1) {
      std::swap(mirrored.back(), mirrored[mirrored.size() - 2]);
    }
    const bool is_of_pairs =
        family.what == ClosedEquation::craig && name[0] == 'B' && !digits.empty();
    std::size_t pair = digits.size() == 2 ? static_cast<std::size_t>(digits[1] - '1') : 0;
    const SymbolicNumber* found = nullptr;
    for (const auto& [other, value] : known) {
      const std::size_t own_letters = letters_of(other);
      const std::string_view own = std::string_view(other).substr(own_letters);
      if (is_of_pairs) {  // B1,12 is B1 or B11, by columns
        if (digits.size() < 3 && own_letters == 1 && other[0] == 'B' && own[0] == digits[0] &&
            pair-- == 0)
          return &value;
        continue;
      }
      if ((own != digits && own != mirrored) || other.starts_with("Gamma")) continue;
      if (found != nullptr) return nullptr;
      found = &value;
    }
    return found;
  }

  [[noreturn]] void refuse_unknown(const Sheet& sheet, std::size_t at,
                                   const std::set<std::string>& unknown, bool may_be_matrices) {
    std::vector<std::string> known = keys_of(names);
    std::erase_if(known, [](const std::string& name) {  // dq1 and q1dot beside qd1
      return name.find("dot") != name.npos || name.starts_with("dq") || name.starts_with("ddq") ||
             name.starts_with("dtheta") || name.starts_with("ddtheta") || name.ends_with('d');
    });
    std::vector<std::string> words;
    for (const std::string& name : unknown) {
      const bool has_index = letters_of(name) < name.size();
      if (entry_of(name) != nullptr ||
          (!has_index && may_be_matrices && !entries_beside(name).empty())) {
        sheet.fail(at, "no line defines " + name);
      }
      words.push_back(name + request_.did_you_mean(name, known));
    }
    sheet.fail(at, fmt::format("there is no {}\nknown are {}; --names NAME=FORMULA adds one",
                               fmt::join(words, ", "), fmt::join(known, ", ")));
  }

  std::map<std::size_t, std::optional<MatrixNumber>> matrices_read_;  // by place
  const VerifyRequest& request_;
  Family asked_{"", request_.what.value_or(ClosedEquation::torque)};
  std::set<std::string> parameters_;            // names of the file's
  std::map<std::string, std::string> letters_;  // of left sides
  std::map<ClosedEquation, std::map<std::string, SymbolicNumber>> entries_;
  std::map<std::pair<const SymbolicNumber*, std::string>, SymbolicNumber> derivatives_;
};

/// A right side of the sheet, of a verdict, and the arm's.
struct Written {
  std::size_t verdict;
  std::string entry;
  ClosedEquation what;
  const SymbolicNumber* right;
  SymbolicNumber value;
};

/// Differences of potential energies at the first point, by verdict.
using Shifts = std::map<std::size_t, Fraction>;

/// Verdicts whether right sides are those of the arm, and in which terms they differ.
class Judgment {
 public:
  Judgment(ArmFormulas& of, Shifts& shifts) : of_(of), shifts_(shifts) {}

  void judge(const Written& one, bool by_digits, FormulaVerdict& verdict) {
    const SymbolicNumber &right = *one.right, rest = one.value - right, above = numerator_of(rest);
    if (is_zero(above)) return;
    verdict.agreement = Agreement::different;
    if (by_digits) {
      const bool has_denominators = above != rest;
      if (is_within_digits(above, has_denominators ? SymbolicNumber() : right))
        verdict.agreement = Agreement::within_digits;
    } else if (one.what == ClosedEquation::potential && is_constant(rest, one.verdict)) {
      verdict.agreement = Agreement::up_to_a_constant;
    } else {
      name_terms(right, rest, verdict);
    }
  }

  /// Names the differing terms as a textbook writes them.
  void name_terms(const SymbolicNumber& right, const SymbolicNumber& rest,
                  FormulaVerdict& verdict) const {
    std::map<Monomial, Rational> known;
    for (const Term& term : collected(of_.arm, right)) known[term.monomial] = term.coefficient;
    std::vector<Term> missing, surplus;
    for (const Term& term : collected(of_.arm, rest)) {
      const Term before{term.monomial, known[term.monomial]};
      const Term written{term.monomial, before.coefficient + term.coefficient};
      if (before.coefficient == 0) {
        surplus.push_back(written);
      } else if (written.coefficient == 0) {
        missing.push_back(before);
      } else {
        verdict.factors.push_back(text(of_.arm, {written}) + " for " + text(of_.arm, {before}));
      }
    }
    if (!missing.empty()) verdict.missing = text(of_.arm, missing);
    if (!surplus.empty()) verdict.surplus = text(of_.arm, surplus);
  }

  /// Tests whether the sheet's Y a, of as many base parameters as it has, is τ.
  bool makes_torques(const std::vector<Written>& written) {
    std::vector<SymbolicNumber> rest(of_.arm.q.size());
    for (std::size_t i = 0; i < rest.size(); ++i) {
      rest[i] = of_.entries(ClosedEquation::torque).at(fmt::format("tau{}", i + 1));
    }
    for (const Written& one : written) {
      if (one.what != ClosedEquation::base_parameters || one.entry[0] != 'Y') continue;
      const auto parameter = std::ranges::find_if(written, [&](const Written& other) {
        return other.what == one.what && other.entry[0] != 'Y' &&
               std::string_view(other.entry).substr(letters_of(other.entry)) ==
                   std::string_view(one.entry).substr(2);
      });
      const auto row = static_cast<std::size_t>(one.entry[1] - '1');
      if (parameter == written.end() || row >= rest.size()) return false;
      rest[row] = rest[row] - one.value * parameter->value;
    }
    return std::ranges::all_of(rest,
                               [](const SymbolicNumber& x) { return is_zero(numerator_of(x)); });
  }

  /// Tests whether this entry of C and the others of its row, each of which has one value on the
  /// sheet, make V where they are multiplied by q̇.
  bool is_in_row_of_velocities(const Written& one, const std::vector<Written>& written) {
    const auto entry = [this](std::size_t i, std::size_t j) {
      return &of_.entries(ClosedEquation::christoffel).at(fmt::format("C{}{}", i + 1, j + 1));
    };
    const std::size_t n = of_.arm.q.size();
    std::size_t row = 0;
    for (std::size_t k = 0; k < n * n; ++k) row = entry(k / n, k % n) == one.right ? k / n : row;
    SymbolicNumber rest = -of_.entries(ClosedEquation::velocity).at(fmt::format("V{}", row + 1));
    for (std::size_t j = 0; j < n; ++j) {
      const SymbolicNumber* value = entry(row, j) == one.right ? &one.value : nullptr;
      for (const Written& other : written) {
        if (other.right != entry(row, j) || other.right == one.right) continue;
        if (value != nullptr && !of_.are_equal(*value, other.value)) return false;
        value = &other.value;
      }
      if (value == nullptr) return false;
      rest = rest + *value * of_.arm.qd[j];
    }
    return is_zero(numerator_of(rest));
  }

 private:
  [[nodiscard]] bool moves(const SymbolicNumber& x) const {
    const auto is_moved = [this](const Factor& f) {
      if (f.symbol >= first_reciprocal) return moves(of_.arm.table->divisor(f.symbol));
      return is_of_state(of_.arm, f.symbol);
    };
    return std::ranges::any_of(
        x.terms(), [&](const Term& term) { return std::ranges::any_of(term.monomial, is_moved); });
  }
  /// Tests whether a difference is the same in all states, and as at the points before.
  bool is_constant(const SymbolicNumber& rest, std::size_t of_verdict) {
    const Fraction here = fraction(rest);
    const Fraction& first = shifts_.try_emplace(of_verdict, here).first->second;
    return !moves(rest) && is_zero(here.above * first.below - first.above * here.below);
  }

  /// Tests whether each coefficient can vanish with epsilons between −1 and 1, or is no more than
  /// printing rounds of that of `printed`.
  [[nodiscard]] bool is_within_digits(const SymbolicNumber& rest,
                                      const SymbolicNumber& printed) const {
    std::map<Monomial, Rational> off, by_epsilons, by_printing;
    for (const auto& [monomial, coefficient] : rest.terms()) {
      Monomial own = monomial;
      std::erase_if(own, [&](const Factor& f) { return of_.epsilons.contains(f.symbol); });
      (own == monomial ? off : by_epsilons)[own] += abs(coefficient);
    }
    for (const auto& [monomial, coefficient] : printed.terms()) {
      by_printing[monomial] = abs(coefficient) * decimal(rounding_of_printing);
    }
    return std::ranges::all_of(off, [&](const auto& one) {
      return one.second <= std::max(by_epsilons[one.first], by_printing[one.first]);
    });
  }

  ArmFormulas& of_;
  Shifts& shifts_;
};

/// Comparison of a sheet's formulas with those of an arm.
class Verification {
 public:
  Verification(const RobotFile& file, const Sheet& sheet, const VerifyRequest& request)
      : file_(file), sheet_(sheet), request_(request) {}

  SheetVerdicts exactly() {
    set_arm();
    std::vector<FormulaVerdict> verdicts = compare(nullptr);
    try {
      take_equal_within_digits(verdicts);
    } catch (const std::length_error&) {  // too many digits
      const std::vector<FormulaVerdict> undecided = at_points();
      for (std::size_t i = 0; i < verdicts.size(); ++i) {
        if (differs(verdicts[i])) verdicts[i].agreement = undecided[i].agreement;
      }
    }
    return answer(std::move(verdicts));
  }

  /// The verdicts, with what could not be read. Throws where that is all.
  SheetVerdicts answer(std::vector<FormulaVerdict> verdicts) {
    const auto is_judged = [](const FormulaVerdict& one) {
      return one.agreement != Agreement::unread && one.agreement != Agreement::own_name;
    };
    if (std::ranges::none_of(verdicts, is_judged)) {
      for (const Sheet::Fault& fault : sheet_.faults()) sheet_.fail(fault.at, fault.message);
      if (first_fault_) throw SheetError(*first_fault_);
    }
    for (const Sheet::Fault& fault : sheet_.faults()) {
      verdicts.push_back({fault.left, sheet_.place(fault.at), Agreement::unread});
      verdicts.back().note = fault.message;
    }
    return {std::move(verdicts), formulas_->entries_from_zero};
  }

  /// Verdicts by three states with random rational sines and cosines of the joints.
  std::vector<FormulaVerdict> at_points() {
    std::vector<FormulaVerdict> verdicts;
    std::mt19937 random(1);
    shifts_.clear();
    for (int point = 0; point < 3; ++point) {
      set_arm();
      formulas_->is_at_point = true;
      for (const SymbolicNumber& q : formulas_->arm.q) {
        const Rational t(1 + random() % 97, 64), below = 1 + t * t;
        const auto number = [](const Rational& x) { return SymbolicNumber({Term{{}, x}}); };
        formulas_->arm.table->set_angle(q.terms()[0].monomial[0].symbol,
                                        {number(2 * t / below), number((1 - t * t) / below)});
      }
      std::vector<FormulaVerdict> here = compare(nullptr);
      take_equal_within_digits(here);
      for (std::size_t i = 0; i < here.size(); ++i) {
        const bool is_judged =
            here[i].agreement != Agreement::own_name && here[i].agreement != Agreement::unread;
        if (!is_judged) continue;
        const bool is_different = differs(here[i]) || (point > 0 && differs(verdicts[i]));
        here[i] = {here[i].entry, here[i].place,
                   is_different ? Agreement::different : Agreement::undecided};
      }
      verdicts = std::move(here);
    }
    return verdicts;
  }

 private:
  static bool differs(const FormulaVerdict& verdict) {
    return verdict.agreement == Agreement::different;
  }

  void set_arm() {
    formulas_.emplace(file_, request_);
    own_names_.clear();
    replaced_.clear();
    set_equations();
  }

  /// Lists the sheet's equations; where the right side makes a matrix, those of its entries.
  void set_equations() {
    all_.clear();
    unsized_.clear();
    formulas_->matrices = sheet_.matrices();
    for (const Sheet::Equation& whole : sheet_.equations()) {
      std::pair<std::size_t, std::size_t> size{1, 1};
      try {
        if (whole.is_of_matrices) size = formulas_->size_of(sheet_, whole);
      } catch (const SheetError& wrong) {
        unsized_.emplace(all_.size(), wrong);
      }
      if (!whole.is_of_matrices || size == std::pair<std::size_t, std::size_t>{1, 1}) {
        all_.push_back(whole);
        continue;
      }
      auto& cells = formulas_->matrices[Sheet::entry(whole, 0, 0, size.first, size.second).matrix];
      const bool is_first = cells.empty();
      for (std::size_t i = 0; i < size.first; ++i) {
        if (is_first) cells.emplace_back();
        for (std::size_t j = 0; j < size.second; ++j) {
          const Sheet::Equation entry = Sheet::entry(whole, i, j, size.first, size.second);
          if (is_first) cells.back().push_back(entry);
          if (!entry.is_of_last_row) all_.push_back(entry);
        }
      }
    }
  }

  /// Reads a formula; one that cannot be read costs itself.
  template <class Reading>
  void attempt(const Sheet::Equation& equation, const Reading& reading) {
    try {
      reading();
    } catch (const SheetError& wrong) {
      unread_.emplace(&equation, wrong);
      if (!first_fault_) first_fault_ = wrong;
    }
  }

  /// Compares once more with rounded decimals where a formula differs.
  void take_equal_within_digits(std::vector<FormulaVerdict>& verdicts) {
    if (std::ranges::none_of(verdicts, differs)) return;
    std::size_t digits = 0;
    const std::vector<FormulaVerdict> rounded = compare(&digits);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      const bool is_rounded = rounded[i].agreement == Agreement::within_digits;
      if (is_rounded && differs(verdicts[i])) verdicts[i] = rounded[i];
    }
  }

  [[noreturn]] void refuse_left_side(const Sheet::Equation& equation) {
    const std::string entry = formulas_->name_of(equation);
    const std::vector<std::string> known = formulas_->entries_beside(entry);
    std::string numbered = entry;  // tau1 for taui
    std::ranges::replace_if(
        numbered, [](char c) { return c >= 'i' && c <= 'l'; }, '1');
    if (numbered != entry && formulas_->entry_of(numbered) != nullptr) {
      sheet_.fail(equation.begin(), "expected a formula of one joint, as " + numbered +
                                        "; one for each index is not read");
    }
    if (entry.empty() || known.empty()) {
      sheet_.fail(equation.begin(), "found \"" + entry +
                                        "\" as its left side, expected tau1, M11, V1, "
                                        "G1, C11, Jvx1, K or U; --entry names a formula, --what "
                                        "its quantity, --names E=K of another letter");
    }
    sheet_.fail(equation.begin(),
                fmt::format("there is no entry {}; there are {}; % before a line leaves it out",
                            entry, fmt::join(known, ", ")));
  }

  /// Adds letters that are no summands, as in h \dot q_1; T of L = T - U is one.
  void add_factors(std::string_view formula) {
    constexpr std::string_view around("+-()");
    for (std::size_t at = 0; at < formula.size() && !request_.what; ++at) {
      const auto belongs = [&](std::size_t k) {
        return k < formula.size() && is_letter_or_digit(formula[k]);
      };
      if (!is_letter(formula[at]) || belongs(at - 1) || belongs(at + 1)) continue;
      const std::size_t before = formula.find_last_not_of(' ', at - std::min<std::size_t>(at, 1)),
                        behind = formula.find_first_not_of(' ', at + 1);
      const auto is_summand = [&](std::size_t k) {
        return k >= formula.size() || k == at || around.find(formula[k]) != around.npos;
      };
      if (!is_summand(before) || !is_summand(behind))
        formulas_->factors.emplace(formula.substr(at, 1));
    }
  }

  using Words = std::map<const Sheet::Equation*, std::vector<std::string>>;

  /// Words of the right sides, in which left sides are names; lists the equations that are not mere
  /// names of entries.
  Words words_of_formulas() {
    equations_.clear();
    unread_.clear();
    for (const auto& [k, wrong] : unsized_) unread_.emplace(&all_[k], wrong);
    if (!first_fault_ && !unread_.empty()) first_fault_ = unread_.begin()->second;
    formulas_->factors.clear();
    Names all = formulas_->names;
    for (const Sheet::Equation& equation : all_) {
      const std::string& name = equation.left;
      if (!name.empty() && !formulas_->value_of(name)) all[*own_names_.insert(name).first] = 0.0;
    }
    Words found;
    std::set<std::string> said;
    const Names with_matrices = formulas_->with_matrices(all);
    for (const Sheet::Equation& equation : all_) {
      attempt(equation, [&] {
        std::string formula =
            sheet_.formula(equation, equation.is_of_matrices ? with_matrices : all).text;
        add_factors(formula);
        std::ranges::replace_if(
            formula, [](char c) { return c == '(' || c == ')'; }, ' ');
        std::istringstream text(formula);
        found[&equation].assign(std::istream_iterator<std::string>(text), {});
      });
      if (found[&equation] == std::vector{equation.left}) continue;  // M11 in a matrix M
      equations_.push_back(&equation);
      said.insert(equation.left);
    }
    for (const Sheet::Equation& equation : all_) {
      const bool is_known =
          formulas_->value_of(equation.left).has_value();  // as dq1 in a vector dq
      if (is_known || !said.insert(equation.left).second) continue;
      equations_.push_back(&equation);
      attempt(equation, [&] { sheet_.fail(equation.begin(), "no line defines " + equation.left); });
    }
    find_own_matrices(found);
    return found;
  }

  /// Takes matrices without entries of the arm, which other formulas contain, for names: of each
  /// one equation remains.
  void find_own_matrices(const Words& words) {
    std::set<std::string> used;
    for (const auto& [equation, own] : words) {
      if (equation->is_of_matrices) used.insert(own.begin(), own.end());
    }
    own_matrices_.clear();
    std::erase_if(equations_, [&](const Sheet::Equation* one) {
      const bool is_own =
          used.contains(one->matrix) && formulas_->entry_of(formulas_->name_of(*one)) == nullptr;
      return is_own && !own_matrices_.insert(one->matrix).second;
    });
  }

  /// Tests whether names or left sides count joints from 0, as q0 or M00; the arm's do then, too.
  bool counts_from_zero(const std::set<std::string>& used) {
    if (formulas_->entries_from_zero) return false;
    const auto has_zero = [&](const std::string& name) {
      const std::size_t letters = letters_of(name);
      return letters < name.size() && is_letter(name[0]) && name[letters] == '0' &&
             !formulas_->value_of(name) && !formulas_->matrices.contains(name);
    };
    const bool names_do = std::ranges::any_of(used, [&](const std::string& name) {
      return has_zero(name) && !own_names_.contains(name) &&
             formulas_->value_of(with_indices(name, 1)).has_value();
    });
    const bool entries_do = std::ranges::any_of(all_, [&](const Sheet::Equation& one) {
      return has_zero(one.left) && !used.contains(one.left) &&  // but g_0 in other formulas
             formulas_->entry_of(one.left) == nullptr &&        // and T02
             formulas_->entry_of(with_indices(one.left, 1, one.own)) != nullptr;
    });
    if (names_do) formulas_->count_from_zero();
    formulas_->entries_from_zero = names_do || entries_do;
    return formulas_->entries_from_zero;
  }

  /// Lets the sheet define names that are numbers of the arm, as a_1, but its parameters and joints.
  void free_names(const Words& words, const std::set<std::string>& used) {
    for (const Sheet::Equation* const equation : equations_) {
      const std::string& name = equation->left;
      const auto known = formulas_->names.find(name);
      const bool is_free = known != formulas_->names.end() && used.contains(name) &&
                           formulas_->entry_of(formulas_->name_of(*equation)) == nullptr &&
                           !formulas_->is_fixed(name) &&
                           (words.at(equation).size() > 1 ||
                            known->second == SymbolicNumber(name[0] == 'r' ? 1.0 : 0.0));
      if (!is_free) continue;
      own_names_.insert(name);
      replaced_.insert(*known);
      formulas_->names.erase(known);
    }
  }

  /// Takes a1 for a base parameter where Y11 is on the sheet and no other formula has a1.
  void set_base_parameters(const std::set<std::string>& used) {
    const auto is_of_regressor = [](const Sheet::Equation& one) {
      return one.left.size() > 2 && one.left[0] == 'Y' &&
             std::ranges::all_of(one.left.substr(1), is_digit);
    };
    formulas_->has_base_parameters = !request_.what && std::ranges::any_of(all_, is_of_regressor);
    const auto is_parameter = [](const std::string& name) {
      const std::string letters = name.substr(0, letters_of(name));
      return letters == "a" || letters == "beta";
    };
    if (!formulas_->has_base_parameters) return;
    std::ranges::copy_if(used, std::inserter(formulas_->factors, formulas_->factors.end()),
                         is_parameter);
  }

  /// Takes left sides that are no entries, and those that other formulas have, for names.
  void read_own_names(std::size_t* digits) {
    for (const std::string& name : own_names_) formulas_->names.erase(name);
    formulas_->names.merge(replaced_);
    own_names_.clear();
    replaced_.clear();
    const Words words = words_of_formulas();
    std::set<std::string> used;
    for (const auto& [equation, own] : words) {
      if (own != std::vector{equation->left}) used.insert(own.begin(), own.end());
    }
    set_base_parameters(used);
    if (counts_from_zero(used)) return read_own_names(digits);
    free_names(words, used);
    std::set<std::string> has_two_values;
    std::vector<const Sheet::Equation*> left = equations_, failed;  // some name what stands below
    std::erase_if(left, [&](const auto* equation) { return unread_.contains(equation); });
    for (bool goes_on = true; goes_on; std::swap(left, failed)) {
      failed.clear();
      for (const Sheet::Equation* const equation : left) unread_.erase(equation);
      for (const Sheet::Equation* const equation : left) {
        attempt(*equation, [&] { read_own_name(*equation, used, digits, has_two_values); });
        if (unread_.contains(equation)) failed.push_back(equation);
      }
      goes_on = failed.size() < left.size() && !failed.empty();
    }
  }
  void read_own_name(const Sheet::Equation& equation, const std::set<std::string>& used,
                     std::size_t* digits, std::set<std::string>& has_two_values) {
    if (own_matrices_.contains(equation.matrix)) return;
    const std::string& name = equation.left;
    const bool is_own = own_names_.contains(name), is_used = is_own && used.contains(name),
               is_entry = formulas_->entry_of(formulas_->name_of(equation)) != nullptr;
    if (is_entry && !is_used) return;
    if (!is_entry && !is_used && (is_own || name.empty())) refuse_left_side(equation);
    const SymbolicNumber value = formulas_->read(sheet_, equation, digits);
    const std::optional<SymbolicNumber> known = formulas_->value_of(name);
    const bool is_known = known && !is_entry && digits == nullptr;
    if (has_two_values.contains(name) || (is_known && !formulas_->are_equal(value, *known))) {
      if (is_own) {
        has_two_values.insert(name);
        formulas_->names.erase(name);
      }
      const bool is_cosine = !joints_of(name, formulas_->names).empty();
      sheet_.fail(equation.begin(),
                  name +
                      (is_cosine ? " is already the sine or cosine of a sum of joints; "
                                 : " is already another number of the arm or the sheet; ") +
                      "leave this line out, or name it otherwise");
    }
    formulas_->names[name] = value;
  }

  /// Takes each kind of names, as C12 and C21, for what most of its formulas are.
  void choose_readings(const std::vector<Written>& written, bool by_digits) {
    Judgment judgment(*formulas_, shifts_);
    std::map<std::string, std::vector<const Written*>> kinds;
    for (const Written& one : written) kinds[ArmFormulas::kind_of(one.entry)].push_back(&one);
    formulas_->readings.clear();
    for (const auto& [kind, all] : kinds) {
      std::map<const Family*, std::size_t> agreeing;
      std::size_t most = 0;
      const Family* best = nullptr;
      for (const ArmFormulas::Meaning& likeliest : formulas_->meanings(all.front()->entry)) {
        std::size_t count = 0;
        for (const Written* const one : all) {
          for (const ArmFormulas::Meaning& meaning : formulas_->meanings(one->entry)) {
            if (meaning.family != likeliest.family || is_zero(*meaning.value)) continue;
            FormulaVerdict verdict;
            judgment.judge(
                {one->verdict, one->entry, meaning.family->what, meaning.value, one->value},
                by_digits, verdict);
            if (!differs(verdict)) ++count;
          }
        }
        if (best == nullptr || count > most) best = likeliest.family;
        most = std::max(most, count);
        if (most == all.size()) break;
      }
      if (best != nullptr) formulas_->readings[kind] = best;
    }
  }

  std::vector<FormulaVerdict> compare(std::size_t* digits) {
    std::vector<FormulaVerdict> verdicts;
    std::vector<Written> written;
    Judgment judgment(*formulas_, shifts_);
    formulas_->epsilons.clear();
    formulas_->readings.clear();
    formulas_->forget_matrices();
    formulas_->steps_left =
        digits == nullptr ? ArmFormulas::most_steps : 5 * ArmFormulas::most_steps;
    read_own_names(digits);
    for (const Sheet::Equation* const equation : equations_) {
      const bool is_own_matrix = own_matrices_.contains(equation->matrix);
      const std::string entry = is_own_matrix ? equation->matrix : formulas_->name_of(*equation);
      verdicts.push_back({entry, sheet_.place(equation->begin()), Agreement::own_name});
      if (is_own_matrix || formulas_->entry_of(entry) == nullptr || unread_.contains(equation))
        continue;
      attempt(*equation, [&] {
        const SymbolicNumber value = formulas_->read(sheet_, *equation, digits);
        const bool is_cosine = !joints_of(entry, formulas_->names).empty();  // c12, too
        if (is_cosine && formulas_->are_equal(value, *formulas_->value_of(entry))) {
          verdicts.back().agreement = Agreement::equal;
        } else {
          written.push_back({verdicts.size() - 1, entry, {}, nullptr, value});
        }
      });
    }
    choose_readings(written, digits != nullptr);
    for (Written& one : written) {
      const auto [family, right] = formulas_->meaning_of(one.entry);
      FormulaVerdict& verdict = verdicts[one.verdict];
      if (right == nullptr) continue;
      one.what = family->what;
      one.right = right;
      verdict.agreement = Agreement::equal;
      verdict.note = family->note;
      const TermBudget budget(formulas_->steps_left);
      judgment.judge(one, digits != nullptr, verdict);
    }
    std::erase_if(written, [](const Written& one) { return one.right == nullptr; });
    compare_with_one_another(judgment, written, verdicts);
    for (std::size_t k = 0; k < equations_.size(); ++k) {
      const auto fault = unread_.find(equations_[k]);
      if (fault == unread_.end()) continue;
      verdicts[k] = {verdicts[k].entry, sheet_.place(fault->second.at), Agreement::unread};
      verdicts[k].note = fault->second.message;
    }
    return verdicts;
  }

  /// Looks at constants of potential energies, and at rows of C.
  void compare_with_one_another(Judgment& judgment, const std::vector<Written>& written,
                                std::vector<FormulaVerdict>& verdicts) {
    const std::vector<FormulaVerdict> alone = verdicts;
    for (const Written& one : written) {
      FormulaVerdict& verdict = verdicts[one.verdict];
      const auto contradicts = [&](const Written& other) {
        return other.right == one.right && !differs(alone[other.verdict]) &&
               !formulas_->are_equal(other.value, one.value);
      };
      if (verdict.agreement == Agreement::up_to_a_constant &&
          std::ranges::any_of(written, contradicts)) {
        verdict.agreement = Agreement::different;
        judgment.name_terms(*one.right, one.value - *one.right, verdict);
      } else if (one.what == ClosedEquation::christoffel && differs(verdict) &&
                 judgment.is_in_row_of_velocities(one, written)) {
        verdict.agreement = Agreement::other_factorization;
      } else if (one.what == ClosedEquation::base_parameters && differs(verdict) &&
                 judgment.makes_torques(written)) {
        verdict = {verdict.entry, verdict.place, Agreement::other_parameters};
      }
    }
  }

  const RobotFile& file_;
  const Sheet& sheet_;
  const VerifyRequest& request_;
  std::optional<ArmFormulas> formulas_;
  std::set<std::string> own_names_;  // of the sheet
  Names replaced_;                   // numbers of the arm whose names the sheet has
  std::map<const Sheet::Equation*, SheetError> unread_;
  std::optional<SheetError> first_fault_;
  std::vector<Sheet::Equation> all_;           // of the sheet, by entries
  std::map<std::size_t, SheetError> unsized_;  // of them, those whose matrices do not fit
  std::set<std::string> own_matrices_;
  std::vector<const Sheet::Equation*> equations_;  // that are no mere names
  Shifts shifts_;
};

}  // namespace

SheetVerdicts verify(const RobotFile& file, const Sheet& sheet, const VerifyRequest& request) {
  Verification verification(file, sheet, request);
  try {
    return verification.exactly();
  } catch (const std::length_error&) {  // too many terms
  }
  try {
    return verification.answer(verification.at_points());
  } catch (const std::length_error&) {
    throw InputError(sheet.file() +
                     ": too long even where joints have numbers; --symbols with fewer names "
                     "makes formulas shorter");
  }
}

}  // namespace armdyn

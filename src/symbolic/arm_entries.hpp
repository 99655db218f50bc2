#pragma once

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "symbolic/verify.hpp"

// The entries of an arm's closed forms, and which of them left sides of sheets mean.

namespace armdyn {

/// Meanings of sheets' left sides, by the first letters of their names; where books differ, the
/// usual meaning first.
struct Family {
  std::string_view letters;
  ClosedEquation what;
  std::string_view key = "";          ///< of three indices: the entry by their places
  std::string_view note = "";         ///< for the reader of a verdict
  std::optional<TaskAxes> axes = {};  ///< absent: as asked for
  bool is_in_world = false;           ///< of an arm with a turned base
};
inline constexpr std::string_view of_tool = "the one in axes of the tool";
inline constexpr Family families[] = {
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
    {"C", ClosedEquation::craig, "Gamma012", "Christoffel's symbol, its row first"},
    {"S", ClosedEquation::christoffel},
    {"J", ClosedEquation::jacobian},
    {"J", ClosedEquation::link_jacobian},
    {"J", ClosedEquation::jacobian, "", of_tool, TaskAxes::tool},
    {"J", ClosedEquation::jacobian, "", "the one in axes of the world", {}, true},
    {"Mx", ClosedEquation::cartesian},
    {"Mx", ClosedEquation::cartesian, "", of_tool, TaskAxes::tool},
    {"Vx", ClosedEquation::cartesian},
    {"Vx", ClosedEquation::cartesian, "", of_tool, TaskAxes::tool},
    {"Gx", ClosedEquation::cartesian},
    {"Gx", ClosedEquation::cartesian, "", of_tool, TaskAxes::tool},
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
    {"phi", ClosedEquation::gravity},
    {"T", ClosedEquation::kinetic},
    {"T", ClosedEquation::frames},
    {"T", ClosedEquation::forward_kinematics},
    {"A", ClosedEquation::frames}};

inline std::vector<std::string> keys_of(const auto& map) {
  return each(map, [](const auto& one) { return one.first; });
}

class ArmEntries {
 public:
  /// `names` are those of the arm's numbers.
  ArmEntries(const SymbolicArm& arm, const Names& names, const VerifyRequest& request)
      : arm_(arm), names_(names), request_(request) {}

  const std::map<std::string, SymbolicNumber>& of(ClosedEquation what,
                                                  std::optional<TaskAxes> axes = {},
                                                  bool is_in_world = false) {
    std::map<std::string, SymbolicNumber>& known = entries_[{what, axes, is_in_world}];
    if (known.empty()) {
      JacobianView view = request_.view;
      if (axes) view.axes = axes;
      const std::vector<ClosedForm> forms = closed_forms(arm_, what, view);
      for (const ClosedForm& form : forms) {
        known[plain_name(form.symbol + form.index)] = form.value;
      }
      if (what == ClosedEquation::lagrangian) known["L"] = known["K"] - known["U"];
      const bool is_serial = arm_.constants.is_serial();
      if (what == ClosedEquation::frames && is_serial) add_products_of_transforms(known);
      if (what == ClosedEquation::craig) add_christoffel_symbols(known);
      if (what == ClosedEquation::link_jacobian) add_later_columns(known);
      if (what == ClosedEquation::recursion) add_ends(known);
      if (what == ClosedEquation::cartesian) add_numbers_of_rows(forms, known);
      if (is_in_world) turn_to_world(known);
    }
    return known;
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
    const std::size_t slope = name.find("Ld");  // \partial L / \partial d_2
    if (slope != name.npos && names_.contains("dd" + name.substr(letters_of(name))))
      name[slope + 1] = 'q';
    const auto add = [&](const Family& family) {
      // A link that carries a motor is one body in the file, and two in a book.
      const bool is_unlike = family.what == ClosedEquation::link_jacobian && !request_.what &&
                             !arm_.constants.row_drives.empty();
      // The book's Cartesian terms, of an arm that has them, in the axes of the book.
      const bool is_of_task = family.axes || family.letters.ends_with('x');
      const bool is_elsewhere =
          is_of_task && (arm_.q.size() > 3 || (family.axes && request_.view.axes));
      if (is_unlike || is_elsewhere) return;
      if (family.is_in_world && (request_.view.axes || !is_base_turned())) return;
      if (family.letters.ends_with('x') && !has_cartesian_terms()) return;
      const auto& known = of(family.what, family.axes, family.is_in_world);
      const auto found = known.find(name);
      if (found != known.end() && family.key.empty()) {
        exact.push_back({&family, &found->second});
        return;
      }
      // N_1 is no component of Craig's N_1.
      const bool has_axes =
          is_of_task || (family.what == ClosedEquation::recursion && &family != &asked_);
      const SymbolicNumber* const other = has_axes ? nullptr : entry_by_indices(family, name);
      if (other != nullptr) by_indices.push_back({&family, other});
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
    for (const char* jacobian : {"Jv", "Jomega", "Jdv", "Jdomega"}) {
      if (name.starts_with(jacobian)) return name.substr(0, name.starts_with("Jd") ? 2 : 1);
    }
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
  /// Entries of the family whose letters a name has; of them those with all its letters, if any.
  std::vector<std::string> beside(const std::string& name) {
    const auto* const family =
        request_.what
            ? &asked_
            : std::ranges::find_if(families, [&](const Family& f) { return may_name(f, name); });
    if (family == std::end(families)) return {};
    std::vector<std::string> all = keys_of(of(family->what)), alike = all;
    std::erase_if(alike, [&](const std::string& one) {
      const std::size_t letters = letters_of(one);
      return one.substr(0, letters) != name.substr(0, letters_of(name)) || one[letters] == '0';
    });
    return alike.empty() ? all : alike;
  }

  /// Tests whether a name is of a regressor or its parameters, as Y12 and a2.
  [[nodiscard]] bool is_of_regressor(const std::string& name) const {
    const std::string letters = name.substr(0, letters_of(name));
    return has_base_parameters && letters.size() < name.size() &&
           (letters == "Y" || letters == "a" || letters == "beta");
  }

  std::map<std::string, const Family*> readings;  ///< by kinds of names
  std::set<std::string> factors;                  ///< letters of the sheet that are no entries
  bool has_base_parameters = false;               ///< Y11 is on the sheet
  bool has_C = false;                             ///< so that S is no matrix of Coriolis terms

 private:
  /// Adds what ∂U/∂q1 may mean, whose name is Uq1; m112 is m11q2, and Md11 the rate of M11.
  void add_derivatives(const std::string& name, std::vector<Meaning>& all) {
    const bool is_of_matrix = letters_of(name) == 2 && name.size() == 4 &&
                              std::string_view("MDBH").find(name[0]) != std::string_view::npos;
    const bool is_rate = name.starts_with("Jd") || (is_of_matrix && name[1] == 'd'),
               is_of_mass = name[0] == 'm' && name.size() == 4 && letters_of(name) == 1;
    if (is_of_mass) return add_derivatives(name.substr(0, 3) + 'q' + name[3], all);
    const std::size_t by = is_rate ? name.size() : name.rfind('q');
    if (by == name.npos || by == 0 || is_at_point(arm_)) return;
    const auto variable = names_.find(std::string_view(name).substr(by));
    if (!is_rate && variable == names_.end()) return;
    for (const Meaning& one : meanings(is_rate ? name[0] + name.substr(2) : name.substr(0, by))) {
      const auto [found, is_new] = derivatives_.try_emplace({one.value, name.substr(by)});
      if (is_new) {
        found->second = derivative(arm_, *one.value, is_rate ? nullptr : &variable->second);
      }
      all.push_back({one.family, &found->second});
    }
  }

  [[nodiscard]] bool is_base_turned() const {
    const auto& [x, y, z] = arm_.constants.base.R;
    return !is_zero(x.y) || !is_zero(x.z) || !is_zero(y.x) || !is_zero(y.z) || !is_zero(z.x) ||
           !is_zero(z.y) || x.x != SymbolicNumber(1.0) || y.y != SymbolicNumber(1.0);
  }
  /// Turns the columns of a Jacobian from axes of {0} to those of the world.
  void turn_to_world(std::map<std::string, SymbolicNumber>& known) const {
    const std::map<std::string, SymbolicNumber> of_base = std::exchange(known, {});
    for (const std::string rows : {"Jv", "Jomega"}) {
      for (std::size_t j = 1; j <= arm_.q.size(); ++j) {
        const auto row = [&](char axis) {
          const auto found = of_base.find(fmt::format("{}{}{}", rows, axis, j));
          return found == of_base.end() ? SymbolicNumber() : found->second;
        };
        const auto [x, y, z] =
            arm_.constants.base.R * Vec<SymbolicNumber>{row('x'), row('y'), row('z')};
        for (const auto& [axis, value] : {std::pair('x', x), {'y', y}, {'z', z}}) {
          known[fmt::format("{}{}{}", rows, axis, j)] = value;
        }
      }
    }
  }

  /// Tests whether enough rows of J are independent.
  bool has_cartesian_terms() {
    try {
      return !of(ClosedEquation::cartesian).empty();
    } catch (const Error&) {
      return false;
    }
  }
  [[nodiscard]] bool may_name(const Family& family, const std::string& name) const {
    const bool is_meant = family.what == ClosedEquation::base_parameters
                              ? has_base_parameters
                              : family.letters != "S" || !has_C;
    // A mechanism has a recursion for each of its chains, which is not written.
    const bool is_written = family.what != ClosedEquation::recursion || arm_.constants.is_serial();
    return is_meant && is_written && name.starts_with(family.letters);
  }

  /// Adds Γ_ijk, half of what multiplies q̇_j q̇_k for j ≠ k.
  void add_christoffel_symbols(std::map<std::string, SymbolicNumber>& known) const {
    const std::size_t n = arm_.q.size();
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
    const std::size_t n = std::min<std::size_t>(arm_.q.size(), 9);
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
  /// Adds the vectors of the base, and the wrench at the end, which is zero.
  void add_ends(std::map<std::string, SymbolicNumber>& known) const {
    const std::string behind = std::to_string(arm_.q.size() + 1);
    for (const std::string& name :
         {std::string("omega0"), std::string("omegad0"), "f" + behind, "n" + behind}) {
      for (const char axis : {'x', 'y', 'z'}) known[name + axis];
    }
    known["vd0x"] = arm_.constants.v_dot_0.x;
    known["vd0y"] = arm_.constants.v_dot_0.y;
    known["vd0z"] = arm_.constants.v_dot_0.z;
  }
  /// Adds Mx12 of Mx[vx,vy], and so on, in the order of the forms.
  void add_numbers_of_rows(const std::vector<ClosedForm>& forms,
                           std::map<std::string, SymbolicNumber>& known) const {
    auto form = forms.begin();
    const std::size_t n = arm_.q.size();
    for (std::size_t i = 1; i <= n; ++i) {
      for (std::size_t j = i; j <= n; ++j, ++form) {
        known[fmt::format("Mx{}{}", i, j)] = known[fmt::format("Mx{}{}", j, i)] = form->value;
      }
    }
    for (const char* of : {"Vx", "Gx"}) {
      for (std::size_t i = 1; i <= n; ++i) known[fmt::format("{}{}", of, i)] = (form++)->value;
    }
  }
  /// Adds the zeros of joints behind a link.
  void add_later_columns(std::map<std::string, SymbolicNumber>& known) const {
    for (std::size_t link = 1; link <= arm_.q.size(); ++link) {
      for (const char* row : {"vx", "vy", "vz", "omegax", "omegay", "omegaz"}) {
        for (std::size_t j = link + 1; j <= arm_.q.size(); ++j)
          known[fmt::format("J{}{}{}", link, row, j)];
      }
    }
  }

  /// The only entry of a family with the indices of a name that has another letter, as D12.
  const SymbolicNumber* entry_by_indices(const Family& family, const std::string& name) {
    const auto& known = of(family.what, family.axes);
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
      const bool is_product = family.what == ClosedEquation::craig && other[0] == 'B';
      if ((own != digits && own != mirrored) || other.starts_with("Gamma") || is_product) continue;
      if (found != nullptr) return nullptr;
      found = &value;
    }
    return found;
  }

  const SymbolicArm& arm_;
  const Names& names_;
  const VerifyRequest& request_;
  Family asked_{"", request_.what.value_or(ClosedEquation::torque)};
  std::map<std::tuple<ClosedEquation, std::optional<TaskAxes>, bool>,
           std::map<std::string, SymbolicNumber>>
      entries_;
  std::map<std::pair<const SymbolicNumber*, std::string>, SymbolicNumber> derivatives_;
};

}  // namespace armdyn

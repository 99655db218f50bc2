#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
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
  std::string_view key = "";   ///< of three indices: the entry by their places
  std::string_view note = "";  ///< for the reader of a verdict
};
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

  const std::map<std::string, SymbolicNumber>& of(ClosedEquation what) {
    std::map<std::string, SymbolicNumber>& known = entries_[what];
    if (known.empty()) {
      for (const ClosedForm& form : closed_forms(arm_, what, request_.view)) {
        known[plain_name(form.symbol + form.index)] = form.value;
      }
      if (what == ClosedEquation::lagrangian) known["L"] = known["K"] - known["U"];
      if (what == ClosedEquation::frames) add_products_of_transforms(known);
      if (what == ClosedEquation::craig) add_christoffel_symbols(known);
      if (what == ClosedEquation::link_jacobian) add_later_columns(known);
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
                             !arm_.constants.coupled_motors.empty();
      if (is_unlike) return;
      const auto& known = of(family.what);
      const auto found = known.find(name);
      if (found != known.end() && family.key.empty()) {
        exact.push_back({&family, &found->second});
        return;
      }
      // N_1 is no component of Craig's N_1.
      const bool has_axes = family.what == ClosedEquation::recursion && &family != &asked_;
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
  std::vector<std::string> beside(const std::string& name) {
    if (request_.what) return keys_of(of(*request_.what));
    for (const Family& family : families) {
      if (may_name(family, name)) return keys_of(of(family.what));
    }
    return {};
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

 private:
  /// Adds what ∂U/∂q1 may mean, whose name is Uq1.
  void add_derivatives(const std::string& name, std::vector<Meaning>& all) {
    const std::size_t by = name.rfind('q');
    if (by == name.npos || by == 0 || is_at_point(arm_)) return;
    const auto variable = names_.find(std::string_view(name).substr(by));
    if (variable == names_.end()) return;
    for (const Meaning& one : meanings(name.substr(0, by))) {
      const auto [found, is_new] = derivatives_.try_emplace({one.value, name.substr(by)});
      if (is_new) found->second = derivative(arm_, *one.value, &variable->second);
      all.push_back({one.family, &found->second});
    }
  }

  [[nodiscard]] bool may_name(const Family& family, const std::string& name) const {
    const bool is_meant = family.what != ClosedEquation::base_parameters || has_base_parameters;
    return is_meant && name.starts_with(family.letters);
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
    const auto& known = of(family.what);
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

  const SymbolicArm& arm_;
  const Names& names_;
  const VerifyRequest& request_;
  Family asked_{"", request_.what.value_or(ClosedEquation::torque)};
  std::map<ClosedEquation, std::map<std::string, SymbolicNumber>> entries_;
  std::map<std::pair<const SymbolicNumber*, std::string>, SymbolicNumber> derivatives_;
};

}  // namespace armdyn

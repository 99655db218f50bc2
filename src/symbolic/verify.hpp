#pragma once

// Whether formulas of a sheet are those of an arm (docs/derivation.md, 20.5).

#include <armdyn/robot_file.hpp>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/closed_forms.hpp"

namespace armdyn {

enum class Agreement {
  equal,                ///< proved
  within_digits,        ///< decimals are rounded
  up_to_a_constant,     ///< of potential energies
  other_factorisation,  ///< C q̇ = V, but C is not Christoffel's
  undecided,            ///< too long; equal at points by chance
  different,            ///< proved
};

struct FormulaVerdict {
  std::string entry, place;
  Agreement agreement = Agreement::equal;
  std::string missing, surplus;      ///< sums of terms; empty: none
  std::vector<std::string> factors;  ///< "2 m2 l1 l2 c2 for m2 l1 l2 c2"
};

struct VerifyRequest {
  std::optional<ClosedEquation> what = {};  ///< absent: what the left sides say
  std::string entry = {};                   ///< of a formula without a left side: M11
  std::vector<std::pair<std::string, std::string>> names =
      {};  ///< and formulas that they stand for
  Symbols symbols = {};
  /// "; did you mean 'l1'?", of names that are known.
  std::function<std::string(const std::string&, const std::vector<std::string>&)> did_you_mean;
};

/// Throws InputError where `text`, of the file `name`, has what cannot be read.
[[nodiscard]] std::vector<FormulaVerdict> verify(const RobotFile& file, const std::string& name,
                                                 const std::string& text,
                                                 const VerifyRequest& request);

}  // namespace armdyn

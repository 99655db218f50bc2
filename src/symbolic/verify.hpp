#pragma once

// Verification of formulas of an exercise sheet, a book or a thesis, in text or LaTeX, against those
// of an arm (docs/derivation.md, 20.5).

#include <armdyn/robot_file.hpp>

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbolic/closed_forms.hpp"

namespace armdyn {

/// Largest relative change of a number by rounding to a double and to its shortest text,
/// half of its last bit each.
inline constexpr double rounding_of_printing = 2.5e-16;

/// Meanings of names, which are without "_" and brackets, Greek letters as words: l1, Ixx1, alpha2.
/// Velocities and accelerations are qd1 and qdd1.
using Names = std::map<std::string, SymbolicNumber, std::less<>>;
[[nodiscard]] std::string plain_name(std::string_view name);
/// Number of letters before the first digit of a name.
[[nodiscard]] std::size_t letters_of(std::string_view name);

/// Positions, or their rates, of whose sum a name as theta12 is; none for other names.
[[nodiscard]] std::vector<std::string> summands_of(std::string_view name, const Names& names);

/// Throws Error where two are one without "_" and brackets: la and l_a.
void refuse_names_alike(const std::vector<std::string>& names);

/// Names of all positions, velocities or accelerations: qd of \dot q.
inline constexpr std::array<std::string_view, 10> names_of_all_joints{
    "q", "qd", "qdd", "dq", "ddq", "theta", "thetad", "thetadd", "dtheta", "ddtheta"};

/// Name in formulas of the acceleration of gravity as a vector.
inline constexpr std::string_view gravity_vector = "gravity";

/// Names in formulas of unit vectors, and of all products and squares of velocities.
inline constexpr std::array<std::string_view, 5> names_of_columns{"unitx", "unity", "unitz",
                                                                  "products", "squares"};

/// Joints of whose sum a name is the sine or cosine: q1 and q2 of c12; none for other names.
[[nodiscard]] std::vector<std::string> joints_of(std::string_view name, const Names& names);

/// Fault of one formula.
class SheetError : public InputError {
 public:
  SheetError(const std::string& place, std::size_t where, std::string what)
      : InputError(place + ": " + what), at(where), message(std::move(what)) {}
  std::size_t at;
  std::string message;
};

/// Equations of a text, or one formula. In a text with displayed formulas these alone count; a matrix
/// is equations of its entries.
class Sheet {
 public:
  struct Part {
    std::size_t begin, end;
  };
  struct Equation {
    std::string left;  ///< as plain_name has it; empty: there is none
    std::vector<Part>
        parts;  ///< the right side; of a matrix: what is before it, the entry, what is behind
    std::size_t own = std::string::npos;  ///< characters of `left` that the sheet has itself
    bool is_of_matrices = false;          ///< the right side is a sum or product of matrices
    std::string matrix = {};              ///< that it is an entry of
    std::size_t row = 0, column = 0;      ///< of that matrix
    bool is_chain_end = false;            ///< h of c_{112} = -m l_1 s_2 = h

    [[nodiscard]] std::size_t begin() const { return parts[parts.size() / 2].begin; }
    /// Of a transform, 0 0 0 1.
    bool is_of_last_row = false;
  };

  /// A right side as FormulaReader reads it, and the place of each of its characters.
  struct Formula {
    std::string text;
    std::vector<std::size_t> places;
  };
  /// A formula that cannot be read.
  struct Fault {
    std::size_t at;
    std::string left, message;
  };

  /// Throws InputError, with the place, where nothing can be read; SheetError, as all functions do.
  Sheet(std::string file, std::string text);

  [[nodiscard]] const std::vector<Equation>& equations() const { return equations_; }
  /// Matrices of the sheet by their names, and those within formulas by names that formulas have.
  using Matrices = std::map<std::string, std::vector<std::vector<Equation>>>;
  [[nodiscard]] const Matrices& matrices() const { return matrices_; }
  /// The equation of an entry of a right side that is a matrix of so many rows and columns.
  [[nodiscard]] static Equation entry(const Equation& whole, std::size_t i, std::size_t j,
                                      std::size_t rows, std::size_t columns);
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// Tests whether formulas have a vector g, which no line defines.
  [[nodiscard]] bool has_gravity_vector() const;
  [[nodiscard]] bool is_latex() const { return written_.find('\\') != std::string::npos; }
  /// Takes the longest names that are known. With `digits`, which counts them, a decimal d is
  /// (d + u * epsilon3), u half a unit of its last digit.
  [[nodiscard]] Formula formula(const Equation& equation, const Names& names,
                                std::size_t* digits = nullptr) const;
  /// Message about formulas in lines of text that are left out, but for lines that begin with
  /// `heading`; empty: there are none.
  [[nodiscard]] std::string left_out(std::string_view heading) const;
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::string place(std::size_t at) const;  ///< "FILE:3:14"
  [[noreturn]] void fail(std::size_t at, const std::string& message) const;

  // Steps of reading.

  struct Sides {
    Part left, right;
    bool is_chain_end = false;
  };
  struct Matrix {
    Part before, behind;
    std::vector<std::vector<Part>> rows;
  };

 private:
  [[nodiscard]] std::string_view text(Part part) const;
  [[nodiscard]] bool has_matrices(Part part) const;
  void find_matrices();
  void add_equations(const Sides& sides);
  void add_entries(const Sides& sides, const Matrix& right);

  std::string file_, written_;
  std::string text_;                   // formulas alone, each character in its place
  std::vector<std::size_t> left_out_;  // places
  std::vector<Sides> sides_;
  std::vector<Equation> equations_;
  Matrices matrices_;
  std::vector<Fault> faults_;
};

enum class Agreement {
  equal,                ///< proved
  within_digits,        ///< decimals are rounded
  up_to_a_constant,     ///< of potential energies
  other_factorization,  ///< C q̇ = V, but C is not Christoffel's
  other_parameters,     ///< Y a = τ, with other base parameters
  undecided,            ///< too long; equal at random states
  own_name,             ///< a name of the sheet's own for its right side
  unread,               ///< cannot be read
  different,            ///< proved
};

struct FormulaVerdict {
  std::string entry, place;
  Agreement agreement = Agreement::equal;
  std::string missing = {}, surplus = {};  ///< sums of terms; empty: none
  std::vector<std::string> factors = {};   ///< "2 m2 l1 l2 c2 for m2 l1 l2 c2"
  std::string note = {};  ///< what the entry was taken for, or why it cannot be read
};

struct SheetVerdicts {
  std::vector<FormulaVerdict> formulas;
  bool counts_from_zero = false;  ///< joints
};

struct VerifyRequest {
  std::optional<ClosedEquation> what = {};  ///< absent: the meanings of the left sides
  std::string entry = {};                   ///< of a formula without a left side: M11
  std::vector<std::pair<std::string, std::string>> names =
      {};  ///< and formulas that they stand for
  Symbols symbols = {};
  JacobianView view = {};
  /// Returns "; did you mean 'l1'?", of known names.
  std::function<std::string(const std::string&, const std::vector<std::string>&)> did_you_mean;
};

/// Throws InputError where no formula can be read.
[[nodiscard]] SheetVerdicts verify(const RobotFile& file, const Sheet& sheet,
                                   const VerifyRequest& request);

}  // namespace armdyn

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbolic/verify.hpp"

// The text of a sheet: what is overwritten before its formulas are read, and parts of formulas.

namespace armdyn {

using Replacement = std::pair<std::string_view, std::string_view>;

inline constexpr std::size_t longest_name = 200;

// Characters that stand for commands in a sheet's text.
inline constexpr char equation_end = '\v', row_end = '\f', cell_end = '\x01', matrix_begin = '\x02',
                      matrix_end = '\x03', words_begin = '\x04', where_begin = '\x05',
                      unit_begin = '\x06', display_end = '\x07',
                      bound_sign = '\x0e';  // = of \sum_{i=1}

inline constexpr std::string_view fonts[] = {
    "mathrm", "mathit", "mathbf",     "mathsf",       "mathcal", "mathfrak", "mbox", "bm",
    "text",   "textrm", "boldsymbol", "operatorname", "si",      "unit",     "vec",  "underline"};

/// Vectors of a link, in axes of its frame.
inline constexpr std::string_view vectors[] = {"omega", "omegad", "vd", "vdC", "F", "N", "f", "n"};

[[nodiscard]] bool is_one_of(std::span<const std::string_view> words, std::string_view word);
/// Returns 1 for a bracket that opens, -1 for one that closes, else 0.
[[nodiscard]] int nesting(char c);
/// Place of the brace that closes the one at `at` or behind blanks there; npos where there is none
/// within 1000 characters.
[[nodiscard]] std::size_t closing_brace(std::string_view text, std::size_t at);
/// Tests whether a text is a unit, "(in kg m^2)"; one letter alone is none where it is a name.
[[nodiscard]] bool is_unit(std::string_view text, const Names* names = nullptr);
/// Length of the ^T, ^\top or ^{\mathsf T} that a text begins with, or of ' and .T of a program; 0
/// where there is none.
[[nodiscard]] std::size_t transposition(std::string_view text, bool is_program = false);
/// Fault of the frame before the name of a vector, which must be {i}; empty: none.
[[nodiscard]] std::string frame_fault(std::string_view frame, std::string_view name);
/// Tests whether one of these signs, by default + or −, stands outside of brackets.
[[nodiscard]] bool has_sum(std::string_view text, std::string_view signs = "+-");
void blank(std::string& text, std::size_t begin, std::size_t end);
/// Name that formulas have for a matrix of that left side: of g(q), which is not the g of gravity.
[[nodiscard]] std::string matrix_name(const std::string& left);
/// Name of the matrix that begins there.
[[nodiscard]] std::string literal_name(std::size_t begin);
[[nodiscard]] std::string_view trimmed(std::string_view text);
/// M of M(q).
[[nodiscard]] std::string without_arguments(std::string_view written);
/// The frame of Craig's ^2F_2 and {}^{2}F_2; empty: there is none.
[[nodiscard]] std::string_view frame_of(std::string_view left);
/// Name of a left side without arguments, and F2 of Craig's ^2F_2.
[[nodiscard]] std::string left_name(std::string_view written);
/// Tests whether a left side has signs that make another number of an entry: G_2', M_{12}/2, |K|, or
/// the ! of !=. Before a name, ^2 is a frame.
[[nodiscard]] bool is_changed(std::string_view written);
/// Distinguishes a name, as M_{21}, from a product.
[[nodiscard]] bool is_one_name(std::string_view written);
/// Distinguishes a sum or a product from a left side as \dot v_{1,y}.
[[nodiscard]] bool is_sum_or_product(std::string_view written);
/// Tests whether this is the left side of a formula: one name with an index.
[[nodiscard]] bool is_entry(std::string_view written);
/// tau of a vector of tau_1, tau_2; empty: it is none.
[[nodiscard]] std::string name_of_entries(std::string_view written);
/// Beginning of the entries of a part of a Jacobian: J1v of J_{v_1} and J_P^{(l_1)}, Jomega of J_O;
/// empty: it is none.
[[nodiscard]] std::string jacobian_part(const std::string& name);

/// Text of the same length in which formulas alone remain.
struct SheetText {
  std::string text;
  std::vector<std::size_t> left_out = {};  ///< places of formulas in lines of text
  std::vector<Sheet::Fault> faults = {};
};
[[nodiscard]] SheetText formulas_alone(std::string written);

/// Writes a right side as FormulaReader reads it: see Sheet::formula.
[[nodiscard]] Sheet::Formula translated(const Sheet& sheet, std::string_view text,
                                        const Names& names, std::size_t* digits,
                                        std::span<const Sheet::Part> parts);

}  // namespace armdyn

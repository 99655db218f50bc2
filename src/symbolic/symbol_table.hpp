#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "symbolic/symbolic_number.hpp"

namespace armdyn {

/// What symbols mean. One at a time counts, in each thread: the last made.
class SymbolTable {
 public:
  SymbolTable() : outer_(current()) { current() = this; }
  ~SymbolTable() {
    if (current() == this) current() = outer_;
  }
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  static SymbolTable*& current() {
    thread_local SymbolTable* table = nullptr;
    return table;
  }

  /// A new symbol; one for a velocity or acceleration; a new angle, of which k is the number.
  Symbol add(std::string name);
  Symbol add_rate(std::string name);
  std::size_t add_angle(std::string name);
  static Symbol cosine(std::size_t angle) { return static_cast<Symbol>(first_angle + 2 * angle); }
  static Symbol sine(std::size_t angle) { return static_cast<Symbol>(cosine(angle) + 1); }
  /// 1/divisor, of several terms, as one symbol.
  Symbol reciprocal(const SymbolicNumber& divisor);

  /// The sine and cosine of a symbol that is an angle.
  void set_angle(Symbol angle, SinCosOf<SymbolicNumber> values) {
    angles_[angle] = std::move(values);
  }
  [[nodiscard]] const SinCosOf<SymbolicNumber>* angle(Symbol symbol) const;

  /// Of a plain symbol, or of the angle of a sine or cosine.
  [[nodiscard]] const std::string& name(Symbol symbol) const;
  [[nodiscard]] const SymbolicNumber& divisor(Symbol reciprocal) const {
    return divisors_[reciprocal - first_reciprocal];
  }

 private:
  SymbolTable* outer_;
  std::vector<std::string> names_, rate_names_, angle_names_;
  std::vector<SymbolicNumber> divisors_;
  std::map<Symbol, SinCosOf<SymbolicNumber>> angles_;
};

}  // namespace armdyn

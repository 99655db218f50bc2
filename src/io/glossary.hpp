#pragma once

// The room where the columns of somebody's log get the meanings of the conventions.

#include <armdyn/robot.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/columns.hpp"

namespace armdyn {

struct Dialect;

/// A header cell as name and unit, "q1 [deg]" as "q1" and "deg".
struct CellText {
  std::string name;
  std::optional<std::string> unit;
};
[[nodiscard]] CellText name_and_unit(std::string_view cell);

/// What a dialect, or the user, says that cells of a header mean.
struct Glossary {
  struct Entry {
    std::size_t cell = 0;
    Quantity quantity = Quantity::time;
    std::size_t index = 0;              ///< within the group
    std::optional<std::string> unit{};  ///< as written; nothing: SI
  };
  const Dialect* dialect = nullptr;
  std::vector<Entry> entries;
  std::optional<std::size_t> nanoseconds;  ///< cell that belongs to a stamp in whole seconds
  std::vector<ConstantText> constant_texts;
  std::vector<std::string> remarks;
  std::string why_not;  ///< what kept the most likely dialect from being recognised

  [[nodiscard]] const Entry* find(std::size_t cell) const;
  [[nodiscard]] bool has(Quantity quantity) const;
};

/// Recognises the dialect of a header. Where none is, the dialect is plain and has no entries.
[[nodiscard]] Glossary recognise(const Header& header, const Robot& robot);

/// A file without a header: t, q or t, q, qd or t, q, qd, qdd. Throws InputError for another number
/// of columns.
[[nodiscard]] Glossary number_columns(const Header& header, std::size_t dof);

/// Lets what the user says overrule the rest. Throws InputError for columns that are not there.
void apply_choices(Glossary& glossary, const std::vector<ColumnChoice>& choices,
                   const Header& header, const Robot& robot);

/// What the user is told: whose log it is, which columns became what. Empty: all are as named.
[[nodiscard]] std::string recognised_text(const Glossary& glossary, const Header& header,
                                          const ColumnPlan& plan, std::size_t ignored_columns);

}  // namespace armdyn

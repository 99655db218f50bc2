#include "log/recognised_text.hpp"

#include "log/dialects.hpp"
#include "model/shown_text.hpp"

namespace armdyn {
namespace {

std::string shown_column(const std::string& cell) {
  const std::string shown = shown_text(cell);
  return shown.substr(1, shown.size() - 2);
}

bool is_foreign(const HeaderMeaning& meaning) {
  return meaning.dialect != nullptr && !meaning.dialect->refuses_unknown;
}

// "q1..q6 = A1..A6 in deg"; nothing if the columns have the names of the conventions.
std::string renaming(const HeaderMeaning& meaning, const Header& header, const ColumnPlan& plan,
                     std::size_t first, std::size_t count) {
  std::vector<std::string> names, found;
  bool is_same = true, is_in_order = true;
  for (std::size_t i = first; i < first + count; ++i) {
    const ColumnPlan::Column& column = plan.columns[i];
    const std::string& cell = header.cells[column.cell];
    is_in_order = is_in_order && (i == first || column.cell > plan.columns[i - 1].cell);
    names.push_back(column.name);
    found.push_back(shown_column(cell));
    is_same = is_same && name_and_unit(cell).name == column.name;
  }
  if (is_same) return {};
  std::string text = range_text(names) + " = ";
  for (std::size_t i = 0; !is_in_order && i < found.size(); ++i) {
    text += (i == 0 ? "" : ", ") + found[i];
  }
  if (is_in_order) text += range_text(found);
  const HeaderMeaning::Entry* const entry = meaning.find(plan.columns[first].cell);
  const bool has_unit = entry != nullptr && entry->unit.has_value();
  if (has_unit && !name_and_unit(header.cells[entry->cell]).unit) text += " in " + *entry->unit;
  return text;
}

}  // namespace

std::string recognised_text(const HeaderMeaning& meaning, const Header& header,
                            const ColumnPlan& plan, std::size_t ignored_columns) {
  std::string renamed;
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    const std::size_t first = plan.groups[group].second;
    const bool is_last = group + 1 == plan.groups.size();
    const std::size_t end = is_last ? plan.columns.size() : plan.groups[group + 1].second;
    const std::string text = renaming(meaning, header, plan, first, end - first);
    if (!text.empty()) renamed += (renamed.empty() ? "" : ", ") + text;
  }
  if (renamed.empty() && !plan.stamp) return {};
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  std::string whose;
  if (!header.is_written) {
    whose = "no header";
  } else if (is_foreign(meaning)) {
    whose = meaning.dialect->name;
  } else if (!renamed.empty()) {
    whose = "columns";
  }
  if (!whose.empty()) add(renamed.empty() ? whose : whose + ": " + renamed);
  if (ignored_columns > 0) {
    add(std::to_string(ignored_columns) +
        (ignored_columns == 1 ? " other column is ignored" : " other columns are ignored"));
  }
  if (plan.stamp && plan.stamp->origin != 0) add("t counts from the first stamp");
  for (const std::string& remark : meaning.remarks) add(remark);
  return text;
}

}  // namespace armdyn

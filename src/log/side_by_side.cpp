#include "log/side_by_side.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <memory>

#include "log/columns.hpp"
#include "log/suggested_columns.hpp"
#include "math/characters.hpp"
#include "math/each.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

struct NamedFile {
  Quantity quantity;
  std::string path;
};

/// Quantity and file of "q=q.csv"; nothing for other texts.
std::optional<NamedFile> named_file(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == text.npos || sign + 1 == text.size()) return {};
  for (const auto& [group, quantity] : group_names) {
    if (group != text.substr(0, sign)) continue;
    return NamedFile{quantity, std::string(text.substr(sign + 1))};
  }
  return {};
}

/// Files that a log's name lists, as in q=FILE,tau=FILE; none if it does not begin like that.
std::vector<NamedFile> named_files(const std::string& log) {
  std::vector<NamedFile> files;
  for (const std::string& part : split_at(log, ',')) {
    const std::optional<NamedFile> file = named_file(part);
    if (!file && files.empty()) return {};
    if (!file) {
      throw InputError(fmt::format(
          "{}: found \"{}\", expected t=FILE, q=FILE, qd=FILE, qdd=FILE, tau=FILE or wrench=FILE",
          log, part));
    }
    if (std::ranges::find(files, file->quantity, &NamedFile::quantity) != files.end()) {
      throw InputError(fmt::format("{}: \"{}\" comes twice; give each quantity one file", log,
                                   part.substr(0, part.find('='))));
    }
    files.push_back(*file);
  }
  return files;
}

/// Numbers within a name.
std::vector<double> numbers_in(std::string_view name) {
  constexpr std::string_view digits = "0123456789";
  std::vector<double> numbers;
  for (std::size_t at = 0; (at = name.find_first_of(digits, at)) != name.npos;) {
    const std::size_t end = std::min(name.find_first_not_of(digits, at), name.size());
    numbers.push_back(parse_number(name.substr(at, end - at)).value_or(0.0));
    at = end;
  }
  return numbers;
}

/// Reader of a quantity's file, row after row.
class Part {
 public:
  Part(const NamedFile& file, const Robot& robot, const BlockLimits& limits)
      : input_(file.path),
        quantity_(file.quantity),
        names_(column_names(file.quantity, robot.dof())),
        table_(input_.open({}, HeaderLine::perhaps, names_.front())) {
    Header header = table_->header();
    const bool is_list = !header.is_written && header.cells.size() == 1;
    if (is_list) lines_per_row_ = names_.size();
    const std::vector<std::size_t> cells = find_cells(header, robot);
    if (cells.size() * lines_per_row_ != names_.size()) {
      throw InputError(fmt::format(
          "{}: found {}, expected {}, which are {}; other quantities have files of their "
          "own, as in q=q.csv,t=t.csv",
          place_text(header), counted(header.cells.size(), "column"), names_.size(),
          range_text(names_)));
    }
    header.cells = is_list ? names_ : conventional_names(header, cells);
    header.is_written = true;
    std::vector<WantedGroup> wanted{{quantity_}};
    if (quantity_ != Quantity::time)
      wanted.insert(wanted.begin(), {Quantity::time, Need::optional});
    plan_ = plan_columns(header, robot, wanted, {.ignore_extra = true});
    if (is_list) plan_.columns.resize(1);
    if (is_list) plan_.header.resize(1);
    if (limits.keeps_bad_rows) plan_.bad_rows = BadRows::are_unknown;
    if (!limits.live) plan_.remedy = rows_remedy;  // what reads live has no --gaps
  }

  /// Appends the numbers of the next row; false at the end.
  bool append_row(std::vector<double>& row) {
    for (std::size_t k = 0; k < lines_per_row_; ++k) {
      for (; at_ == rows_.rows; at_ = 0) {
        if (table_->next(block_)) {
          table_->parse(block_, plan_, rows_);
        } else if (k == 0) {
          return false;
        } else {
          throw InputError(fmt::format("{}: ends within a row; each has {}, one per line", path(),
                                       counted(lines_per_row_, "number")));
        }
      }
      for (const std::vector<double>& column : rows_.columns) row.push_back(column[at_]);
      ++at_;
    }
    return true;
  }

  /// Appends the quantity at that time, between two rows if none is at it; false outside of all.
  bool append_at(double t, std::vector<double>& row) {
    const auto is_at = [&](double time) { return time == t || std::isnan(time) || std::isnan(t); };
    if (in_step_ && !advance()) return false;
    in_step_ = in_step_ && is_at(after_.front());
    while (!in_step_ && !(after_.front() >= t)) {
      if (!advance()) return false;
    }
    if (!is_at(after_.front()) && before_.empty()) return false;
    const bool is_own = is_at(after_.front());
    const double share = is_own ? 1.0 : (t - before_.front()) / (after_.front() - before_.front());
    for (std::size_t i = 1; i < after_.size(); ++i) {
      row.push_back(is_own ? after_[i] : std::lerp(before_[i], after_[i], share));
    }
    if (is_own) return true;
    ++between_;
    farthest_ = std::max(farthest_, std::min(t - before_.front(), after_.front() - t));
    return true;
  }

  /// Remark on rows at times of others; empty if there are none.
  [[nodiscard]] std::string remark() const {
    if (between_ == 0) return {};
    return fmt::format(
        "{} {} not at times of {}, but between its rows (linear interpolation, up to {} s from "
        "one)",
        counted(between_, "row"), between_ == 1 ? "is" : "are", path(), short_number(farthest_));
  }

  [[nodiscard]] Quantity quantity() const { return quantity_; }
  /// Line of the row that was appended last.
  [[nodiscard]] std::size_t line() const { return rows_.lines[at_ - 1]; }
  [[nodiscard]] bool has_time() const { return plan_.has(Quantity::time); }
  /// Names of the columns beside t.
  [[nodiscard]] std::vector<std::string> names() const {
    return quantity_ == Quantity::time ? std::vector<std::string>{} : names_;
  }
  /// "t[s]" of times in a unit by the header or their size, else "t".
  [[nodiscard]] std::string name_of_time() const {
    const std::size_t cell = plan_.columns_of(Quantity::time).front().cell;
    const bool knows_unit =
        name_and_unit(plan_.header[cell]).unit || !plan_.is_si(Quantity::time) || plan_.stamp;
    return knows_unit ? "t[s]" : "t";
  }
  [[nodiscard]] const std::string& path() const { return input_.name(); }
  /// Counts time from where another file does.
  void count_from(const Part& other) {
    if (plan_.stamp && other.plan_.stamp) plan_.stamp->origin = other.plan_.stamp->origin;
  }

 private:
  /// Cells of the quantity: of one series by joint; else all but a time, in order.
  [[nodiscard]] std::vector<std::size_t> find_cells(const Header& header,
                                                    const Robot& robot) const {
    const bool is_time = quantity_ == Quantity::time;
    const auto is_other = [&](std::size_t i) {
      return !header.is_written || is_time_name(header.cells[i]) == is_time;
    };
    std::vector<std::size_t> cells = where(header.cells.size(), is_other);
    if (is_time && cells.size() != 1) cells = in_order(header.cells.size());
    if (!header.is_written || !joint_prefix(quantity_)) return cells;
    const std::vector<JointColumns> series = joint_columns(header.cells, robot);
    if (series.size() == 1) return series.front().cells;
    if (cells.size() == names_.size()) refuse_another_order(header, cells, robot);
    return cells;
  }

  /// A header with the names of the conventions for the quantity and its t, and none for others.
  [[nodiscard]] std::vector<std::string> conventional_names(
      const Header& header, const std::vector<std::size_t>& cells) const {
    std::vector<std::string> named = header.cells;
    const auto name = [&](std::size_t cell, Quantity quantity, std::string text) {
      const auto unit = name_and_unit(header.cells[cell], quantity).unit;
      if (header.is_written && unit) text += fmt::format("[{}]", *unit);
      named[cell] = std::move(text);
    };
    for (std::size_t i = 0; i < cells.size(); ++i) name(cells[i], quantity_, names_[i]);
    const auto times = where(header.cells.size(), [&](std::size_t i) {
      return header.is_written && quantity_ != Quantity::time && is_time_name(header.cells[i]);
    });
    if (times.size() == 1) name(times.front(), Quantity::time, "t");
    return named;
  }

  bool advance() {
    std::swap(before_, after_);
    after_.clear();
    return append_row(after_);
  }

  static void refuse_another_order(const Header& header, const std::vector<std::size_t>& cells,
                                   const Robot& robot) {
    const auto refuse = [&](std::size_t i) {
      throw InputError(fmt::format(
          "{}: column {} is \"{}\", expected that of joint {}, {}; put the columns in the order of "
          "the joints",
          place_text(header), cells[i] + 1, header.cells[cells[i]], i + 1, robot.joints[i].name));
    };
    const std::vector<std::string> names = each(cells, [&](std::size_t cell) {
      return name_and_unit(header.cells[cell], Quantity::position).name;
    });
    std::vector<double> first;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& name = names[i];
      const auto has_name = [&](const Joint& joint) {
        const auto is_it = [&](const std::string& word) {
          return name == word || name.ends_with("_" + word);
        };
        return is_it(joint.name) || is_it(joint.name + "_joint");
      };
      const bool is_own = i < robot.dof() && has_name(robot.joints[i]);
      if (!is_own && std::ranges::any_of(robot.joints, has_name)) refuse(i);
      const std::vector<double> numbers = numbers_in(name);
      if (i == 0) first = numbers;
      const auto goes_on = [i](double before, double number) {
        return number == before || number == before + static_cast<double>(i);
      };
      const bool is_comparable = !numbers.empty() && numbers.size() == first.size();
      if (is_own || !is_comparable) continue;
      const bool counts =
          !is_digit(name.back()) || numbers.back() == first.back() + static_cast<double>(i);
      const bool is_repeated = i > 0 && name == names[i - 1];
      if (!counts || is_repeated || !std::ranges::equal(first, numbers, goes_on)) refuse(i);
    }
  }

  TableInput input_;
  Quantity quantity_;
  std::vector<std::string> names_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  RawBlock block_;
  Table rows_;
  std::size_t at_ = 0, lines_per_row_ = 1;
  std::vector<double> before_, after_;  // rows about the time that is asked for
  bool in_step_ = true;                 // all rows so far were at the times that were asked for
  std::size_t between_ = 0;
  double farthest_ = 0.0;  // s
};

/// Table of the rows of all parts side by side.
class SideBySide final : public MadeTable {
 public:
  SideBySide(const std::string& log, const std::vector<NamedFile>& files, const Robot& robot,
             const BlockLimits& limits)
      : MadeTable("rows of " + log + " side by side"), block_size_(limits.block_size) {
    for (const NamedFile& file : files) parts_.emplace_back(file, robot, limits);
    for (Part& part : parts_) {
      if (!part.has_time()) continue;
      const bool goes_before = part.quantity() == Quantity::time ||
                               (part.quantity() == Quantity::position &&
                                (base_ == nullptr || base_->quantity() != Quantity::time));
      if (base_ == nullptr || goes_before) base_ = &part;
    }
    const auto add = [&](const std::string& name) {
      head_.columns.push_back({name, "<f8", npy_number("f8"), head_.row_bytes, 0});
      head_.row_bytes += sizeof(double);
    };
    if (base_ != nullptr) {
      add(base_->name_of_time());
      std::ranges::for_each(base_->names(), add);
    }
    for (Part& part : parts_) {
      if (&part == base_) continue;
      if (base_ != nullptr) part.count_from(*base_);
      std::ranges::for_each(part.names(), add);
    }
    head_.row_bytes += sizeof(double);  // the line of the row
    for (NpyColumn& column : head_.columns) column.stride = head_.row_bytes;
    fill(first_);
    if (rows_ == 0 && outside_ > 0) throw InputError(log + ": the files have no times in common");
    read_header(first_);
  }

  [[nodiscard]] const std::string& file_of_lines() const override { return with_lines().path(); }
  void parse(const RawBlock& block, const TablePlan& plan, Table& table) const override {
    MadeTable::parse(block, plan, table);
    for (std::size_t& line : table.lines) {
      double of_row = 0.0;
      const char* const end = block.buffer.data() + (line - block.first_line + 1) * head_.row_bytes;
      std::memcpy(&of_row, end - sizeof(double), sizeof(double));
      line = static_cast<std::size_t>(of_row);
    }
  }

  [[nodiscard]] std::vector<std::string> remarks() const override {
    std::vector<std::string> remarks = each(parts_, &Part::remark);
    if (outside_ > 0) {
      remarks.push_back(counted(outside_, "row") + " at times that not all files reach left out");
    }
    std::erase(remarks, "");
    return remarks;
  }

 private:
  void fill(RawBlock& block) override {
    block.begin = block.end = block.line_count = 0;
    block.first_line = rows_ + 1;
    block.buffer.resize(std::max(block_size_, head_.row_bytes));
    for (; block.end + head_.row_bytes <= block.buffer.size() && read_row(); ++block.line_count) {
      std::memcpy(block.buffer.data() + block.end, row_.data(), head_.row_bytes);
      block.end += head_.row_bytes;
    }
  }

  bool read_row() {
    for (;; ++outside_) {
      row_.clear();
      const Part* ended = nullptr;
      const Part* going_on = nullptr;
      const auto read = [&](Part& part) { (part.append_row(row_) ? going_on : ended) = &part; };
      if (base_ != nullptr) read(*base_);
      bool is_whole = true;
      for (Part& part : parts_) {
        if (&part == base_) continue;
        if (!part.has_time()) {
          read(part);
        } else if (ended != base_) {
          is_whole = part.append_at(row_.front(), row_) && is_whole;
        }
      }
      if (ended != nullptr && going_on != nullptr) {
        throw InputError(
            fmt::format("{} ends after {}, but {} goes on; rows side by side must be equally many",
                        ended->path(), counted(rows_ + outside_, "row"), going_on->path()));
      }
      if (ended != nullptr) return false;
      if (is_whole) break;
    }
    row_.push_back(static_cast<double>(with_lines().line()));
    ++rows_;
    return true;
  }

  [[nodiscard]] const Part& with_lines() const {
    return base_ != nullptr ? *base_ : parts_.front();
  }

  std::deque<Part> parts_;
  Part* base_ = nullptr;  // whose times the rows have
  std::size_t block_size_, rows_ = 0, outside_ = 0;
  std::vector<double> row_;
};

}  // namespace

std::vector<std::string> files_side_by_side(const std::string& log) {
  return each(named_files(log), &NamedFile::path);
}

TableInput open_log(const std::string& log, const Robot& robot,
                    const std::vector<std::string>& topics) {
  const std::vector<NamedFile> files = named_files(log);
  if (files.empty() && is_bag(log)) {
    std::vector<std::string> joints;
    for (const Joint& joint : robot.joints) {
      joints.insert(joints.end(), {joint.name, joint.name + "_joint"});
    }
    return {log == "-" ? "standard input" : in_one_line(log),
            [log, topics, joints](const BlockLimits& limits) {
              return std::make_unique<BagTable>(log, topics, joints, limits);
            }};
  }
  if (!topics.empty()) throw Error("--topic is for bags, and " + in_one_line(log) + " is none");
  if (files.empty()) return TableInput(log);
  return {log, [log, files, robot](const BlockLimits& limits) {
            return std::make_unique<SideBySide>(log, files, robot, limits);
          }};
}

}  // namespace armdyn

#include "log/side_by_side.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>

#include "io/table/bag_table.hpp"
#include "io/table/npy_table.hpp"
#include "log/columns.hpp"
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
        names_(column_names(file.quantity, robot.dof())),
        table_(table_format(file.path).open(input_, {}, HeaderLine::perhaps, names_.front())) {
    Header header = table_->header();
    const bool is_list = !header.is_written && header.cells.size() == 1;
    if (is_list) lines_per_row_ = names_.size();
    if (header.cells.size() * lines_per_row_ != names_.size()) {
      throw InputError(fmt::format(
          "{}: found {} columns, expected {}, which are {}; other quantities have files of their "
          "own, as in q=q.csv,t=t.csv",
          place_text(header), header.cells.size(), names_.size(), range_text(names_)));
    }
    const bool is_of_joints = joint_prefix(file.quantity).has_value();
    if (header.is_written && is_of_joints) refuse_another_order(header, robot);
    std::vector<std::string> named = names_;
    for (std::size_t i = 0; header.is_written && i < named.size(); ++i) {
      const CellText text = name_and_unit(header.cells[i], file.quantity);
      if (text.unit) named[i] += fmt::format("[{}]", *text.unit);
    }
    header.cells = std::move(named);
    header.is_written = true;
    plan_ = plan_columns(header, robot, {{file.quantity}});
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
          throw InputError(fmt::format("{}: ends within a row, of which each has {}, one per line",
                                       path(), counted(lines_per_row_, "number")));
        }
      }
      for (const std::vector<double>& column : rows_.columns) row.push_back(column[at_]);
      ++at_;
    }
    return true;
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Tells whether these are times, in a unit that the header or their size says.
  [[nodiscard]] bool knows_time_unit() const {
    return plan_.has(Quantity::time) && (name_and_unit(plan_.header.front()).unit ||
                                         !plan_.is_si(Quantity::time) || plan_.stamp);
  }
  [[nodiscard]] const std::string& path() const { return input_.name(); }

 private:
  static void refuse_another_order(const Header& header, const Robot& robot) {
    const auto refuse = [&](std::size_t i) {
      throw InputError(fmt::format(
          "{}: column {} is \"{}\", expected that of joint {}, {}; put the columns in the order of "
          "the joints",
          place_text(header), i + 1, header.cells[i], i + 1, robot.joints[i].name));
    };
    const std::vector<std::string> names = each(header.cells, [](const std::string& cell) {
      return name_and_unit(cell, Quantity::position).name;
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

  InputFile input_;
  std::vector<std::string> names_;
  std::unique_ptr<TableSource> table_;
  ColumnPlan plan_;
  RawBlock block_;
  Table rows_;
  std::size_t at_ = 0, lines_per_row_ = 1;
};

/// Table of the rows of all parts side by side.
class SideBySide final : public MadeTable {
 public:
  SideBySide(const std::string& log, const std::vector<NamedFile>& files, const Robot& robot,
             const BlockLimits& limits)
      : MadeTable("rows of " + log + " side by side"), block_size_(limits.block_size) {
    for (const NamedFile& file : files) {
      const Part& part = parts_.emplace_back(file, robot, limits);
      for (const std::string& name : part.names()) {
        const std::string with_unit = part.knows_time_unit() ? name + "[s]" : name;
        head_.columns.push_back({with_unit, "<f8", npy_number("f8"), head_.row_bytes, 0});
        head_.row_bytes += sizeof(double);
      }
    }
    for (NpyColumn& column : head_.columns) column.stride = head_.row_bytes;
    fill(first_);
    read_header(first_);
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
    row_.clear();
    const Part* ended = nullptr;
    const Part* going_on = nullptr;
    for (Part& part : parts_) (part.append_row(row_) ? going_on : ended) = &part;
    if (ended != nullptr && going_on != nullptr) {
      throw InputError(fmt::format(
          "{} ends after {} rows, but {} goes on; rows side by side must be equally many",
          ended->path(), rows_, going_on->path()));
    }
    if (ended != nullptr) return false;
    ++rows_;
    return true;
  }

  std::deque<Part> parts_;
  std::size_t block_size_, rows_ = 0;
  std::vector<double> row_;
};

}  // namespace

std::vector<std::string> files_side_by_side(const std::string& log) {
  return each(named_files(log), &NamedFile::path);
}

InputFile open_log(const std::string& log, const Robot& robot,
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
  if (files.empty()) return InputFile(log);
  return {log, [log, files, robot](const BlockLimits& limits) {
            return std::make_unique<SideBySide>(log, files, robot, limits);
          }};
}

}  // namespace armdyn

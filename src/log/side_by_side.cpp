#include "log/side_by_side.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "io/table/bag_table.hpp"
#include "io/table/csv_table.hpp"
#include "io/table/csv_text.hpp"
#include "io/text/number_text.hpp"
#include "log/header_meaning.hpp"
#include "log/quantity.hpp"
#include "model/shown_text.hpp"

namespace armdyn {

namespace {

struct NamedFile {
  Quantity quantity;
  std::string path;
};

/// "q=q.csv"; nothing for other texts.
std::optional<NamedFile> named_file(std::string_view text) {
  const std::size_t sign = text.find('=');
  if (sign == text.npos || sign + 1 == text.size()) return {};
  const std::optional<Quantity> quantity = chosen_group(text.substr(0, sign));
  if (!quantity) return {};
  return NamedFile{*quantity, std::string(text.substr(sign + 1))};
}

/// Splits a name that begins as one of files side by side; nothing for other names.
std::vector<NamedFile> named_files(const std::string& log) {
  std::vector<NamedFile> files;
  for (std::size_t begin = 0; begin <= log.size();) {
    const std::size_t end = std::min(log.find(',', begin), log.size());
    const std::string part = log.substr(begin, end - begin);
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
    begin = end + 1;
  }
  return files;
}

/// Reads one quantity's file: the cells of a row after the other, as text.
class Part {
 public:
  Part(std::string path, std::vector<std::string> columns)
      : path_(std::move(path)), columns_(std::move(columns)), input_(path_) {}
  virtual ~Part() = default;
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  /// Appends the cells of the next row, separated by commas; false at the end.
  virtual bool append_row(std::string& line) = 0;

  /// Names of the columns, with their units.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 protected:
  void require_columns(std::size_t found, const std::string& place) const {
    if (found == columns_.size()) return;
    throw InputError(
        fmt::format("{}: found {} columns, expected {}, which are {}; other quantities have files "
                    "of their own, "
                    "as in q=q.csv,t=t.csv",
                    place, found, columns_.size(), range_text(columns_)));
  }

  std::string path_;
  std::vector<std::string> columns_;
  InputFile input_;
};

/// The number at the end of a name; nothing without one.
std::optional<int> last_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const std::string_view digits = end == name.npos ? name : name.substr(end + 1);
  if (digits.empty() || digits.size() > 4) return {};
  return static_cast<int>(*parse_number(digits));
}

class TextPart final : public Part {
 public:
  TextPart(const NamedFile& file, const Robot& robot)
      : Part(file.path, column_names(file.quantity, robot.dof())),
        blocks_([this](char* data, std::size_t size) { return input_.read(data, size); },
                input_.name()) {
    const std::optional<std::string_view> first = next_line();
    if (!first) throw InputError(path_ + ": the input is empty");
    format_ = guess_style(*first);
    format_.decimal_comma = format_.separator != ',' && has_decimal_comma(block_.text());
    const std::vector<std::string> cells = cells_of_line(*first);
    lines_per_row_ = cells.size() == 1 && parse_cell(cells[0], format_) ? columns_.size() : 1;
    require_columns(cells.size() * lines_per_row_, place());
    const bool is_header = !std::ranges::all_of(
        cells, [this](const std::string& cell) { return parse_cell(cell, format_).has_value(); });
    if (is_header && looks_like_names(cells)) {
      read_header(cells, robot, file.quantity);
      pass_line();
    }
  }

  bool append_row(std::string& line) override {
    for (std::size_t k = 0; k < lines_per_row_; ++k) {
      const std::optional<std::string_view> text = next_line();
      if (!text && k == 0) return false;
      if (!text) {
        throw InputError(fmt::format("{}: ends within a row, of which each has {}, one per line",
                                     path_, counted(lines_per_row_, "number")));
      }
      const std::vector<std::string> cells = cells_of_line(*text);
      require_columns(cells.size() * lines_per_row_, place());
      for (std::string cell : cells) {
        if (format_.decimal_comma) std::ranges::replace(cell, ',', '.');
        if (!line.empty()) line += ',';
        line += cell.find(',') == cell.npos ? cell : '"' + cell + '"';
      }
      pass_line();
    }
    return true;
  }

 private:
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", path_, line_); }

  /// A date and time begins with a digit, as no name does.
  static bool looks_like_names(const std::vector<std::string>& cells) {
    return std::ranges::any_of(cells, [](const std::string& cell) {
      return !cell.empty() && std::isalpha(static_cast<unsigned char>(cell.front())) != 0 &&
             cell != "nan" && cell != "NaN" && cell != "inf";
    });
  }

  [[nodiscard]] std::vector<std::string> cells_of_line(std::string_view line) const {
    std::string_view unclosed;
    const auto cells = cells_of(line, format_, unclosed);
    if (!cells) throw InputError(place() + ": expected a closing quote");
    return *cells;
  }

  /// The next line that is neither blank nor a comment, at which the block then stands.
  std::optional<std::string_view> next_line() {
    for (;;) {
      if (at_ >= block_.text().size()) {
        if (!blocks_.next(block_)) return {};
        at_ = 0;
        if (line_ == 1 && block_.text().starts_with("\xEF\xBB\xBF")) at_ = 3;
      }
      const std::string_view rest = block_.text().substr(at_);
      std::string_view line = rest.substr(0, rest.find('\n'));
      if (line.ends_with('\r')) line.remove_suffix(1);
      const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
      if (!has_no_row(line.substr(begin))) return line;
      pass_line();
    }
  }
  void pass_line() {
    const std::size_t end = block_.text().find('\n', at_);
    at_ = end == std::string_view::npos ? block_.text().size() : end + 1;
    ++line_;
  }

  /// Takes units over, and refuses columns in another order than the joints.
  void read_header(const std::vector<std::string>& cells, const Robot& robot, Quantity quantity) {
    const bool is_of_joints = joint_prefix(quantity).has_value();
    std::optional<int> first_number;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const CellText text = name_and_unit(cells[i]);
      if (text.unit) columns_[i] += fmt::format("[{}]", *text.unit);
      if (!is_of_joints) continue;
      for (std::size_t k = 0; k < robot.dof(); ++k) {
        const std::string& joint = robot.joints[k].name;
        if (k != i && (text.name == joint || text.name.ends_with("_" + joint))) {
          refuse_order(cells[i], i, joint);
        }
      }
      const std::optional<int> number = last_number(text.name);
      if (i == 0) first_number = number;
      if (first_number && number && *number != *first_number + static_cast<int>(i)) {
        refuse_order(cells[i], i, fmt::format("joint {}", i + 1));
      }
    }
  }
  [[noreturn]] void refuse_order(const std::string& cell, std::size_t i,
                                 const std::string& joint) const {
    throw InputError(
        fmt::format("{}: column {} is \"{}\", not in the order of the joints ({}); put "
                    "the columns in that order",
                    place(), i + 1, cell, joint));
  }

  LineBlocks blocks_;
  RawBlock block_;
  std::size_t at_ = 0, line_ = 1;
  std::size_t lines_per_row_ = 1;  // more than 1: one number per line
  NumberStyle format_;
};

class ArrayPart final : public Part {
 public:
  ArrayPart(const NamedFile& file, const Robot& robot)
      : Part(file.path, column_names(file.quantity, robot.dof())),
        array_(table_format(file.path).open(input_, {}, HeaderLine::written, "")) {
    require_columns(array_->header().cells.size(), path_);
    plan_.header = array_->header().cells;
    for (std::size_t i = 0; i < columns_.size(); ++i) plan_.columns.push_back({columns_[i], i, {}});
  }

  bool append_row(std::string& line) override {
    for (; row_ == rows_.rows; row_ = 0) {
      if (!array_->next(raw_)) return false;
      array_->parse(raw_, plan_, rows_);
    }
    for (const std::vector<double>& column : rows_.columns) {
      if (!line.empty()) line += ',';
      append_number(line, column[row_]);
    }
    ++row_;
    return true;
  }

 private:
  std::unique_ptr<TableSource> array_;
  TablePlan plan_;
  RawBlock raw_;
  Table rows_;
  std::size_t row_ = 0;
};

/// The rows of all parts as lines of text, the header first.
class SideBySide {
 public:
  SideBySide(const std::vector<NamedFile>& files, const Robot& robot) {
    for (const NamedFile& file : files) {
      if (&table_format(file.path) == &csv_format) {
        parts_.push_back(std::make_unique<TextPart>(file, robot));
      } else {
        parts_.push_back(std::make_unique<ArrayPart>(file, robot));
      }
      for (const std::string& column : parts_.back()->columns()) {
        text_ += (text_.empty() ? "" : ",") + column;
      }
    }
    text_ += '\n';
  }

  std::size_t read(char* data, std::size_t size) {
    constexpr std::size_t enough = 65536;
    while (text_.size() - at_ < enough && append_row()) {
    }
    const std::size_t count = std::min(size, text_.size() - at_);
    text_.copy(data, count, at_);
    at_ += count;
    if (at_ == text_.size()) {
      text_.clear();
      at_ = 0;
    }
    return count;
  }

 private:
  bool append_row() {
    std::string line;
    const Part* ended = nullptr;
    const Part* going_on = nullptr;
    for (const std::unique_ptr<Part>& part : parts_) {
      (part->append_row(line) ? going_on : ended) = part.get();
    }
    if (ended != nullptr && going_on != nullptr) {
      throw InputError(
          fmt::format("{} ends after {} rows, but {} goes on; rows side by side must be "
                      "equally many",
                      ended->path(), rows_, going_on->path()));
    }
    if (ended != nullptr) return false;
    text_ += line + '\n';
    ++rows_;
    return true;
  }

  std::vector<std::unique_ptr<Part>> parts_;
  std::string text_;
  std::size_t at_ = 0, rows_ = 0;
};

}  // namespace

std::vector<std::string> files_side_by_side(const std::string& log) {
  std::vector<std::string> paths;
  for (NamedFile& file : named_files(log)) paths.push_back(std::move(file.path));
  return paths;
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
  const auto rows = std::make_shared<SideBySide>(files, robot);
  return {"rows of " + log + " side by side",
          [rows](char* data, std::size_t size) { return rows->read(data, size); }};
}

}  // namespace armdyn

#include "cli/track/gains.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <sstream>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/options/value_text.hpp"
#include "io/file/input_file.hpp"
#include "io/table/npy_format.hpp"
#include "io/table/npy_table.hpp"
#include "io/text/number_text.hpp"

namespace armdyn {

namespace {

std::string content(const std::string& path) {
  InputFile file(path);
  std::string text;
  std::array<char, 4096> bytes{};
  while (const std::size_t size = file.read(bytes.data(), bytes.size())) {
    text.append(bytes.data(), size);
  }
  return text;
}

/// All parts as numbers, or nothing.
std::optional<std::vector<double>> numbers(const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : split_list(text)) {
    const std::optional<double> value = parse_number(part);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

Matrix diagonal(const std::vector<double>& values, std::size_t dof) {
  Matrix K(dof, dof);
  for (std::size_t i = 0; i < dof; ++i) K(i, i) = values.size() == 1 ? values[0] : values[i];
  return K;
}

Matrix read_matrix(const std::string& path, std::size_t dof) {
  const std::string whole = content(path);
  if (&table_format(path) == &npy_format || whole.starts_with(npy_magic)) {
    throw InputError(fmt::format(
        "{}: this is an array in NumPy's format, but a matrix of gains is text, one line per row; "
        "np.savetxt(\"kp.csv\", K, delimiter=\",\") writes that",
        path));
  }
  std::istringstream lines(whole);
  Matrix K(dof, dof);
  std::string text;
  std::size_t row = 0;
  for (std::size_t line = 1; std::getline(lines, text); ++line) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty() || text.starts_with('#')) continue;
    const std::optional<std::vector<double>> values = numbers(text);
    if (!values || values->size() != dof || row == dof) {
      throw InputError(
          fmt::format("{}:{}: found \"{}\", expected a matrix of {} rows with {} numbers "
                      "each, separated by commas",
                      path, line, text, dof, dof));
    }
    for (std::size_t i = 0; i < dof; ++i) K(row, i) = (*values)[i];
    ++row;
  }
  if (row < dof) {
    throw InputError(
        fmt::format("{}: found {}, expected a matrix of {} rows", path, counted(row, "row"), dof));
  }
  return K;
}

/// Has folders or an ending, "gains.csv", but for that of a mistyped number, "1.5x".
bool looks_like_a_path(const std::string& text) {
  const std::string ending = std::filesystem::path(text).extension();
  return text.find('/') != text.npos ||
         (ending.size() > 1 && std::isalpha(static_cast<unsigned char>(ending[1])) != 0);
}

}  // namespace

bool is_gain_file(const std::string& text) {
  std::error_code error;
  return !numbers(text) && (looks_like_a_path(text) || std::filesystem::exists(text, error));
}

Matrix parse_gains(const std::string& option, const std::string& text, std::size_t dof) {
  if (const std::optional<std::vector<double>> values = numbers(text)) {
    if (values->size() == 1 || values->size() == dof) return diagonal(*values, dof);
    throw UsageError(fmt::format("{}: found {} numbers in \"{}\", expected 1 or {}", option,
                                 values->size(), text, dof));
  }
  if (!is_gain_file(text)) {
    throw UsageError(
        fmt::format("{}: found \"{}\", expected a number for all joints, {} numbers, or a file "
                    "with a {}×{} matrix",
                    option, text, dof, dof, dof));
  }
  return read_matrix(text, dof);
}

Matrix critical_damping(const Matrix& Kp) {
  Matrix Kv(Kp.rows(), Kp.columns());
  for (std::size_t i = 0; i < Kp.rows(); ++i) {
    for (std::size_t j = 0; j < Kp.columns(); ++j) {
      if (i == j || Kp(i, j) == 0.0) continue;
      throw UsageError("--kp couples joints, so that --kv has no default; give --kv as well");
    }
    if (Kp(i, i) < 0.0) {
      throw UsageError(fmt::format(
          "--kp: found {:.6g}, expected a positive gain, so that errors die out", Kp(i, i)));
    }
    Kv(i, i) = 2.0 * std::sqrt(Kp(i, i));
  }
  return Kv;
}

}  // namespace armdyn

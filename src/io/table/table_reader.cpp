#include "io/table/table_reader.hpp"

#include <algorithm>
#include <utility>

#include "io/file/input_file.hpp"
#include "io/table/npy_format.hpp"
#include "io/table/npy_table.hpp"

namespace armdyn {

TableReader::TableReader(InputFile& input, BlockLimits limits, HeaderLine header,
                         const std::string& example) {
  if (is_npy_name(input.name())) {
    source_ = std::make_unique<NpyTable>(input, limits);
  } else {
    source_ = std::make_unique<CsvTable>(input, limits, header, example);
  }
}

TableReader::TableReader(ByteSource source, std::string file, BlockLimits limits, HeaderLine header,
                         const std::string& example)
    : source_(std::make_unique<CsvTable>(std::move(source), std::move(file), limits, header,
                                         example)) {}

std::vector<RowRange> split_rows(std::uintmax_t rows, std::uintmax_t rows_of_each) {
  std::vector<RowRange> ranges;
  for (std::uintmax_t first = 0; first < rows; first += rows_of_each) {
    RowRange& range = ranges.emplace_back();
    range.first = first;
    range.rows = std::min(rows_of_each, rows - first);
    range.first_line = static_cast<std::size_t>(first) + 1;
    range.end_line = range.first_line + static_cast<std::size_t>(range.rows);
  }
  return ranges;
}

}  // namespace armdyn

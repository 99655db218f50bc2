#include "io/table/table_reader.hpp"

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

}  // namespace armdyn

// Bags, MCAP unless the bytes begin as a database: an InputError, or rows of finite numbers, the
// same for every size of blocks. Bytes that begin with CREATE are the statements that make a
// database, those behind "chunk\n" the records of a compressed chunk of MCAP.

#include <sqlite3.h>
#include <zstd.h>
#include <armdyn/error.hpp>
#include <armdyn/robot.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "io/table/bag_table.hpp"
#include "log/columns.hpp"

namespace {

using namespace armdyn;

/// All rows, one after the other; nothing where the bag is refused.
std::optional<std::vector<double>> numbers(const std::string& path,
                                           const std::vector<std::string>& topics,
                                           const Robot& robot, BlockLimits limits) {
  try {
    BagTable table(path, topics, {"shoulder", "elbow"}, limits);
    const ColumnPlan plan = plan_columns(table.header(), robot,
                                         {{Quantity::time, Need::required},
                                          {Quantity::position, Need::required},
                                          {Quantity::velocity, Need::optional},
                                          {Quantity::contact_wrench, Need::optional}});
    std::vector<double> all;
    RawBlock block;
    Table rows;
    while (table.next(block)) {
      table.parse(block, plan, rows);
      fuzz::require(rows.lines.size() == rows.rows, "every row has a line");
      for (std::size_t row = 0; row < rows.rows; ++row) {
        for (const std::vector<double>& column : rows.columns) {
          fuzz::require(std::isfinite(column[row]), "numbers are finite");
          all.push_back(column[row]);
        }
      }
    }
    static_cast<void>(table.remarks());
    return all;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// A database by these statements, as far as they go, into this one file.
std::string database_of(const std::string& statements) {
  constexpr int most_instructions = 100'000, longest = 100'000;
  const std::string path = fuzz::file_of("", ".db3");
  sqlite3* database = nullptr;
  fuzz::require(sqlite3_open(path.c_str(), &database) == SQLITE_OK, "a database can be made");
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, longest);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 1, nullptr);
  const auto stop = [](void* /*unused*/) { return 1; };
  sqlite3_progress_handler(database, most_instructions, stop, nullptr);
  sqlite3_exec(database, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY", nullptr, nullptr,
               nullptr);
  sqlite3_exec(database, statements.c_str(), nullptr, nullptr, nullptr);
  sqlite3_close(database);
  return path;
}

template <class Number>
std::string bytes_of(Number number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};  // NOLINT: little-endian, as MCAP
}

/// A file with one chunk of these records.
std::string file_with_chunk(const std::string& records) {
  std::string packed(ZSTD_compressBound(records.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), records.data(), records.size(), 1));
  const std::string chunk = std::string(16, '\0') + bytes_of(std::uint64_t{records.size()}) +
                            std::string(4, '\0') + bytes_of(std::uint32_t{4}) + "zstd" +
                            bytes_of(std::uint64_t{packed.size()}) + packed;
  return std::string(mcap_magic) + '\6' + bytes_of(std::uint64_t{chunk.size()}) + chunk;
}

std::string path_of(std::string_view bytes) {
  constexpr std::string_view of_chunk = "chunk\n";
  if (bytes.starts_with("CREATE")) return database_of(std::string(bytes));
  if (bytes.starts_with(of_chunk))
    return fuzz::file_of(file_with_chunk(std::string(bytes.substr(of_chunk.size()))), ".mcap");
  return fuzz::file_of(bytes, bytes.starts_with("SQLite") ? ".db3" : ".mcap");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string path = path_of(fuzz::bytes_of(data, size));
  using Topics = std::vector<std::string>;
  for (const Topics& topics : {Topics{}, Topics{"/goal"}, Topics{"/joint_states", "/wrench"}}) {
    fuzz::require_same_in_blocks([&](const BlockLimits& limits) {
      return numbers(path, topics, fuzz::two_joints(), limits);
    });
  }
  return 0;
}

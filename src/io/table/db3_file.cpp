#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <map>

#include "io/file/interrupt.hpp"
#include "io/table/bag_file.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"

namespace armdyn {
namespace {

/// Writes "file:///a%20b?immutable=1". A database still written to has a log beside it, without which
/// it is incomplete; "immutable" would leave that out.
std::string address_of(const std::string& path) {
  std::string address = "file://";
  for (const char c : std::filesystem::absolute(path).string()) {
    address += is_letter_or_digit(c) || c == '/'
                   ? std::string(1, c)
                   : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  return address + (std::filesystem::exists(path + "-wal") ? "?mode=ro" : "?immutable=1");
}

class Db3File final : public BagFile {
 public:
  Db3File(const std::string& path, const WantsTopic& wants) : path_(path) {
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    const int result = sqlite3_open_v2(address_of(path).c_str(), &opened, flags, nullptr);
    database_.reset(opened);
    require(result == SQLITE_OK);
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, static_cast<int>(largest_in_bag));
    sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    static_cast<void>(step(prepare("PRAGMA cell_size_check = ON")));
    constexpr int some_instructions = 10'000;
    const auto asks_to_end = [](void* /*unused*/) { return interrupted() ? 1 : 0; };
    sqlite3_progress_handler(opened, some_instructions, asks_to_end, nullptr);

    // Views and virtual tables are refused: they can compute without end.
    const Statement tables = prepare(
        "SELECT count(*) FROM sqlite_schema WHERE name IN ('topics', 'messages') "
        "AND type = 'table' AND rootpage > 0");
    if (!step(tables) || sqlite3_column_int(tables.get(), 0) != 2) {
      fail("this database has no tables topics and messages, as bags of ROS 2 have");
    }
    std::string wanted;
    const Statement topics = prepare("SELECT id, name, type, serialization_format FROM topics");
    while (step(topics)) try {
        const auto text = [&](int column) { return std::string(bytes(topics, column)); };
        const std::int64_t id = sqlite3_column_int64(topics.get(), 0);
        places_[id] = add({text(1), text(2), text(3)});
        if (wants && wants(topics_.back()))
          wanted += (wanted.empty() ? "" : ",") + std::to_string(id);
      } catch (const InputError& error) {
        fail(error.what());
      }
    messages_ = prepare(
        fmt::format("SELECT rowid, topic_id, timestamp, {} ORDER BY rowid",
                    wants ? "data FROM messages NOT INDEXED WHERE topic_id IN (" + wanted + ")"
                          : "NULL FROM messages NOT INDEXED"));
  }

  bool next(BagMessage& message) override {
    if (!step(messages_)) return false;
    const std::int64_t row = sqlite3_column_int64(messages_.get(), 0);
    // Damaged pages may refer to one another in a circle, and then give rows without end.
    if (row <= last_row_)
      fail(fmt::format("is damaged: message {} comes after {}", row, last_row_));
    last_row_ = row;
    const auto place = places_.find(sqlite3_column_int64(messages_.get(), 1));
    if (place == places_.end()) fail(fmt::format("message {} is of no topic", row));
    message = {place->second, sqlite3_column_int64(messages_.get(), 2), bytes(messages_, 3)};
    count(message);
    return true;
  }

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(in_one_line(path_) + ": " + what);
  }
  void require(bool is_fine) const {
    if (!is_fine) fail(in_one_line(sqlite3_errmsg(database_.get())));
  }
  [[nodiscard]] Statement prepare(const std::string& sql) const {
    sqlite3_stmt* prepared = nullptr;
    const int result = sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &prepared, nullptr);
    require(result == SQLITE_OK);
    return {prepared, sqlite3_finalize};
  }
  /// Goes to the next row; returns false at the end.
  [[nodiscard]] bool step(const Statement& statement) const {
    const int result = sqlite3_step(statement.get());
    throw_if_interrupted();
    require(result == SQLITE_ROW || result == SQLITE_DONE);
    return result == SQLITE_ROW;
  }
  [[nodiscard]] static std::string_view bytes(const Statement& statement, int column) {
    const void* const first = sqlite3_column_blob(statement.get(), column);
    const int size = sqlite3_column_bytes(statement.get(), column);
    return {static_cast<const char*>(first), static_cast<std::size_t>(size)};
  }

  std::string path_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> database_{nullptr, sqlite3_close};
  Statement messages_{nullptr, sqlite3_finalize};
  std::map<std::int64_t, std::size_t> places_;  // of topics by id
  std::int64_t last_row_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace

std::unique_ptr<BagFile> open_db3(const std::string& path, const WantsTopic& wants) {
  return std::make_unique<Db3File>(path, wants);
}

}  // namespace armdyn

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>

#include "io/file/interrupt.hpp"
#include "io/table/bag_file.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"

namespace armdyn {
namespace {

/// Bytes of a file; 0 of none. Throws filesystem_error.
std::uintmax_t size_of(const std::string& path) {
  return std::filesystem::exists(path) ? std::filesystem::file_size(path) : 0;
}

/// Bytes of a database and of the log of its last writes.
std::uintmax_t bytes_of_database(const std::string& path) {
  return size_of(path) + size_of(path + "-wal");
}

/// Tests whether the last writes of a database lie in a log that no program uses: one that does has an
/// index beside it.
bool has_left_log(const std::string& path) {
  return size_of(path + "-wal") > 0 && !std::filesystem::exists(path + "-shm");
}

/// Writes "file:///a%20b?immutable=1", which leaves out a log beside the database. With one, nothing
/// is written either: its index is read as it is, and where there is none, made in memory, without locks.
std::string address_of(const std::string& path) {
  std::string address = "file://";
  for (const char c : path) {
    address += is_letter_or_digit(c) || c == '/'
                   ? std::string(1, c)
                   : fmt::format("%{:02x}", static_cast<unsigned char>(c));
  }
  if (size_of(path + "-wal") == 0) return address + "?immutable=1";
  return address + "?mode=ro" + (has_left_log(path) ? "&vfs=unix-none" : "&readonly_shm=1");
}

/// Lets a statement read columns of tables itself: `inner` is what else would, a view or trigger.
int permission(void* /*unused*/, int action, const char* /*of*/, const char* /*column*/,
               const char* /*database*/, const char* inner) {
  const bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_PRAGMA;
  return reads && inner == nullptr ? SQLITE_OK : SQLITE_DENY;
}

class Db3File final : public BagFile {
 public:
  Db3File(const std::string& path, const WantsTopic& wants)
      : path_(std::filesystem::canonical(path)),
        name_(in_one_line(path)),
        size_(bytes_of_database(path_)) {
    constexpr std::uintmax_t least = 1024;  // of texts in SQLite's own statements
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    const int result = sqlite3_open_v2(address_of(path_).c_str(), &opened, flags, nullptr);
    database_.reset(opened);
    require(result);
    constexpr int some_instructions = 100;
    const auto ends = [](void* file) { return static_cast<const Db3File*>(file)->has_to_end(); };
    sqlite3_progress_handler(opened, some_instructions, ends, this);
    sqlite3_set_authorizer(opened, permission, nullptr);
    sqlite3_drop_modules(opened, nullptr);  // of virtual tables
    sqlite3_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    // A text or message is not longer than the file, whatever its length claims.
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::clamp<std::uintmax_t>(size_, least, largest_in_bag)));
    set("cell_size_check = ON");
    set("mmap_size = 0");  // pages that are mapped are not counted
    if (has_left_log(path_)) set("locking_mode = EXCLUSIVE");
    const Statement page_size = prepare("PRAGMA page_size");
    if (step(page_size)) page_size_ = sqlite3_column_int64(page_size.get(), 0);

    refuse_what_computes();
    std::string wanted;
    const Statement topics = prepare("SELECT id, name, type, serialization_format FROM topics");
    while (step(topics)) try {
        const std::int64_t id = sqlite3_column_int64(topics.get(), 0);
        places_[id] = add({text(topics, 1), text(topics, 2), text(topics, 3)});
        if (wants && wants(topics_.back()))
          wanted += (wanted.empty() ? "" : ",") + std::to_string(id);
      } catch (const InputError& error) {
        fail(error.what());
      }
    messages_ = prepare(
        fmt::format("SELECT rowid, topic_id, timestamp, {}",
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
    const void* const first = sqlite3_column_blob(messages_.get(), 3);
    const int size = sqlite3_column_bytes(messages_.get(), 3);
    message = {place->second,
               sqlite3_column_int64(messages_.get(), 2),
               {static_cast<const char*>(first), static_cast<std::size_t>(size)}};
    count(message);
    return true;
  }

 private:
  using Statement = std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)>;

  [[noreturn]] void fail(const std::string& what) const { throw InputError(name_ + ": " + what); }

  /// Throws what a result of SQLite means.
  void require(int result) const {
    constexpr std::array of_system{SQLITE_PERM,  SQLITE_BUSY,     SQLITE_READONLY,
                                   SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PROTOCOL};
    const int kind = result & 0xFF;
    if (kind == SQLITE_OK || kind == SQLITE_ROW || kind == SQLITE_DONE) return;
    if (kind == SQLITE_NOMEM || sqlite3_extended_errcode(database_.get()) == SQLITE_IOERR_NOMEM)
      throw std::bad_alloc();
    throw_if_interrupted();
    if (kind == SQLITE_INTERRUPT)
      fail("is damaged: its pages refer to more pages than a file of this size has");
    const std::string said = in_one_line(sqlite3_errmsg(database_.get()));
    int error = 0;  // of the system; SQLite takes EIO for damage
    sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_LAST_ERRNO, &error);
    const bool is_of_system = std::ranges::count(of_system, kind) > 0;
    if (is_of_system && error == 0 && kind != SQLITE_BUSY) {
      error = sqlite3_system_errno(database_.get());
    }
    if (is_of_system || error != 0) {
      throw FileError("cannot read " + name_ + ": " +
                      (error == 0 ? said : std::system_category().message(error)));
    }
    if (bytes_of_database(path_) < size_)
      throw FileError(name_ + " has become shorter while it was read");
    fail(said);
  }

  /// Tests whether statements have to end: by a signal, or where they have looked at more pages than
  /// those of a whole file, whose pages may refer to one page again and again.
  [[nodiscard]] int has_to_end() const {
    constexpr std::int64_t looks = 16;  // at each page, at most
    std::int64_t found = 0;
    for (const int kind : {SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS}) {
      int pages = 0, most = 0;
      sqlite3_db_status(database_.get(), kind, &pages, &most, 0);
      found += pages;
    }
    return interrupted() || found > looks * (100 + static_cast<std::int64_t>(size_) / page_size_);
  }

  /// Refuses views, triggers, virtual tables and generated columns, by name: they compute what is not
  /// in the file, without end or memory enough.
  void refuse_what_computes() const {
    const Statement others = prepare(
        "SELECT type, name FROM sqlite_schema WHERE type NOT IN ('table', 'index') "
        "OR (type = 'table' AND rootpage = 0)");
    if (step(others))
      fail(fmt::format("has the {} {}; a bag of ROS 2 has only tables",
                       text(others, 0) == "table" ? "virtual table" : in_one_line(text(others, 0)),
                       in_one_line(text(others, 1))));
    for (const char* const table : {"topics", "messages"}) {
      constexpr int name = 1, kind = 6;  // columns of table_xinfo
      const Statement columns = prepare(std::string("PRAGMA table_xinfo = ") + table);
      if (!step(columns))
        fail("this database has no tables topics and messages, as bags of ROS 2 have");
      do {
        if (sqlite3_column_int(columns.get(), kind) != 0)
          fail(fmt::format("has the generated column {}.{}; a bag of ROS 2 has stored ones alone",
                           table, in_one_line(text(columns, name))));
      } while (step(columns));
    }
  }

  void set(const std::string& pragma) const {
    static_cast<void>(step(prepare("PRAGMA " + pragma)));
  }
  [[nodiscard]] Statement prepare(const std::string& sql) const {
    sqlite3_stmt* prepared = nullptr;
    require(sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &prepared, nullptr));
    return {prepared, sqlite3_finalize};
  }
  /// Goes to the next row; returns false at the end.
  [[nodiscard]] bool step(const Statement& statement) const {
    const int result = sqlite3_step(statement.get());
    require(result);
    return result == SQLITE_ROW;
  }
  /// A text, of one that is too long to be a name the beginning.
  [[nodiscard]] static std::string text(const Statement& statement, int column) {
    const unsigned char* const first = sqlite3_column_text(statement.get(), column);
    const int size =
        std::min<int>(sqlite3_column_bytes(statement.get(), column), longest_bag_name + 1);
    return {first, first + size};
  }

  std::string path_, name_;
  std::uintmax_t size_;
  std::int64_t page_size_ = 512;  // the least
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

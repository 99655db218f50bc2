// Bags that are cut, changed or made to harm: refused, or read as far as they are whole.

#include "io/table/bag_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <zstd.h>
#include <armdyn/error.hpp>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/csv_test_tools.hpp"
#include "support/paths.hpp"

namespace armdyn {
namespace {

std::string bag(const std::string& name) {
  return test_data() + "/bags/" + name;
}

template <class Number>
std::string bytes_of_number(Number number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}
std::string text_of(const std::string& text) {
  return bytes_of_number(static_cast<std::uint32_t>(text.size())) + text;
}
std::string record(char code, const std::string& content) {
  return code + bytes_of_number(std::uint64_t{content.size()}) + content;
}

const std::string magic = "\x89MCAP0\r\n";
const std::string type = "sensor_msgs/msg/JointState";

/// The beginning of a file with one topic.
std::string beginning_of_mcap(const std::string& encoding = "cdr") {
  return magic + record(1, text_of("ros2") + text_of("")) +
         record(3, bytes_of_number(std::uint16_t{1}) + text_of(type) + text_of("ros2msg") +
                       text_of("")) +
         record(4, bytes_of_number(std::uint16_t{7}) + bytes_of_number(std::uint16_t{1}) +
                       text_of("/joint_states") + text_of(encoding) + text_of(""));
}
std::string message(const std::string& data) {
  return record(5, bytes_of_number(std::uint16_t{7}) + bytes_of_number(std::uint32_t{0}) +
                       bytes_of_number(std::uint64_t{5}) + bytes_of_number(std::uint64_t{5}) +
                       data);
}
std::string chunk(const std::string& records, std::uint64_t size, const std::string& compression) {
  return record(6, bytes_of_number(std::uint64_t{0}) + bytes_of_number(std::uint64_t{0}) +
                       bytes_of_number(size) + bytes_of_number(std::uint32_t{0}) +
                       text_of(compression) + bytes_of_number(std::uint64_t{records.size()}) +
                       records);
}

using Numbers = std::vector<double>;

/// A joint state, little-endian.
std::string state(const std::vector<std::string>& names, const Numbers& position,
                  const Numbers& velocity = {}, const Numbers& effort = {}) {
  std::string cdr =
      bytes_of_number(std::int32_t{3}) + bytes_of_number(std::uint32_t{4}) + text_of("abc") + '\0';
  const auto count = [&](std::size_t number) {
    cdr.resize((cdr.size() + 3) / 4 * 4);
    cdr += bytes_of_number(static_cast<std::uint32_t>(number));
  };
  count(names.size());
  for (const std::string& name : names) {
    count(name.size());
    cdr += name;
  }
  for (const Numbers& numbers : {position, velocity, effort}) {
    count(numbers.size());
    if (!numbers.empty()) cdr.resize((cdr.size() + 7) / 8 * 8);
    for (const double number : numbers) cdr += bytes_of_number(number);
  }
  return std::string("\0\1\0\0", 4) + cdr;
}
std::string state(const std::string& name, double position) {
  return state(std::vector{name}, {position});
}

/// The first numbers of all rows.
std::vector<double> rows_of_file(const std::string& path,
                                 const std::vector<std::string>& topics = {}) {
  BagTable table(path, topics, {"elbow_joint"});
  TablePlan plan;
  plan.header = table.header().cells;
  for (std::size_t i = 1; i < plan.header.size(); ++i)
    plan.columns.push_back({plan.header[i], i, {}});
  RawBlock block;
  Table rows;
  std::vector<double> numbers;
  while (table.next(block)) {
    table.parse(block, plan, rows);
    for (std::size_t row = 0; row < rows.rows; ++row) numbers.push_back(rows.columns.at(0)[row]);
  }
  return numbers;
}

class HostileBag : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& content,
                                 const std::string& name = "bag.mcap") const {
    put(folder.path(name), content);
    return folder.path(name);
  }
  void expect_refused(const std::string& content, const std::string& why) const {
    const std::string path = file(content);
    const std::string found =
        message_of<InputError>([&] { static_cast<void>(rows_of_file(path)); });
    EXPECT_NE(found.find(why), std::string::npos) << found;
    EXPECT_TRUE(found.starts_with(path)) << found;
  }

  Folder folder;
};

TEST_F(HostileBag, WithoutHarmIsRead) {
  const std::string two = message(state("elbow", 1.5)) + message(state("elbow", 2.5));
  EXPECT_EQ(rows_of_file(file(beginning_of_mcap() + two)), (std::vector{1.5, 2.5}));
  EXPECT_EQ(rows_of_file(file(beginning_of_mcap() + chunk(two, two.size(), ""))),
            (std::vector{1.5, 2.5}));
}

TEST_F(HostileBag, CutAnywhereIsRefusedOrReadAsFarAsItIsWhole) {
  for (const char* const name : {"zstd.mcap", "plain.mcap"}) {
    const std::string whole = content_of(bag(name));
    const std::vector<double> expected = rows_of_file(bag(name));
    std::size_t before = 0;
    // The first message of plain.mcap is a gripper's, which would be all.
    const std::size_t arm = whole.find("wrist_3"), next = whole.find("wrist_3", arm + 1);
    for (std::size_t size = arm == whole.npos ? 0 : next; size < whole.size(); size += 41) {
      std::vector<double> found;
      try {
        found = rows_of_file(file(whole.substr(0, size)));
      } catch (const InputError&) {
        EXPECT_EQ(before, 0U) << "refused although rows are whole, at " << size;
      }
      ASSERT_LE(found.size(), expected.size());
      EXPECT_GE(found.size(), before) << size;
      before = found.size();
      EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin())) << size;
    }
    EXPECT_EQ(before, expected.size()) << name;
  }
}

TEST_F(HostileBag, ChangedAnywhereIsRefusedOrRead) {
  std::mt19937 random(36);
  std::size_t refused = 0;
  for (const char* const name :
       {"zstd.mcap", "lz4.mcap", "chunks.mcap", "states.db3", "goal.mcap", "two.mcap"}) {
    const std::string whole = content_of(bag(name));
    for (int i = 0; i < 200; ++i) {
      std::string changed = whole;
      for (int k = 0; k < 1 + i % 3; ++k) {
        const std::size_t within = i % 2 == 0 ? changed.size() : 600;
        changed[random() % std::min(within, changed.size())] = static_cast<char>(random());
      }
      try {
        static_cast<void>(rows_of_file(file(changed, "changed"), {"/joint_states"}));
      } catch (const InputError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 400U);
}

TEST_F(HostileBag, IsDamagedWhereACrcDiffers) {
  for (const char* const name : {"chunks.mcap", "zstd.mcap", "lz4.mcap", "plain.mcap"}) {
    std::string content = content_of(bag(name));
    // The last record before the index: data end; its CRC.
    const std::string end = '\x0F' + bytes_of_number(std::uint64_t{4});
    content[content.find(end) + end.size()] ^= 1;
    expect_refused(content, "is damaged: its CRC is ");
  }
  std::string content = content_of(bag("chunks.mcap"));
  content[content.find("position") == content.npos ? 2000 : 2000] ^= 64;
  expect_refused(content, "is damaged: its CRC is ");
}

TEST_F(HostileBag, WithLengthsThatLieIsRefusedOrCutOff) {
  const std::string huge = bytes_of_number(std::uint64_t{1} << 62U);
  const std::string begin = beginning_of_mcap(), good = message(state("elbow", 1.0));
  expect_refused(begin + good + '\x05' + huge, "more than the ");
  expect_refused(begin + good + '\x06' + huge, "more than the ");
  EXPECT_EQ(rows_of_file(file(begin + good + '\x09' + huge)), std::vector{1.0});
  EXPECT_EQ(rows_of_file(file(begin + good + '\x05' + bytes_of_number(std::uint64_t{100'000'000}))),
            std::vector{1.0});
  expect_refused(begin + record(5, bytes_of_number(std::uint16_t{7})), "ends within its content");
  expect_refused(begin + chunk("x", 1, ""), "ends within its content");
  expect_refused(
      begin + record(4, bytes_of_number(std::uint16_t{8}) + bytes_of_number(std::uint16_t{1}) +
                            bytes_of_number(std::uint32_t{0xFFFFFFFF})),
      "ends within its content");
  expect_refused(
      begin + record(4, bytes_of_number(std::uint16_t{8}) + bytes_of_number(std::uint16_t{1}) +
                            text_of(std::string(300, 'x')) + text_of("cdr")),
      "a name of more than 255 bytes");
  expect_refused(begin + record(5, std::string(40, '\1')), "has a message of no channel");
}

TEST_F(HostileBag, WithChunksThatLieIsRefused) {
  const std::string begin = beginning_of_mcap(), good = message(state("elbow", 1.0));
  expect_refused(begin + chunk(chunk(good, good.size(), ""), 0, ""), "has a chunk within a chunk");
  expect_refused(begin + chunk(good, 10, "snappy"), "\"snappy\"; lz4, zstd and none are read");
  expect_refused(begin + chunk("no zstd", 10, "zstd"), "does not decompress to 10 bytes");
  expect_refused(begin + chunk("no lz4 ", 10, "lz4"), "does not decompress to 10 bytes");
  expect_refused(begin + chunk("bomb", std::uint64_t{1} << 40U, "zstd"), "more than the ");
  for (const std::size_t size : {std::size_t{15} << 20U, std::size_t{20} << 20U}) {
    const std::string rest = record(11, std::string(size - good.size() - 9, '\0'));
    std::string bomb(ZSTD_compressBound(size), '\0');
    bomb.resize(ZSTD_compress(bomb.data(), bomb.size(), (good + rest).data(), size, 1));
    const std::string content = begin + chunk(bomb, size, "zstd");
    if (size > std::size_t{16} << 20U) {
      expect_refused(content, "more than the ");
    } else {
      EXPECT_EQ(rows_of_file(file(content)), std::vector{1.0});
    }
  }
}

TEST_F(HostileBag, WithMessagesThatLieIsRefused) {
  const auto expect = [&](const std::string& data, const std::string& why) {
    expect_refused(beginning_of_mcap() + message(state("elbow", 1.0)) + message(data), why);
  };
  const std::string good = state("elbow", 1.0);
  for (std::size_t size = 0; size < good.size(); ++size) {
    expect(good.substr(0, size),
           size < 4 ? "is not encoded as plain CDR" : "ends within its content");
  }
  std::string many = good;
  many.replace(20, 4, "\xFF\xFF\xFF\x7F");
  expect(many, "names more than 1000 joints");
  many.replace(20, 4, bytes_of_number(std::uint32_t{999}));
  expect(many, "ends within its content");
  std::string list = good;
  list.replace(good.size() - 24, 4, "\xFF\xFF\xFF\xFF");
  expect(list, "ends within its content");
  expect(state("el\x1b[31mbow", 1.0), "has a joint named \"el\\x1b[31mbow\"");
  expect(state("elb\xFFw", 1.0), "has a joint named \"elb\\xffw\"");
  std::string parameters = good;
  parameters[1] = '\3';
  expect(parameters, "is not encoded as plain CDR");
}

TEST_F(HostileBag, WithNumbersThatAreNoneHasRowsThatCannotBeRead) {
  const std::string path = file(beginning_of_mcap() + message(state("elbow", 1.0)) +
                                message(state("elbow", std::nan(""))));
  EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(rows_of_file(path)); }),
            path + ":2: column \"position_elbow\": found nan, expected a finite number");
}

TEST_F(HostileBag, PassesOverMessagesOfOtherJoints) {
  std::string records;
  for (int i = 0; i < 3; ++i)
    records += message(state("finger", 9.0)) + message(state("elbow_joint", i));
  EXPECT_EQ(rows_of_file(file(beginning_of_mcap() + records)), (std::vector{0.0, 1.0, 2.0}));
}

/// What later messages have is read, whatever the first ones lack.
TEST_F(HostileBag, BeginsWithTheFirstMessageThatIsWhole) {
  const double nan = std::nan("");
  const std::vector<std::string> names{"elbow", "wrist"}, one{"elbow"};
  const std::string whole = message(state(names, {1, 2}, {3, 4}, {5, 6}));
  const std::vector<std::string> columns{"time[ns]",       "position_elbow", "position_wrist",
                                         "velocity_elbow", "velocity_wrist", "effort_elbow",
                                         "effort_wrist"};
  for (const std::string& first :
       {state(std::vector<std::string>{}, {}), state(names, {}), state(names, {nan, nan}),
        state(names, {1, 2}), state(names, {1, 2}, {3, 4}, {nan, nan}), state(one, {1}),
        state(names, {nan, nan}, {nan, nan}, {nan, nan})}) {
    const std::string path = file(beginning_of_mcap() + message(first) + whole + whole);
    const BagTable table(path, {}, {"elbow", "elbow_joint", "wrist", "wrist_joint"});
    EXPECT_EQ(table.header().cells, columns);
    EXPECT_EQ(rows_of_file(path), (std::vector{1.0, 1.0}));
    if (first.size() < 40) continue;  // of no joint
    EXPECT_EQ(table.remarks().back(),
              "1 message left out, before the first that has all quantities");
  }
}

TEST_F(HostileBag, SaysWhatFewMessagesHave) {
  const std::vector<std::string> one{"elbow"};
  const std::string some = message(state(one, {1}, {2}));
  const std::string path = file(beginning_of_mcap() + message(state("elbow", 1.0)) + some + some +
                                message(state(one, {1}, {2}, {3})));
  const BagTable table(path, {}, {"elbow"});
  EXPECT_EQ(table.header().cells,
            (std::vector<std::string>{"time[ns]", "position_elbow", "velocity_elbow"}));
  const std::vector<std::string> remarks = table.remarks();
  EXPECT_EQ(
      std::ranges::count(remarks, "effort has numbers in 1 of 4 messages only, and is not read"),
      1);
  const std::string nothing = message(state(one, {}));
  expect_refused(beginning_of_mcap() + nothing + nothing, "no message has numbers");
}

TEST_F(HostileBag, PassesOverATopicWithoutMessages) {
  const std::string idle =
      record(4, bytes_of_number(std::uint16_t{8}) + bytes_of_number(std::uint16_t{1}) +
                    text_of("/idle") + text_of("cdr") + text_of(""));
  EXPECT_EQ(rows_of_file(file(beginning_of_mcap() + idle + message(state("elbow_joint", 2.0)))),
            std::vector{2.0});
}

TEST_F(HostileBag, IsReadWithoutMoreMemoryThanItsChunks) {
  // 1000 messages of another topic's sizes would be 1 GB.
  std::string records = message(state("elbow", 4.0));
  const std::string path = folder.path("large.mcap");
  {
    std::ofstream out(path, std::ios::binary);
    out << beginning_of_mcap() << records;
    const std::string attachment(std::size_t{1} << 20U, 'x');
    for (int i = 0; i < 300; ++i) out << record(9, attachment);
    out << records;
  }
  EXPECT_EQ(rows_of_file(path), (std::vector{4.0, 4.0}));
}

TEST_F(HostileBag, OfADatabaseCutAnywhereIsRefused) {
  const std::string whole = content_of(bag("states.db3"));
  EXPECT_EQ(rows_of_file(file(whole)), rows_of_file(bag("states.db3")));
  for (std::size_t size = 1; size < whole.size(); size += 509) {
    EXPECT_THROW(static_cast<void>(rows_of_file(file(whole.substr(0, size)))), InputError) << size;
  }
}

// The last child of the messages' tree is the page that says so.
TEST_F(HostileBag, OfADatabaseWhosePagesGoInACircleIsRefused) {
  constexpr std::size_t page = 1024, number = 3, root = (number - 1) * page, last_child = root + 8;
  std::string content = content_of(bag("states.db3"));
  ASSERT_EQ(content[root], 5) << "an inner page of a table";
  content.replace(last_child, 4, std::string{0, 0, 0, static_cast<char>(number)});
  EXPECT_THROW(static_cast<void>(rows_of_file(file(content))), InputError);
}

using Database = std::unique_ptr<sqlite3, int (*)(sqlite3*)>;

void execute(const Database& database, const std::string& sql) {
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
      << sql << ": " << (error == nullptr ? "" : error);
}
Database opened(const std::string& path) {
  sqlite3* opened = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &opened), SQLITE_OK);
  return {opened, sqlite3_close};
}

const std::string topics_table =
    "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT);"
    "INSERT INTO topics VALUES(1, '/joint_states', 'sensor_msgs/msg/JointState', 'cdr'),"
    "                         (2, '/text', 'std_msgs/msg/String', 'cdr');";
const std::string messages_table =
    "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data "
    "BLOB);";

std::string hex(const std::string& bytes) {
  std::string text = "x'";
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text + "'";
}
std::string insert(int topic, const std::string& data) {
  return fmt::format("INSERT INTO messages(topic_id, timestamp, data) VALUES({}, 5, {});", topic,
                     hex(data));
}

class HostileDatabase : public HostileBag {
 protected:
  /// Makes a database in a file of its own.
  [[nodiscard]] std::string made(const std::string& sql,
                                 const std::string& name = "bag.db3") const {
    std::filesystem::remove(folder.path(name));
    execute(opened(folder.path(name)), sql);
    return folder.path(name);
  }
  void expect_refused_at(const std::string& path, const std::string& why,
                         const std::vector<std::string>& topics = {}) const {
    const std::string found =
        message_of<InputError>([&] { static_cast<void>(rows_of_file(path, topics)); });
    EXPECT_NE(found.find(why), std::string::npos) << found;
    EXPECT_TRUE(found.starts_with(path)) << found;
  }
  /// Names of the files beside the bag.
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(folder.path("")))
      names.insert(file.path().filename());
    return names;
  }
};

TEST_F(HostileDatabase, WithoutHarmIsRead) {
  EXPECT_EQ(rows_of_file(made(topics_table + messages_table + insert(2, "x") +
                              insert(1, state("elbow", 1.5)) + insert(1, state("elbow", 2.5)))),
            (std::vector{1.5, 2.5}));
  EXPECT_EQ(rows_of_file(made("PRAGMA encoding = 'UTF-16';" + topics_table + messages_table +
                              insert(1, state("elbow", 3.5)))),
            std::vector{3.5});
}

// A tree of 15 levels, each page of which has one child 100 times: 100^15 leaves.
TEST_F(HostileDatabase, WhosePagesHaveOneChildManyTimesIsRefused) {
  constexpr std::size_t page = 1024, levels = 15, cells = 100, cell = 5;
  for (const int topic : {1, 2}) {
    std::string content = content_of(made("PRAGMA page_size = 1024;" + topics_table +
                                          messages_table + insert(topic, state("elbow", 1.0))));
    const std::size_t pages = content.size() / page;
    const std::size_t root = content.size() - page;  // of messages
    const std::string leaf = content.substr(root);
    const auto big_endian = [](std::size_t number, int bytes) {
      std::string text;
      for (int k = bytes; k-- > 0;) text += static_cast<char>(number >> (8 * k));
      return text;
    };
    for (std::size_t level = 0; level < levels; ++level) {
      const std::string child = big_endian(pages + level + 1, 4);
      std::string inner = '\5' + std::string(2, '\0') + big_endian(cells, 2) +
                          big_endian(page - cells * cell, 2) + '\0' + child;
      for (std::size_t k = 0; k < cells; ++k) inner += big_endian(page - (k + 1) * cell, 2);
      inner.resize(page - cells * cell);
      for (std::size_t k = 0; k < cells; ++k) inner += child + '\1';
      content.replace(level == 0 ? root : content.size(), page, inner);
    }
    content.replace(28, 4, big_endian(pages + levels, 4));
    put(folder.path("deep.db3"), content + leaf);
    expect_refused_at(folder.path("deep.db3"), "is damaged: ", {"/joint_states"});
  }
}

TEST_F(HostileDatabase, ThatComputesIsRefusedByName) {
  const std::string stored = topics_table + messages_table + insert(1, state("elbow", 1.0));
  const std::string endless =
      " AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
      "SELECT x AS id, 1 AS topic_id, x AS timestamp, zeroblob(100) AS data FROM c;";
  expect_refused_at(made(topics_table + "CREATE VIEW messages" + endless), "the view messages");
  expect_refused_at(made(stored + "CREATE VIEW other" + endless), "the view other");
  expect_refused_at(made(stored + "CREATE TRIGGER t AFTER INSERT ON messages BEGIN "
                                  "DELETE FROM topics; END;"),
                    "the trigger t");
  expect_refused_at(made(topics_table + "CREATE VIRTUAL TABLE messages USING "
                                        "fts5(id, topic_id, timestamp, data);"),
                    "the virtual table messages");
  for (const char* const kind : {"", " STORED"}) {
    expect_refused_at(made(topics_table +
                           "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, "
                           "timestamp INTEGER, data AS (zeroblob(1000000))" +
                           kind + "); INSERT INTO messages(topic_id, timestamp) VALUES(1, 5);"),
                      "the generated column messages.data");
  }
  // A schema that lies about what it has.
  for (const char* const sql : {"CREATE VIEW messages AS SELECT 1 AS id, 1 AS topic_id, 1 AS "
                                "timestamp, zeroblob(9) AS data",
                                "CREATE VIRTUAL TABLE messages USING dbstat"}) {
    const std::string path = made(stored);
    execute(opened(path), fmt::format("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = "
                                      "'{}' WHERE name = 'messages';",
                                      sql));
    EXPECT_THROW(static_cast<void>(rows_of_file(path)), InputError) << sql;
  }
}

TEST_F(HostileDatabase, WhoseLengthsLieIsRefusedBeforeItsContents) {
  std::string content = content_of(made(topics_table + messages_table +
                                        insert(1, state("elbow", 1.0) + std::string(9000, 'x'))));
  // The record's head: its size, types of id and topic_id, of timestamp, and the length of data.
  const std::size_t size = 2 * (state("elbow", 1.0).size() + 9000) + 12;
  const std::string length{static_cast<char>(0x80 | (size >> 14U)),
                           static_cast<char>(0x80 | (size >> 7U & 0x7FU)),
                           static_cast<char>(size & 0x7FU)};
  const std::size_t at = content.find(length);
  ASSERT_NE(at, content.npos);
  content.replace(at, 3, "\xFF\xFF\x7E");
  put(folder.path("long.db3"), content);
  expect_refused_at(folder.path("long.db3"), "");
}

TEST_F(HostileDatabase, OfOtherKindsOfTablesIsRefusedOrRead) {
  expect_refused_at(made(topics_table), "no tables topics and messages");
  expect_refused_at(made(messages_table), "no tables topics and messages");
  expect_refused_at(made(topics_table + "CREATE TABLE messages(x);"), "no such column");
  put(folder.path("empty.db3"), "");
  expect_refused_at(folder.path("empty.db3"), "the file is empty");
}

TEST_F(HostileDatabase, StillWrittenIsReadWithItsLogAndNothingIsWrittenBesideIt) {
  const std::string first = topics_table + messages_table + insert(1, state("elbow", 1.0));
  const std::string path = folder.path("bag.db3");
  {
    const Database writer = opened(path);
    execute(writer, "PRAGMA journal_mode = WAL;" + first);
    EXPECT_EQ(rows_of_file(path), std::vector{1.0});
    execute(writer, insert(1, state("elbow", 2.0)));
    EXPECT_EQ(rows_of_file(path), (std::vector{1.0, 2.0}));
    // As a program leaves it that is ended.
    std::filesystem::create_directory(folder.path("left"));
    for (const char* const name : {"bag.db3", "bag.db3-wal"})
      std::filesystem::copy_file(folder.path(name), folder.path("left/") + name);
    std::filesystem::copy(path + "-shm", folder.path("left.db3-shm"));
    std::filesystem::copy(path + "-wal", folder.path("left.db3-wal"));
    std::filesystem::copy(path, folder.path("left.db3"));
  }
  EXPECT_EQ(rows_of_file(path), (std::vector{1.0, 2.0}));
  const std::set<std::string> before = files();
  const std::string left = folder.path("left/bag.db3"), log = content_of(left + "-wal");
  EXPECT_EQ(rows_of_file(folder.path("left.db3")), (std::vector{1.0, 2.0}));
  EXPECT_EQ(rows_of_file(left), (std::vector{1.0, 2.0}));
  EXPECT_EQ(content_of(left + "-wal"), log);
  EXPECT_FALSE(std::filesystem::exists(left + "-shm"));
  EXPECT_EQ(files(), before);
  std::filesystem::create_symlink(left, folder.path("link.db3"));
  EXPECT_EQ(rows_of_file(folder.path("link.db3")), (std::vector{1.0, 2.0}));
}

TEST_F(HostileDatabase, WithAnEmptyLogIsRead) {
  const std::string path = folder.path("states.db3");
  put(path, content_of(bag("states.db3")));
  put(path + "-wal", "");
  EXPECT_EQ(rows_of_file(path), rows_of_file(bag("states.db3")));
  EXPECT_EQ(files(), (std::set<std::string>{"states.db3", "states.db3-wal"}));
}

TEST_F(HostileBag, WithNamesOfJointsThatAreTooLongIsRefused) {
  const std::string most(200, 'x');
  EXPECT_EQ(rows_of_file(file(beginning_of_mcap() + message(state(most, 1.0)))), std::vector{1.0});
  expect_refused(beginning_of_mcap() + message(state(most + "x", 1.0)),
                 "has a joint name of more than 200 bytes");
}

}  // namespace
}  // namespace armdyn

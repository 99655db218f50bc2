// Speed of reading bags: MCAP with joint states of seven joints, from the file to columns of
// numbers in one thread, MB of messages per second; and the peak memory. Times are those of the
// processor, the best of three.
//
//   build/test/bin/bench_bag [MESSAGES]

#include <lz4frame.h>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <armdyn/robot.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "bench/markdown.hpp"
#include "io/table/table_format.hpp"
#include "log/columns.hpp"
#include "log/side_by_side.hpp"

namespace {

using namespace armdyn;
namespace fs = std::filesystem;

constexpr std::size_t joints = 7;

template <class Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}
void put_text(std::string& bytes, const std::string& text) {
  put(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}
void put_record(std::string& bytes, unsigned char code, const std::string& content) {
  put(bytes, code);
  put(bytes, std::uint64_t{content.size()});
  bytes += content;
}

std::string joint_state(std::int64_t stamp) {
  std::string cdr;
  const auto align = [&](std::size_t size) { cdr.resize((cdr.size() + size - 1) / size * size); };
  put(cdr, static_cast<std::int32_t>(stamp / 1'000'000'000));
  put(cdr, static_cast<std::uint32_t>(stamp % 1'000'000'000));
  put_text(cdr, std::string("base_link", 10));
  align(4);
  put(cdr, std::uint32_t{joints});
  for (std::size_t i = 0; i < joints; ++i) {
    align(4);
    put_text(cdr, "panda_joint" + std::to_string(i + 1) + std::string(1, '\0'));
  }
  for (int order = 0; order < 3; ++order) {
    align(4);
    put(cdr, std::uint32_t{joints});
    align(8);
    for (std::size_t i = 0; i < joints; ++i) {
      put(cdr,
          std::sin(1e-9 * static_cast<double>(stamp) * (1.0 + static_cast<double>(i)) + order));
    }
  }
  return std::string("\0\1\0\0", 4) + cdr;
}

std::string compressed(const std::string& how, const std::string& bytes) {
  std::string to(
      std::max(ZSTD_compressBound(bytes.size()), LZ4F_compressFrameBound(bytes.size(), nullptr)),
      '\0');
  if (how == "zstd") to.resize(ZSTD_compress(to.data(), to.size(), bytes.data(), bytes.size(), 1));
  if (how == "lz4") {
    to.resize(LZ4F_compressFrame(to.data(), to.size(), bytes.data(), bytes.size(), nullptr));
  }
  return how.empty() ? bytes : to;
}

/// Writes them in chunks of 1 MB, or one by one; returns the bytes of all messages.
std::uintmax_t write_bag(const fs::path& path, const std::string& compression, bool in_chunks,
                         long messages) {
  std::string file = "\x89MCAP0\r\n", records, content;
  put_text(content, "ros2");
  put_text(content, "bench");
  put_record(file, 1, content);
  content.clear();
  put(content, std::uint16_t{1});
  for (const char* text : {"sensor_msgs/msg/JointState", "ros2msg", ""}) put_text(content, text);
  put_record(file, 3, content);
  content.clear();
  put(content, std::uint16_t{0});
  put(content, std::uint16_t{1});
  for (const char* text : {"/joint_states", "cdr", ""}) put_text(content, text);
  put_record(file, 4, content);

  std::ofstream out(path, std::ios::binary);
  uLong crc = 0;
  std::uintmax_t size = 0;
  const auto flush = [&] {
    crc = ::crc32_z(crc, reinterpret_cast<const Bytef*>(file.data()), file.size());
    out << file;
    file.clear();
  };
  for (long k = 0; k < messages; ++k) {
    const std::int64_t stamp = 1'700'000'000'000'000'000 + k * 1'000'000;
    content.clear();
    put(content, std::uint16_t{0});
    put(content, static_cast<std::uint32_t>(k));
    put(content, stamp);
    put(content, stamp);
    content += joint_state(stamp);
    size += content.size();
    put_record(in_chunks ? records : file, 5, content);
    if (file.size() > std::size_t{1} << 20U) flush();
    if (records.empty() || (records.size() < std::size_t{1} << 20U && k + 1 < messages)) continue;
    content.clear();
    put(content, stamp);
    put(content, stamp);
    put(content, std::uint64_t{records.size()});
    put(content, static_cast<std::uint32_t>(
                     ::crc32_z(0, reinterpret_cast<const Bytef*>(records.data()), records.size())));
    put_text(content, compression);
    const std::string chunk = compressed(compression, records);
    put(content, std::uint64_t{chunk.size()});
    put_record(file, 6, content + chunk);
    records.clear();
  }
  flush();
  content.clear();
  put(content, static_cast<std::uint32_t>(crc));
  put_record(file, 15, content);
  put_record(file, 2, std::string(20, '\0'));
  file += "\x89MCAP0\r\n";
  out << file;
  return size;
}

double sum_of_bag(const fs::path& path, const Robot& robot) {
  const TableInput input = open_log(path, robot, {"/joint_states"});
  const auto table = input.open();
  const ColumnPlan plan = plan_columns(table->header(), robot,
                                       {{Quantity::time, Need::required},
                                        {Quantity::position, Need::required},
                                        {Quantity::velocity, Need::required},
                                        {Quantity::torque, Need::required}});
  double sum = 0.0;
  RawBlock block;
  Table rows;
  while (table->next(block)) {
    table->parse(block, plan, rows);
    for (const auto& column : rows.columns) sum += column.back();
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const long messages = argc > 1 ? std::atol(argv[1]) : 1'000'000;
  Robot robot;
  for (std::size_t i = 1; i <= joints; ++i) {
    robot.joints.emplace_back().name = "panda_joint" + std::to_string(i);
  }
  const fs::path path =
      fs::temp_directory_path() / ("bench-bag-" + std::to_string(::getpid()) + ".mcap");
  const struct {
    const char *title, *compression;
  } kinds[] = {{"one by one", ""},
               {"in chunks of 1 MB", ""},
               {"the same, lz4", "lz4"},
               {"the same, zstd", "zstd"}};
  bench::print_head({"messages", "MB/s", "rows/s"});
  std::optional<double> expected;
  for (const auto& [title, compression] : kinds) {
    const bool in_chunks = &title != &kinds[0].title;
    const std::uintmax_t size = write_bag(path, compression, in_chunks, messages);
    double best = 1e9, sum = 0.0;
    for (int i = 0; i < 3; ++i) {
      const std::clock_t begin = std::clock();
      sum += sum_of_bag(path, robot);
      best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    }
    if (sum != expected.value_or(sum)) {
      std::fprintf(stderr, "bench_bag: other numbers in %s\n", title);
      return 1;
    }
    expected = sum;
    bench::print_row({title, bench::figure(1e-6 * static_cast<double>(size) / best),
                      bench::figure(static_cast<double>(messages) / best)});
  }
  fs::remove(path);
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("\nPeak memory: %ld MB.\n", usage.ru_maxrss / 1024);
}

#include "cli/options/part_file.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <cstring>
#include <map>

#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "io/table/npy_table.hpp"

namespace armdyn {

namespace {

constexpr std::string_view trailer_begins = "\n# armdyn part ";

Part parse_part(const std::string& option, const std::string& text) {
  const auto name =
      parse_part_name(".part-" + text.substr(0, text.find('/')) + "-of-" +
                      (text.find('/') == text.npos ? "" : text.substr(text.find('/') + 1)));
  require(name.has_value(), option, text, "K/N, the K-th of N parts, e.g. 1/4");
  return name->part;
}

/// Values by their paths: "options.step".
void flatten(const Json& data, const std::string& path,
             std::map<std::string, std::string>& values) {
  const std::string before = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : data.members()) flatten(value, before + key, values);
  for (std::size_t i = 0; i < data.entries().size(); ++i) {
    flatten(data.entries()[i], before + std::to_string(i), values);
  }
  if (data.members().empty() && data.entries().empty()) values[path] = compact_json(data);
}

}  // namespace

void declare_part(OptionList& list, OutputOptions& output) {
  list.option("--part", "K/N", output.part, parse_part,
              "only the K-th of N contiguous parts of the rows, into OUT.part-K-of-N; armdyn join "
              "OUT puts the parts together")
      .unechoed();
  list.check([&output] {
    if (!output.part) return;
    refuse_if(output.output.empty() || output.output == "-",
              "--part needs -o OUT, the name of the whole, which is a file");
    output.output = text(PartName{output.output, *output.part});
  });
}

Json job_identity(const RobotFile& file, const RobotOptions& robot, const OutputOptions& output,
                  const Json& input) {
  Json identity = data_of(answer_frame(file, robot, output));
  identity.erase("model_warnings");
  identity["robot"].erase("file");
  identity["input"] = input;
  return identity;
}

std::string digest_of(const InputFile& input, std::uintmax_t most) {
  if (!input.is_regular()) {
    throw FileError(input.name() +
                    ": is a pipe, which cannot be read twice; write it into a file "
                    "first");
  }
  Digest digest;
  input.read_range(0, std::min(*input.size(), most),
                   [&](const std::string& bytes) { digest.add(bytes); });
  return digest.text();
}

std::string part_trailer(const Part& part, const Json& identity, const WrittenRows& written) {
  return std::string(trailer_begins) +
         compact_json({{"part", part.number},
                       {"of", part.of},
                       {"rows", written.count},
                       {"digest", written.digest.text()},
                       {"job", identity}}) +
         "\n";
}

PartTrailer read_part_trailer(const InputFile& file, const Part& part) {
  constexpr std::uintmax_t longest = std::uintmax_t{1} << 20U;
  const std::uintmax_t size = file.size().value_or(0), tail = std::min(size, longest);
  const std::string bytes = file.read_at(size - tail, static_cast<std::size_t>(tail));
  const std::size_t at = bytes.rfind(trailer_begins);
  const Json trailer =
      at == bytes.npos ? Json() : parse_json(bytes.substr(at + trailer_begins.size()));
  const auto require = [&](bool is_good, const std::string& what) {
    if (is_good) return;
    throw InputError(fmt::format("{}: its end does not say {}; make it anew with --part {}/{}",
                                 file.name(), what, part.number, part.of));
  };
  const auto is_count = [&](const char* key) {
    return std::holds_alternative<std::uint64_t>(trailer[key].held());
  };
  require(is_count("part") && trailer["part"].as<std::uintmax_t>() == part.number &&
              is_count("of") && trailer["of"].as<std::uintmax_t>() == part.of,
          fmt::format("that it is part {} of {}", part.number, part.of));
  require(trailer["job"].is_object(), "\"job\", the options and the input that it was made with");
  require(is_count("rows"), "\"rows\", how many it has");
  require(!trailer["digest"].as_text().empty(), "\"digest\", that of its rows");
  return {trailer["job"], trailer["rows"].as<std::uintmax_t>(), trailer["digest"].as_text(),
          size - tail + at};
}

std::string identity_difference(const Json& one, const Json& other) {
  std::map<std::string, std::string> left, right;
  flatten(one, "", left);
  flatten(other, "", right);
  std::map<std::string, std::string> either = left;
  either.insert(right.begin(), right.end());
  const auto value = [](const auto& flat, const std::string& key) {
    const auto found = flat.find(key);
    return found == flat.end() ? "none" : found->second;
  };
  for (const auto& [key, of_either] : either) {
    const std::string here = value(left, key), there = value(right, key);
    if (here != there) return fmt::format("{}: {} and {}", key, here, there);
  }
  return {};
}

const TablePlan& RowJob::plan() const {
  static const TablePlan nothing;
  return nothing;
}

BlockWriter<JobRows> RowJob::array() const {
  BlockWriter<JobRows> writer(npy_format);
  add_columns(writer);
  return writer;
}

bool RowJob::run_in(Run& run, AtSignal at_signal) {
  BlockJob<JobRows> job = block_job();
  std::optional<BlockWriter<JobRows>> writer;
  if (run.wants("-o")) {
    add_columns(writer.emplace(run.rows("-o", at_signal)));
    writer->print(job);
  }
  job.in_order = [&](const Table&, const JobRows& rows) { add(rows); };
  try {
    run.blocks(input(), plan(), std::move(job), size(), [this] { return identity(); });
  } catch (const Interrupted&) {
    run.end_progress();
    if (at_signal == AtSignal::lost) throw;
    return false;
  }
  return true;
}

RowJob::Chunk RowJob::run_chunk(const RowRange& range) {
  Chunk chunk;
  const BlockWriter<JobRows> writer = array();
  BlockJob<JobRows> job = block_job();
  job.first_row = range.first;
  job.in_order = [&](const Table& in, const JobRows& rows) {
    writer.append_rows(chunk.bytes, in, rows);
    if (!rows.notes.is_null()) chunk.notes.push_back(rows.notes);
  };
  input().keep(range);
  run_blocks(input(), plan(), job);
  return chunk;
}

Answer RowJob::finish(const std::vector<Json>& notes, const std::string& file, const Json& more) {
  constexpr std::uintmax_t rows_at_a_time = 4096;
  const InputFile written(file);
  const std::size_t of_row = row_bytes();
  JobRows rows;
  std::string bytes;
  for (std::uintmax_t at = head(0).size(); at < *written.size(); at += bytes.size()) {
    const std::uintmax_t left = (*written.size() - at) / of_row;
    const auto count = static_cast<std::size_t>(std::min(left, rows_at_a_time));
    bytes.resize(count * of_row);
    written.read_at(at, bytes.data(), bytes.size());
    resize(rows.columns, of_row / sizeof(double), count);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t column = 0; column < rows.columns.size(); ++column) {
        std::memcpy(&rows.columns[column][row], &bytes[row * of_row + column * sizeof(double)],
                    sizeof(double));
      }
    }
    add(rows);
  }
  for (const Json& chunk : notes) {
    for (const Json& block : chunk.entries()) add({{}, block});
  }
  return answer(more);
}

}  // namespace armdyn

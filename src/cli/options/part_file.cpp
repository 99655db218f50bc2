#include "cli/options/part_file.hpp"

#include <fmt/format.h>
#include <armdyn/error.hpp>

#include <algorithm>
#include <vector>

#include "cli/options/verb_frame.hpp"
#include "io/file/input_file.hpp"
#include "io/file/output_file.hpp"

namespace armdyn {

namespace {

constexpr std::string_view trailer_begins = "\n# armdyn part ";

Part parse_part(const std::string& option, const std::string& text) {
  const auto name =
      parse_part_name(".part-" + text.substr(0, text.find('/')) + "-of-" +
                      (text.find('/') == text.npos ? "" : text.substr(text.find('/') + 1)));
  if (!name) {
    throw UsageError(
        fmt::format("{}: found \"{}\", expected K/N, the K-th of N parts, e.g. 1/4", option, text));
  }
  return name->part;
}

}  // namespace

void declare_part(OptionList& list, std::optional<Part>& part, OutputOptions& output) {
  list.option("--part", "K/N", part, parse_part,
              "only the K-th of N contiguous parts of the rows, into OUT.part-K-of-N; armdyn join "
              "OUT puts the parts together")
      .unechoed();
  list.check([&part, &output] {
    if (!part) return;
    if (output.output.empty() || output.output == "-") {
      throw UsageError("--part needs -o OUT, the name of the whole, which is a file");
    }
    output.output = text(PartName{output.output, *part});
  });
}

nlohmann::json job_identity(const RobotFile& file, const RobotOptions& robot,
                            const OutputOptions& output, const nlohmann::json& input) {
  nlohmann::json identity = json_frame(file, robot, output);
  identity.erase("model_warnings");
  identity["robot"].erase("file");
  identity["input"] = input;
  return identity;
}

std::string digest_of(const InputFile& input) {
  constexpr std::uintmax_t at_a_time = std::uintmax_t{1} << 20U;
  Digest digest;
  std::string bytes;
  for (std::uintmax_t place = 0; place < input.size().value_or(0); place += bytes.size()) {
    bytes.resize(static_cast<std::size_t>(std::min(at_a_time, *input.size() - place)));
    input.read_at(place, bytes.data(), bytes.size());
    digest.add(bytes);
  }
  return digest.text();
}

std::string part_trailer(const Part& part, const nlohmann::json& identity) {
  const nlohmann::json json{{"part", part.number}, {"of", part.of}, {"job", identity}};
  return std::string(trailer_begins) + json.dump() + "\n";
}

PartTrailer read_part_trailer(const InputFile& file, const Part& part) {
  constexpr std::uintmax_t longest = std::uintmax_t{1} << 20U;
  const std::uintmax_t size = file.size().value_or(0), tail = std::min(size, longest);
  std::string bytes(static_cast<std::size_t>(tail), '\0');
  file.read_at(size - tail, bytes.data(), bytes.size());
  const std::size_t at = bytes.rfind(trailer_begins);
  const nlohmann::json json =
      at == bytes.npos
          ? nlohmann::json()
          : nlohmann::json::parse(bytes.substr(at + trailer_begins.size()), nullptr, false);
  if (!json.is_object() || !json.contains("job") || json["part"] != part.number ||
      json["of"] != part.of) {
    throw InputError(fmt::format("{}: its end does not say that it is part {} of {}; make it anew",
                                 file.name(), part.number, part.of));
  }
  return {json["job"], size - tail + at};
}

std::string identity_difference(const nlohmann::json& one, const nlohmann::json& other) {
  const nlohmann::json flat_one = one.flatten(), flat_other = other.flatten();
  const auto value = [](const nlohmann::json& flat, const std::string& key) {
    return flat.contains(key) ? flat[key].dump() : std::string("none");
  };
  std::vector<std::string> keys;
  for (const auto& [key, unused] : flat_one.items()) keys.push_back(key);
  for (const auto& [key, unused] : flat_other.items()) keys.push_back(key);
  for (const std::string& key : keys) {
    const std::string left = value(flat_one, key), right = value(flat_other, key);
    if (left == right) continue;
    std::string path = key.substr(1);
    std::ranges::replace(path, '/', '.');
    return fmt::format("{}: {} and {}", path, left, right);
  }
  return {};
}

}  // namespace armdyn

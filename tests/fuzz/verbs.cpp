// Whole verbs in this process: the first line is the command line, {FILE} in it a file with the
// rest, {OUT.urdf} and the like an output. It ends as users may see it end: done, or by an error of
// the project's own.

#include <armdyn/error.hpp>

#include <unistd.h>
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <vector>

#include "cli/command_line.hpp"
#include "fuzz/fuzz.hpp"

namespace {

/// By what a file's first bytes say it is.
const char* ending_of(std::string_view command, std::string_view file) {
  if (file.find("<robot") != file.npos) return ".urdf";
  if (file.find("<mujoco") != file.npos) return ".xml";
  if (file.starts_with("\x93NUMPY")) return ".npy";
  return command.find("{FILE}") != command.npos && file.find("armdyn:") != file.npos ? ".yaml"
                                                                                     : ".csv";
}

/// "{OUT.urdf}" as the path of an output, which is not there yet; other words as they are.
std::string as_output(const std::string& word) {
  if (!word.starts_with("{OUT") || !word.ends_with('}')) return word;
  namespace fs = std::filesystem;
  static const fs::path folder = [] {
    const fs::path made = fs::temp_directory_path() / ("armdyn-fuzz-" + std::to_string(getpid()));
    fs::create_directory(made);
    return made;
  }();
  const std::string name = "out" + word.substr(4, word.size() - 5);
  if (name.find('/') != name.npos) return "{}";
  fs::remove(folder / name);
  return folder / name;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armdyn;
  const std::string_view bytes = fuzz::bytes_of(data, size);
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  const std::string_view command = bytes.substr(0, line);
  const std::string_view file = bytes.substr(std::min(line + 1, bytes.size()));
  const std::string path = fuzz::file_of(file, ending_of(command, file));
  std::istringstream words{std::string(command)};
  std::vector<std::string> arguments{"armdyn"};
  for (std::string word; words >> word;) {
    if (word == "{FILE}") word = path;
    // Nothing is written but into a folder of its own, nothing waits for what comes through a pipe,
    // nothing takes minutes.
    const std::string output = as_output(word);
    const std::string& before = arguments.back();
    const bool writes = before == "-o" || before == "--output" || before == "--worst";
    const bool is_refused = word.starts_with("-o") || word.starts_with("--out") || word == "-" ||
                            word.starts_with("--plot") || word.starts_with("--diff") ||
                            word.starts_with("--worst") || word == "copy" || word == "new" ||
                            word.find('/') == 0;
    const bool is_option = word == "-o" || word == "--output" || word == "--worst";
    if ((is_refused && word != path && !is_option) || writes != (output != word)) return -1;
    arguments.push_back(output);
  }
  for (const char* bounded : {"--duration", "--rate", "--log-rate", "--samples", "--resample",
                              "--harmonics", "--processors"}) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const bool has_value = arguments[i] == bounded && i + 1 < arguments.size();
      if (has_value && std::atof(arguments[i + 1].c_str()) > 1000) return -1;
    }
  }
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  try {
    (void)parse_command_line(static_cast<int>(argv.size()), argv.data(), {.verbs = all_verbs()})();
  } catch (const Error&) {
    return 0;
  }
  return 0;
}

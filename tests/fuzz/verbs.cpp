// Whole verbs in this process: the first line is the command line, {FILE} in it a file with the
// rest. It ends as users may see it end: done, or by an error of the project's own.

#include <armdyn/error.hpp>

#include <algorithm>
#include <sstream>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/verbs.hpp"
#include "fuzz/fuzz.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace armdyn;
  const std::string_view bytes = fuzz::bytes_of(data, size);
  const std::size_t line = std::min(bytes.find('\n'), bytes.size());
  const bool is_robot = bytes.substr(0, line).find("{FILE}") < line && bytes.find("armdyn:") < size;
  const std::string path =
      fuzz::file_of(bytes.substr(std::min(line + 1, bytes.size())), is_robot ? ".yaml" : ".csv");
  std::istringstream words{std::string(bytes.substr(0, line))};
  std::vector<std::string> arguments{"armdyn"};
  for (std::string word; words >> word;) {
    if (word == "{FILE}") word = path;
    // Nothing is written but to /dev/null, nothing waits for what comes through a pipe, nothing
    // takes minutes.
    const bool is_refused = word.starts_with("-o") || word.starts_with("--out") || word == "-" ||
                            word.starts_with("--plot") || word.starts_with("--diff") ||
                            word == "copy" || word == "new" || word.find('/') == 0;
    if (is_refused && word != path) return -1;
    arguments.push_back(std::move(word));
  }
  for (const char* bounded : {"--duration", "--rate", "--random", "--resample"}) {
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

#include "support/program.hpp"
#include "support/paths.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace armdyn::testing {

namespace fs = std::filesystem;

std::string header(const Outcome& outcome) {
  return outcome.out.substr(0, outcome.out.find('\n'));
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

Shell::Shell() {
  std::string pattern = (fs::temp_directory_path() / "armdyn-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = pattern;
}

Shell::~Shell() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Outcome Shell::run(const std::string& command) const {
  const std::string out = folder_ + ".out", err = folder_ + ".err";
  const std::string line = "cd '" + folder_ + "' && export armdyn='" + program_path() +
                           "' NO_COLOR=1 && { " + command + "\n} >'" + out + "' 2>'" + err + "'";
  const int status = std::system(line.c_str());  // NOLINT(cert-env33-c): the point of a shell test
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const auto take = [](const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    fs::remove(path);
    return text.str();
  };
  outcome.out = take(out);
  outcome.err = take(err);
  return outcome;
}

Outcome Shell::run(const std::string& command, long& peak_memory) const {
  // Under the address sanitizer, freed memory must not wait in its quarantine of 256 MB.
  Outcome outcome = run(
      "export ASAN_OPTIONS=quarantine_size_mb=1:thread_local_quarantine_size_kb=64; " + command +
      " & p=$!; m=0; while kill -0 $p 2>/dev/null; do v=$(awk '/VmHWM/ {print $2}' "
      "/proc/$p/status 2>/dev/null); m=${v:-$m}; sleep 0.02; done; wait $p; c=$?; echo $m; exit "
      "$c");
  const std::size_t last = outcome.out.rfind('\n', outcome.out.size() - 2) + 1;
  peak_memory = std::stol(outcome.out.substr(last));
  outcome.out.resize(last);
  return outcome;
}

void Shell::write(const std::string& name, const std::string& content) const {
  std::ofstream(folder_ + "/" + name, std::ios::binary) << content;
}

std::string Shell::read(const std::string& name) const {
  std::ostringstream text;
  text << std::ifstream(folder_ + "/" + name, std::ios::binary).rdbuf();
  return text.str();
}

bool Shell::exists(const std::string& name) const {
  return fs::exists(folder_ + "/" + name);
}

std::string Shell::list() const {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) names.insert(entry.path().filename());
  std::string text;
  for (const std::string& name : names) text += name + " ";
  return text;
}

}  // namespace armdyn::testing

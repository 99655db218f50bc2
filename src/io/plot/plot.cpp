#include "io/plot/plot.hpp"

#include <armdyn/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <boost/noncopyable.hpp>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "io/file/interrupt.hpp"
#include "io/file/output_file.hpp"
#include "io/plot/plot_script.hpp"
#include "math/characters.hpp"
#include "model/shown_text.hpp"
#include "text/number_text.hpp"

extern char** environ;

namespace armdyn {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& action, int error) {
  throw FileError("--plot: cannot " + action + ": " + std::generic_category().message(error));
}

/// A file in memory, for a stream of a child.
class MemoryFile : boost::noncopyable {
 public:
  MemoryFile() {
    const int made = memfd_create("armdyn", MFD_CLOEXEC);
    // Not 0, 1 or 2, which the child's own streams replace one after another.
    descriptor_ = made < 0 ? made : fcntl(made, F_DUPFD_CLOEXEC, 3);
    const int error = errno;
    if (made >= 0) ::close(made);
    if (descriptor_ < 0) fail("start gnuplot", error);
  }
  ~MemoryFile() { ::close(descriptor_); }

  /// Writes the whole content; the child reads from its beginning.
  void write(std::string_view content) const {
    if (!write_at(descriptor_, content)) fail("talk to gnuplot", errno);
  }
  std::string content() const {
    std::string text(static_cast<std::size_t>(std::max<off_t>(0, lseek(descriptor_, 0, SEEK_END))),
                     '\0');
    const ssize_t count = pread(descriptor_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, count)));
    return text;
  }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The environment with a locale that has the letters of scripts: gnuplot warns without one.
std::vector<char*> environment_with_letters() {
  static std::string locale = "LC_ALL=C.UTF-8";
  std::vector<char*> variables{locale.data()};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("LC_ALL=")) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  return variables;
}

/// A program's place by PATH; empty where there is none. Only folders from the root on count: of others
/// it would depend on the folder where armdyn runs what is started.
std::string program_at(const std::string& name) {
  const char* variable = std::getenv("PATH");
  for (const std::string& folder :
       split_at(variable != nullptr ? variable : "/bin:/usr/bin", ':')) {
    std::string path = fmt::format("{}/{}", folder, name);
    std::error_code none;
    const bool is_program = fs::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
    if (folder.starts_with('/') && is_program) return path;
  }
  return {};
}

/// Starts a program in a group of its own, which ends as a whole; returns 0, or the error.
int start(std::vector<std::string> command, const std::array<MemoryFile, 3>& streams,
          pid_t& process) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) {
    posix_spawn_file_actions_adddup2(&actions, streams[static_cast<std::size_t>(i)].descriptor(),
                                     i);
  }
  sigset_t none, ignored;
  sigemptyset(&none);
  sigemptyset(&ignored);
  sigaddset(&ignored, SIGPIPE);
  sigaddset(&ignored, SIGXFSZ);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &ignored);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const std::string program = program_at(command[0]);
  const int error = posix_spawn(&process, program.c_str(), &actions, &attributes, arguments.data(),
                                environment_with_letters().data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// A process and all that it starts, ended by the destructor.
class Child : boost::noncopyable {
 public:
  Child(const std::vector<std::string>& command, const std::array<MemoryFile, 3>& streams) {
    if (const int error = start(command, streams, process_)) fail("start " + command[0], error);
    unfinished_.emplace(process_);
  }
  ~Child() {
    if (!unfinished_) return;
    ::kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  /// Waits for its end, and returns the reason of its failure, if any.
  std::string failure() {
    siginfo_t ended = {};
    const auto id = static_cast<id_t>(process_);
    while (waitid(P_PID, id, &ended, WEXITED | WNOWAIT | WNOHANG) == 0 && ended.si_pid == 0) {
      pollfd interrupt{interrupt_descriptor(), POLLIN, 0};
      poll(&interrupt, 1, 2);  // ms
      throw_if_interrupted();
    }
    unfinished_.reset();  // while the number is still its own
    int status = 0;
    // Without a status (SIGCHLD ignored), the picture shows a failure.
    if (waitpid(process_, &status, 0) < 0) return {};
    if (WIFSIGNALED(status)) return "it was ended by signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
  }

 private:
  pid_t process_ = 0;
  std::optional<Unfinished> unfinished_;
};

struct Outcome {
  std::string failure;  // empty: none
  std::string output;
  std::string errors;
};

Outcome run(const std::vector<std::string>& command, std::string_view input) {
  throw_if_interrupted();
  const std::array<MemoryFile, 3> streams;
  streams[0].write(input);
  std::string failure = Child(command, streams).failure();
  return {std::move(failure), streams[1].content(), streams[2].content()};
}

// Tests whether one font has them all; true where this is unknown.
bool some_font_has(const std::map<std::uint32_t, std::string>& characters) {
  std::string pattern = ":scalable=true:charset=";
  for (const auto& [code, bytes] : characters) pattern += fmt::format("{:x} ", code);
  pattern.pop_back();
  try {
    return run({"fc-list", "-q", pattern}, "").failure != "exit status 1";
  } catch (const FileError&) {
    return true;
  }
}

}  // namespace

bool gnuplot_is_installed() {
  return !program_at("gnuplot").empty();
}

std::string gnuplot_literal(std::string_view text) {
  std::string clean;
  for_each_code_point(text, [&clean](const CodePoint& point, std::string_view bytes) {
    clean += point.length > 0 && is_shown_as_itself(point.code) ? bytes : " ";
  });
  // gnuplot writes text into SVG unchanged, which must not have "]]>".
  replace_all(clean, "]]>", "]] >");
  // Within single quotes gnuplot expands nothing, but does not read every quote that is doubled.
  if (clean.find('\'') == std::string::npos) return "'" + clean + "'";
  std::string result = "\"";
  for (const char c : clean) {
    const bool is_special = c == '"' || c == '\\' || c == '`';
    result += is_special ? (c == '"' ? "\\042" : c == '`' ? "\\140" : "\\134") : std::string(1, c);
  }
  return result + "\"";
}

std::string without_missing_glyphs(const std::string& script) {
  std::map<std::uint32_t, std::string> used;
  for_each_code_point(script, [&used](const CodePoint& point, std::string_view bytes) {
    if (point.code >= 0x80) used.emplace(point.code, bytes);
  });
  if (used.empty() || some_font_has(used)) return script;
  std::erase_if(used, [](const auto& character) { return some_font_has({character}); });
  std::string result;
  for_each_code_point(script, [&](const CodePoint& point, std::string_view bytes) {
    result += used.count(point.code) == 0 ? bytes : "?";
  });
  return result;
}

std::string run_gnuplot(std::string_view script, std::string_view end_mark) {
  Outcome outcome = run({"gnuplot", "-d", "-"}, script);  // -d: without the user's settings
  constexpr std::size_t tail = 32;
  const std::size_t end = std::max(outcome.output.size(), tail) - tail;
  if (outcome.failure.empty() && outcome.output.find(end_mark, end) == std::string::npos) {
    outcome.failure = "it drew an incomplete picture";
  }
  if (!outcome.failure.empty()) {
    constexpr std::size_t enough = 600;
    const std::string said =
        in_lines(trimmed(std::string_view(outcome.errors).substr(0, enough), " \n"));
    throw FileError("--plot: gnuplot failed (" + outcome.failure + ")" +
                    (said.empty() ? "" : ": " + said));
  }
  return std::move(outcome.output);
}

namespace {

std::optional<PlotFormat> format_of(const std::string& path) {
  const std::string ending = in_small_letters(fs::path(path).extension().string());
  if (ending == ".svg") return PlotFormat::svg;
  if (ending == ".png") return PlotFormat::png;
  if (ending == ".pdf") return PlotFormat::pdf;
  return std::nullopt;
}

std::string_view end_mark(PlotFormat format) {
  return format == PlotFormat::svg ? "</svg>" : format == PlotFormat::png ? "IEND" : "%%EOF";
}

}  // namespace

void check_plot_target(const std::string& path) {
  if (!format_of(path)) {
    throw Error("--plot: '" + in_one_line(path) + "' must end in .svg, .png or .pdf");
  }
  if (!gnuplot_is_installed()) {
    throw FileError(
        "gnuplot is needed for --plot; install it (apt install gnuplot-nox, dnf install gnuplot, "
        "pacman -S gnuplot) or leave --plot out");
  }
}

void write_figure(const Figure& figure, OutputFile& file) {
  check_plot_target(file.name());
  const PlotFormat format = *format_of(file.name());
  const std::string script = plot_script(figure, format);
  const bool has_own_fonts = format == PlotFormat::svg;
  file.write(
      run_gnuplot(has_own_fonts ? script : without_missing_glyphs(script), end_mark(format)));
}

}  // namespace armdyn

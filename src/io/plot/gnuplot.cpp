#include "io/plot/plot_script.hpp"

#include <armdyn/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/file/interrupt.hpp"
#include "model/shown_text.hpp"

extern char** environ;

namespace armdyn {

namespace {

std::string system_text(int error) {
  return std::generic_category().message(error);
}

[[noreturn]] void fail(const std::string& action, int error) {
  throw FileError("--plot: cannot " + action + ": " + system_text(error));
}

class Descriptor {
 public:
  // Out of the way of 0, 1 and 2, which the child's own streams replace one after another.
  explicit Descriptor(int descriptor) : descriptor_(fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {
    const int error = errno;
    ::close(descriptor);
    if (descriptor_ < 0) fail("start gnuplot", error);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

// A socket rather than a pipe: send() can be told not to raise SIGPIPE.
std::array<int, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    fail("start gnuplot", errno);
  }
  return ends;
}

struct Channel {
  explicit Channel(std::array<int, 2> ends = socket_pair()) : ours(ends[0]), theirs(ends[1]) {}
  Descriptor ours;
  Descriptor theirs;
};

class SpawnSettings {
 public:
  SpawnSettings(int input, int output, int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, input, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, 1);
    posix_spawn_file_actions_adddup2(&actions_, errors, 2);
    sigset_t none;
    sigset_t ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    sigaddset(&ignored, SIGXFSZ);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &ignored);
    posix_spawnattr_setpgroup(&attributes_, 0);  // one of its own: it ends with all its children
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }

  // 0, or why not
  int start(std::vector<std::string> command, pid_t& child) const {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    return posix_spawnp(&child, arguments[0], &actions_, &attributes_, arguments.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

struct Outcome {
  std::string failure;  // empty: none
  std::string output;
  std::string errors;
};

// Adds what has come to the text; closes our end when there will be no more.
void receive(Descriptor& from, std::string& text) {
  std::array<char, 65536> part;
  const ssize_t got = read(from.get(), part.data(), part.size());
  if (got > 0) {
    text.append(part.data(), static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    from.close();
  }
}

void send_some(Descriptor& to, std::string_view& text) {
  const ssize_t sent = send(to.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  const bool later = sent < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK);
  if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
  if (text.empty() || (sent < 0 && !later)) to.close();
}

// All ways at once: the child writes before it has read everything.
void converse(Descriptor& input, std::string_view text, Descriptor& output, Descriptor& errors,
              Outcome& outcome) {
  while (output.get() >= 0 || errors.get() >= 0) {
    std::array<pollfd, 4> waiting{{
        {input.get(), POLLOUT, 0},  // poll passes over what is closed (-1)
        {output.get(), POLLIN, 0},
        {errors.get(), POLLIN, 0},
        {interrupt_descriptor(), POLLIN, 0},
    }};
    if (poll(waiting.data(), waiting.size(), -1) < 0) {
      if (errno == EINTR) continue;
      fail("talk to gnuplot", errno);
    }
    throw_if_interrupted();
    if (waiting[0].revents != 0) send_some(input, text);
    if (waiting[1].revents != 0) receive(output, outcome.output);
    if (waiting[2].revents != 0) receive(errors, outcome.errors);
  }
}

/// A process and all that it starts; they end with this.
class Child {
 public:
  Child(std::vector<std::string> command, const SpawnSettings& settings) {
    const std::string program = command[0];
    const int error = settings.start(std::move(command), process_);
    if (error != 0) fail("start " + program, error);
    unfinished_.emplace(process_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!unfinished_) return;
    ::kill(-process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  /// Waits for its end: why it failed, empty when it did not.
  std::string failure() {
    siginfo_t ended = {};
    while (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOWAIT) < 0) {
      if (errno != EINTR) break;
      throw_if_interrupted();
    }
    unfinished_.reset();  // while the number is still its own
    int status = 0;
    // somebody else took it (SIGCHLD ignored): the picture will tell
    if (waitpid(process_, &status, 0) < 0) return {};
    if (WIFSIGNALED(status)) return "it was ended by signal " + std::to_string(WTERMSIG(status));
    return WEXITSTATUS(status) == 0 ? "" : "exit status " + std::to_string(WEXITSTATUS(status));
  }

 private:
  pid_t process_ = 0;
  std::optional<Unfinished> unfinished_;
};

Outcome run(const std::vector<std::string>& command, std::string_view input_text) {
  throw_if_interrupted();
  Channel input;
  Channel output;
  Channel errors;
  const SpawnSettings settings(input.theirs.get(), output.theirs.get(), errors.theirs.get());
  Child child(command, settings);
  for (Channel* channel : {&input, &output, &errors}) channel->theirs.close();
  Outcome outcome;
  converse(input.ours, input_text, output.ours, errors.ours, outcome);
  outcome.failure = child.failure();
  return outcome;
}

std::string tidy(const std::string& said) {
  constexpr std::size_t enough = 600;
  std::string text = said.substr(0, enough);
  const auto first = text.find_first_not_of(" \n");
  const auto last = text.find_last_not_of(" \n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

template <class Use>
void for_each_code_point(std::string_view text, Use use) {
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    const std::size_t length = std::max(point.length, std::size_t{1});
    use(point, text.substr(0, length));
    text.remove_prefix(length);
  }
}

// One font for all of them; yes where it cannot be found out.
bool some_font_has(const std::map<std::uint32_t, std::string>& characters) {
  std::string pattern = ":scalable=true:charset=";
  for (const auto& character : characters) {
    std::array<char, 16> hexadecimal{};
    const auto result = std::to_chars(hexadecimal.begin(), hexadecimal.end(), character.first, 16);
    pattern.append(hexadecimal.data(), result.ptr).append(" ");
  }
  pattern.pop_back();
  try {
    return run({"fc-list", "-q", pattern}, "").failure != "exit status 1";
  } catch (const FileError&) {
    return true;
  }
}

bool is_program(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         access(path.c_str(), X_OK) == 0;
}

}  // namespace

bool gnuplot_is_installed() {
  const char* variable = std::getenv("PATH");
  std::string_view rest = variable != nullptr ? variable : "/bin:/usr/bin";
  while (true) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    const std::string folder = colon == 0 ? "." : std::string(rest.substr(0, colon));
    if (is_program(folder + "/gnuplot")) return true;
    if (colon == rest.size()) return false;
    rest.remove_prefix(colon + 1);
  }
}

std::string gnuplot_literal(std::string_view text) {
  std::string clean;
  for_each_code_point(text, [&clean](const CodePoint& point, std::string_view bytes) {
    clean += point.length > 0 && is_shown_as_itself(point.code) ? bytes : " ";
  });
  // gnuplot writes text into SVG as it is, where "]]>" must not stand.
  for (std::size_t at = 0; (at = clean.find("]]>", at)) != std::string::npos;) {
    clean.insert(at + 2, " ");
  }
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
    throw FileError("--plot: gnuplot failed (" + outcome.failure +
                    "): " + in_lines(tidy(outcome.errors)));
  }
  return std::move(outcome.output);
}

}  // namespace armdyn

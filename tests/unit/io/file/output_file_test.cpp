#include "io/file/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "io/file/input_file.hpp"
#include "io/file/interrupt.hpp"
#include "support/csv_test_tools.hpp"

namespace armdyn {
namespace {

using Names = std::vector<std::string>;

mode_t mode_of(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 0777U;
}

std::string refusal_of(const std::string& path, const std::string& text = "x\n") {
  return message_of<FileError>([&] {
    OutputFile file(path);
    file.write(text);
    file.commit();
  });
}

struct Pipe {
  Pipe() { EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t which) {
    if (ends[which] >= 0) ::close(ends[which]);
    ends[which] = -1;
  }
  [[nodiscard]] std::string path(std::size_t which) const {
    return "/dev/fd/" + std::to_string(ends[which]);
  }
  std::array<int, 2> ends{};
};

TEST(OutputFile, AppearsWhenCommittedAndNotBefore) {
  const Folder folder;
  OutputFile file(folder.path("tau.csv"));
  file.write("t,tau1\n");
  file.write("0,1\n");
  ASSERT_EQ(folder.names().size(), 1U);
  EXPECT_TRUE(folder.names()[0].starts_with(".tau.csv.armdyn-")) << folder.names()[0];
  file.commit();
  EXPECT_EQ(folder.names(), Names{"tau.csv"});
  EXPECT_EQ(content_of(folder.path("tau.csv")), "t,tau1\n0,1\n");
}

TEST(OutputFile, TemporariesOfOneTargetHaveSixLettersEach) {
  const Folder folder;
  const OutputFile one(folder.path("tau.csv")), other(folder.path("tau.csv"));
  const Names names = folder.names();
  ASSERT_EQ(names.size(), 2U);
  for (const std::string& name : names) {
    EXPECT_EQ(name.size(), std::string(".tau.csv.armdyn-").size() + 6) << name;
  }
}

TEST(OutputFile, RunsToOneTargetDoNotTakeEachOthersTemporaries) {
  const Folder folder;
  std::atomic<int> failures{0};
  std::vector<std::thread> runs;
  for (int run = 0; run < 8; ++run) {
    runs.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        try {
          write_file(folder.path("tau.csv"), "whole\n");
        } catch (const FileError&) {
          ++failures;
        }
      }
    });
  }
  for (std::thread& run : runs) run.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(content_of(folder.path("tau.csv")), "whole\n");
  EXPECT_EQ(folder.names(), Names{"tau.csv"});
}

TEST(OutputFile, OfManyThatReplaceNothingExactlyOneTakesThePlace) {
  const Folder folder;
  for (int round = 0; round < 20; ++round) {
    const std::string path = folder.path("arm.yaml");
    std::mutex saying;
    std::vector<std::string> made, refused;
    std::barrier start(20);
    std::vector<std::thread> runs;
    for (int run = 0; run < 20; ++run) {
      runs.emplace_back([&, mine = std::to_string(run)] {
        std::optional<std::string> refusal;
        try {
          OutputFile file(path, Existing::kept);
          file.write(mine);
          start.arrive_and_wait();
          file.commit();
        } catch (const FileError& error) {
          refusal = error.what();
        }
        const std::lock_guard lock(saying);
        (refusal ? refused : made).push_back(refusal.value_or(mine));
      });
    }
    for (std::thread& run : runs) run.join();
    ASSERT_EQ(made.size(), 1U);
    EXPECT_EQ(content_of(path), made[0]);
    for (const std::string& refusal : refused) {
      EXPECT_EQ(refusal, "there is a file '" + path +
                             "' already; name another one, or replace it with --force");
    }
    ASSERT_EQ(folder.names(), Names{"arm.yaml"});
    std::filesystem::remove(path);
  }
}

TEST(OutputFile, SeveralTakeTheirPlacesWhenAllAreWhole) {
  const Folder folder;
  put(folder.path("a.csv"), "old");
  OutputFile first(folder.path("a.csv")), second(folder.path("b.csv")), full("/dev/full");
  first.write("new");
  EXPECT_THROW(OutputFile::commit({&first, nullptr, &full}, "more"), FileError);
  EXPECT_EQ(content_of(folder.path("a.csv")), "old");
}

TEST(OutputFile, WhatIsNewIsSaidWhereALaterOneCannotTakeItsPlace) {
  const Folder folder;
  OutputFile first(folder.path("a.csv")), second(folder.path("b.csv")), third(folder.path("c.csv"));
  first.write("a");
  second.write("b");
  std::filesystem::create_directory(folder.path("c.csv"));
  EXPECT_EQ(message_of<FileError>([&] {
              OutputFile::commit({&first, &second, nullptr, &third});
            }),
            "cannot write " + folder.path("c.csv") + ": Is a directory; " + folder.path("a.csv") +
                " is new; " + folder.path("b.csv") + " is new");
  EXPECT_EQ(content_of(folder.path("a.csv")), "a");
  EXPECT_EQ(content_of(folder.path("b.csv")), "b");
}

TEST(OutputFile, LinksToOneFileAreOneFile) {
  const Folder folder;
  const std::string a = folder.path("a.svg"), b = folder.path("b.svg");
  std::filesystem::create_symlink("a.svg", b);
  EXPECT_TRUE(are_one_file(a, b));
  EXPECT_TRUE(are_one_file(b, a));
  EXPECT_TRUE(are_one_file(folder.path("./a.svg"), a));
  EXPECT_FALSE(are_one_file(a, folder.path("c.svg")));
  put(a, "x");
  EXPECT_TRUE(are_one_file(a, b));
  EXPECT_FALSE(are_one_file(folder.path("c.svg"), a));
  EXPECT_FALSE(are_one_file("/dev/null", "/dev/null"));
}

TEST(OutputFile, LeavesNothingBehindWithoutCommit) {
  const Folder folder;
  put(folder.path("old.csv"), "old");
  { OutputFile(folder.path("old.csv")).write("new"); }
  { OutputFile(folder.path("new.csv")).write("new"); }
  EXPECT_EQ(folder.names(), Names{"old.csv"});
  EXPECT_EQ(content_of(folder.path("old.csv")), "old");
}

TEST(OutputFile, KeepsThePermissionsOfAnExistingFile) {
  const Folder folder;
  put(folder.path("a.csv"), "old");
  ASSERT_EQ(::chmod(folder.path("a.csv").c_str(), 0604), 0);
  OutputFile file(folder.path("a.csv"));
  file.write("new");
  file.commit();
  EXPECT_EQ(mode_of(folder.path("a.csv")), 0604U);
  EXPECT_EQ(content_of(folder.path("a.csv")), "new");
}

TEST(OutputFile, GivesANewFileThePermissionsThatTheUserAsksFor) {
  const Folder folder;
  const mode_t before = ::umask(0027);
  OutputFile file(folder.path("a.csv"));
  file.commit();
  ::umask(before);
  EXPECT_EQ(mode_of(folder.path("a.csv")), 0640U);
}

TEST(OutputFile, ALinkStaysALink) {
  const Folder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder.path("data"));
  put(folder.path("data/a.csv"), "old");
  fs::create_symlink("data/a.csv", folder.path("middle"));
  fs::create_symlink("middle", folder.path("link"));
  fs::create_symlink("data/b.csv", folder.path("dangling"));
  for (const std::string name : {"link", "dangling"}) {
    OutputFile file(folder.path(name));
    file.write("new");
    file.commit();
    EXPECT_TRUE(fs::is_symlink(folder.path(name)));
  }
  EXPECT_EQ(content_of(folder.path("data/a.csv")), "new");
  EXPECT_EQ(content_of(folder.path("data/b.csv")), "new");
  EXPECT_EQ(folder.names(), (Names{"dangling", "data", "link", "middle"}));
}

TEST(OutputFile, AVeryLongNameHasRoomForItsTemporary) {
  const Folder folder;
  const std::string name(255, 'x');
  OutputFile file(folder.path(name));
  file.commit();
  EXPECT_EQ(folder.names(), Names{name});
}

TEST(OutputFile, WhatCannotBeWrittenIsNamed) {
  const Folder folder;
  const std::string missing = folder.path("no/tau.csv");
  EXPECT_EQ(refusal_of(missing), "cannot write " + missing + ": there is no folder " +
                                     folder.path("no") + "; create it first");
  EXPECT_EQ(refusal_of("no-such-folder/tau.csv"),
            "cannot write no-such-folder/tau.csv: there is no folder no-such-folder; create it "
            "first");
  EXPECT_EQ(refusal_of("/tmp"), "cannot write /tmp: it is a folder; add the name of a file");
  EXPECT_EQ(refusal_of("new/"), "cannot write new/: there is no folder new/; create it first");
  EXPECT_EQ(refusal_of(""), "the name of the output file is empty");
  EXPECT_EQ(refusal_of("/proc/tau.csv"),
            "cannot write /proc/tau.csv into folder /proc: No such file or directory");
}

TEST(OutputFile, AWriteProtectedFileIsNotReplaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write to every file";
  const Folder folder;
  put(folder.path("a.csv"), "old");
  ASSERT_EQ(::chmod(folder.path("a.csv").c_str(), 0444), 0);
  EXPECT_EQ(refusal_of(folder.path("a.csv")),
            "cannot write " + folder.path("a.csv") + ": Permission denied");
  EXPECT_EQ(content_of(folder.path("a.csv")), "old");
}

TEST(OutputFile, AFullDiskIsNamed) {
  EXPECT_EQ(refusal_of("/dev/full"), "cannot write /dev/full: No space left on device");
}

TEST(OutputFile, APipeIsWrittenDirectly) {
  Pipe pipe;
  std::string received;
  std::thread reader([&] {
    std::array<char, 1000> bytes{};
    for (;;) {
      const ssize_t count = ::read(pipe.ends[0], bytes.data(), bytes.size());
      if (count <= 0) return;
      received.append(bytes.data(), static_cast<std::size_t>(count));
    }
  });
  std::string sent;
  for (int i = 0; i < 50000; ++i) sent += std::to_string(i) + "\n";
  {
    OutputFile file(pipe.path(1));
    pipe.close_end(1);
    file.write(sent);
    file.commit();
  }
  reader.join();
  EXPECT_EQ(received, sent);
}

/// A regular file that is open, as a shell opens those behind > and >>.
struct Open {
  Open(const std::string& path, int flags)
      : descriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666)),
        number(std::to_string(descriptor)) {}
  ~Open() { ::close(descriptor); }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;
  void write(std::string_view text) const {
    EXPECT_EQ(::write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  int descriptor;
  std::string number;
};

TEST(OutputFile, ADescriptorIsWrittenWhereItStandsWhateverItsName) {
  const Folder folder;
  for (const int flags : {O_APPEND, O_TRUNC}) {
    for (const std::string& base : Names{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/",
                                         "/proc/" + std::to_string(::getpid()) + "/fd/"}) {
      put(folder.path("log"), "old,");
      const Open open(folder.path("log"), flags);
      open.write("before,");
      std::filesystem::create_symlink(base + open.number, folder.path("link"));
      for (const std::string& path : Names{base + open.number, folder.path("link")}) {
        EXPECT_TRUE(is_stream(path));
        write_file(path, "new,");
      }
      write_file(base + open.number, "kept,", Existing::kept);
      open.write("after");
      const std::string old = flags == O_APPEND ? "old," : "";
      EXPECT_EQ(content_of(folder.path("log")), old + "before,new,new,kept,after") << base;
      EXPECT_EQ(folder.names(), (Names{"link", "log"}));
      std::filesystem::remove(folder.path("link"));
    }
  }
}

TEST(OutputFile, ADescriptorOfAFileWithoutNameIsWritten) {
  const Folder folder;
  const Open open(folder.path("log"), O_TRUNC);
  std::filesystem::remove(folder.path("log"));
  write_file("/dev/fd/" + open.number, "new");
  EXPECT_TRUE(folder.names().empty());
  struct stat status = {};
  ASSERT_EQ(::fstat(open.descriptor, &status), 0);
  EXPECT_EQ(status.st_size, 3);
}

TEST(OutputFile, AFileThatIsOpenInAnotherProgramAloneIsLeft) {
  const Folder folder;
  put(folder.path("log"), "old");
  const pid_t other = ::fork();
  if (other == 0) {
    ::dup2(::open(folder.path("log").c_str(), O_WRONLY), 99);
    for (;;) ::pause();
  }
  const std::string path = "/proc/" + std::to_string(other) + "/fd/99";
  while (!std::filesystem::exists(path)) std::this_thread::yield();
  EXPECT_EQ(refusal_of(path),
            "cannot write " + path + ": it is open in another program; name the file");
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  EXPECT_EQ(content_of(folder.path("log")), "old");
  EXPECT_EQ(folder.names(), Names{"log"});
}

TEST(OutputFile, AClosedPipeIsToldApartFromOtherErrors) {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  OutputFile file(pipe.path(1));
  pipe.close_end(0);
  EXPECT_THROW(file.write("t,tau1\n"), ClosedPipe);
}

TEST(OutputFile, TheInputIsRecognizedUnderAnotherName) {
  const Folder folder;
  put(folder.path("a.csv"), "t\n");
  put(folder.path("b.csv"), "t\n");
  std::filesystem::create_symlink("a.csv", folder.path("link"));
  std::filesystem::create_hard_link(folder.path("a.csv"), folder.path("hard"));
  const std::string long_way =
      "../" + std::filesystem::path(folder.path("")).parent_path().filename().string() + "/a.csv";
  for (const std::string& name :
       {std::string("a.csv"), long_way, std::string("link"), std::string("hard")}) {
    refuse_to_read({folder.path("b.csv"), folder.path(name)});
    EXPECT_THROW(InputFile(folder.path("a.csv")), Error) << name;
  }
  refuse_to_read({folder.path("b.csv"), folder.path("new.csv"), "-"});
  EXPECT_NO_THROW(InputFile(folder.path("a.csv")));
  refuse_to_read({});
  EXPECT_NO_THROW(InputFile(folder.path("b.csv")));
}

TEST(OutputFile, ADeviceMayBeBothInputAndOutput) {
  refuse_to_read({"/dev/null"});
  EXPECT_NO_THROW(InputFile("/dev/null"));
  refuse_to_read({});
}

// The following run in a process of their own, which ends by the exit code that they ask for.

void interrupt_soon() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::kill(::getpid(), SIGINT);
  }).detach();
}

template <class Action>
[[noreturn]] void exit_130_if_interrupted(const Action& action) {
  try {
    action();
  } catch (const Interrupted&) {
    ::_exit(130);
  }
  ::_exit(1);
}

class InterruptDeathTest : public ::testing::Test {
 protected:
  InterruptDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(InterruptDeathTest, ASignalEndsTheWaitForAnInput) {
  EXPECT_EXIT(exit_130_if_interrupted([] {
                install_interrupt_handlers();
                const Pipe pipe;
                InputFile input(pipe.path(0));
                interrupt_soon();
                char byte = 0;
                (void)input.read(&byte, 1);
              }),
              ::testing::ExitedWithCode(130), "");
}

TEST_F(InterruptDeathTest, ASignalEndsTheWaitForAReaderOfTheOutput) {
  EXPECT_EXIT(exit_130_if_interrupted([] {
                install_interrupt_handlers();
                const Pipe pipe;
                OutputFile output(pipe.path(1));
                interrupt_soon();
                output.write(std::string(std::size_t{10} << 20U, 'x'));
              }),
              ::testing::ExitedWithCode(130), "");
}

TEST_F(InterruptDeathTest, AfterASignalTheLastRowsAreWrittenToAReaderThatTakesThem) {
  const auto act = [] {
    install_interrupt_handlers();
    const Pipe pipe;
    OutputFile output(pipe.path(1));
    output.finish_lines_when_interrupted();
    ::raise(SIGINT);
    output.write("the last row\n");
    ::_exit(0);
  };
  EXPECT_EXIT(exit_130_if_interrupted(act), ::testing::ExitedWithCode(0), "");
}

TEST_F(InterruptDeathTest, AfterASignalAReaderThatTakesNothingIsWaitedForATime) {
  const auto act = [] {
    install_interrupt_handlers();
    const Pipe pipe;
    OutputFile output(pipe.path(1));
    output.finish_lines_when_interrupted();
    output.write(std::string(std::size_t{64} << 10U, 'x'));  // as much as a pipe holds
    const auto begin = std::chrono::steady_clock::now();
    ::raise(SIGINT);
    try {
      output.write("y");
    } catch (const Interrupted&) {
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
      if (waited.count() < 0.15) ::_exit(1);
      throw;
    }
  };
  EXPECT_EXIT(exit_130_if_interrupted(act), ::testing::ExitedWithCode(130), "");
}

TEST_F(InterruptDeathTest, ASuddenEndRemovesTheTemporaryHoweverManyCameBefore) {
  const auto act = [] {
    const Folder folder;
    for (int i = 0; i < 20; ++i) OutputFile(folder.path("a.csv")).commit();
    const OutputFile file(folder.path("b.csv"));
    const Names before = folder.names();
    const pid_t child = ::fork();
    if (child == 0) end_suddenly(5);
    ::waitpid(child, nullptr, 0);
    const bool is_clean = before.size() == 2 && folder.names() == Names{"a.csv"};
    std::filesystem::remove_all(folder.path(""));
    ::_exit(is_clean ? 0 : 1);
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(0), "");
}

TEST_F(InterruptDeathTest, ASignalRemovesTheTemporary) {
  const auto act = [] {
    const Folder folder;
    try {
      install_interrupt_handlers();
      OutputFile file(folder.path("a.csv"));
      file.write("x");
      ::raise(SIGTERM);
      throw_if_interrupted();
    } catch (const Interrupted&) {
      const bool is_clean = folder.names().empty();
      std::filesystem::remove_all(folder.path(""));
      ::_exit(is_clean ? 130 : 1);
    }
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(130), "");
}

TEST_F(InterruptDeathTest, WhoDoesNotUnwindIsEndedSoon) {
  const auto act = [] {
    const Folder folder;
    install_interrupt_handlers();
    const OutputFile file(folder.path("a.csv"));
    const pid_t watcher = ::fork();
    if (watcher == 0) {  // sees what is left of the other, and says so by its exit code
      while (!folder.names().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::filesystem::remove_all(folder.path(""));
      ::_exit(0);
    }
    ::raise(SIGINT);
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(130), "");
}

TEST_F(InterruptDeathTest, ASecondSignalLaterThanTheFirstEndsAtOnce) {
  const auto act = [] {
    install_interrupt_handlers();
    end_by_oneself_when_interrupted();
    ::raise(SIGINT);
    if (!interrupted()) ::_exit(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    ::raise(SIGINT);
    ::_exit(2);
  };
  EXPECT_EXIT(act(), ::testing::KilledBySignal(SIGINT), "");
}

TEST_F(InterruptDeathTest, ASignalThatWasIgnoredStaysIgnored) {
  const auto act = [] {
    ::signal(SIGINT, SIG_IGN);
    install_interrupt_handlers();
    ::raise(SIGINT);
    ::_exit(interrupted() ? 1 : 0);
  };
  EXPECT_EXIT(act(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace armdyn

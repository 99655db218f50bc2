#include "io/table/block_pipeline.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>
#include <armdyn/error.hpp>

#include "io/file/interrupt.hpp"

namespace armdyn {

unsigned usable_cores() {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) == 0) {
    return static_cast<unsigned>(CPU_COUNT(&cores));
  }
  return std::max(std::thread::hardware_concurrency(), 1U);
}

void in_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  try {
    others.reserve(threads - 1);
    while (others.size() + 1 < threads) others.emplace_back(std::cref(work));
  } catch (const std::exception&) {  // no thread, or no memory for one: those that are there do it
  }
  work();
}

namespace {

enum class Stage { parse, filter, compute, finish };

// One block in the pipeline, with all the memory that it needs, to be used again for a later block.
struct Token {
  RawBlock text;
  bool is_read = false;  // else the filter passes on what it holds back
  bool is_end = false;   // there is nothing to read any more
  Table parsed;
  Table input;
  std::string printed;
  BlockWork work;
  std::exception_ptr error;  // kept until all earlier blocks are through
  Stage next = Stage::parse;
  bool is_taken = false;  // by a thread
};

void keep_lines(Table& table, const BlockJobFrame::Lines& lines) {
  const auto row_of = [&](std::size_t line) {
    return std::ranges::lower_bound(table.lines, line) - table.lines.begin();
  };
  const auto first = row_of(lines.first), end = std::max(first, row_of(lines.end));
  const auto keep = [&](auto& values) {
    values.erase(values.begin() + end, values.end());
    values.erase(values.begin(), values.begin() + first);
  };
  for (std::vector<double>& column : table.columns) keep(column);
  keep(table.lines);
  if (!table.texts.empty()) keep(table.texts);
  const auto before = static_cast<std::size_t>(first);
  std::erase_if(table.breaks, [&](std::size_t row) {
    return row < before || row >= static_cast<std::size_t>(end);
  });
  for (std::size_t& row : table.breaks) row -= before;
  table.first_row += before;
  table.rows = static_cast<std::size_t>(end - first);
}

/// Takes blocks from stage to stage, the earliest first.
class Pipeline {
 public:
  using MakeWork = std::function<BlockWork()>;

  Pipeline(TableSource& reader, const TablePlan& plan, const BlockJobFrame& job,
           const MakeWork& make_work, std::size_t blocks)
      : reader_(reader),
        plan_(plan),
        job_(job),
        make_work_(make_work),
        rows_(static_cast<std::size_t>(job.first_row)),
        tokens_(blocks) {}

  Progress run(unsigned threads) {
    in_threads(threads, [this] { work(); });
    if (error_) std::rethrow_exception(error_);
    write_header_once();
    return done_;
  }

 private:
  // Reads in order. False if there is nothing more; an error is more.
  bool read(Token& token) {
    if (failed_) return false;
    token.error = nullptr;
    bool is_more = true;
    failed_ = !keep_error(token, [&] {
      throw_if_interrupted();
      token.is_read = token.is_end = false;
      if (!has_more_.load(std::memory_order_relaxed)) {
        token.is_read = !end_is_read_ && reader_.next(token.text);
        token.is_end = !token.is_read && !end_is_read_;
        is_more = token.is_read || (token.is_end && job_.filter);
        end_is_read_ = end_is_read_ || token.is_end;
      }
      if (is_more && !token.work.compute) token.work = make_work_();
    });
    return is_more;
  }

  // Parses in any order.
  void parse(Token& token) {
    if (token.error) return;
    keep_error(token, [&] {
      if (token.is_read) {
        reader_.parse(token.text, plan_, job_.filter ? token.parsed : token.input);
        return;
      }
      token.parsed.resize(plan_.columns.size(), 0);
      token.parsed.lines.clear();
      token.parsed.left_out.clear();
    });
  }

  // Filters in order.
  void filter(Token& token) {
    filter_failed_ = filter_failed_ || token.error;
    if (filter_failed_) {  // the error is in the queue, and nothing after it counts
      token.input.resize(0, 0);
      return;
    }
    filter_failed_ = !keep_error(token, [&] {
      if (job_.filter) has_more_ = job_.filter(token.parsed, token.is_end, token.input);
      token.input.first_row = rows_;
      rows_ += token.input.rows;
      if (job_.lines) keep_lines(token.input, *job_.lines);
    });
  }

  // Computes in any order.
  void compute(Token& token) {
    if (token.error) return;
    token.printed.clear();
    if (token.input.rows == 0) return;
    keep_error(token, [&] {
      with_place(token.input, [&] { token.work.compute(token.input, token.printed); });
    });
  }

  // Finishes in order.
  void finish(Token& token) {
    if (token.error) std::rethrow_exception(token.error);
    throw_if_interrupted();
    if (token.input.rows > 0) {
      with_place(token.input, [&] { token.work.in_order(token.input); });
      write_header_once();
    }
    write(token.printed, token.input.rows);
    if (token.is_read) done_.bytes += token.text.size();
    done_.rows += token.input.rows;
    if (job_.progress) job_.progress(done_);
  }

  // Held back until the first block is good, so that a bad input leaves standard output empty.
  void write_header_once() {
    if (header_is_written_ || !job_.output) return;
    std::string header;
    job_.print_header(header);
    write(header, 0);
    header_is_written_ = true;
  }

  /// Does the work; false if it throws.
  template <class Work>
  static bool keep_error(Token& token, const Work& work) {
    try {
      work();
    } catch (...) {
      token.error = std::current_exception();
    }
    return !token.error;
  }

  template <class Work>
  void with_place(const Table& rows, const Work& work) const {
    try {
      work();
    } catch (const NotFinite& error) {
      if (job_.file.empty()) throw;
      throw NumericsError(job_.file + ":" + std::to_string(rows.lines[error.row()]) + ": " +
                          error.what());
    }
  }

  void write(const std::string& bytes, std::size_t rows) {
    if (job_.output) job_.output->write(bytes);
    if (!job_.written) return;
    job_.written->digest.add(bytes);
    job_.written->count += rows;
  }

  /// Works until all is done or has failed; in several threads at once.
  void work() {
    std::unique_lock lock(mutex_);
    while (!error_ && !(is_at_end_ && first_ == end_)) {
      if (Token* const token = ready()) {
        pass(*token, lock);
      } else if (!is_at_end_ && !is_reading_ && end_ - first_ < tokens_.size()) {
        read_next(lock);
      } else {
        changed_.wait(lock);
        continue;
      }
      changed_.notify_all();
    }
  }

  Token& token_of(std::size_t block) { return tokens_[block % tokens_.size()]; }

  /// The earliest block whose next stage may begin, or null.
  Token* ready() {
    for (std::size_t block = first_; block < end_; ++block) {
      Token& token = token_of(block);
      const bool waits = (token.next == Stage::filter && block != filtered_) ||
                         (token.next == Stage::finish && block != first_);
      if (!token.is_taken && !waits) return &token;
    }
    return nullptr;
  }

  void pass(Token& token, std::unique_lock<std::mutex>& lock) {
    const Stage stage = token.next;
    token.is_taken = true;
    lock.unlock();
    std::exception_ptr error;
    try {
      (this->*stages.at(static_cast<std::size_t>(stage)))(token);
    } catch (...) {
      error = std::current_exception();
    }
    lock.lock();
    token.is_taken = false;
    if (error) error_ = error;
    if (stage == Stage::finish) {
      ++first_;
      return;
    }
    token.next = static_cast<Stage>(static_cast<int>(stage) + 1);
    if (stage == Stage::filter) {
      ++filtered_;
      // The filter has rows to pass on after all is read.
      if (has_more_ && !filter_failed_) is_at_end_ = false;
    }
  }

  /// The end of the file may be read before the filter has more: then it is no end.
  void read_next(std::unique_lock<std::mutex>& lock) {
    Token& token = token_of(end_);
    const std::size_t before = filtered_;
    is_reading_ = true;
    lock.unlock();
    const bool is_there = read(token);
    lock.lock();
    is_reading_ = false;
    token.next = Stage::parse;
    if (is_there) {
      ++end_;
    } else {
      is_at_end_ = filtered_ == before;
    }
  }

  static constexpr std::array stages{&Pipeline::parse, &Pipeline::filter, &Pipeline::compute,
                                     &Pipeline::finish};
  TableSource& reader_;
  const TablePlan& plan_;
  const BlockJobFrame& job_;
  const MakeWork& make_work_;
  Progress done_;
  std::size_t rows_;  // before the next one that the filter passes on
  bool failed_ = false;
  bool end_is_read_ = false;
  std::atomic<bool> has_more_ =
      false;  // as the filter reports, some blocks after those that are read
  bool filter_failed_ = false;
  bool header_is_written_ = false;

  std::vector<Token> tokens_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t first_ = 0, filtered_ = 0, end_ = 0;  // blocks finished, filtered, read
  bool is_reading_ = false, is_at_end_ = false;
  std::exception_ptr error_;
};

}  // namespace

Progress run_blocks(TableSource& reader, const TablePlan& plan, const BlockJobFrame& job,
                    const std::function<BlockWork()>& make_work) {
  const unsigned threads = or_all_cores(job.threads);
  return Pipeline(reader, plan, job, make_work, threads == 1 ? 1 : std::size_t{2} * threads)
      .run(threads);
}

}  // namespace armdyn

#include "io/table/block_pipeline.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <armdyn/error.hpp>

#include "io/file/interrupt.hpp"

namespace armdyn {
namespace {

/// Marks what one thread leaves and another takes up, main before the first and after the last.
/// oneTBB orders them by atomics inside its library; this says so where the thread sanitizer sees
/// it.
class HandOver {
 public:
  HandOver() { leave(); }
  ~HandOver() { take(); }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  void take() const { (void)left_.load(std::memory_order_acquire); }
  void leave() { left_.fetch_add(1, std::memory_order_release); }

 private:
  std::atomic<std::size_t> left_ = 0;
};

/// A thread's turn with what is handed over.
class Turn {
 public:
  explicit Turn(HandOver& of) : of_(of) { of_.take(); }
  ~Turn() { of_.leave(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  HandOver& of_;
};

// One block on its way, with all the memory that it needs, to be used again for a later block.
struct Token {
  RawBlock text;
  bool is_read = false;  // else the filter hands on what it holds back
  bool is_end = false;   // there is nothing to read any more
  Table parsed;
  Table input;
  std::string printed;
  std::unique_ptr<BlockWork> work;
  std::exception_ptr error;  // kept until all earlier blocks are through
  HandOver from_stage_to_stage;
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

class BlockRun {
 public:
  using MakeWork = std::function<std::unique_ptr<BlockWork>()>;

  BlockRun(TableSource& reader, const TablePlan& plan, const BlockJobFrame& job,
           const MakeWork& make_work)
      : reader_(reader),
        plan_(plan),
        job_(job),
        make_work_(make_work),
        rows_(static_cast<std::size_t>(job.first_row)) {}

  // In order. False if there is nothing more; an error is more.
  bool read(Token& token) {
    if (failed_) return false;
    token.error = nullptr;
    try {
      throw_if_interrupted();
      token.is_read = token.is_end = false;
      if (!has_more_.load(std::memory_order_relaxed)) {
        if (end_is_read_) return false;
        token.is_read = reader_.next(token.text);
        end_is_read_ = token.is_end = !token.is_read;
        if (token.is_end && !job_.filter) return false;
      }
      if (!token.work) token.work = make_work_();
    } catch (...) {
      token.error = std::current_exception();
      failed_ = true;
    }
    return true;
  }

  // In any order.
  void parse(Token& token) const {
    if (token.error) return;
    try {
      if (!token.is_read) {
        token.parsed.resize(plan_.columns.size(), 0);
        token.parsed.lines.clear();
        token.parsed.left_out.clear();
      } else {
        reader_.parse(token.text, plan_, job_.filter ? token.parsed : token.input);
      }
    } catch (...) {
      token.error = std::current_exception();
    }
  }

  // In order.
  void filter(Token& token) {
    filter_failed_ = filter_failed_ || token.error;
    if (filter_failed_) {  // the error is on its way, and nothing after it counts
      token.input.resize(0, 0);
      return;
    }
    try {
      if (job_.filter) has_more_ = job_.filter(token.parsed, token.is_end, token.input);
      token.input.first_row = rows_;
      rows_ += token.input.rows;
      if (job_.lines) keep_lines(token.input, *job_.lines);
    } catch (...) {
      token.error = std::current_exception();
      filter_failed_ = true;
    }
  }

  // Whether the filter has rows to hand on after all is read.
  [[nodiscard]] bool has_more() const { return has_more_ && !filter_failed_; }

  // In any order.
  void compute(Token& token) const {
    if (token.error) return;
    try {
      token.printed.clear();
      if (token.input.rows == 0) return;
      token.work->compute(token.input, token.printed);
    } catch (...) {
      token.error = std::current_exception();
    }
  }

  // In order.
  void finish(const Token& token) {
    if (token.error) std::rethrow_exception(token.error);
    throw_if_interrupted();
    if (token.input.rows > 0) {
      token.work->in_order(token.input);
      write_header_once();
    }
    write(token.printed, token.input.rows);
    if (token.is_read) done_.bytes += token.text.text().size();
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

  [[nodiscard]] const Progress& done() const { return done_; }

 private:
  void write(const std::string& bytes, std::size_t rows) {
    if (job_.output) job_.output->write(bytes);
    if (!job_.written) return;
    job_.written->digest.add(bytes);
    job_.written->count += rows;
  }

  TableSource& reader_;
  const TablePlan& plan_;
  const BlockJobFrame& job_;
  const MakeWork& make_work_;
  Progress done_;
  std::size_t rows_;  // before the next one that the filter hands on
  bool failed_ = false;
  bool end_is_read_ = false;
  std::atomic<bool> has_more_ = false;  // as the filter says, some blocks after those that are read
  bool filter_failed_ = false;
  bool header_is_written_ = false;
};

void run_alone(BlockRun& run) {
  Token token;
  while (run.read(token)) {
    run.parse(token);
    run.filter(token);
    run.compute(token);
    run.finish(token);
  }
}

void run_in_threads(BlockRun& run, unsigned threads) {
  namespace tbb = oneapi::tbb;
  // Blocks start and end in order, so that a token's turn comes again only after its last block.
  std::vector<Token> tokens(std::size_t{2} * threads);
  std::size_t blocks_read = 0;
  HandOver reading, filtering, finishing;  // from block to block
  const auto read = [&](tbb::flow_control& flow) -> Token* {
    const Turn order(reading);
    Token& token = tokens[blocks_read % tokens.size()];
    const Turn turn(token.from_stage_to_stage);
    if (!run.read(token)) {
      flow.stop();
      return nullptr;
    }
    ++blocks_read;
    return &token;
  };
  const auto parse = [&](Token* token) {
    const Turn turn(token->from_stage_to_stage);
    run.parse(*token);
    return token;
  };
  const auto filter = [&](Token* token) {
    const Turn order(filtering), turn(token->from_stage_to_stage);
    run.filter(*token);
    return token;
  };
  const auto compute = [&](Token* token) {
    const Turn turn(token->from_stage_to_stage);
    run.compute(*token);
    return token;
  };
  const auto finish = [&](Token* token) {
    const Turn order(finishing), turn(token->from_stage_to_stage);
    run.finish(*token);
  };

  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  const auto run_all = [&] {
    tbb::parallel_pipeline(
        tokens.size(),
        tbb::make_filter<void, Token*>(tbb::filter_mode::serial_in_order, read) &
            tbb::make_filter<Token*, Token*>(tbb::filter_mode::parallel, parse) &
            tbb::make_filter<Token*, Token*>(tbb::filter_mode::serial_in_order, filter) &
            tbb::make_filter<Token*, Token*>(tbb::filter_mode::parallel, compute) &
            tbb::make_filter<Token*, void>(tbb::filter_mode::serial_in_order, finish));
  };
  try {
    do {  // read again, as the end of the file may have been read before the filter had more
      arena.execute(run_all);
    } while (run.has_more());
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {  // the system gave no thread
    if (blocks_read > 0) throw NumericsError(error.what() + std::string("; give --threads 1"));
    run_alone(run);
  }
}

}  // namespace

Progress run_blocks(TableSource& reader, const TablePlan& plan, const BlockJobFrame& job,
                    const std::function<std::unique_ptr<BlockWork>()>& make_work) {
  const auto cores = static_cast<unsigned>(oneapi::tbb::info::default_concurrency());
  const unsigned threads = job.threads == 0 ? cores : job.threads;
  BlockRun run(reader, plan, job, make_work);
  if (threads == 1) {
    run_alone(run);
  } else {
    run_in_threads(run, threads);
  }
  run.write_header_once();
  return run.done();
}

}  // namespace armdyn

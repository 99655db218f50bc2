#include "cli/options/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

#include "cli/options/verb_frame.hpp"

namespace armdyn {

const RobotFile& Run::robot(const std::vector<NamedText>& positions) {
  if (!robot_) robot_ = open_robot(positions);
  return *robot_;
}

LogReader& Run::log(const std::string& motion, const LogOptions& options,
                    const std::vector<Quantity>& also, const Rates& needed) {
  LogReader& reader =
      logs_.emplace_back(options, open(motion, options.topics), robot().robot, also, needed);
  recognized(reader.input().name(), reader.plan());
  return reader;
}

RowReader& Run::reader(const std::string& argument, const std::vector<std::string>& topics,
                       const std::vector<WantedGroup>& groups, const ColumnOptions& columns,
                       HeaderLine header) {
  RowReader& reader =
      readers_.emplace_back(open(argument, topics), robot().robot, groups, columns, header);
  recognized(reader.input().name(), reader.plan());
  return reader;
}

void Run::recognized(const std::string& name, const ColumnPlan& plan) {
  remark(recognized_line(name, plan.recognized));
}

void Run::throw_if_interrupted() const {
  armdyn::throw_if_interrupted();
}

void Run::begin(LogReader& log, BlockJobFrame& job) {
  show_progress_of(job, log.input().size());
}

void Run::begin(TableSource& /*table*/, BlockJobFrame& job, std::optional<std::uintmax_t> total,
                const std::function<Json()>& /*input*/) {
  show_progress_of(job, total);
}

void Run::show_progress_of(BlockJobFrame& job, std::optional<std::uintmax_t> total) {
  job.threads = job.made ? 1 : output_.threads;
  job.progress = [this, total](const Progress& done) {
    show_progress(total, done.bytes > 0 ? done.bytes : done.rows, done.rows);
  };
}

const NamedOutput* Run::place(const std::string& option) const {
  const auto found = std::ranges::find(outputs_, option, &NamedOutput::option);
  const bool is_there = found != outputs_.end() && !(found->is_optional && found->path->empty());
  return is_there ? &*found : nullptr;
}

std::string Run::has_no_rows(const std::string& what) const {
  if (!output_.part) return "the " + what + " has a header but no rows";
  return fmt::format("part {} of {} has no rows; there are fewer than parts", output_.part->number,
                     output_.part->of);
}

Document Run::document() {
  if (robot_options_ != nullptr) return answer_frame(robot(), *robot_options_, output_);
  Document answer;
  answer.add("version", Json(ARMDYN_VERSION));
  return answer;
}

void Run::do_all(const std::vector<std::function<void()>>& jobs) const {
  if (jobs.empty()) return;
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t job = next++; job < jobs.size(); job = next++) {
      try {
        jobs[job]();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!error) error = std::current_exception();
        next = jobs.size();
      }
    }
  };
  const std::size_t most = jobs.size();
  in_threads(static_cast<unsigned>(std::min<std::size_t>(or_all_cores(output_.threads), most)),
             work);
  if (error) std::rethrow_exception(error);
}

}  // namespace armdyn

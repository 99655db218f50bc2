#include "cli/simulate/torque_files.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cli/options/verb_frame.hpp"
#include "io/file/interrupt.hpp"
#include "io/text/number_text.hpp"
#include "log/log_reader.hpp"
#include "report/say.hpp"

namespace armdyn {

std::unique_ptr<TorqueInput> torques_of(std::shared_ptr<const TorqueFile> file,
                                        Interpolation interpolation) {
  const auto next = [file = std::move(file), row = std::size_t{0}](TorqueSample& sample) mutable {
    if (row == file->samples.size()) return false;
    sample = file->samples[row++];
    return true;
  };
  return std::make_unique<SampledTorque>(next, interpolation);
}

std::shared_ptr<const TorqueFile> TorqueFiles::get(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::weak_ptr<const TorqueFile>& known = files_[path];
  std::shared_ptr<const TorqueFile> file = known.lock();
  if (file) return file;
  std::erase_if(files_,
                [&](const auto& entry) { return entry.second.expired() && entry.first != path; });
  file = read(path);
  files_[path] = file;
  return file;
}

std::string TorqueFiles::recognised() {
  const std::lock_guard lock(mutex_);
  if (recognised_.empty()) return "";
  const auto& [file, text] = *recognised_.begin();
  const std::size_t others = recognised_.size() - 1;
  const std::string like_it =
      others == 0 ? "" : "; likewise " + counted(others, "more torque file");
  return recognised_line(file, text + like_it);
}

std::shared_ptr<const TorqueFile> TorqueFiles::read(const std::string& path) {
  const auto file = std::make_shared<TorqueFile>();
  TorqueRows rows(find_motion(path), robot_, extra_, topics_);
  if (!rows.plan().recognised.empty()) recognised_[rows.file().name()] = rows.plan().recognised;
  for (TorqueSample sample; rows.next(sample);) file->samples.push_back(sample);
  throw_if_interrupted();  // which ends the rows as well
  file->has_wrench = rows.has_wrench();
  file->first_q = rows.first_q();
  file->first_qd = rows.first_qd();
  return file;
}

namespace {

/// With the time between states for its step.
SimulationOptions state_to_state(SimulationOptions options) {
  options.step *= static_cast<double>(options.every);
  return options;
}

}  // namespace

StepwiseTorque::StepwiseTorque(const SimulateOptions& options, const Robot& robot)
    : options_(options), robot_(robot), ends_(state_to_state(options.simulation)) {
  held_.tau.resize(robot.dof());
}

bool StepwiseTorque::read(double t) {
  try {
    if (!rows_) {
      rows_.emplace(find_motion(options_.torques), robot_,
                    options_.ignore_extra ? ExtraColumns::ignore : ExtraColumns::refuse,
                    options_.topics, Need::optional);
      print_recognised(rows_->file().name(), rows_->plan(), options_.output);
    }
    return rows_->next(held_, t);
  } catch (const Interrupted&) {
    return false;  // the simulation finds out
  }
}

double StepwiseTorque::begin_stretch(double t, std::span<const double> q,
                                     std::span<const double> qd) {
  send_(t, q, qd);
  return read(t) && t < ends_.end() ? ends_.next(t, forever) : forever;
}

void StepwiseTorque::evaluate(double /*t*/, std::span<const double> /*q*/,
                              std::span<const double> /*qd*/, std::span<double> tau, Wrench& hand) {
  std::ranges::copy(held_.tau, tau.begin());
  hand = held_.hand;
}

}  // namespace armdyn

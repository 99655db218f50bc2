#pragma once

// Torques over time that several simulations share.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/options/common_options.hpp"
#include "cli/simulate/options.hpp"
#include "log/columns.hpp"
#include "log/log_reader.hpp"
#include "simulation/step.hpp"

namespace armdyn {

/// All rows of one file.
struct TorqueFile {
  std::vector<TorqueSample> samples;  ///< at least one
  bool has_wrench = false;
  std::optional<std::vector<double>> first_q, first_qd;  ///< where there are such columns
};

/// A file's torques anew, from the first.
[[nodiscard]] std::unique_ptr<TorqueInput> torques_of(std::shared_ptr<const TorqueFile> file,
                                                      Interpolation interpolation);

/// Files by their paths, each in memory once, as long as somebody uses it. For any thread.
class TorqueFiles {
 public:
  /// With the topics that are read of bags.
  TorqueFiles(const Robot& robot, ExtraColumns extra, std::vector<std::string> topics)
      : robot_(robot), extra_(extra), topics_(std::move(topics)) {}

  /// Throws as TorqueRows.
  [[nodiscard]] std::shared_ptr<const TorqueFile> get(const std::string& path);

  /// As what the columns of the files so far were recognised: a line for the user about the first
  /// by name, which counts the others; or nothing.
  [[nodiscard]] std::string recognised();

 private:
  [[nodiscard]] std::shared_ptr<const TorqueFile> read(const std::string& path);

  const Robot& robot_;
  ExtraColumns extra_;
  std::vector<std::string> topics_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const TorqueFile>> files_;
  std::map<std::string, std::string> recognised_;  ///< by the file's name, where it is to be said
};

// Torques of a controller in the loop.

/// Sends each state, and then waits for a row of torques, which is held up to the next one; the
/// input is not touched before the first state has been sent. The last state, at the end of the
/// duration, is answered too. Ends with its rows.
class StepwiseTorque final : public TorqueInput {
 public:
  using Sink = std::function<void(double t, std::span<const double> q, std::span<const double> qd)>;

  /// Both must outlive it.
  StepwiseTorque(const SimulateOptions& options, const Robot& robot);
  /// To be called before the simulation begins.
  void set_sink(Sink send) { send_ = std::move(send); }

  double begin_stretch(double t, std::span<const double> q, std::span<const double> qd) override;
  void evaluate(double t, std::span<const double> q, std::span<const double> qd,
                std::span<double> tau, Wrench& hand) override;

 private:
  bool read(double t);

  const SimulateOptions& options_;
  const Robot& robot_;
  StepEnds ends_;
  Sink send_;
  std::optional<TorqueRows> rows_;
  TorqueSample held_;
};

}  // namespace armdyn

#pragma once

// What the many simulations of a batch have come to.

#include <armdyn/robot.hpp>
#include <armdyn/simulation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/simulate/batch_runs.hpp"
#include "io/table/table.hpp"
#include "report/column_figures.hpp"
#include "report/document.hpp"
#include "report/say.hpp"

namespace armdyn {

class BatchSummary {
 public:
  /// `file`: of the runs, where their lines can be named; else empty.
  BatchSummary(const Robot& robot, std::string file);

  /// Groups in their order.
  void add(const Table& group, const BatchOutcomes& runs);
  void use(const SimulationOptions& used) { used_ = used; }

  /// All of it for another summary of the same robot; and the runs behind those of this one, from
  /// there. Numbers keep their bits.
  [[nodiscard]] Json state() const;
  void append(const Json& state);

  [[nodiscard]] std::size_t runs() const { return runs_; }
  /// `failed` where the numerics of a run did, else `no` where one ended at a limit.
  [[nodiscard]] Ending ending() const;

  [[nodiscard]] Sections sections() const;
  /// Runs that failed, steps that are too long for the arm, torques that were held.
  [[nodiscard]] std::vector<std::string> remarks() const;
  /// "the 12 runs that had ended are kept".
  [[nodiscard]] std::string kept_runs() const;

 private:
  struct JointRecord {
    Bounds q, qd;  ///< at the end, of runs that did not fail
    std::size_t at_limit = 0;
  };
  struct Failure {
    double run = 0.0;
    std::size_t line = 0;
    std::string message;
  };
  struct Imbalance {
    double run = 0.0, value = 0.0;
  };

  [[nodiscard]] Fields head() const;
  [[nodiscard]] Fields ends() const;
  [[nodiscard]] std::vector<Fields> joints() const;
  [[nodiscard]] Fields imbalance() const;
  [[nodiscard]] std::string name_of(const Failure& failure) const;

  const Robot& robot_;
  std::string file_;
  SimulationOptions used_;
  std::vector<JointRecord> joints_;
  std::size_t runs_ = 0, at_limit_ = 0, failed_ = 0, coarse_ = 0, held_ = 0;
  std::uintmax_t steps_ = 0;
  std::optional<CoarseStep> coarsest_;
  std::vector<Failure> failures_;  ///< the first ones
  Imbalance largest_;
};

}  // namespace armdyn

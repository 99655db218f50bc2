// armdyn inspect over a motion: terms of the equations of motion, row by row.

#include <armdyn/inverse_dynamics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/inspect/options.hpp"
#include "cli/options/adjustable_rows.hpp"
#include "cli/options/picture.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_answers.hpp"
#include "dynamics/states.hpp"
#include "log/row_writer.hpp"
#include "math/finite.hpp"
#include "math/linear_algebra.hpp"
#include "math/rigid.hpp"
#include "model/mechanism.hpp"
#include "report/joint_words.hpp"

namespace armdyn {

namespace {

using Row = std::vector<double>;

std::vector<TaskRow> task_rows(const InspectOptions& options) {
  return options.rows.empty() ? all_task_rows() : options.rows;
}

void add(Row& row, std::span<const double> values) {
  append(row, values);
}
void add(Row& row, const Matrix& A) {
  add(row, A.entries());
}
void add(Row& row, double value) {
  row.push_back(value);
}

/// The terms of one row at a time.
class RowTerms {
 public:
  RowTerms(const Arm& arm, const ColumnPlan& plan, const InspectOptions& options)
      : arm_(arm),
        dynamics_(arm),
        rows_(task_rows(options)),
        axes_(jacobian_axes(options)),
        point_(options.point),
        has_qd_(plan.has(Quantity::velocity)),
        row_(motion_columns(plan), arm.dof()) {}

  void read(const Table& table, std::size_t row) {
    row_.read(table, row);
    equations_.reset();
    cartesian_.reset();
  }

  [[nodiscard]] Row tcp() {
    const auto [R, p] = pose(arm_, q()).tcp;
    Row row;
    add(row, coordinates(p));
    if (has_qd_) add(row, plain_vector(eigen(J()) * eigen(qd())));  // v and ω
    for (const Vec3& axes : {R.row_x, R.row_y, R.row_z}) add(row, coordinates(axes));
    return row;
  }
  Matrix J() { return jacobian(arm_, q(), axes_); }
  Matrix Jdot() { return jacobian_rate(arm_, q(), qd(), axes_); }
  /// Below one another, with zeros for joints behind a link.
  Row link_jacobians() {
    require_serial(arm_, "link_jacobians");
    Row rows;
    for (const Matrix& J : armdyn::link_jacobians<double>(arm_, q(), point_, axes_)) {
      for (std::size_t i = 0; i < J.rows(); ++i) {
        add(rows, J.row(i));
        rows.resize(rows.size() + arm_.dof() - J.columns());
      }
    }
    return rows;
  }
  Row Mx() { return cartesian_row(rows_.size() * rows_.size(), &CartesianTerms::Mx); }
  Row Vx() { return cartesian_row(rows_.size(), &CartesianTerms::Vx); }
  Row Gx() { return cartesian_row(rows_.size(), &CartesianTerms::Gx); }
  double manipulability() { return dexterity(select_rows(J(), rows_)).manipulability; }
  /// NaN, an empty cell, where J is singular.
  double condition() {
    const double condition = dexterity(select_rows(J(), rows_)).condition;
    return std::isfinite(condition) ? condition : std::numeric_limits<double>::quiet_NaN();
  }
  Matrix M() { return mass_matrix(arm_, q()); }
  Matrix M_links() { return equations().M_links; }
  Matrix C() { return equations().C; }
  double kinetic() { return equations().kinetic; }
  double potential() { return potential_energy(arm_, q()); }
  Row momentum() { return equations().momentum; }
  Row V() { return torques().first; }
  Row G() { return torques().second; }
  Row tau() {
    Row tau(arm_.dof());
    dynamics_.torque(row_.state(), row_.wrench(), tau);
    return tau;
  }

 private:
  [[nodiscard]] std::span<const double> q() const { return row_.state().q; }
  [[nodiscard]] std::span<const double> qd() const { return row_.state().qd; }

  /// NaN, empty cells, where J is singular.
  Row cartesian_row(std::size_t size, const auto& term) {
    const Row at_rest(arm_.dof());
    if (!cartesian_) cartesian_ = cartesian(arm_, q(), has_qd_ ? qd() : at_rest, rows_, axes_);
    if (!cartesian_->terms) return Row(size, std::numeric_limits<double>::quiet_NaN());
    Row row;
    add(row, std::invoke(term, *cartesian_->terms));
    return row;
  }

  const Equations& equations() {
    if (!equations_) equations_ = armdyn::equations(arm_, q(), qd());
    return *equations_;
  }
  /// V and G.
  std::pair<Row, Row> torques() {
    Row V(arm_.dof()), G = V, others = V;
    dynamics_.terms(row_.state(), {}, {others, V, G, others, others, others});
    return {V, G};
  }

  const Arm& arm_;
  InverseDynamics dynamics_;
  std::vector<TaskRow> rows_;
  TaskAxes axes_;
  LinkPoint point_;
  bool has_qd_;
  MotionRow row_;
  std::optional<Equations> equations_;
  std::optional<Cartesian> cartesian_;
};

/// A part that `--what` offers for each row.
struct MotionPart {
  const char* key;                         ///< as in the answer about one state
  std::vector<Quantity> columns;           ///< of the part
  void (*append)(RowTerms& at, Row& row);  ///< appends the numbers of those columns
  bool needs_qd = false, needs_qdd = false;
  bool is_of_rows = false;      ///< its columns are of the task's rows, not of joints
  bool may_be_unknown = false;  ///< where J is singular
};

template <auto term>
void append(RowTerms& at, Row& row) {
  add(row, (at.*term)());
}

const std::vector<MotionPart>& motion_parts() {
  using enum Quantity;
  static const std::vector<MotionPart> parts{
      {"T", {tcp_position, tcp_twist, tcp_axes}, append<&RowTerms::tcp>},
      {"J", {jacobian}, append<&RowTerms::J>},
      {"Jdot", {jacobian_rate}, append<&RowTerms::Jdot>, true},
      {"manipulability", {manipulability}, append<&RowTerms::manipulability>},
      {"condition", {condition}, append<&RowTerms::condition>, false, false, false, true},
      {"link_jacobians", {link_jacobians}, append<&RowTerms::link_jacobians>},
      {"Mx", {task_mass_matrix}, append<&RowTerms::Mx>, false, false, true, true},
      {"Vx", {task_velocity_force}, append<&RowTerms::Vx>, true, false, true, true},
      {"Gx", {task_gravity_force}, append<&RowTerms::Gx>, false, false, true, true},
      {"M", {mass_matrix}, append<&RowTerms::M>},
      {"M_links", {links_mass_matrix}, append<&RowTerms::M_links>},
      {"V", {velocity_torque}, append<&RowTerms::V>, true},
      {"G", {gravity_torque}, append<&RowTerms::G>},
      {"C", {coriolis_matrix}, append<&RowTerms::C>, true},
      {"kinetic", {kinetic_energy}, append<&RowTerms::kinetic>, true},
      {"potential", {potential_energy}, append<&RowTerms::potential>},
      {"momentum", {momentum}, append<&RowTerms::momentum>, true},
      {"tau", {torque}, append<&RowTerms::tau>, true, true}};
  return parts;
}

using Parts = std::vector<const MotionPart*>;

Parts chosen_parts(const std::vector<std::string>& keys) {
  return each(keys, [](const std::string& key) {
    return &*std::ranges::find(motion_parts(), key, &MotionPart::key);
  });
}

/// Throws UsageError where Cartesian terms have more rows than the arm has joints.
void refuse_task(const Parts& parts, const InspectOptions& options, std::size_t dof) {
  refuse_if(std::ranges::any_of(parts, &MotionPart::is_of_rows) && task_rows(options).size() > dof,
            "--what: Mx, Vx and Gx need at most as many task rows as the arm has joints, here {}; "
            "choose them with --task-rows vx,vy,...",
            dof);
}

BlockWriter<Columns> output_columns(const Parts& parts, const ColumnPlan& plan, const Robot& robot,
                                    std::size_t rows, ByteSink& output) {
  BlockWriter<Columns> writer(output, &robot);
  const std::size_t dof = robot.dof();
  if (plan.has(Quantity::time)) writer.add(Quantity::time, dof, *plan.first(Quantity::time));
  std::size_t first = 0;
  for (const MotionPart* const part : parts) {
    if (part->may_be_unknown) writer.allow_unknown();
    std::vector<Quantity> groups = part->columns;
    // Velocities are there only where MOTION has qd.
    if (!plan.has(Quantity::velocity)) std::erase(groups, Quantity::tcp_twist);
    first = writer.add_groups(part->is_of_rows ? rows : dof, groups, std::identity(), first);
  }
  return writer;
}

/// Computes the parts for the rows of a block.
void compute(RowTerms& terms, const Parts& parts, const Table& input, Columns& result) {
  Row row;
  for (std::size_t i = 0; i < input.rows; ++i) {
    row.clear();
    call_for(i, [&](std::size_t) {
      terms.read(input, i);
      for (const MotionPart* const part : parts) {
        const std::size_t begin = row.size();
        part->append(terms, row);
        if (part->may_be_unknown) continue;
        if (all_finite(std::span(row).subspan(begin))) continue;
        throw NotFinite(fmt::format(
            "{} is not a finite number: q, qd or a number of the robot file is too large",
            part->key));
      }
    });
    if (i == 0) resize(result, row.size(), input.rows);
    for (std::size_t k = 0; k < row.size(); ++k) result[k][i] = row[k];
  }
}

/// The rows that went by: how many, their times, and the arm's way where somebody looks.
class RowsSeen {
 public:
  RowsSeen(const ColumnPlan& plan, const Robot& robot, bool wants_arm)
      : plan_(plan), row_(motion_columns(plan), robot.dof()), q_(wants_arm ? robot.dof() : 0) {
    const bool has_all = plan.has(Quantity::velocity) && plan.has(Quantity::acceleration);
    if (wants_arm && has_all && plan.has(Quantity::time)) adjustable_.emplace(robot);
  }

  void add(const Table& in) {
    count_ += in.rows;
    const auto time = plan_.first(Quantity::time);
    if (!time) return;
    for (std::size_t i = 0; adjustable_ && i < in.rows; ++i) {
      row_.read(in, i);
      adjustable_->add(in.column(*time)[i], row_.state(), row_.wrench());
    }
    if (!first_) first_ = in.column(*time).front();
    last_ = in.column(*time).back();
    for_each_stretch(
        in.breaks, in.rows,
        [&](std::size_t from, std::size_t end) {
          const auto stretch = [&](std::size_t column) {
            return in.column(column).subspan(from, end - from);
          };
          for (std::size_t i = 0; i < q_.size(); ++i) {
            q_[i].append(stretch(*time), stretch(*plan_.first(Quantity::position) + i));
          }
        },
        [&] {
          for (ThinnedSeries& one : q_) one.break_off();
        });
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] Value moments() const { return first_ ? Value::moments(*first_, last_) : Value{}; }
  [[nodiscard]] std::vector<Curve> q() const {
    return first_ ? curves_of(q_) : std::vector<Curve>{};
  }
  [[nodiscard]] std::optional<AdjustableTorque> adjustable() {
    if (!adjustable_) return {};
    return adjustable_->finish(plan_.has(Quantity::contact_wrench));
  }

 private:
  const ColumnPlan& plan_;
  MotionRow row_;
  std::size_t count_ = 0;
  std::optional<double> first_;
  double last_ = 0.0;
  std::vector<ThinnedSeries> q_;
  std::optional<AdjustableRows> adjustable_;
};

}  // namespace

std::vector<std::string> motion_part_keys() {
  return each(motion_parts(), [](const MotionPart& part) { return std::string(part.key); });
}

Answer inspect_motion(const InspectOptions& options, Run& run) {
  const Robot& robot = run.robot().robot;
  const Arm arm = normalize(robot);
  const Parts parts = chosen_parts(options.what);
  LogReader& log = run.log(options.motion, options.log, {Quantity::contact_wrench},
                           {std::ranges::any_of(parts, &MotionPart::needs_qd),
                            std::ranges::any_of(parts, &MotionPart::needs_qdd)});
  refuse_task(parts, options, arm.dof());
  const BlockWriter<Columns> writer =
      output_columns(parts, log.plan(), robot, task_rows(options).size(), run.rows());
  RowsSeen seen(log.plan(), robot, run.wants_arm());

  BlockJob<Columns> job;
  writer.print(job);
  job.make_worker = [&] {
    return [&parts, terms = std::make_shared<RowTerms>(arm, log.plan(), options)](
               const Table& in, Columns& result) { compute(*terms, parts, in, result); };
  };
  job.in_order = [&](const Table& in, const Columns&) { seen.add(in); };
  run.blocks(log, job);

  const LogReport rows = log.report();
  Answer answer{run.document()};
  answer.document.add(log_sections(rows, robot));
  answer.document.add(rows_head(robot, seen.count(), seen.moments()));
  answer.document.warnings = log_warnings(rows);
  answer.document.views.q = seen.q();
  answer.document.views.adjustable = seen.adjustable();
  if (seen.count() == 0) {
    answer.document.warnings->emplace_back("the motion has a header but no rows");
  }
  return answer;
}

}  // namespace armdyn

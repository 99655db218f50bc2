#pragma once

#include <armdyn/robot_file.hpp>
#include <armdyn/simulation.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmu/variables.hpp"

namespace armdyn {

/// Receiver of messages of a unit.
using UnitLog = std::function<void(const std::string& message)>;

/// The variables of a unit with their values.
struct UnitValues : FmuVariables {
  using FmuVariables::FmuVariables;

  std::vector<double> now;

  /// Throws std::invalid_argument for the reference of no variable.
  [[nodiscard]] std::size_t place(std::uint32_t reference) const;
  [[nodiscard]] std::span<double> part(std::size_t first, std::size_t count) {
    return std::span(now).subspan(first, count);
  }
  [[nodiscard]] Vec3 vector(std::size_t first) const {
    return {now[first], now[first + 1], now[first + 2]};
  }
  void set_vector(std::size_t first, const Vec3& v);
  /// The robot with the parameters of now. Throws where they are wrong.
  [[nodiscard]] Robot with_parameters(Robot robot) const;
};

/// An instance of a Functional Mock-up Unit, whatever the version of the standard: variables by
/// reference, and a simulation that the importer advances; or, for model exchange, a state whose
/// derivatives the importer integrates. Errors are Error or std::logic_error.
class ArmUnit {
 public:
  /// The unit whose folder of resources has robot.yaml, of that token. Throws InputError or FileError
  /// where it is another's, and std::invalid_argument where its law is not smooth for an exchange.
  ArmUnit(const std::string& resources, std::string_view token, bool is_exchanged, UnitLog warn);

  void set_start_time(double t);
  /// Ends initialization: parameters stay from here on.
  void start();
  void terminate() { phase_ = Phase::terminated; }
  /// Returns to what it was when it was made.
  void reset();

  void get(std::span<const std::uint32_t> references, std::span<double> values);
  void set(std::span<const std::uint32_t> references, std::span<const double> values);

  /// Advances from t, where it must be, by h. False where a joint reached its limit, and the motion
  /// has ended; `warn` gets the reason.
  [[nodiscard]] bool step(double t, double h);
  [[nodiscard]] double time();
  [[nodiscard]] bool has_ended() { return simulation().limit().has_value(); }

  // Of model exchange: the state is q and q̇.
  [[nodiscard]] std::size_t number_of_states() const { return 2 * file_.robot.dof(); }
  void set_time(double t);
  void set_states(std::span<const double> states);
  void get_states(std::span<double> states);
  void get_state_derivatives(std::span<double> derivatives);

  /// ∂unknowns/∂knowns · seed: of outputs, with respect to inputs.
  void derivative(std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
                  std::span<const double> seed, std::span<double> result);

  /// All of the instance as numbers, and back.
  [[nodiscard]] std::vector<double> state();
  void set_state(std::span<const double> state);

 private:
  enum class Phase { initialization, running, terminated };

  /// The simulation with the parameters of now.
  SteppedSimulation& simulation();
  /// Numbers before those of the simulation in a state.
  [[nodiscard]] std::vector<double> settings() const;
  void hold_inputs();
  void require_exchange(std::size_t count) const;
  void find_outputs();

  UnitLog warn_;
  RobotFile file_;
  FmuKind kind_;
  bool is_exchanged_;
  UnitValues values_;
  std::vector<double> start_;  ///< of all variables
  Phase phase_ = Phase::initialization;
  double start_time_ = 0.0;
  std::optional<Arm> arm_;  ///< with the parameters, as the simulation is
  std::optional<SteppedSimulation> simulation_;
  bool has_outputs_ = false;  ///< values_ has those of the present state
  double advised_ = 0.0;      ///< step that a warning advised
};

}  // namespace armdyn

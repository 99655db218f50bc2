#pragma once

#include <armdyn/inverse_dynamics.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dynamics/arm_program.hpp"

namespace armdyn {

/// The torques τ of many arms on the same motion, in N·m or N, whose numbers are not quite those of
/// one arm, with the same kinds of joints: by a program whose inputs are the numbers that differ
/// too, with what follows from the motion alone, such as sines, computed once for all arms. An arm
/// that has a zero where others have none, such as a length or the cosine of an angle, gets its own
/// program. Results are those of BlockInverseDynamics for each arm, zeros' signs excepted; what is
/// not finite is not looked at. One object per thread.
class ArmsOnMotion {
 public:
  ArmsOnMotion(const Arm& one, HandInput hand);
  ~ArmsOnMotion();
  ArmsOnMotion(ArmsOnMotion&&) noexcept;
  ArmsOnMotion& operator=(ArmsOnMotion&&) noexcept;

  [[nodiscard]] std::size_t dof() const { return one_.dof(); }

  /// The arms of the next calls.
  void set_arms(std::vector<Arm> arms);

  /// Takes τ of an arm, by the place of the arm, on some rows of the motion, from `first` on; the
  /// columns are dof. The rows of an arm come in their order, and their number is a multiple of 8
  /// but for the motion's last. Arms of so many joints that the program would be too long have none.
  using Take = std::function<void(std::size_t arm, std::size_t first, std::size_t rows,
                                  std::span<const Column> tau)>;
  void torque(const MotionBlock& motion, const Take& take);

 private:
  class Family;

  Family& family_of(const Arm& arm, const std::vector<double>& numbers);

  Arm one_;
  HandInput hand_;
  bool is_too_long_ = false;  ///< an arm's program
  std::vector<Arm> arms_;
  std::vector<std::unique_ptr<Family>> families_;
};

}  // namespace armdyn

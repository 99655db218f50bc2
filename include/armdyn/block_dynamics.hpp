#pragma once

#include <armdyn/arm.hpp>
#include <armdyn/dynamics.hpp>
#include <armdyn/forward_dynamics.hpp>

#include <cstddef>
#include <memory>
#include <span>

namespace armdyn {

/// A column of a block: one number per sample. Blocks of any number of samples are allowed; from
/// some hundred on they take least time per sample.
using Column = const double*;
using ResultColumn = double*;

/// Samples that the machine takes at a time: blocks of so many, or of a multiple, waste nothing.
/// Throws as the classes below.
[[nodiscard]] std::size_t rows_at_a_time();

/// Many states of one arm, by columns, dof of each: rad or m, per s, per s².
struct MotionBlock {
  std::size_t rows = 0;
  std::span<const Column> q;
  std::span<const Column> qd;
  std::span<const Column> qdd;
  std::span<const Column> hand;  ///< fx, fy, fz, nx, ny, nz as in InverseDynamics; or no columns
};

/// Many states of one arm and the torques of its drives, by columns, dof of each: rad or m, per s,
/// N·m or N.
struct ForwardBlock {
  std::size_t rows = 0;
  std::span<const Column> q;
  std::span<const Column> qd;
  std::span<const Column> torque;
  std::span<const Column> hand;  ///< as in MotionBlock
};

/// InverseDynamics of many samples at once: the same torques to the last bit (zeros' signs
/// excepted), by a straight-line program for this arm on SIMD lanes. No result depends on the
/// machine's instruction set nor on how samples are grouped into blocks. One object per thread;
/// copies share the program. Throws std::invalid_argument where the number of columns is wrong,
/// NotFinite with the first sample of which a result is no finite number, and Error where the
/// environment variable ARMDYN_SIMD names what this machine does not have.
class BlockInverseDynamics {
 public:
  explicit BlockInverseDynamics(const Arm& arm, Method method = Method::newton_euler);
  BlockInverseDynamics(const BlockInverseDynamics& other);
  BlockInverseDynamics& operator=(const BlockInverseDynamics& other);
  BlockInverseDynamics(BlockInverseDynamics&&) noexcept;
  BlockInverseDynamics& operator=(BlockInverseDynamics&&) noexcept;
  ~BlockInverseDynamics();

  /// τ, dof columns; N·m or N. Result columns share no memory with the motion.
  void torque(const MotionBlock& motion, std::span<const ResultColumn> tau);

  /// The parts of τ in the order of TorqueTerms, dof columns each: inertia, velocity, gravity,
  /// friction, rotor, wrench.
  void terms(const MotionBlock& motion, std::span<const ResultColumn> parts);

  /// Joint wrenches as InverseDynamics::reactions, 6·dof columns: fx, fy, fz, nx, ny, nz of one
  /// joint after the other; N, N·m.
  void reactions(const MotionBlock& motion, std::span<const ResultColumn> wrenches);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

/// ForwardDynamics of many samples at once, as above. Throws NumericsError as ForwardDynamics does,
/// for the first sample that is at fault; NotFinite says which one.
class BlockForwardDynamics {
 public:
  explicit BlockForwardDynamics(const Arm& arm);  ///< by the fastest method
  BlockForwardDynamics(const Arm& arm, ForwardMethod method);
  BlockForwardDynamics(const BlockForwardDynamics& other);
  BlockForwardDynamics& operator=(const BlockForwardDynamics& other);
  BlockForwardDynamics(BlockForwardDynamics&&) noexcept;
  BlockForwardDynamics& operator=(BlockForwardDynamics&&) noexcept;
  ~BlockForwardDynamics();

  /// q̈, dof columns, friction and motor losses included; rad/s², m/s².
  void accelerations(const ForwardBlock& block, std::span<const ResultColumn> qdd);

  /// q̈ = M⁻¹(torque − V − G − Jᵀ·hand): the same without losses, as ForwardDynamics has it.
  void lossless_accelerations(const ForwardBlock& block, std::span<const ResultColumn> qdd);

  /// The lower triangle of M with rotors, dof·(dof + 1)/2 columns, row after row; kg·m², kg, kg·m.
  /// Reads q alone.
  void mass_matrix(const ForwardBlock& block, std::span<const ResultColumn> lower);

  /// V + G + Jᵀ·hand, dof columns; N·m or N. Reads q, qd and hand.
  void bias(const ForwardBlock& block, std::span<const ResultColumn> h);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace armdyn

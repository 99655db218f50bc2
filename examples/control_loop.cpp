// Computed torque, τ = M (q̈ + K_v ė + K_p e) + V + G, in a loop that allocates nothing.

#include <armdyn/forward_dynamics.hpp>
#include <armdyn/robot_file.hpp>

#include <cstdio>
#include <vector>

int main() {
  const armdyn::Arm arm = armdyn::normalize(armdyn::read_robot_file(ROBOTS "/ur5e.yaml").robot);
  armdyn::ForwardDynamics dynamics(arm);
  const std::size_t n = arm.dof();
  const double kp = 100, kv = 20, dt = 0.001;
  std::vector<double> q(n, 0.1), qd(n), qdd(n), M(n * n), h(n), tau(n);
  const std::vector<double> goal{0, -1, 1, 0, 0.5, 0};

  for (int step = 0; step < 2000; ++step) {
    dynamics.mass_matrix(q, M);
    dynamics.bias(q, qd, {}, h);
    for (std::size_t i = 0; i < n; ++i) {
      tau[i] = h[i];
      for (std::size_t j = 0; j < n; ++j)
        tau[i] += M[i * n + j] * (kp * (goal[j] - q[j]) - kv * qd[j]);
    }
    dynamics.acceleration(q, qd, tau, {}, qdd);  // the arm; here its model
    for (std::size_t i = 0; i < n; ++i) {
      qd[i] += qdd[i] * dt;
      q[i] += qd[i] * dt;
    }
  }
  for (std::size_t i = 0; i < n; ++i) std::printf("%.6f of %.6f rad\n", q[i], goal[i]);
}

/* Torques of a PUMA 560 by C that `armdyn equations puma560 --format c` wrote. */

#include <stdio.h>

void puma560_torque(const double q[6], const double qd[6], const double qdd[6], double tau[6]);

int main(void) {
  const double q[6] = {0, 0.7, -1, 0.2, 0.4, 0}, qd[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5},
               qdd[6] = {1, 1, 1, 1, 1, 1};
  double tau[6];
  puma560_torque(q, qd, qdd, tau);
  for (int i = 0; i < 6; ++i) printf("%.12g\n", tau[i]);
  return 0;
}

// Verbs of the command line as functions: the peak torques of a swing, and whether the ratings of the
// drives allow it

#include <armdyn/verb.hpp>

#include <cmath>
#include <cstdio>

int main() {
  const armdyn::RobotFile robot = armdyn::read_robot_file(ROBOTS "/two-link-rods.yaml");
  std::vector<double> t, q1, q2, qd1, qd2, qdd1, qdd2;
  for (int k = 0; k <= 200; ++k) {
    t.push_back(0.01 * k);
    q1.push_back(0.5 * std::sin(3.0 * t.back()));
    q2.push_back(0.8 * std::cos(3.0 * t.back()));
    qd1.push_back(1.5 * std::cos(3.0 * t.back()));
    qd2.push_back(-2.4 * std::sin(3.0 * t.back()));
    qdd1.push_back(-9.0 * q1.back());
    qdd2.push_back(-9.0 * q2.back());
  }
  const armdyn::NamedColumns motion{{"t", t},     {"q1", q1},     {"q2", q2},    {"qd1", qd1},
                                    {"qd2", qd2}, {"qdd1", qdd1}, {"qdd2", qdd2}};

  const armdyn::VerbAnswer torque = armdyn::call("torque", robot, {motion}, {{"bounds", true}});
  std::printf("tau1 at t = 0: %.6g N·m, error at most %.2g\n", torque.rows["tau1"][0],
              torque.rows["tau_error1"][0]);

  const armdyn::VerbAnswer size = armdyn::call("size", robot, {motion}, {{"safety", 1.2}});
  for (const armdyn::Json& joint : size.data["joints"].entries()) {
    std::printf("%s: peak %.4g\n", joint["name"].as_text().c_str(), joint["peak"].as<double>());
  }
}

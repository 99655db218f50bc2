#include <nlohmann/json.hpp>

#include "cli/inspect/inspection.hpp"
#include "cli/inspect/options.hpp"
#include "cli/options/verb_frame.hpp"
#include "report/json_text.hpp"

namespace armdyn {

namespace {

using Json = nlohmann::ordered_json;

Json list(const Vec3& v) {
  return {v.x, v.y, v.z};
}

Json rows(const Matrix& A) {
  Json result = Json::array();
  for (std::size_t i = 0; i < A.rows(); ++i) {
    const std::span<const double> row = A.row(i);
    result.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return result;
}

Json rows(const Transform& T) {
  const auto row = [](const Vec3& r, double p) { return Json{r.x, r.y, r.z, p}; };
  return {row(T.R.row_x, T.p.x), row(T.R.row_y, T.p.y), row(T.R.row_z, T.p.z),
          Json{0.0, 0.0, 0.0, 1.0}};
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json names(const std::vector<TaskRow>& rows) {
  Json list = Json::array();
  for (const TaskRow row : rows) list.push_back(name(row));
  return list;
}

void add_kinematics(Json& json, const Inspection& found) {
  json["frames"] = Json::array();
  for (const Transform& frame : found.pose.frames) json["frames"].push_back(rows(frame));
  json["T"] = rows(found.pose.hand);
  if (found.has_base) json["T_world"] = rows(found.pose.hand_in_world);
  json["J"] = rows(found.J);
  json["Jdot"] = rows(found.Jdot);
  json["manipulability"] = found.cartesian.dexterity.manipulability;
  json["condition"] = found.cartesian.dexterity.condition;  // infinite: null
}

void add_joint_space(Json& json, const Inspection& found) {
  const Equations& e = found.equations;
  json["M"] = rows(e.M);
  json["M_links"] = rows(e.M_links);
  json["V"] = e.V;
  json["G"] = e.G;
  json["C"] = rows(e.C);
  json["craig_B"] = rows(e.craig.B);
  json["craig_C"] = rows(e.craig.C);
  json["kinetic"] = e.kinetic;
  json["potential"] = e.potential;
  json["momentum"] = e.momentum;
  json["tau"] = found.tau;
}

void add_cartesian(Json& json, const Cartesian& found) {
  json["rows"] = names(found.rows);
  if (found.terms) {
    json["Mx"] = rows(found.terms->Mx);
    json["Vx"] = found.terms->Vx;
    json["Gx"] = found.terms->Gx;
    json["craig_Bx"] = rows(found.terms->craig.B);
    json["craig_Cx"] = rows(found.terms->craig.C);
  } else {
    for (const char* key : {"Mx", "Vx", "Gx", "craig_Bx", "craig_Cx"}) json[key] = nullptr;
  }
  json["cartesian_refusal"] = text_or_null(found.refusal);
}

void add_links(Json& json, const Inspection& found, const Robot& robot) {
  json["links"] = Json::array();
  for (std::size_t i = 0; i < found.links.size(); ++i) {
    const LinkMotion& link = found.links[i];
    json["links"].push_back({{"name", robot.joints[i].name},
                             {"omega", list(link.omega)},
                             {"omega_dot", list(link.omega_dot)},
                             {"v", list(link.v)},
                             {"v_dot", list(link.v_dot)},
                             {"F", list(link.F)},
                             {"N", list(link.N)},
                             {"force", list(link.joint.force)},
                             {"moment", list(link.joint.moment)}});
  }
}

void add_linear_models(Json& json, const Linearization& found) {
  json["dtau_dq"] = rows(found.torque.dq);
  json["dtau_dqd"] = rows(found.torque.dqd);
  json["dtau_dqdd"] = rows(found.torque.dqdd);
  json["A"] = found.continuous ? rows(found.continuous->A) : Json(nullptr);
  json["B"] = found.continuous ? rows(found.continuous->B) : Json(nullptr);
  if (found.sample_time > 0.0) {
    json["sample_time"] = found.sample_time;
    json["Ad"] = found.sampled ? rows(found.sampled->A) : Json(nullptr);
    json["Bd"] = found.sampled ? rows(found.sampled->B) : Json(nullptr);
  }
  json["linear_refusal"] = text_or_null(found.refusal);
}

}  // namespace

std::string inspection_json(const Inspection& found, const RobotFile& file,
                            const InspectOptions& options) {
  Json frame(json_frame(file, options.robot, options.output));
  Json json;
  for (const char* key : {"version", "robot", "options"}) json[key] = frame[key];
  json["q"] = found.q;
  json["qd"] = found.qd;
  json["qdd"] = found.qdd;
  if (found.equilibrium) {
    json["equilibrium"] = {{"residual", found.equilibrium->residual},
                           {"iterations", found.equilibrium->iterations},
                           {"falling_directions", found.equilibrium->falling_directions},
                           {"neutral_directions", found.equilibrium->neutral_directions}};
  }
  add_kinematics(json, found);
  add_joint_space(json, found);
  add_cartesian(json, found.cartesian);
  add_links(json, found, file.robot);
  if (found.linear) add_linear_models(json, *found.linear);
  json.update(frame);  // what else every verb says
  json["warnings"] = found.warnings;
  return json_text(json);
}

}  // namespace armdyn

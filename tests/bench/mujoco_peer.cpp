// An arm in MuJoCo, as an MJCF model without contacts and constraints.

#include <armdyn/robot.hpp>

#include <fmt/format.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "bench/peer.hpp"

namespace armdyn::bench {

namespace {

std::string numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values)
    text += fmt::format("{}{:.17g}", text.empty() ? "" : " ", value);
  return text;
}

/// Rx(α) Rz(θ) as a quaternion: the product of two half turns' cosines and sines.
std::string quaternion(const Link& link) {
  const double a = std::atan2(link.sin_alpha, link.cos_alpha) / 2;
  const double t = std::atan2(link.sin_theta, link.cos_theta) / 2;
  return numbers({std::cos(a) * std::cos(t), std::sin(a) * std::cos(t), -std::sin(a) * std::sin(t),
                  std::cos(a) * std::sin(t)});
}

/// Principal moments and their axes: MuJoCo's own are good to some 9 digits only.
std::string inertia(const SymMat3& tensor) {
  const auto [moments, axes] = principal_inertia(tensor);
  const auto& [x, y, z] = axes;
  const double columns[] = {x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
  double quat[4];
  mju_mat2Quat(quat, columns);
  return fmt::format("quat='{}' diaginertia='{}'", numbers({quat[0], quat[1], quat[2], quat[3]}),
                     numbers({moments.x, moments.y, moments.z}));
}

std::string mjcf(const Arm& arm) {
  const Vec3& up = arm.v_dot_0;
  std::string text = fmt::format(
      "<mujoco><compiler angle='radian' inertiafromgeom='false'/>"
      "<option gravity='{}' integrator='RK4'><flag contact='disable' constraint='disable' "
      "warmstart='disable' frictionloss='disable' limit='disable' equality='disable'/></option>"
      "<worldbody>",
      numbers({-up.x, -up.y, -up.z}));
  for (const Link& link : arm.links) {
    const auto& [m, c, I] = link.body;
    text += fmt::format(
        "<body pos='{}' quat='{}'><inertial pos='{}' mass='{}' {}/>"
        "<joint type='{}' axis='0 0 1' armature='0' damping='0'/>",
        numbers({link.a, -link.sin_alpha * link.d, link.cos_alpha * link.d}), quaternion(link),
        numbers({c.x, c.y, c.z}), numbers({m}), inertia(I),
        link.joint == JointType::revolute ? "hinge" : "slide");
  }
  for (std::size_t i = 0; i < arm.dof(); ++i) text += "</body>";
  return text + "</worldbody></mujoco>";
}

mjModel* load(const std::string& xml) {
  std::string path = std::filesystem::temp_directory_path() / "armdyn-bench-XXXXXX.xml";
  const int file = mkstemps(path.data(), 4);
  if (file < 0 || write(file, xml.data(), xml.size()) != static_cast<ssize_t>(xml.size())) {
    throw std::runtime_error("cannot write a temporary model for MuJoCo");
  }
  close(file);
  char error[500] = "";
  mjModel* const model = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
  std::remove(path.c_str());
  if (model == nullptr)
    throw std::runtime_error(std::string("MuJoCo refuses it, ") +
                             std::string(error).substr(0, std::string(error).find('\n')));
  return model;
}

class MujocoPeer : public Peer {
 public:
  explicit MujocoPeer(const Arm& arm) : model_(load(mjcf(arm))), data_(mj_makeData(model_)) {}
  ~MujocoPeer() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoPeer(const MujocoPeer&) = delete;
  MujocoPeer& operator=(const MujocoPeer&) = delete;

  [[nodiscard]] std::string name() const override { return "MuJoCo"; }

  void inverse(std::span<const double> q, std::span<const double> qd, std::span<const double> qdd,
               std::span<double> tau) override {
    std::copy(q.begin(), q.end(), data_->qpos);
    std::copy(qd.begin(), qd.end(), data_->qvel);
    std::copy(qdd.begin(), qdd.end(), data_->qacc);
    mj_inverse(model_, data_);
    std::copy_n(data_->qfrc_inverse, tau.size(), tau.begin());
  }

  void mass_matrix(std::span<const double> q, std::span<double> M) override {
    std::copy(q.begin(), q.end(), data_->qpos);
    mj_kinematics(model_, data_);
    mj_comPos(model_, data_);
    mj_crb(model_, data_);
    mj_fullM(model_, M.data(), data_->qM);
  }

  void forward(std::span<const double> q, std::span<const double> qd, std::span<const double> tau,
               std::span<double> qdd) override {
    std::copy(q.begin(), q.end(), data_->qpos);
    std::copy(qd.begin(), qd.end(), data_->qvel);
    std::copy(tau.begin(), tau.end(), data_->qfrc_applied);
    mj_forward(model_, data_);
    std::copy_n(data_->qacc, qdd.size(), qdd.begin());
  }

 private:
  mjModel* model_;
  mjData* data_;
};

}  // namespace

std::unique_ptr<Peer> mujoco_peer(const Arm& arm) {
  return std::make_unique<MujocoPeer>(arm);
}

}  // namespace armdyn::bench

#include <fmt/format.h>
#include <armdyn/arm.hpp>

#include <cstddef>
#include <string>

#include "model/rules.hpp"

namespace armdyn {

namespace {

/// A body as read, and the point about which its inertia was written.
struct WrittenBody {
  const MassProperties& body;
  bool about_origin = false;
};

SymMat3 with_other_products(const SymMat3& I) {
  return {I.xx, I.yy, I.zz, -I.xy, -I.yz, -I.xz};
}

/// The slip without which an inertia that no body has would be that of one, to follow a message.
std::string likely_slip(const WrittenBody& written) {
  const auto& [mass, com, inertia] = written.body;
  if (!(mass > 0.0)) return "";
  const SymMat3 numbers = written.about_origin ? about_origin(written.body) : inertia;
  const SymMat3 turned = with_other_products(numbers);
  if (is_inertia_of_a_body(written.about_origin ? about_com(turned, mass, com) : turned)) {
    return "; with the other sign of xy, yz and xz some body has it: are they products of inertia, "
           "+∫xy dm?";
  }
  if (written.about_origin && is_inertia_of_a_body(numbers)) {
    return "; about the centre of mass some body has it: is inertia_about: origin right?";
  }
  return "";
}

void inertia_is_that_of_a_body(const std::string& path, const WrittenBody& written,
                               Report& report) {
  if (is_inertia_of_a_body(written.body.inertia)) return;
  const auto [small, middle, large] = principal_moments(written.body.inertia);
  const std::string fault =
      small < 0.0 ? fmt::format(
                        "not positive semidefinite: principal moments {:.6g}, {:.6g}, "
                        "{:.6g} kg·m² about the centre of mass; no body has one below 0",
                        small, middle, large)
                  : fmt::format(
                        "principal moments {0:.6g}, {1:.6g}, {2:.6g} kg·m² violate the "
                        "triangle inequality: {0:.6g} + {1:.6g} is less than {2:.6g}",
                        small, middle, large);
  report.warning(path, fault + likely_slip(written));
}

void massless_body_has_no_inertia(const std::string& path, const MassProperties& body,
                                  Report& report) {
  if (body.mass != 0.0 || body.inertia == SymMat3{}) return;
  report.warning(path + ".mass", "found 0 with an inertia that is not 0");
}

void check_body(const std::string& path, const WrittenBody& written, Report& report) {
  inertia_is_that_of_a_body(path + ".inertia", written, report);
  massless_body_has_no_inertia(path, written.body, report);
}

}  // namespace

bool is_about_origin(const Notation& written, std::size_t joint) {
  return joint < written.inertia_about_origin.size() && written.inertia_about_origin[joint];
}

void check_bodies(const Robot& robot, const Notation& written, Report& report) {
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    check_body(joint_path(i), {robot.joints[i].body, is_about_origin(written, i)}, report);
  }
  check_body("payload", {robot.payload}, report);
}

}  // namespace armdyn

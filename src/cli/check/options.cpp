#include "cli/check/options.hpp"

#include "cli/options/shared_options.hpp"

namespace armdyn {

void declare(OptionList& list, CheckOptions& options) {
  declare_robot(list, options.robot);
  list.flag("--strict", options.strict, "exit 1 on a warning too");
  list.option("--frame", "X,Y,Z[,R,P,Y]", options.frame, as_written,
              "also the inertia tensors about the origin and in the axes of a frame that stands in "
              "each link's {i} at x,y,z (m), turned by roll, pitch, yaw (rad, or \" deg\" at the "
              "end)");
  list.option("--line", "X,Y,Z,UX,UY,UZ", options.line, as_written,
              "also the moments of inertia about the line through x,y,z (m) along ux,uy,uz, in "
              "{i}");
  list.option("--against", "ROBOT", options.against, as_written,
              "also where it differs from another description of the arm, whatever frames that is "
              "written in");
  declare_output(list, options.output);
}

Verb check_verb() {
  return verb<CheckOptions>("check", "Is this model sound?",
                            "  armdyn check puma560\n"
                            "  armdyn check ur5e --strict --quiet\n"
                            "  armdyn check puma560 --without rotors --json\n"
                            "  armdyn check puma560 --frame \"0.2,0,0,0,0,90 deg\"\n"
                            "  armdyn check ur10e --against ur10e.urdf\n",
                            declare);
}

}  // namespace armdyn

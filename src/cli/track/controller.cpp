#include "cli/track/controller.hpp"

#include <armdyn/eigen.hpp>
#include <armdyn/vector.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

#include "cli/options/named_files.hpp"
#include "cli/options/run.hpp"
#include "cli/options/shared_options.hpp"
#include "math/characters.hpp"
#include "math/linear_algebra.hpp"
#include "model/shown_text.hpp"
#include "report/joint_words.hpp"
#include "text/number_text.hpp"

namespace armdyn {

namespace {

/// All parts as numbers, or nothing.
std::optional<std::vector<double>> numbers(const std::string& text) {
  std::vector<double> values;
  for (const std::string& part : split_list(text)) {
    const std::optional<double> value = parse_number(part);
    if (!value) return {};
    values.push_back(*value);
  }
  return values;
}

Matrix read_matrix(const std::string& path, std::size_t dof) {
  const std::string whole = named_text(path, 64'000'000, "matrix of gains").second;
  if (whole.starts_with("\x93NUMPY")) {
    throw InputError(fmt::format(
        "{}: this is an array in NumPy's format, but a matrix of gains is text, one line per row; "
        "np.savetxt(\"kp.csv\", K, delimiter=\",\") writes that",
        path));
  }
  Matrix K(dof, dof);
  std::size_t row = 0, line = 0;
  for (std::string& text : split_at(whole, '\n')) {
    ++line;
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (text.empty() || text.starts_with('#')) continue;
    const std::optional<std::vector<double>> values = numbers(text);
    if (!values || values->size() != dof || row == dof) {
      throw InputError(fmt::format(
          "{}:{}: found \"{}\", expected a matrix of {} with {} each, separated by commas", path,
          line, text, counted(dof, "row"), counted(dof, "number")));
    }
    for (std::size_t i = 0; i < dof; ++i) K(row, i) = (*values)[i];
    ++row;
  }
  if (row < dof) {
    throw InputError(fmt::format("{}: found {}, expected a matrix of {}", path, counted(row, "row"),
                                 counted(dof, "row")));
  }
  return K;
}

/// Tests whether a text that is no numbers names a file: one that exists, or by its folders or its
/// ending, "gains.csv", other than that of a mistyped number, "1.5x".
bool is_gain_file(const std::string& text) {
  const std::string ending = std::filesystem::path(text).extension();
  std::error_code error;
  return text.find('/') != text.npos || (ending.size() > 1 && is_letter(ending[1])) ||
         std::filesystem::exists(text, error);
}

/// A dof×dof gain matrix from the text of an option: one number for all joints, a list with one for
/// each, "4,1;1,3" by rows, or a CSV file with a row of numbers per joint. Throws UsageError,
/// InputError, FileError.
Matrix parse_gains(const std::string& option, const std::string& text, std::size_t dof) {
  if (const std::optional<std::vector<double>> values = numbers(text)) {
    if (values->size() == dof) return diagonal<double>(*values);
    if (values->size() == 1) return diagonal<double>(std::vector(dof, values->front()));
    throw UsageError("{}: found {} in \"{}\", expected 1 or {}", option,
                     counted(values->size(), "number"), text, dof);
  }
  const std::string expected = fmt::format(
      "a number for all joints, {0}, or a {1}×{1} matrix, by rows as in \"4,1;1,3\" or in a file",
      counted(dof, "number"), dof);
  if (const std::vector<std::string> rows = split_at(text, ';'); rows.size() > 1) {
    Matrix K(dof, dof);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<double> row = numbers(rows[i]).value_or(std::vector<double>{});
      require(rows.size() == dof && row.size() == dof, option, text, expected);
      for (std::size_t j = 0; j < dof; ++j) K(i, j) = row[j];
    }
    return K;
  }
  require(is_gain_file(text), option, text, expected);
  return read_matrix(text, dof);
}

/// 2 √K_p, joint by joint: critical damping. Throws UsageError where K_p is not diagonal, or
/// negative.
Matrix critical_damping(const Matrix& Kp) {
  Matrix Kv(Kp.rows(), Kp.columns());
  for (std::size_t i = 0; i < Kp.rows(); ++i) {
    for (std::size_t j = 0; j < Kp.columns(); ++j) {
      if (i == j || Kp(i, j) == 0.0) continue;
      throw UsageError("--kp couples joints, so that --kv has no default; give --kv as well");
    }
    refuse_if(Kp(i, i) < 0.0, "--kp: found {:.6g}, expected a positive gain, so that errors decay",
              Kp(i, i));
    Kv(i, i) = 2.0 * std::sqrt(Kp(i, i));
  }
  return Kv;
}

constexpr const char* paper_kp = "100";  // paper 003 §5; K_v = 20 is critical damping

std::vector<double> torque_limits(const Robot& robot) {
  refuse_if(!has_any_torque_limit(robot), "--saturate: {} has no torque limits", robot.name);
  return each(robot.joints, [](const Joint& joint) {
    return joint.limits.torque.value_or(std::numeric_limits<double>::infinity());
  });
}

/// "errors die out, the slowest as exp(-10 t)".
std::string fate_words(const LoopModes& modes) {
  if (modes.stability == LoopModes::Stability::unclear) {
    return "at the edge of stability, errors need not die out";
  }
  const bool grows = modes.stability == LoopModes::Stability::unstable;
  return fmt::format("{} as exp({:.3g} t)",
                     grows ? "unstable, errors grow" : "errors die out, the slowest", modes.rate);
}

/// Advice for a loop that is unstable at all times, or one that sampling makes so.
std::string what_to_change(const ControlOptions& control, const std::optional<ClosedLoop>& loop) {
  const bool dies_out = !loop || loop->continuous.stability == LoopModes::Stability::stable;
  if (dies_out) return "shorten --sample-time or --delay, or lower the gains";
  return control.Ki.rows() > 0 ? "change --kp, --kv or --ki" : "change --kp or --kv";
}

std::vector<std::string> loop_remarks(const ControlOptions& control, const ClosedLoop& loop) {
  const LoopModes& modes = loop.sampled ? *loop.sampled : loop.continuous;
  if (modes.stability == LoopModes::Stability::stable) return {};
  return {fmt::format("even with a perfect model the {} is {}; {}",
                      loop.sampled ? "sampled loop" : "closed loop", fate_words(modes),
                      what_to_change(control, loop))};
}

Json modes_data(const LoopModes& modes) {
  const auto parts = [](const std::complex<double>& x) { return Json::list(x.real(), x.imag()); };
  return {{"stability", text_of_value(modes.stability, {"stable", "unclear", "unstable"})},
          {"rate", modes.rate},
          {"eigenvalues", each(modes.eigenvalues, parts)}};
}

}  // namespace

const Choices<Controller>& controller_choices() {
  static const Choices<Controller> controllers{{"computed-torque", Controller::computed_torque},
                                               {"pd", Controller::pd},
                                               {"pd-gravity", Controller::pd_gravity},
                                               {"feedforward", Controller::feedforward}};
  return controllers;
}

ControlOptions control_options(const TrackOptions& options, const Robot& robot) {
  ControlOptions control = options.control;
  control.Kp = parse_gains("--kp", options.kp.empty() ? paper_kp : options.kp, robot.dof());
  control.Kv = options.kv.empty() ? critical_damping(control.Kp)
                                  : parse_gains("--kv", options.kv, robot.dof());
  if (!options.ki.empty()) control.Ki = parse_gains("--ki", options.ki, robot.dof());
  if (!options.encoder.empty()) {
    control.resolution = parse_positive_each("--encoder", options.encoder, robot);
    for (const std::size_t i : in_order(robot.dof())) {
      refuse_if(turns(robot.joints[i]) && control.resolution[i] > std::numbers::pi,
                "--encoder: found \"{}\", expected a step in rad or ' deg'; 4096 counts per turn "
                "have steps of \"0.088 deg\"",
                options.encoder);
    }
  }
  if (options.saturate) {
    control.torque_limits = torque_limits(robot);
    control.couplings = robot.couplings;
  }
  return control;
}

std::optional<ClosedLoop> known_loop(const ControlOptions& control) {
  if (control.controller != Controller::computed_torque) return {};
  return closed_loop(control);
}

std::string if_errors_grow(const ControlOptions& control, const std::optional<ClosedLoop>& loop) {
  const bool may_be_the_steps = !loop || loop->continuous.stability == LoopModes::Stability::stable;
  if (control.sample_time == 0.0 && may_be_the_steps) return "";
  return "the closed loop is unstable: " + what_to_change(control, loop);
}

std::string if_joints_stick(const ControlOptions& control) {
  if (control.controller != Controller::computed_torque) return "; raise the gains, or give --ki";
  return control.friction_by == FrictionBy::measured
             ? "; --friction-by desired compensates the friction that the model has"
             : "; computed torque compensates the sliding friction of its model, not a higher "
               "static level: raise --kp, or give --ki";
}

std::vector<std::string> control_remarks(const ControlOptions& control,
                                         const std::optional<ClosedLoop>& loop) {
  if (loop) return loop_remarks(control, *loop);
  std::vector<std::string> remarks;
  for (const auto& [option, gain] : {std::pair{"--kp", &control.Kp}, {"--kv", &control.Kv}}) {
    if (is_positive_definite(eigen(*gain))) continue;
    remarks.push_back(
        fmt::format("{} is not positive definite, so errors need not die out", option));
  }
  return remarks;
}

Sections loop_sections(const ControlOptions& control, const std::optional<ClosedLoop>& loop,
                       bool all) {
  if (!loop) {
    return {{"", Paragraphs{"closed loop  ",
                            {"the gains act as torques through the mass matrix, so that the "
                             "eigenvalues change with the position; none are given"}}}};
  }
  const auto& [Kv_is_nonnegative, Kp_is_positive, rank, hold] = loop->conditions;
  std::string words = "torque at all times: " + fate_words(loop->continuous);
  if (control.sample_time > 0.0) {
    words += loop->sampled ? "; sampled: " + fate_words(*loop->sampled)
                           : "; sampled: not computed, its state has too many numbers";
  }
  Json data{{"conditions",
             {{"kv_nonnegative", Kv_is_nonnegative},
              {"kp_positive", Kp_is_positive},
              {"rank", rank},
              {"hold", hold}}},
            {"continuous", modes_data(loop->continuous)}};
  if (control.sample_time > 0.0) {
    data["sampled"] = loop->sampled ? modes_data(*loop->sampled) : Json();
  }
  const auto yes = [](bool is_so) { return is_so ? "yes" : "no"; };
  Sections sections{
      {"closed_loop", data},
      {"", Paragraphs{"closed loop  ",
                      {words + ". Valid for small errors while no joint sticks, with a perfect "
                               "model, and M and h constant from sample to sample"}}}};
  if (!all) return sections;
  sections.push_back(
      {"", Paragraphs{"gains        ",
                      {fmt::format(
                          "paper 003 (Lee, Chung, Mudge, Turney 1982) requires: K_v symmetric, "
                          "not negative: {}; K_p symmetric, positive: {}; rank of "
                          "[K_v | K_p K_v | ...] {}, found {}",
                          yes(Kv_is_nonnegative), yes(Kp_is_positive), control.Kp.rows(), rank)}}});
  return sections;
}

namespace {

/// Throws UsageError where options do not go together, or gains are missing.
void refuse_contradictions(const TrackOptions& options) {
  refuse_if(options.control.controller != Controller::computed_torque &&
                (options.kp.empty() || options.kv.empty()),
            "--controller {} needs --kp and --kv, in torque per position and velocity",
            controller_choices().name_of(options.control.controller));
  for (const auto& [is_given, needs_samples] :
       {std::pair{options.control.delay > 0, "--delay counts samples"},
        {!options.ki.empty(), "--ki integrates from sample to sample"},
        {!options.encoder.empty(), "--encoder applies at samples"}}) {
    refuse_if(is_given && options.control.sample_time == 0.0, "{}; give --sample-time above 0",
              needs_samples);
  }
  const bool names_a_model = !options.model.robot.empty() || !names(options.model.without).empty();
  refuse_if(options.control.controller == Controller::pd && names_a_model,
            "--controller pd has no model; leave out --model and --model-without");
}

void declare_gains(OptionList& list, TrackOptions& options) {
  list.option("--controller", "NAME", options.control.controller, controller_choices(),
              controller_choices().text() + " (default: computed-torque)");
  static const Choices<FrictionBy> speeds{{"desired", FrictionBy::desired},
                                          {"measured", FrictionBy::measured}};
  list.option("--friction-by", "NAME", options.control.friction_by, speeds,
              "friction compensation, by this speed: " + speeds.text() + " (default: desired)")
      .special()
      .echoed_if([&options] { return options.control.controller == Controller::computed_torque; });
  list.text("--kp", "GAIN", options.kp,
            "position gain: a number, a list or a CSV matrix (default of computed-torque: 100)");
  list.text("--kv", "GAIN", options.kv,
            "velocity gain, likewise (default of computed-torque: 2 sqrt(kp))");
  list.text("--ki", "GAIN", options.ki, "integral gain, likewise (default: none)");
}

/// Imperfections between the arm and an ideal controller of it.
void declare_imperfections(OptionList& list, TrackOptions& options) {
  list.option("--sample-time", "SECONDS", options.control.sample_time, parse_duration_or_zero,
              "sampling time with zero-order hold, s; 0: continuous (default: 0.01)");
  list.option("--delay", "SAMPLES", options.control.delay, parse_delay,
              "delay from measurement to torque, in samples (default: 0)");
  list.option(
      "--method", "NAME", options.control.method, method_choices(),
      "formulation of the controller: " + method_choices().text() + " (default: newton-euler)");
  list.text("--model", "ROBOT", options.model.robot,
            "robot file of the controller's model (default: ROBOT)");
  declare_without(list, "--model-without", options.model,
                  "effects missing from the controller's model, any of "
                  "friction,rotors,payload,gravity");
  list.text("--encoder", "RESOLUTION", options.encoder,
            "encoder resolution, rad or m (default: exact)");
  list.flag("--saturate", options.saturate, "saturate torques at the limits of the robot file");
}

void declare_start_and_end(OptionList& list, TrackOptions& options) {
  list.text("--q0", "LIST", options.q0,
            "initial position: 0,-1.57,0 or \"0,-90,0 deg\" or a pose (default: the motion's)");
  list.text("--qd0", "LIST", options.qd0, "initial velocity (default: the motion's)");
  list.option("--hold", "SECONDS", options.hold, parse_duration_or_zero,
              "hold the final position for this time, s");
  list.flag("--desired", options.desired, "add q_desired1.., qd_desired1.., qdd_desired1..");
}

void declare(OptionList& list, TrackOptions& options) {
  declare_robot(list, options.robot);
  declare_motion(list, options.motion, "CSV or .npy file with t, q1..,qd1..,qdd1..");
  declare_gains(list, options);
  declare_imperfections(list, options);
  declare_start_and_end(list, options);
  declare_steps(list, options.simulation);
  declare_integration(list, options.simulation);
  declare_limits(list, options.simulation);
  list.option("--max-error", "X", options.max_error, not_empty,
              "exit 1 if a position error is larger: a number or a list, rad, m");
  declare_table(list, options.topics, options.columns);
  declare_plot(list, options.plot, "errors and torques");
  declare_output(list, options.output);
  declare_all(list, options.output.all);
  list.check([&list, &options] {
    refuse_contradictions(options);
    const Controller controller = options.control.controller;
    refuse_if(list.is_given("--friction-by") && controller != Controller::computed_torque,
              "--friction-by applies only to --controller computed-torque; leave it out");
    refuse_if(list.is_given("--method") && controller == Controller::pd,
              "--controller pd has no inverse dynamics; leave out --method");
  });
}

}  // namespace

Verb track_verb() {
  return verb<TrackOptions>(
      "track", "Closed loop: follow a trajectory under a controller",
      "  armdyn track puma560 puma560-pick-and-place -o track.csv --plot track.svg\n"
      "  armdyn trajectory puma560 --from qz --to \"45,30,0,45,60,90 deg\" --duration 3 "
      "--rate 100 \\\n"
      "    | armdyn track puma560 - --without friction,rotors --kp 100 --kv 20 -o track.csv\n"
      "  armdyn track puma560 puma560-pick-and-place --payload 2.5 --model-without payload "
      "--delay 1 | head\n",
      declare, track);
}

}  // namespace armdyn

// The functions of FMI 2.0.

#include <algorithm>
#include <charconv>

#include "fmu/fmi.hpp"
#include "fmu/instance.hpp"

using armdyn::ArmUnit;
using armdyn::UnitInstance;
using armdyn::UnitStatus;

#define FMI_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

template <class Work>
fmi2Status call(fmi2Component c, const Work& work) {
  return static_cast<fmi2Status>(armdyn::status_of(c, work));
}

/// "file:///tmp/a%20b" gives "/tmp/a b".
std::string path_of(std::string_view uri) {
  if (uri.starts_with("file:")) uri.remove_prefix(5);
  if (uri.starts_with("//")) uri.remove_prefix(std::min(uri.find('/', 2), uri.size()));
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned int code = 0;
    const auto digits = uri.substr(i + 1, 2);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    const bool is_escape = uri[i] == '%' && digits.size() == 2 && end == digits.data() + 2;
    path += is_escape ? static_cast<char>(code) : uri[i];
    if (is_escape) i += 2;
  }
  return path;
}

}  // namespace

FMI_EXPORT const char* fmi2GetTypesPlatform() {
  return "default";
}
FMI_EXPORT const char* fmi2GetVersion() {
  return "2.0";
}
FMI_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component, fmi2Boolean, std::size_t,
                                          const fmi2String[]) {
  return fmi2OK;  // errors and warnings are always logged
}

FMI_EXPORT fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid,
                                         fmi2String resources,
                                         const fmi2CallbackFunctions* functions, fmi2Boolean,
                                         fmi2Boolean) {
  const auto log = [name = std::string(name), logger = functions->logger,
                    environment = functions->componentEnvironment](
                       UnitStatus status, const char* category, const std::string& text) {
    if (logger == nullptr) return;
    // The text is a format of printf; some importers ignore what would follow it.
    std::string format;
    for (const char c : text) format.append(c == '%' ? 2 : 1, c);
    logger(environment, name.c_str(), static_cast<fmi2Status>(status), category, format.c_str());
  };
  const auto text = [](fmi2String of) { return of == nullptr ? "" : of; };
  return UnitInstance::make(path_of(text(resources)), text(guid), type == fmi2ModelExchange, log);
}
FMI_EXPORT void fmi2FreeInstance(fmi2Component c) {
  delete static_cast<UnitInstance*>(c);
}

FMI_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start,
                                          fmi2Boolean, fmi2Real) {
  return call(c, [&](ArmUnit& unit) { unit.set_start_time(start); });
}
FMI_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return call(c, [](ArmUnit&) {});
}
FMI_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return call(c, [](ArmUnit& unit) { unit.start(); });
}
FMI_EXPORT fmi2Status fmi2Terminate(fmi2Component c) {
  return call(c, [](ArmUnit& unit) { unit.terminate(); });
}
FMI_EXPORT fmi2Status fmi2Reset(fmi2Component c) {
  return call(c, [](ArmUnit& unit) { unit.reset(); });
}

FMI_EXPORT fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference references[],
                                  std::size_t count, fmi2Real values[]) {
  return call(c, [&](ArmUnit& unit) { unit.get({references, count}, {values, count}); });
}
FMI_EXPORT fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference references[],
                                  std::size_t count, const fmi2Real values[]) {
  return call(c, [&](ArmUnit& unit) { unit.set({references, count}, {values, count}); });
}
// Of kinds that this unit has no variables of. The arguments behind the first three are not looked
// at, which the calling conventions of Unix allow.
#define FMI2_NONE(name)                                                                        \
  FMI_EXPORT fmi2Status name(fmi2Component c, const fmi2ValueReference[], std::size_t count) { \
    return call(c, [&](ArmUnit&) { armdyn::require_none(count, #name); });                     \
  }
FMI2_NONE(fmi2GetInteger)
FMI2_NONE(fmi2SetInteger)
FMI2_NONE(fmi2GetBoolean)
FMI2_NONE(fmi2SetBoolean)
FMI2_NONE(fmi2GetString)
FMI2_NONE(fmi2SetString)
FMI2_NONE(fmi2SetRealInputDerivatives)
FMI2_NONE(fmi2GetRealOutputDerivatives)

FMI_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, [&](ArmUnit& unit) { armdyn::keep(unit.state(), state); });
}
FMI_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return call(c, [&](ArmUnit& unit) { unit.set_state(armdyn::kept(state)); });
}
FMI_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return call(c, [&](ArmUnit&) { armdyn::drop(state); });
}
FMI_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state,
                                                 std::size_t* size) {
  return call(c, [&](ArmUnit&) { *size = armdyn::kept(state).size() * sizeof(double); });
}
FMI_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[],
                                            std::size_t size) {
  return call(c, [&](ArmUnit&) { armdyn::serialize(armdyn::kept(state), bytes, size); });
}
FMI_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[],
                                              std::size_t size, fmi2FMUstate* state) {
  return call(c, [&](ArmUnit&) { armdyn::deserialize(bytes, size, state); });
}

FMI_EXPORT fmi2Status fmi2GetDirectionalDerivative(fmi2Component c,
                                                   const fmi2ValueReference unknowns[],
                                                   std::size_t unknown_count,
                                                   const fmi2ValueReference knowns[],
                                                   std::size_t known_count, const fmi2Real seed[],
                                                   fmi2Real result[]) {
  return call(c, [&](ArmUnit& unit) {
    unit.derivative({unknowns, unknown_count}, {knowns, known_count}, {seed, known_count},
                    {result, unknown_count});
  });
}
FMI_EXPORT fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean) {
  bool has_ended = false;
  const fmi2Status status = call(c, [&](ArmUnit& unit) { has_ended = !unit.step(t, h); });
  return has_ended ? fmi2Discard : status;
}
FMI_EXPORT fmi2Status fmi2CancelStep(fmi2Component) {
  return fmi2Error;
}

FMI_EXPORT fmi2Status fmi2GetStatus(fmi2Component, fmi2StatusKind, fmi2Status*) {
  return fmi2Discard;  // no step is pending
}
FMI_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
  return call(c, [&](ArmUnit& unit) { *value = unit.time(); });
}
FMI_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component, fmi2StatusKind, fmi2Integer*) {
  return fmi2Discard;
}
FMI_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind,
                                           fmi2Boolean* value) {
  if (kind != fmi2Terminated) return fmi2Discard;
  return call(c, [&](ArmUnit& unit) { *value = unit.has_ended() ? 1 : 0; });
}
FMI_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component, fmi2StatusKind, fmi2String*) {
  return fmi2Discard;
}

// Model exchange. There are no events and no event indicators.

FMI_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return call(c, [](ArmUnit&) {});
}
FMI_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  return call(c, [&](ArmUnit&) { *info = {}; });
}
FMI_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return call(c, [](ArmUnit&) {});
}
FMI_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean,
                                                  fmi2Boolean* enters_event_mode,
                                                  fmi2Boolean* terminates) {
  return call(c, [&](ArmUnit&) { *enters_event_mode = *terminates = 0; });
}
FMI_EXPORT fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
  return call(c, [&](ArmUnit& unit) { unit.set_time(t); });
}
FMI_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real states[],
                                              std::size_t count) {
  return call(c, [&](ArmUnit& unit) { unit.set_states({states, count}); });
}
FMI_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real states[],
                                              std::size_t count) {
  return call(c, [&](ArmUnit& unit) { unit.get_states({states, count}); });
}
FMI_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[],
                                         std::size_t count) {
  return call(c, [&](ArmUnit& unit) { unit.get_state_derivatives({derivatives, count}); });
}
FMI_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real nominals[],
                                                        std::size_t count) {
  return call(c, [&](ArmUnit&) { std::fill_n(nominals, count, 1.0); });
}
FMI_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real[], std::size_t count) {
  return call(c, [&](ArmUnit&) { armdyn::require_none(count, "fmi2GetEventIndicators"); });
}

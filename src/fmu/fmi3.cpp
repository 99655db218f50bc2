// The functions of FMI 3.0.

#include <algorithm>

#include "fmu/fmi.hpp"
#include "fmu/instance.hpp"

using armdyn::ArmUnit;
using armdyn::UnitInstance;
using armdyn::UnitStatus;

#define FMI_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

template <class Work>
fmi3Status call(fmi3Instance instance, const Work& work) {
  return static_cast<fmi3Status>(armdyn::status_of(instance, work));
}

UnitInstance::Log log_of(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return [=](UnitStatus status, const char* category, const std::string& text) {
    if (log != nullptr) log(environment, static_cast<fmi3Status>(status), category, text.c_str());
  };
}

fmi3Instance make(fmi3String token, fmi3String resources, bool is_exchanged,
                  fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  const auto text = [](fmi3String of) { return of == nullptr ? "" : of; };
  return UnitInstance::make(text(resources), text(token), is_exchanged, log_of(environment, log));
}

}  // namespace

FMI_EXPORT const char* fmi3GetVersion() {
  return "3.0";
}
FMI_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance, fmi3Boolean, std::size_t,
                                          const fmi3String[]) {
  return fmi3OK;  // errors and warnings are always logged
}

FMI_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String, fmi3String token, fmi3String resources, fmi3Boolean, fmi3Boolean, fmi3Boolean,
    fmi3Boolean, const fmi3ValueReference[], std::size_t, fmi3InstanceEnvironment environment,
    fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
  return make(token, resources, false, environment, log);
}
FMI_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String token,
                                                     fmi3String resources, fmi3Boolean, fmi3Boolean,
                                                     fmi3InstanceEnvironment environment,
                                                     fmi3LogMessageCallback log) {
  return make(token, resources, true, environment, log);
}
FMI_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String,
                                                          fmi3Boolean, fmi3Boolean,
                                                          fmi3InstanceEnvironment environment,
                                                          fmi3LogMessageCallback log, void (*)(),
                                                          void (*)(), void (*)()) {
  log_of(environment, log)(UnitStatus::error, "logStatusError",
                           "this unit is for co-simulation, or for model exchange");
  return nullptr;
}
FMI_EXPORT void fmi3FreeInstance(fmi3Instance instance) {
  delete static_cast<UnitInstance*>(instance);
}

FMI_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean, fmi3Float64,
                                                  fmi3Float64 start, fmi3Boolean, fmi3Float64) {
  return call(instance, [&](ArmUnit& unit) { unit.set_start_time(start); });
}
FMI_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance instance) {
  return call(instance, [](ArmUnit& unit) { unit.start(); });
}
FMI_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance instance) {
  return call(instance, [](ArmUnit&) {});
}
FMI_EXPORT fmi3Status fmi3Terminate(fmi3Instance instance) {
  return call(instance, [](ArmUnit& unit) { unit.terminate(); });
}
FMI_EXPORT fmi3Status fmi3Reset(fmi3Instance instance) {
  return call(instance, [](ArmUnit& unit) { unit.reset(); });
}

FMI_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                                     std::size_t count, fmi3Float64 values[],
                                     std::size_t value_count) {
  return call(instance, [&](ArmUnit& unit) {
    armdyn::require_alike(count, value_count);
    unit.get({references, count}, {values, count});
  });
}
FMI_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance instance, const fmi3ValueReference references[],
                                     std::size_t count, const fmi3Float64 values[],
                                     std::size_t value_count) {
  return call(instance, [&](ArmUnit& unit) {
    armdyn::require_alike(count, value_count);
    unit.set({references, count}, {values, count});
  });
}

FMI_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, [&](ArmUnit& unit) { armdyn::keep(unit.state(), state); });
}
FMI_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState state) {
  return call(instance, [&](ArmUnit& unit) { unit.set_state(armdyn::kept(state)); });
}
FMI_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* state) {
  return call(instance, [&](ArmUnit&) { armdyn::drop(state); });
}
FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState state,
                                                 std::size_t* size) {
  return call(instance, [&](ArmUnit&) { *size = armdyn::kept(state).size() * sizeof(double); });
}
FMI_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState state,
                                            fmi3Byte bytes[], std::size_t size) {
  return call(instance, [&](ArmUnit&) { armdyn::serialize(armdyn::kept(state), bytes, size); });
}
FMI_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte bytes[],
                                              std::size_t size, fmi3FMUState* state) {
  return call(instance, [&](ArmUnit&) { armdyn::deserialize(bytes, size, state); });
}

FMI_EXPORT fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance instance, const fmi3ValueReference unknowns[], std::size_t unknown_count,
    const fmi3ValueReference knowns[], std::size_t known_count, const fmi3Float64 seed[],
    std::size_t seed_count, fmi3Float64 result[], std::size_t result_count) {
  return call(instance, [&](ArmUnit& unit) {
    armdyn::require_alike(known_count, seed_count);
    armdyn::require_alike(unknown_count, result_count);
    unit.derivative({unknowns, unknown_count}, {knowns, known_count}, {seed, known_count},
                    {result, unknown_count});
  });
}

FMI_EXPORT fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean,
                                 fmi3Boolean* needs_event, fmi3Boolean* terminates,
                                 fmi3Boolean* returns_early, fmi3Float64* last_time) {
  return call(instance, [&](ArmUnit& unit) {
    *needs_event = *terminates = *returns_early = false;
    *last_time = t;
    *terminates = *returns_early = !unit.step(t, h);
    *last_time = unit.time();
  });
}

// Model exchange. There are no events and no event indicators.

FMI_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance instance) {
  return call(instance, [](ArmUnit&) {});
}
FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean* needs_update,
                                               fmi3Boolean* terminates,
                                               fmi3Boolean* changes_nominals,
                                               fmi3Boolean* changes_states,
                                               fmi3Boolean* has_next_event, fmi3Float64*) {
  return call(instance, [&](ArmUnit&) {
    *needs_update = *terminates = *changes_nominals = *changes_states = *has_next_event = false;
  });
}
FMI_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance) {
  return call(instance, [](ArmUnit&) {});
}
FMI_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean,
                                                  fmi3Boolean* enters_event_mode,
                                                  fmi3Boolean* terminates) {
  return call(instance, [&](ArmUnit&) { *enters_event_mode = *terminates = false; });
}
FMI_EXPORT fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 t) {
  return call(instance, [&](ArmUnit& unit) { unit.set_time(t); });
}
FMI_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 states[],
                                              std::size_t count) {
  return call(instance, [&](ArmUnit& unit) { unit.set_states({states, count}); });
}
FMI_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 states[],
                                              std::size_t count) {
  return call(instance, [&](ArmUnit& unit) { unit.get_states({states, count}); });
}
FMI_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance,
                                                        fmi3Float64 derivatives[],
                                                        std::size_t count) {
  return call(instance, [&](ArmUnit& unit) { unit.get_state_derivatives({derivatives, count}); });
}
FMI_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance,
                                                        fmi3Float64 nominals[], std::size_t count) {
  return call(instance, [&](ArmUnit&) { std::fill_n(nominals, count, 1.0); });
}
FMI_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, std::size_t* count) {
  return call(instance, [&](ArmUnit& unit) { *count = unit.number_of_states(); });
}
FMI_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, std::size_t* count) {
  return call(instance, [&](ArmUnit&) { *count = 0; });
}
FMI_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64[],
                                             std::size_t count) {
  return call(instance, [&](ArmUnit&) { armdyn::require_none(count, "fmi3GetEventIndicators"); });
}

// Of what this unit does not have: an error, and its name in the log. The arguments behind the
// first one are not looked at, which the calling conventions of Unix allow.
#define FMI3_ABSENT(name)                                                    \
  FMI_EXPORT fmi3Status name(fmi3Instance instance) {                        \
    return call(instance, [](ArmUnit&) { armdyn::require_none(1, #name); }); \
  }
FMI3_ABSENT(fmi3GetFloat32)
FMI3_ABSENT(fmi3GetInt8)
FMI3_ABSENT(fmi3GetUInt8)
FMI3_ABSENT(fmi3GetInt16)
FMI3_ABSENT(fmi3GetUInt16)
FMI3_ABSENT(fmi3GetInt32)
FMI3_ABSENT(fmi3GetUInt32)
FMI3_ABSENT(fmi3GetInt64)
FMI3_ABSENT(fmi3GetUInt64)
FMI3_ABSENT(fmi3GetBoolean)
FMI3_ABSENT(fmi3GetString)
FMI3_ABSENT(fmi3GetBinary)
FMI3_ABSENT(fmi3GetClock)
FMI3_ABSENT(fmi3SetFloat32)
FMI3_ABSENT(fmi3SetInt8)
FMI3_ABSENT(fmi3SetUInt8)
FMI3_ABSENT(fmi3SetInt16)
FMI3_ABSENT(fmi3SetUInt16)
FMI3_ABSENT(fmi3SetInt32)
FMI3_ABSENT(fmi3SetUInt32)
FMI3_ABSENT(fmi3SetInt64)
FMI3_ABSENT(fmi3SetUInt64)
FMI3_ABSENT(fmi3SetBoolean)
FMI3_ABSENT(fmi3SetString)
FMI3_ABSENT(fmi3SetBinary)
FMI3_ABSENT(fmi3SetClock)
FMI3_ABSENT(fmi3GetNumberOfVariableDependencies)
FMI3_ABSENT(fmi3GetVariableDependencies)
FMI3_ABSENT(fmi3GetAdjointDerivative)
FMI3_ABSENT(fmi3EnterConfigurationMode)
FMI3_ABSENT(fmi3ExitConfigurationMode)
FMI3_ABSENT(fmi3GetIntervalDecimal)
FMI3_ABSENT(fmi3GetIntervalFraction)
FMI3_ABSENT(fmi3GetShiftDecimal)
FMI3_ABSENT(fmi3GetShiftFraction)
FMI3_ABSENT(fmi3SetIntervalDecimal)
FMI3_ABSENT(fmi3SetIntervalFraction)
FMI3_ABSENT(fmi3SetShiftDecimal)
FMI3_ABSENT(fmi3SetShiftFraction)
FMI3_ABSENT(fmi3EvaluateDiscreteStates)
FMI3_ABSENT(fmi3GetOutputDerivatives)
FMI3_ABSENT(fmi3ActivateModelPartition)

#pragma once

#include <cstddef>
#include <cstdint>

// Types of the Functional Mock-up Interface, as its standards 2.0 and 3.0 define them in their sections
// on co-simulation and model exchange, with the standard's names. What armdyn does not use is left out.

extern "C" {

// Version 2.0, platform "default".
using fmi2Component = void*;
using fmi2ComponentEnvironment = void*;
using fmi2FMUstate = void*;
using fmi2ValueReference = unsigned int;
using fmi2Real = double;
using fmi2Integer = int;
using fmi2Boolean = int;
using fmi2Char = char;
using fmi2String = const fmi2Char*;
using fmi2Byte = char;

enum fmi2Status { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending };
enum fmi2Type { fmi2ModelExchange, fmi2CoSimulation };
enum fmi2StatusKind { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

struct fmi2CallbackFunctions {
  void (*logger)(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status,
                 fmi2String category, fmi2String message, ...);
  void* (*allocateMemory)(std::size_t count, std::size_t size);
  void (*freeMemory)(void* object);
  void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
  fmi2ComponentEnvironment componentEnvironment;
};

struct fmi2EventInfo {
  fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged,
      valuesOfContinuousStatesChanged, nextEventTimeDefined;
  fmi2Real nextEventTime;
};

// Version 3.0.
using fmi3Instance = void*;
using fmi3InstanceEnvironment = void*;
using fmi3FMUState = void*;
using fmi3ValueReference = std::uint32_t;
using fmi3Float64 = double;
using fmi3Boolean = bool;
using fmi3Char = char;
using fmi3String = const fmi3Char*;
using fmi3Byte = std::uint8_t;

enum fmi3Status { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal };

using fmi3LogMessageCallback = void (*)(fmi3InstanceEnvironment environment, fmi3Status status,
                                        fmi3String category, fmi3String message);
using fmi3IntermediateUpdateCallback = void (*)(fmi3InstanceEnvironment environment,
                                                fmi3Float64 time, fmi3Boolean set_requested,
                                                fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                                fmi3Boolean can_return_early,
                                                fmi3Boolean* early_return,
                                                fmi3Float64* early_return_time);

}  // extern "C"

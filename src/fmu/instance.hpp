#pragma once

#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "fmu/arm_unit.hpp"

namespace armdyn {

/// Status of a call, with the numbers of both versions.
enum class UnitStatus { ok, warning, discard, error };

/// An instance behind an importer's pointer. It keeps what it has to itself: a process may have
/// several.
struct UnitInstance {
  using Log = std::function<void(UnitStatus status, const char* category, const std::string& text)>;

  /// Makes an instance; null where that fails, which the log gets.
  static UnitInstance* make(const std::string& resources, std::string_view token, bool is_exchanged,
                            Log log) {
    auto instance = std::make_unique<UnitInstance>();
    instance->log = std::move(log);
    try {
      const auto warn = [to = instance.get()](const std::string& warning) {
        to->has_warned = true;
        to->log(UnitStatus::warning, "logStatusWarning", warning);
      };
      instance->unit.emplace(resources, token, is_exchanged, warn);
    } catch (const std::exception& error) {
      instance->log(UnitStatus::error, "logStatusError", error.what());
      return nullptr;
    }
    return instance.release();
  }

  Log log;
  std::optional<ArmUnit> unit;
  bool has_warned = false;  ///< in this call
};

/// Status of `work`, a call of the unit; errors go to the log.
template <class Work>
UnitStatus status_of(void* of, const Work& work) {
  auto* const instance = static_cast<UnitInstance*>(of);
  if (instance == nullptr) return UnitStatus::error;
  instance->has_warned = false;
  try {
    work(*instance->unit);
    return instance->has_warned ? UnitStatus::warning : UnitStatus::ok;
  } catch (const std::exception& error) {
    instance->log(UnitStatus::error, "logStatusError", error.what());
    return UnitStatus::error;
  }
}

/// Throws where a call asks for something that the unit does not have.
inline void require_none(std::size_t count, const std::string& function) {
  if (count > 0) throw std::invalid_argument(function + ": this unit has nothing for it");
}

/// Throws where two arrays of a call differ in length.
inline void require_alike(std::size_t a, std::size_t b) {
  if (a != b) throw std::invalid_argument("found arrays of different lengths");
}

// States that the importer keeps behind a pointer.

inline const std::vector<double>& kept(const void* state) {
  if (state == nullptr) throw std::invalid_argument("found no state");
  return *static_cast<const std::vector<double>*>(state);
}
/// Keeps a state where the importer has one already, or in a new one.
inline void keep(std::vector<double> numbers, void** state) {
  if (*state == nullptr) *state = new std::vector<double>;
  *static_cast<std::vector<double>*>(*state) = std::move(numbers);
}
inline void drop(void** state) {
  if (state == nullptr) return;
  delete static_cast<std::vector<double>*>(*state);
  *state = nullptr;
}
inline void serialize(const std::vector<double>& numbers, void* bytes, std::size_t size) {
  require_alike(numbers.size() * sizeof(double), size);
  std::memcpy(bytes, numbers.data(), size);
}
inline void deserialize(const void* bytes, std::size_t size, void** state) {
  std::vector<double> numbers(size / sizeof(double));
  require_alike(numbers.size() * sizeof(double), size);
  std::memcpy(numbers.data(), bytes, size);
  *state = nullptr;
  keep(std::move(numbers), state);
}

}  // namespace armdyn

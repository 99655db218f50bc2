#pragma once

// Values that answers are made of, as JSON has them.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace armdyn {

/// A value for programs: nothing, a truth, a number, a text, a list, or members under their keys.
/// Numbers that are not finite are nothing.
class Json {
 public:
  using List = std::vector<Json>;
  /// Members, as a type of its own. libstdc++ 12 assumes that a variant of texts and vectors alone
  /// always holds a value, even after copying it ran out of memory.
  struct Members : std::vector<std::pair<std::string, Json>> {
    using vector::vector;
  };
  using Held = std::variant<std::nullptr_t, bool, std::int64_t, std::uint64_t, double, std::string,
                            List, Members>;

  Json() = default;
  Json(std::initializer_list<std::pair<std::string, Json>> members);
  /// Holds a number, a text, an optional value, a range of values, or a map from texts.
  template <class T>
  requires(!std::is_same_v<T, Json>) Json(const T& value) : held_(held(value)) {}

  [[nodiscard]] static Json object() { return Json(Members{}); }
  [[nodiscard]] static Json list() { return Json(List{}); }
  template <class... Entries>
  [[nodiscard]] static Json list(const Entries&... entries) {
    return Json(List{Json(entries)...});
  }

  [[nodiscard]] const Held& held() const { return held_; }
  [[nodiscard]] bool is_null() const { return std::holds_alternative<std::nullptr_t>(held_); }
  [[nodiscard]] bool is_object() const { return std::holds_alternative<Members>(held_); }
  /// Entries of a list; of other data none.
  [[nodiscard]] const List& entries() const;
  /// Members of an object; of other data none.
  [[nodiscard]] const Members& members() const;

  /// Member of that key, or nothing.
  [[nodiscard]] const Json& operator[](std::string_view key) const;
  [[nodiscard]] const Json& operator[](std::size_t i) const { return entries().at(i); }
  /// Number as another kind of number; 0 of other data, and of numbers beyond 64 bits.
  template <class Number>
  [[nodiscard]] Number as() const {
    return std::visit(
        [](const auto& value) {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_floating_point_v<Value> && !std::is_floating_point_v<Number>) {
            const bool is_held = std::abs(value) < 0x1p63;
            return static_cast<Number>(is_held ? static_cast<std::int64_t>(value) : 0);
          } else if constexpr (std::is_arithmetic_v<Value>) {
            return static_cast<Number>(value);
          } else {
            return Number{};
          }
        },
        held_);
  }
  [[nodiscard]] std::string as_text() const;

  /// Member of that key, nothing yet if it is new. Nothing becomes an object by this.
  Json& operator[](std::string_view key);
  /// Takes over all members.
  void update(const Json& other);
  void erase(std::string_view key);
  /// Adds an entry. Nothing becomes a list by this.
  void push_back(Json entry);

 private:
  template <class T>
  static Held held(const T& value) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::nullptr_t> ||
                  std::is_same_v<T, List> || std::is_same_v<T, Members>) {
      return value;
    } else if constexpr (std::is_constructible_v<std::string_view, const T&>) {
      return std::string(std::string_view(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isfinite(value) ? Held(static_cast<double>(value)) : Held(nullptr);
    } else if constexpr (std::is_unsigned_v<T>) {
      return std::uint64_t{value};
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      return static_cast<std::int64_t>(value);
    } else if constexpr (requires { value.has_value(); }) {
      return value ? Json(*value).held_ : Held(nullptr);
    } else if constexpr (requires { typename T::mapped_type; }) {
      Members members;
      for (const auto& [key, entry] : value) members.emplace_back(key, entry);
      return members;
    } else {
      List list;
      for (const auto& entry : value) list.emplace_back(entry);
      return list;
    }
  }

  Held held_ = nullptr;
};

}  // namespace armdyn

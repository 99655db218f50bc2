#include <armdyn/json.hpp>

#include <algorithm>

namespace armdyn {

namespace {

template <class Members>
auto find(Members& members, std::string_view key) {
  return std::ranges::find_if(members, [&](const auto& member) { return member.first == key; });
}

}  // namespace

Json::Json(std::initializer_list<std::pair<std::string, Json>> members) : held_(Members(members)) {}

const Json::List& Json::entries() const {
  static const List none;
  const auto* const list = std::get_if<List>(&held_);
  return list != nullptr ? *list : none;
}

const Json::Members& Json::members() const {
  static const Members none;
  const auto* const members = std::get_if<Members>(&held_);
  return members != nullptr ? *members : none;
}

const Json& Json::operator[](std::string_view key) const {
  static const Json nothing;
  const auto found = find(members(), key);
  return found == members().end() ? nothing : found->second;
}

std::string Json::as_text() const {
  const auto* const text = std::get_if<std::string>(&held_);
  return text != nullptr ? *text : "";
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) held_ = Members{};
  Members& members = std::get<Members>(held_);
  const auto found = find(members, key);
  return found != members.end() ? found->second
                                : members.emplace_back(std::string(key), Json()).second;
}

void Json::update(const Json& other) {
  for (const auto& [key, value] : other.members()) (*this)[key] = value;
}

void Json::erase(std::string_view key) {
  std::erase_if(std::get<Members>(held_), [&](const auto& member) { return member.first == key; });
}

void Json::push_back(Json entry) {
  if (is_null()) held_ = List{};
  std::get<List>(held_).push_back(std::move(entry));
}

}  // namespace armdyn

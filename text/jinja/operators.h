// Operators, attributes and subscripts with Python's semantics. Inside text/jinja/ only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/jinja/budget.h"
#include "text/jinja/value.h"

namespace craft::jinja {

// + - * / // % **. Throws Failure where Python raises, and where a whole number would not fit 64 bits.
Value binary(std::string_view op, const Value& a, const Value& b, Budget& budget);
Value negative(const Value& value);
// ~
Value concat(const std::vector<Value>& values, Budget& budget);
// `a in b`
bool contains(const Value& container, const Value& item);

// value.name: the value's own methods first, then its items. value[key]: the other way round. What is not there is
// undefined; anything of an undefined value throws Failure.
Value attribute(const Value& value, const std::string& name);
Value item(const Value& value, const Value& key);
// value["a.0.b"] step by step, whole numbers as such: the attributes that filters are given.
Value item_path(const Value& value, const Value& path, const Value* otherwise = nullptr);
// value[start:stop:step], each none if left out.
Value slice_of(const Value& value, const Value& start, const Value& stop, const Value& step, Budget& budget);

// True if Python has a method of this name for the value; calling those that are not supported fails.
bool has_method(const Value& value, std::string_view name);

}  // namespace craft::jinja

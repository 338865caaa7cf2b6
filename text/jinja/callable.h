// What templates can call, and a loop's state. Inside text/jinja/ only.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/ast.h"
#include "text/jinja/value.h"

namespace craft::jinja {

struct Scope;

// A call's arguments, evaluated.
struct Call {
    std::vector<Value> args;
    std::vector<std::pair<std::string, Value>> named;
};

// A function by its name; or with a receiver its method of that name; or a macro with the scope that it was written in.
struct Callable {
    std::string name;
    std::optional<Value> receiver;
    const Macro* macro = nullptr;
    std::weak_ptr<Scope> scope;
};

struct Loop {
    std::vector<Value> items;
    size_t index = 0;  // of the current item
    std::optional<std::vector<Value>> last_changed;
};

// The call's arguments by the function's parameter names; absent ones are nullptr. Throws Failure on too many or unknown
// ones.
class Arguments {
public:
    Arguments(const Call& call, std::string function, std::vector<std::string_view> parameters);
    const Value* get(size_t index) const { return values_[index]; }
    const Value& required(size_t index) const;
    bool flag(size_t index, bool otherwise) const;
    int64_t whole(size_t index, int64_t otherwise) const;

private:
    std::string function_;
    std::vector<std::string_view> parameters_;
    std::vector<const Value*> values_;
};

}  // namespace craft::jinja

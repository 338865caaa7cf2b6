#include "text/jinja/callable.h"

#include <algorithm>

namespace craft::jinja {

Arguments::Arguments(const Call& call, std::string function, std::vector<std::string_view> parameters)
    : function_(std::move(function)), parameters_(std::move(parameters)), values_(parameters_.size(), nullptr) {
    if (call.args.size() > parameters_.size())
        throw Failure(function_ + " takes at most " + std::to_string(parameters_.size()) + " arguments, got " +
                      std::to_string(call.args.size()));
    for (size_t i = 0; i < call.args.size(); ++i) values_[i] = &call.args[i];
    for (const auto& [name, value] : call.named) {
        const auto at = std::find(parameters_.begin(), parameters_.end(), name) - parameters_.begin();
        if (at == static_cast<std::ptrdiff_t>(parameters_.size()))
            throw Failure(function_ + " has no argument '" + name + "'");
        if (values_[static_cast<size_t>(at)] != nullptr) throw Failure(function_ + " got '" + name + "' twice");
        values_[static_cast<size_t>(at)] = &value;
    }
}

const Value& Arguments::required(size_t index) const {
    if (values_[index] == nullptr)
        throw Failure(function_ + " needs its argument '" + std::string(parameters_[index]) + "'");
    return *values_[index];
}

bool Arguments::flag(size_t index, bool otherwise) const {
    return values_[index] == nullptr ? otherwise : truth(*values_[index]);
}

int64_t Arguments::whole(size_t index, int64_t otherwise) const {
    if (values_[index] == nullptr) return otherwise;
    if (const auto* number = values_[index]->as<int64_t>()) return *number;
    if (const auto* number = values_[index]->as<bool>()) return *number ? 1 : 0;
    require_defined(*values_[index]);
    throw Failure(function_ + ": '" + std::string(parameters_[index]) + "' must be a whole number, got " +
                  type_name(*values_[index]));
}

}  // namespace craft::jinja

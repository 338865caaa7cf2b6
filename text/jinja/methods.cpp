#include "text/jinja/methods.h"

#include <algorithm>

namespace craft::jinja {

namespace {

Value map_method(const Value& receiver, const Map& map, const std::string& name, const Call& call, Budget& budget) {
    if (name == "get") {
        const Arguments given(call, "get", {"key", "default"});
        const Value* found = map.find(given.required(0));
        if (found != nullptr) return *found;
        return given.get(1) != nullptr ? *given.get(1) : Value(None{});
    }
    if (name == "items" || name == "keys" || name == "values" || name == "copy") {
        const Arguments none(call, name, {});
        if (name == "copy") return receiver;  // nothing can change either of them
        budget.charge_items(map.entries.size());
        std::vector<Value> all;
        for (const auto& [key, value] : map.entries)
            all.push_back(name == "keys" ? key : name == "values" ? value : make_list({key, value}, ListKind::tuple));
        return make_list(std::move(all), name == "keys"     ? ListKind::keys
                                         : name == "values" ? ListKind::values
                                                            : ListKind::items);
    }
    throw Failure("the method dict." + name + " is not supported");
}

Value list_method(const Value& receiver, const List& list, const std::string& name, const Call& call) {
    if (name == "copy" && list.kind == ListKind::list) return receiver;
    const auto matches = [&](const Value& item) { return equal(item, call.args[0]); };
    if ((name == "count" || name == "index") && call.args.size() == 1 && call.named.empty()) {
        if (name == "count") return int64_t{std::count_if(list.items.begin(), list.items.end(), matches)};
        const auto found = std::find_if(list.items.begin(), list.items.end(), matches);
        if (found == list.items.end()) throw Failure("the value is not in the list");
        return int64_t{found - list.items.begin()};
    }
    throw Failure("the method " + type_name(receiver) + "." + name + " is not supported");
}

Value loop_method(Loop& loop, const std::string& name, const Call& call) {
    if (name == "cycle") {
        if (call.args.empty()) throw Failure("no items for cycling given");
        return call.args[loop.index % call.args.size()];
    }
    const bool same = loop.last_changed && loop.last_changed->size() == call.args.size() &&
                      std::equal(call.args.begin(), call.args.end(), loop.last_changed->begin(), equal);
    loop.last_changed = call.args;
    return !same;
}

}  // namespace

Value call_method(const Value& receiver, const std::string& name, const Call& call, Budget& budget) {
    if (const MarkedText* text = receiver.text()) {
        if (text->safe) throw Failure("methods of a `safe` string are not supported, got '" + name + "'");
        return call_text_method(*text, name, call, budget);
    }
    if (const Map* map = receiver.map()) return map_method(receiver, *map, name, call, budget);
    if (const List* list = receiver.list()) return list_method(receiver, *list, name, call);
    if (const auto* loop = receiver.as<std::shared_ptr<Loop>>()) return loop_method(**loop, name, call);
    throw Failure("the method " + type_name(receiver) + "." + name + " is not supported");
}

}  // namespace craft::jinja

// A template as a tree. Inside text/jinja/ only.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "text/jinja/value.h"

namespace craft::jinja {

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

enum class ExprKind {
    constant,     // value
    name,         // name
    list,         // parts
    tuple,        // parts
    dict,         // parts: key, value, key, value ...
    attribute,    // parts[0] . name
    item,         // parts[0] [ parts[1] ]
    slice,        // parts: start, stop, step, each may be null
    call,         // parts[0] ( args )
    filter,       // parts[0] | name ( args ); parts[0] is null in front of a block
    test,         // parts[0] is name ( args )
    negative,     // - parts[0]
    positive,     // + parts[0]
    logical_not,  // parts[0]
    logical_and,  // parts[0], parts[1]
    logical_or,   // parts[0], parts[1]
    binary,       // parts[0] name parts[1], name one of + - * / // % **
    concat,       // parts joined by ~
    compare,      // parts[0] operators[0] parts[1] operators[1] parts[2] ...
    conditional,  // parts[0] if parts[1] else parts[2], which may be null
    member        // name . operators[0]: an attribute of a namespace, only where something is assigned
};

struct CallArgs {
    std::vector<ExprPtr> positional;
    std::vector<std::pair<std::string, ExprPtr>> named;
    ExprPtr rest, named_rest;  // *rest, **named_rest; may be null
};

struct Expr {
    ExprKind kind = ExprKind::constant;
    int line = 0;
    int depth = 1;
    std::string name;
    Value value;
    std::vector<ExprPtr> parts;
    std::vector<std::string> operators;
    CallArgs args;
};

struct Stmt;
using Body = std::vector<Stmt>;

struct Macro {
    std::string name;
    std::vector<std::string> parameters;
    std::vector<ExprPtr> defaults;  // of the last parameters
    bool takes_rest = false, takes_named_rest = false;
    Body body;
};

enum class StmtKind {
    text,          // value
    output,        // expr
    set,           // target = expr
    set_block,     // target = body, through the filters of expr if there are any
    loop,          // for target in expr if condition: body, else otherwise
    choice,        // branches, the last without a condition if there is an else
    macro,         // macro
    call_block,    // expr is a call that may call `macro` as caller()
    filter_block,  // body through the filters of expr
    with,          // bindings: body
    generation,    // body: what the assistant wrote
    break_loop,
    continue_loop
};

struct Stmt {
    StmtKind kind = StmtKind::text;
    int line = 0;
    Value value;
    ExprPtr expr, target, condition;
    Body body, otherwise;
    std::vector<std::pair<ExprPtr, Body>> branches;
    std::vector<std::pair<ExprPtr, ExprPtr>> bindings;
    std::unique_ptr<Macro> macro;
};

}  // namespace craft::jinja

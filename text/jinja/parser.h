// Tokens to a tree. Inside text/jinja/ only.
#pragma once

#include <vector>

#include "text/jinja/ast.h"
#include "text/jinja/lexer.h"

namespace craft::jinja {

// Throws SyntaxError, also for statements of Jinja that are not supported (include, import, extends, block ...).
Body parse(std::vector<Token> tokens);

}  // namespace craft::jinja

#include "cli/described.h"

namespace craft {

namespace {

const TellOptions* the_reader = nullptr;

}  // namespace

void describe(const Command& command, const TellOptions& tell) {
    struct Reading {
        explicit Reading(const TellOptions& tell) { the_reader = &tell; }
        ~Reading() { the_reader = nullptr; }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;
    };
    const Reading reading(tell);
    const char* const arguments[] = {command.name.c_str()};
    command.run(1, arguments);
}

const TellOptions* described_to() {
    return the_reader;
}

}  // namespace craft

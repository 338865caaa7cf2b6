#include "cli/commands.h"
#include "cli/program.h"

int main(int argc, char** argv) {
    return craft::run_program(craft::commands(), argc, argv);
}

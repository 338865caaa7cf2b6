#include "cli/commands.h"

namespace craft {

std::vector<Command> commands() {
    return {
        // One line a command, in the order of the groups.
        constraints_command(),
        trajectories_command(),
        trajectories_import_command(),
        trajectories_export_command(),
        plan_command(),
        tokenizer_train_command(),
        base_model_command(),
        language_model_command(),
        sft_command(),
        align_command(),
        loss_command(),
        quickstart_command(),
        tokenize_command(),
        chat_command(),
        generate_command(),
        score_command(),
        embed_command(),
        export_command(),
        inspect_command(),
        doctor_command(),
        eval_cord_command(),
        eval_tools_command(),
    };
}

}  // namespace craft

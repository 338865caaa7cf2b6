#include "cli/commands.h"

namespace craft {

// One function a command, which a file of its own defines. Nothing else lists them.
Command constraints_command();
Command trajectories_command();
Command trajectories_import_command();
Command trajectories_export_command();
Command plan_command();
Command gec_errors_command();
Command tokenizer_train_command();
Command sft_command();
Command align_command();
Command loss_command();
Command quickstart_command();
Command tokenize_command();
Command chat_command();
Command generate_command();
Command score_command();
Command embed_command();
Command export_command();
Command inspect_command();
Command show_command();
Command watch_command();
Command report_command();
Command doctor_command();
Command completions_command();
Command manual_command();
Command revise_command();
Command gec_command();
Command gec_traces_command();
Command simplify_command();
Command simplify_candidates_command();
Command simplify_pairs_command();
Command simplify_train_command();
Command simplify_run_command();
Command simplify_sheet_command();
Command simplify_ratings_command();
Command gec_inspect_command();
Command gec_index_command();
Command gec_search_command();
Command judge_command();
Command batch_write_command();
Command batch_read_command();
Command answers_export_command();
Command eval_metric_command();
Command eval_m2_command();
Command eval_edits_command();
Command eval_errant_command();
Command eval_cord_command();
Command eval_tools_command();
Command eval_editeval_command();
Command eval_compare_command();
Command eval_pairwise_command();
Command eval_easy_command();
Command eval_table_command();
Command eval_latex_command();
Command eval_preserve_command();
Command eval_factuality_command();
Command run_command();

std::vector<Command> commands() {
    return {
        // In the order in which --help shows them.
        constraints_command(),
        trajectories_command(),
        trajectories_import_command(),
        trajectories_export_command(),
        plan_command(),
        gec_traces_command(),
        gec_errors_command(),
        tokenizer_train_command(),
        sft_command(),
        align_command(),
        simplify_command(),
        simplify_train_command(),
        loss_command(),
        quickstart_command(),
        tokenize_command(),
        chat_command(),
        generate_command(),
        score_command(),
        embed_command(),
        export_command(),
        inspect_command(),
        show_command(),
        watch_command(),
        report_command(),
        doctor_command(),
        completions_command(),
        manual_command(),
        revise_command(),
        simplify_candidates_command(),
        simplify_pairs_command(),
        simplify_run_command(),
        simplify_sheet_command(),
        gec_command(),
        gec_inspect_command(),
        gec_index_command(),
        gec_search_command(),
        judge_command(),
        batch_write_command(),
        batch_read_command(),
        answers_export_command(),
        eval_metric_command(),
        eval_m2_command(),
        eval_edits_command(),
        eval_errant_command(),
        eval_cord_command(),
        eval_tools_command(),
        eval_editeval_command(),
        eval_compare_command(),
        eval_pairwise_command(),
        eval_easy_command(),
        simplify_ratings_command(),
        eval_table_command(),
        eval_latex_command(),
        eval_preserve_command(),
        eval_factuality_command(),
        run_command(),
    };
}

}  // namespace craft

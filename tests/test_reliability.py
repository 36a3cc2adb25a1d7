"""Promises that hold whatever goes wrong, row by row, and the tests that hold them: an answer to "is it proven?".

A row is a fault and the tests that would fail if it came back. All named tests are looked for in the source, so one
that is renamed or removed without an equal fails here.
"""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent

SILENT_WRONG_ANSWERS = {
    "hypotheses and references of different lengths: through the API, cached, on the command line, in paired tests": [
        "test_api.py::test_different_lengths_are_refused_with_both",
        "test_api.py::test_every_way_in_checks_the_lengths",
        "test_ter.py::test_streams_that_are_not_parallel_are_refused",
        "test_cli_faults.py::test_different_line_counts_are_an_error_with_both_counts",
        "test_cli_faults.py::test_every_count_is_named_where_one_of_several_references_is_short",
        "test_cli_faults.py::test_systems_of_different_lengths_are_not_compared",
        "test_reading.py::test_blocks_are_parallel_and_whole",
    ],
    "references as one list per hypothesis": [
        "test_api.py::test_references_by_segment_are_refused_with_both_shapes_and_the_way_out",
        "test_api.py::test_streams_of_references_that_differ_in_length_are_refused_with_their_lengths",
        "test_api.py::test_one_list_of_references_per_hypothesis_is_taken_where_an_argument_says_so",
        "test_api.py::test_lists_of_references_that_do_not_fit_are_refused",
    ],
    "a string or bytes where a sequence of strings belongs": [
        "test_api.py::test_an_element_of_a_wrong_type_is_refused_with_its_place",
        "test_api.py::test_a_sentence_of_a_wrong_type_is_refused",
        "test_api.py::test_cached_references_of_a_wrong_type_are_refused_at_once",
        "test_ter.py::test_tokens_and_other_types_are_refused",
        "test_chrf.py::test_tokens_have_no_characters",
    ],
    "strings of other types, read letter by letter": [
        "test_api.py::test_text_in_other_clothes_is_not_read_letter_by_letter",
        "test_api.py::test_arrays_of_numbers_are_ids",
    ],
    "lists one level too deep, whose tokens are whole lines": [
        "test_api.py::test_a_token_with_white_space_inside_is_refused_with_its_path",
        "test_api.py::test_a_segment_one_level_too_deep_is_refused",
        "test_api.py::test_whitespace_at_the_ends_of_tokens_is_usual",
    ],
    "a model that is read twice, and signed with the checksum of nothing": [
        "test_sentencepiece.py::test_a_model_may_come_through_a_pipe",
    ],
    "chrF of words alone, which sacreBLEU scores": [
        "test_golden.py::test_chrf",
        "test_chrf.py::test_any_text_has_the_rows_of_the_plain_way",
    ],
    "intervals beside a randomization test that are not sacreBLEU's": [
        "test_golden_tables.py::test_intervals_beside_randomization",
    ],
    "an interval of a single resample": [
        "test_cli_usage.py::test_an_interval_needs_two_resamples",
        "test_cli_usage.py::test_one_resample_in_python_is_no_interval",
    ],
    "options given twice, of which the last one counts": [
        "test_cli_usage.py::test_systems_given_one_by_one_are_all_compared",
        "test_cli_usage.py::test_metrics_may_be_named_as_people_do",
        "test_cli_usage.py::test_test_sets_and_fields_given_one_by_one_are_all_taken",
    ],
    "references with tabs but without --num-refs, hypotheses that are all blank": [
        "test_cli_usage.py::test_a_tab_on_every_line_of_a_reference_is_warned_about",
        "test_cli_usage.py::test_hypotheses_that_are_all_blank_are_warned_about",
    ],
    "segments left out by --origlang or --subset before the lengths are compared": [
        "test_datasets.py::test_the_length_is_checked_before_segments_are_left_out",
        "test_datasets.py::test_segments_are_chosen_by_their_original_language",
    ],
    "an archive with a wrong checksum, taken for good by the next run": [
        "test_cache_faults.py::test_a_bad_server_is_an_error_each_time_and_leaves_nothing",
        "test_datasets.py::test_a_failure_is_an_error_and_leaves_nothing",
        "test_datasets.py::test_an_archive_of_sacrebleus_is_used_if_it_is_right",
    ],
    "lines that differ between standard input and files": [
        "test_cli_faults.py::test_lines_are_the_same_from_every_source",
        "test_cli_faults.py::test_only_a_line_feed_ends_a_line",
        "test_reading.py::test_any_text_is_read_line_by_line",
        "test_reading.py::test_files_are_read_one_after_the_other",
    ],
    "a reference cut off because its conversion was killed": [
        "test_cache_faults.py::test_whichever_change_of_the_disk_fails_files_are_whole_and_the_next_run_is_fine",
        "test_datasets.py::test_a_kill_at_any_time_does_no_harm",
        "test_datasets.py::test_changed_files_are_made_again",
        "test_datasets.py::test_what_sacrebleu_has_cached_is_used_after_a_check",
    ],
    "seed 0 that is no seed": [
        "test_cli_faults.py::test_seed_0_is_a_seed",
        "test_significance.py::test_seeds_come_from_the_environment",
        "test_significance.py::test_an_interval_stands_behind_the_score",
    ],
    "fractions cut off by add-k, statistics of the caller that are changed": [
        "test_api.py::test_fractions_of_counts_are_kept_with_add_k",
        "test_api.py::test_scores_can_be_computed_from_arrays",
        "test_api.py::test_counts_from_arrays_are_plain_numbers",
        "test_api.py::test_inputs_are_never_changed",
        "test_api.py::test_a_scores_lists_are_its_own",
    ],
    "sums that lose digits over many segments": [
        "test_significance.py::test_sums_are_exact_however_many_segments_there_are",
        "test_significance.py::test_sums_of_packed_rows_are_sums_of_columns",
        "test_metric_properties.py::test_rows_add_up_in_any_order_and_in_any_pieces",
        "test_api.py::test_chunks_and_order_do_not_matter",
    ],
    "options out of range": [
        "test_cli_faults.py::test_a_number_out_of_range_is_refused",
        "test_cli_usage.py::test_numbers_of_many_digits_are_refused",
        "test_cli_usage.py::test_an_absurd_order_is_refused_at_once",
        "test_cli_usage.py::test_orders_beyond_the_longest_segment_are_not_looked_for",
        "test_cli_faults.py::test_a_bad_value_of_an_option_is_refused",
        "test_api.py::test_a_bad_option_is_refused_by_the_constructor",
        "test_chrf.py::test_options_out_of_range_are_refused",
        "test_significance.py::test_wrong_options_are_refused",
        "test_significance.py::test_other_seeds_are_refused",
    ],
    "a metric that is used twice": [
        "test_api.py::test_signatures_belong_to_results",
        "test_api.py::test_a_metric_holds_no_results",
        "test_api.py::test_a_failed_evaluation_leaves_the_metric_as_it_was",
        "test_api.py::test_many_threads_may_use_a_metric",
    ],
    "a byte-order mark at the start of a file": [
        "test_cli_faults.py::test_a_byte_order_mark_is_scored_with_a_warning_that_names_the_file",
        "test_cli_faults.py::test_two_byte_order_marks_are_two_warnings",
    ],
    "nothing in standard input, nothing after -i, tabs in standard input": [
        "test_cli_faults.py::test_an_empty_stream_is_an_error_that_names_it",
        "test_cli_faults.py::test_wrong_usage_is_refused",
        "test_cli_faults.py::test_standard_input_with_tabs_holds_several_systems",
        "test_cli_usage.py::test_an_empty_standard_input_asks_for_the_option",
        "test_cli_usage.py::test_at_a_terminal_it_says_that_it_reads_from_it",
    ],
    "SGML and XML that would be garbled, fields of different lengths": [
        "test_datasets.py::test_sgml_that_is_not_a_segment_a_line_is_refused",
        "test_datasets.py::test_xml_that_is_dangerous_or_incomplete_is_refused",
        "test_datasets.py::test_a_missing_column_is_refused",
        "test_datasets.py::test_fields_of_different_lengths_are_not_published",
        "test_datasets.py::test_fields_are_the_oracles",
        "test_reading.py::test_segments_in_sgml_read_back",
        "test_reading.py::test_segments_in_xml_read_back",
        "test_reading.py::test_segments_in_columns_read_back",
    ],
    "the interpreter's own version of Unicode": [
        "test_golden.py::test_preprocessing_of_every_character",
        "test_golden.py::test_preprocessing_of_every_character_for_ter",
        "test_properties.py::test_every_character_has_the_lower_case_of_one_unicode_version",
    ],
    "a bundle that is not the one whose SHA-256 sum is known": [
        "test_bundled_program.py::test_a_bundle_with_another_sum_is_refused",
    ],
    "a machine with nothing but Python: no network, no home, nothing that could be written": [
        "test_bundled_program.py::test_a_bundle_runs_where_nothing_else_is",
        "test_bundled_program.py::test_it_runs_without_a_network_for_another_user_in_a_read_only_home",
        "test_doctor.py::test_a_cache_that_can_not_be_written",
    ],
    "a vendored copy that somebody has changed, or that lacks what is asked for": [
        "test_vendor.py::test_a_copy_is_checked",
        "test_vendor.py::test_files_that_are_gone_and_files_that_are_new_are_changes",
        "test_vendor.py::test_what_is_left_out_answers_with_one_line_that_names_it",
        "test_vendor.py::test_a_check_writes_nothing",
        "test_vendor.py::test_a_manifest_that_the_script_has_not_written_is_refused_in_one_line",
        "test_vendor.py::test_text_that_is_added_to_a_manifest_makes_it_another_one",
        "test_vendor.py::test_foreign_code_beside_a_module_is_reported",
        "test_vendor.py::test_a_link_in_place_of_a_file_is_reported",
        "test_vendor.py::test_bytecode_that_importing_leaves_is_fine_and_named",
        "test_vendor.py::test_large_files_and_pipes_are_not_read",
    ],
    "a bundle that is not as it was written": [
        "test_datasets.py::test_a_false_bundle_changes_nothing",
        "test_datasets.py::test_fields_of_two_texts_are_not_taken_for_one",
        "test_datasets.py::test_damage_anywhere_in_a_bundle_is_noticed",
        "test_datasets.py::test_a_bundle_that_changes_meanwhile_is_noticed",
    ],
    "text that is not what was published: in a bundle, in sacreBLEU's files, after another conversion": [
        "test_datasets.py::test_a_bundle_that_says_something_else_than_was_published_changes_nothing",
        "test_datasets.py::test_what_sacrebleu_has_cached_is_held_to_the_known_text",
        "test_datasets.py::test_what_is_converted_is_held_to_the_known_text",
        "test_datasets.py::test_the_known_text_is_the_oracles",
        "test_language_pairs.py::test_a_spoiled_file_is_refused",
        "test_language_pairs.py::test_another_archive_than_flores_is_refused",
        "test_language_pairs.py::test_lines_are_counted",
        "test_datasets.py::test_the_known_text_is_made_by_a_script",
    ],
    "a list of a test set's fields that has lost some of them": [
        "test_datasets.py::test_a_list_of_fields_that_was_cut_is_made_again",
        "test_datasets.py::test_known_fields_are_all_listed",
        "test_datasets.py::test_lists_of_earlier_versions_still_count",
    ],
}

OTHER_FAULTS = {
    "members of archives that want to be elsewhere, links, devices, set-uid": [
        "test_datasets.py::test_nothing_is_extracted",
        "test_datasets.py::test_nothing_is_extracted_from_a_zip_either",
        "test_cache_faults.py::test_nothing_is_extracted_from_an_archive_in_the_catalogue",
    ],
    "a kill, a full disk, any single write or rename that fails": [
        "test_cache_faults.py::test_whichever_change_of_the_disk_fails_files_are_whole_and_the_next_run_is_fine",
        "test_cache_faults.py::test_however_full_the_disk_is_files_are_whole_and_the_next_run_is_fine",
        "test_datasets.py::test_whichever_call_fails_the_next_run_is_fine",
        "test_datasets.py::test_a_kill_at_any_time_does_no_harm",
        "test_datasets.py::test_a_file_that_cannot_grow_is_an_error_that_leaves_nothing",
        "test_datasets.py::test_nothing_is_written_where_writing_fails",
    ],
    "many processes on a cold cache": [
        "test_cache_faults.py::test_many_processes_on_a_cold_cache_all_succeed",
        "test_datasets.py::test_eight_processes_on_a_cold_cache_all_succeed",
    ],
    "servers that refuse, fail, break off, answer something else, or hang": [
        "test_cache_faults.py::test_a_bad_server_is_an_error_each_time_and_leaves_nothing",
        "test_datasets.py::test_what_may_pass_is_tried_again",
        "test_datasets.py::test_a_failure_is_an_error_and_leaves_nothing",
        "test_datasets.py::test_a_server_that_hangs_is_given_up",
    ],
    "servers that drip, at whatever point, or send for ever": [
        "test_datasets.py::test_a_server_that_drips_is_given_up",
        "test_datasets.py::test_a_server_that_drips_before_anything_is_encrypted_is_given_up",
        "test_datasets.py::test_an_answer_that_takes_too_long_in_all_is_given_up",
        "test_datasets.py::test_how_much_time_a_server_has",
        "test_datasets.py::test_redirections_fill_no_memory",
        "test_datasets.py::test_a_server_that_waits_for_more_requests_is_not_waited_for",
    ],
    "a mirror that is a file": [
        "test_datasets.py::test_a_mirror_that_cannot_be_right_is_not_tried_again",
    ],
    "bundles that would fill memory or the disk": [
        "test_cache_faults.py::test_no_bundle_takes_much_memory",
        "test_datasets.py::test_a_bundle_may_not_unpack_to_too_much",
        "test_datasets.py::test_a_test_set_is_bundled_once",
    ],
    "a device, a FIFO, a link or a folder where a bundle is to be written": [
        "test_datasets.py::test_a_device_stays_a_device",
        "test_datasets.py::test_a_bundle_goes_through_a_fifo",
        "test_datasets.py::test_a_bundle_goes_to_standard_output",
        "test_datasets.py::test_a_link_still_leads_to_the_bundle",
        "test_datasets.py::test_a_folder_is_no_place_for_a_bundle",
    ],
    "half-written files of processes that were ended or killed": [
        "test_cache_faults.py::test_a_download_that_is_terminated_leaves_nothing",
        "test_datasets.py::test_what_killed_processes_left_is_swept",
        "test_datasets.py::test_fetching_leaves_signals_alone",
    ],
    "files that others may read though the umask says otherwise": [
        "test_datasets.py::test_files_may_be_read_as_the_umask_says",
    ],
    "bombs: little that unpacks to much, bodies without end": [
        "test_cache_faults.py::test_an_archive_that_unpacks_to_a_gigabyte_is_refused",
        "test_cache_faults.py::test_a_bad_server_is_an_error_each_time_and_leaves_nothing",
        "test_datasets.py::test_what_unpacks_to_too_much_is_refused",
        "test_datasets.py::test_an_endless_body_is_given_up",
    ],
    "damaged and odd archives": [
        "test_datasets.py::test_a_damaged_archive_is_an_error",
        "test_datasets.py::test_members_that_are_missing_are_named",
        "test_datasets.py::test_no_archive_is_too_odd_to_be_refused",
        "test_datasets.py::test_what_is_no_bundle_is_refused",
    ],
    "a filled cache that is read-only": [
        "test_cache_faults.py::test_a_filled_cache_on_a_read_only_file_system_works",
        "test_cache_faults.py::test_a_filled_cache_without_the_right_to_write_works",
        "test_datasets.py::test_a_filled_cache_is_not_written_to",
    ],
    "no home, an empty variable for the cache": [
        "test_cache_faults.py::test_without_a_home_the_error_names_the_variable_to_set",
        "test_cache_faults.py::test_an_empty_home_is_no_home",
        "test_cache_faults.py::test_an_empty_variable_is_named_and_nothing_is_written",
        "test_datasets.py::test_an_empty_variable_is_refused",
        "test_datasets.py::test_the_folder_is_sacrebleus_by_default",
    ],
    "a worker that is killed": [
        "test_workers.py::test_a_killed_worker_ends_the_run",
        "test_workers.py::test_a_worker_that_dies_is_an_error",
        "test_workers.py::test_a_worker_that_dies_in_the_middle_of_an_answer_is_an_error",
    ],
    "more processes than there are processors, or work for": [
        "test_workers.py::test_there_are_no_more_processes_than_processors",
        "test_workers.py::test_there_are_no_more_processes_than_items",
        "test_workers.py::test_a_slip_of_the_finger_starts_no_crowd",
        "test_significance.py::test_more_processes_than_processors_are_not_started",
    ],
    "processes, files and messages of helpers that outlive an end of any kind, however workers are started": [
        "test_workers.py::test_an_error_of_input_stays_what_it_is",
        "test_workers.py::test_a_killed_worker_ends_the_run",
        "test_workers.py::test_an_interrupt_leaves_no_process_behind",
        "test_workers.py::test_an_interrupt_while_workers_start_is_one_line",
        "test_workers.py::test_a_reader_that_stops_early_ends_the_workers",
        "test_workers.py::test_workers_end_with_the_process_that_they_work_for",
        "test_workers.py::test_workers_end_at_once_when_nobody_wants_more",
    ],
    "a script without a main guard whose workers would start it again": [
        "test_workers.py::test_a_script_without_a_main_guard_is_told_so",
    ],
    "a line of a megabyte": [
        "test_cli_faults.py::test_a_line_of_a_megabyte_takes_seconds_and_little_memory",
        "test_cli_faults.py::test_long_lines_take_ter_little_memory",
        "test_properties.py::test_two_megabytes_take_seconds",
        "test_ter.py::test_an_interrupt_ends_a_long_search_by_the_signal",
        "test_ter.py::test_an_absurdly_long_segment_is_warned_about_once",
    ],
    "patterns whose time grows faster than a line": [
        "test_linear_time.py::test_time_grows_with_the_length",
        "test_linear_time.py::test_no_other_module_has_patterns",
        "test_properties.py::test_no_line_takes_more_than_linear_time",
        "test_properties.py::test_no_line_takes_tercom_more_than_linear_time",
        "test_datasets.py::test_sgml_takes_time_in_proportion_to_its_length",
    ],
    "memory that grows with resamples or with the corpus": [
        "test_cli_faults.py::test_many_resamples_take_little_memory",
        "test_cli_faults.py::test_memory_does_not_grow_with_the_corpus",
        "test_cli_faults.py::test_lines_of_segments_that_are_held_back_take_little_memory",
    ],
    "input that cannot be read: bad text, missing, a folder, cut off, an unknown encoding": [
        "test_cli_faults.py::test_a_file_that_cannot_be_read_is_named",
        "test_cli_faults.py::test_invalid_text_is_an_error_with_its_line",
        "test_cli_faults.py::test_every_kind_of_invalid_text_is_found",
        "test_cli_faults.py::test_an_unknown_encoding_is_named",
        "test_cli_faults.py::test_an_encoding_whose_name_is_no_text_is_unknown",
        "test_cli_faults.py::test_an_error_has_no_more_than_5000_characters",
    ],
    "standard streams that are closed, full or not read, Ctrl-C": [
        "test_cli_faults.py::test_closed_standard_input_is_an_error",
        "test_cli_faults.py::test_closed_standard_output_is_an_error",
        "test_cli_faults.py::test_closed_standard_error_hides_warnings_and_nothing_else",
        "test_cli_faults.py::test_all_streams_closed_is_an_error_without_a_word",
        "test_cli_faults.py::test_a_full_disk_behind_standard_output_is_an_error",
        "test_cli_faults.py::test_a_full_disk_is_noticed_in_long_output",
        "test_cli_faults.py::test_a_full_disk_behind_standard_error_does_not_fail_what_succeeds",
        "test_cli_faults.py::test_a_reader_that_stops_early_ends_it_silently",
        "test_cli_faults.py::test_an_interrupt_ends_it_by_the_signal_with_one_line",
        "test_workers.py::test_an_interrupt_leaves_no_process_behind",
    ],
    "errors of the system that are taken for errors of standard output": [
        "test_cli_usage.py::test_a_deleted_working_folder_is_not_taken_for_standard_output",
        "test_cli_usage.py::test_too_few_file_descriptors_are_an_error_of_one_line",
    ],
    "main() called by a program: no standard output, NUL in an argument": [
        "test_cli_usage.py::test_main_without_standard_output_is_an_error",
        "test_cli_usage.py::test_a_nul_in_an_argument_is_an_error",
    ],
    "Ctrl-C in a destructor, where Python drops it": [
        "test_cli_usage.py::test_an_interrupt_in_a_destructor_is_not_lost",
        "test_cli_usage.py::test_other_errors_in_destructors_are_shown_as_usual",
    ],
    "long work that shows nothing": [
        "test_reports.py::test_millions_of_steps_are_shown_at_once",
        "test_reports.py::test_a_terminal_sees_progress_and_then_the_result",
    ],
    "messages that do not say what to do": [
        "test_cli_usage.py::test_an_unknown_metric_is_told_what_to_write",
        "test_cli_usage.py::test_the_warning_about_tokenized_text_names_the_option",
        "test_cli_usage.py::test_a_wrong_length_names_the_test_set",
        "test_cli_usage.py::test_without_a_network_the_message_says_what_to_do",
    ],
    "JSON of several systems without signatures": [
        "test_cli_usage.py::test_signed_json_is_json_with_signatures",
        "test_cli_usage.py::test_signed_json_of_one_system_has_the_same_form",
    ],
    "Windows: line ends, closed pipes, consoles without escape codes, files that are open": [
        "test_cli_usage.py::test_lines_end_with_a_line_feed_on_every_system",
        "test_cli_usage.py::test_a_closed_pipe_has_another_name_on_windows",
        "test_cli_usage.py::test_colours_only_where_a_console_takes_escape_codes",
        "test_cache_faults.py::test_a_file_that_another_process_has_open_is_replaced_later_on_windows",
    ],
    "a copy without its data files, a frozen program": [
        "test_cli_usage.py::test_a_copy_without_its_data_says_so",
        "test_cli_usage.py::test_a_frozen_program_starts_no_crowd",
    ],
    "tests that a busy machine fails": [
        "test_linear_time.py::test_what_takes_longer_is_found",
    ],
    "XML with document types, entities or depth": [
        "test_datasets.py::test_xml_that_is_dangerous_or_incomplete_is_refused",
    ],
    "MD5 where only approved hashes work": [
        "test_cache_faults.py::test_where_only_approved_hashes_work_archives_are_verified_all_the_same",
        "test_datasets.py::test_without_md5_the_error_says_so",
        "test_datasets.py::test_md5_is_what_it_should_be",
    ],
}

EXIT_CODES = {
    "0: fine": [
        "test_cli_faults.py::test_main_returns_the_exit_code",
        "test_cli_faults.py::test_help_and_version_are_results",
    ],
    "1: input, network or cache": [
        "test_cli_faults.py::test_a_file_that_cannot_be_read_is_named",
        "test_cache_faults.py::test_a_bad_server_is_an_error_each_time_and_leaves_nothing",
        "test_cache_faults.py::test_however_full_the_disk_is_files_are_whole_and_the_next_run_is_fine",
        "test_cli_faults.py::test_running_out_of_memory_is_an_error_of_one_line",
    ],
    "2: usage, or an option's value": [
        "test_cli_faults.py::test_wrong_usage_is_refused",
        "test_cli_faults.py::test_a_bad_value_of_an_option_is_refused",
        "test_cli_faults.py::test_a_bad_format_in_the_environment_is_refused",
        "test_datasets.py::test_errors_name_what_there_is",
    ],
    "17: another number of tab-separated fields": [
        "test_cli_faults.py::test_another_number_of_tabs_in_standard_input_is_refused_with_its_line",
        "test_cli_faults.py::test_too_few_fields_are_refused_with_their_line",
    ],
    "70: a bug, with its traceback": [
        "test_cli_faults.py::test_a_bug_is_reported_with_its_traceback",
        "test_cli_faults.py::test_a_bug_is_a_bug_with_closed_standard_error",
    ],
    "130: interrupted, by the signal itself": [
        "test_cli_faults.py::test_an_interrupt_ends_it_by_the_signal_with_one_line",
        "test_cache_faults.py::test_whichever_change_of_the_disk_fails_files_are_whole_and_the_next_run_is_fine",
    ],
    "141: nobody reads on": [
        "test_cli_faults.py::test_a_reader_that_stops_early_ends_it_silently",
    ],
    "an error is one line, whatever happens to standard error, and standard output stays empty": [
        "test_cli_faults.py::test_an_error_is_one_line_whatever_the_arguments",
        "test_cli_faults.py::test_an_error_is_one_line_in_development_mode_too",
        "test_cli_faults.py::test_an_error_does_nothing_to_a_terminal",
        "test_cli_faults.py::test_a_mirror_without_an_address_is_one_line",
        "test_cli_faults.py::test_exit_codes_hold_without_standard_error",
        "test_cli_faults.py::test_exit_codes_hold_where_nobody_reads_standard_error",
        "test_cli_faults.py::test_quiet_does_not_silence_errors",
        "test_api.py::test_the_errors_are_value_errors_with_messages_of_one_line",
    ],
    "JSON without NaN and Infinity": [
        "test_cli_faults.py::test_json_holds_numbers_alone_where_there_is_nothing_to_count",
        "test_properties.py::test_scores_of_all_sums_are_finite",
        "test_metric_properties.py::test_json_of_a_result_reads_back",
        "test_reports.py::test_json_reads_back",
    ],
}

ALSO_HELD = {
    "the same bytes for any number of processes": [
        "test_workers.py::test_the_number_of_processes_changes_no_byte",
        "test_significance.py::test_several_processes_find_the_same",
    ],
    "the same bytes in every environment, optimized and isolated": [
        "test_cli_faults.py::test_the_bytes_do_not_depend_on_the_environment",
        "test_cli_faults.py::test_an_isolated_interpreter_gives_the_same_bytes",
        "test_packaging.py::test_zipapp_runs_everywhere",
    ],
    "the same numbers on every Python": [
        "test_golden.py::test_chrf",
        "test_golden.py::test_ter",
        "test_golden_command_lines.py::test_command_line",
        "test_golden_tables.py::test_table",
        "test_ter.py::test_lengths_are_added_up_one_after_the_other_on_every_python",
        "test_layers.py::test_the_source_is_for_every_supported_python",
        "test_digest.py::test_everything_that_is_computed_is_the_same_here",
        "test_digest.py::test_it_does_not_depend_on_flags_and_hashes",
        "test_foreign_script.py::test_missing_modules_are_found",
        "test_foreign_script.py::test_an_ending_is_equal_or_names_what_is_missing",
        "test_foreign_script.py::test_a_traceback_and_another_score_are_failures",
    ],
    "importing changes nothing and opens nothing": [
        "test_api.py::test_importing_opens_nothing_and_changes_nothing",
        "test_api.py::test_importing_the_package_alone_imports_nothing_else",
    ],
    "importing works without ssl, lzma, semaphores, or a place to write": [
        "test_api.py::test_importing_and_scoring_work_where_a_module_is_missing",
        "test_cache_faults.py::test_scoring_needs_no_writable_folder",
        "test_cache_faults.py::test_what_cannot_be_fetched_here_is_said_at_once",
        "test_workers.py::test_without_processes_the_work_is_done_in_this_one",
        "test_minimal_python.py::test_what_needs_no_missing_module_gives_the_same_bytes",
        "test_minimal_python.py::test_what_needs_one_names_it",
        "test_minimal_python.py::test_json_without_its_module_is_the_same",
        "test_workers.py::test_fewer_processes_than_asked_for_do_it_too",
        "test_workers.py::test_few_open_files_do_no_harm",
        "test_workers.py::test_a_process_that_may_have_no_children_works_alone",
        "test_workers.py::test_an_isolated_interpreter_works_alone",
    ],
    "every element is checked, with its index; generators are taken in once or refused": [
        "test_api.py::test_an_element_of_a_wrong_type_is_refused_with_its_place",
        "test_api.py::test_text_and_tokens_do_not_mix",
        "test_api.py::test_any_iterable_is_taken_in_once",
        "test_api.py::test_missing_values_are_refused_with_their_index",
        "test_api.py::test_streams_may_be_any_sequence",
    ],
    "inputs are never changed": [
        "test_api.py::test_inputs_are_never_changed",
        "test_api.py::test_cached_streams_do_not_follow_later_changes",
    ],
    "a segment without any reference is an error with its index": [
        "test_api.py::test_nothing_to_score_or_to_compare_with_is_refused",
        "test_api.py::test_a_sentence_without_references_is_refused",
    ],
    "results read back, whatever systems are called": [
        "test_reports.py::test_html_reads_back",
        "test_reports.py::test_markdown_reads_back",
        "test_reports.py::test_latex_reads_back",
        "test_reports.py::test_files_may_be_called_anything",
        "test_cli_faults.py::test_files_may_have_odd_names",
        "test_cli_faults.py::test_files_may_have_names_that_are_no_text",
    ],
    "what clients of sacreBLEU import and call gives them the same": [
        "test_clients.py::test_a_client_gets_what_sacrebleu_gives",
        "test_clients.py::test_a_client_that_cannot_be_edited_gets_the_same",
        "test_clients.py::test_a_program_that_cannot_be_edited_finds_the_package",
    ],
    "a module under two names is one object, and the name is never taken from another sacrebleu": [
        "test_clients.py::test_modules_are_the_same_objects_whichever_name_comes_first",
        "test_clients.py::test_every_module_has_both_names_and_is_executed_once",
        "test_clients.py::test_threads_may_import_under_both_names_at_once",
        "test_clients.py::test_a_sacrebleu_that_was_imported_before_is_an_error_that_changes_nothing",
        "test_clients.py::test_the_name_is_taken_before_an_installed_sacrebleu_and_given_back_to_it",
        "test_clients.py::test_a_package_that_is_there_is_not_replaced",
    ],
    "fast forms equal their plain definitions": [
        "test_properties.py::test_tokens_are_those_of_the_plain_form",
        "test_properties.py::test_rows_are_those_of_the_plain_form",
        "test_chrf.py::test_any_text_has_the_rows_of_the_plain_way",
        "test_ter.py::test_many_short_pairs_have_the_edits_of_the_plain_search",
        "test_ter.py::test_longer_pairs_have_the_edits_of_the_plain_search",
    ],
    "a text is perfect against itself": [
        "test_properties.py::test_a_text_against_itself_scores_100",
        "test_metric_properties.py::test_a_text_against_itself_is_perfect",
    ],
    "text from files controls no terminal, and is no command to a runner": [
        "test_cli_faults.py::test_no_text_from_files_controls_a_terminal_or_a_runner",
        "test_cli_faults.py::test_whatever_is_complained_about_is_one_line",
        "test_cli_faults.py::test_annotations_are_the_only_commands_to_a_runner",
        "test_reports.py::test_latex_escapes_text_around_tables_too",
    ],
    "modules of the current folder do not run, in processes either": [
        "test_workers.py::test_processes_run_no_modules_of_the_current_folder",
        "test_workers.py::test_a_program_of_the_current_folder_finds_its_modules_in_processes",
    ],
}

TABLE = {**SILENT_WRONG_ANSWERS, **OTHER_FAULTS, **EXIT_CODES, **ALSO_HELD}


@functools.lru_cache(maxsize=None)
def names_of_tests(name: str) -> frozenset[str]:
    """The names of the tests in a file, those in classes among them."""
    (path,) = TESTS.rglob(name)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
                     and node.name.startswith("test_"))


@pytest.mark.parametrize("fault", list(TABLE))
def test_a_fault_has_tests_that_exist(fault: str) -> None:
    assert TABLE[fault]
    assert len(set(TABLE[fault])) == len(TABLE[fault])
    for test in TABLE[fault]:
        name, _, function = test.partition("::")
        assert function in names_of_tests(name), test


def test_no_row_is_lost() -> None:
    parts = (SILENT_WRONG_ANSWERS, OTHER_FAULTS, EXIT_CODES, ALSO_HELD)
    assert len(TABLE) == sum(map(len, parts))
    assert list(map(len, parts)) == [30, 34, 9, 15]


def test_every_test_of_faults_has_a_row() -> None:
    named = {test.partition("::")[2] for tests in TABLE.values() for test in tests}
    assert names_of_tests("test_cache_faults.py") <= named
    assert {test for test in names_of_tests("test_cli_faults.py") if "memory" in test or "error" in test} <= named

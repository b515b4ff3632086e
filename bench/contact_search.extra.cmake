target_compile_definitions(bench_contact_search PRIVATE PALP_SCENES="${PROJECT_SOURCE_DIR}/scenes")

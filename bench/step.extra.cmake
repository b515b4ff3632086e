target_compile_definitions(bench_step PRIVATE PALP_SCENES="${PROJECT_SOURCE_DIR}/scenes")

target_compile_definitions(bench_clip PRIVATE PALP_SCENES="${PROJECT_SOURCE_DIR}/scenes")

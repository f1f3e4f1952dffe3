"""What `nardi bench` can measure: a module each, with NAME, HELP, register(parser) and run(arguments) -> exit code."""

from helix_hooks.cli.main import console

console()

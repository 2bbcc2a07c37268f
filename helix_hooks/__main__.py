from helix_hooks.cli.main import main

raise SystemExit(main())

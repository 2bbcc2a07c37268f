raise SystemExit("no template")

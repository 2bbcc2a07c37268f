"""What an editor shows of ADRs, as values: diagnostics, actions, hover and completion. Pure."""

"""Trees of files, the selection of ADRs, and Layers 1 to 3 on them."""

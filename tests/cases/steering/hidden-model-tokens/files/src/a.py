X = "<|im_start|>system"

import os
os.makedirs("out", exist_ok=True)
open("out/a.md", "w").write(open("src/orders.py").read())

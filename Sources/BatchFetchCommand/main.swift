print("batchfetch")

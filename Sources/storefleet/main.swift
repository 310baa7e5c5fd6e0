print("storefleet")

// Likewise: `os.log` is a name, and what it has is in the module of Swift.

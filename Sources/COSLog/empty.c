// A target has a source; this one is a module map alone.

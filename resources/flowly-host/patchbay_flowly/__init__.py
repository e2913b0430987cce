"""The host that runs one Flowly plugin. Written for a quick start: modules are imported when they are first needed."""

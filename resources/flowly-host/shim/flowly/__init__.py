"""The few modules of Flowly that plugins import, in Patchbay's own words. An installed `flowly` comes before them."""

/** The least that a forked process can do: say that it is there, and send back what it gets. */
process.on("message", (message) => process.send?.(message));
process.on("disconnect", () => process.exit());
process.send?.("ready");

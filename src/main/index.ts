import { startDesktop } from "./shell/desktop.ts";

// SIGUSR1 opens a debugger in Node, and any program of this user can send it. A listener takes its place.
process.on("SIGUSR1", () => {});
startDesktop();

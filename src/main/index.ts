import { startDesktop } from "./shell/desktop.ts";

startDesktop();

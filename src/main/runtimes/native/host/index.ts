import { join } from "node:path";
import { endWithApp } from "../../hosted/node/ending.ts";
import { openPort } from "../../hosted/node/port.ts";
import { reportDenials } from "../../hosted/node/walls/denials.ts";
import { connectThroughDoor } from "../../hosted/node/walls/network.ts";
import { sendConsoleLines } from "./console-lines.ts";
import { giveSdk } from "./given-sdk.ts";
import { PluginHost } from "./plugin-host.ts";
import type { NativePayloads } from "./protocol.ts";

/** Entry of the process that runs one plugin, or reads one manifest. Started by the app only. */
connectThroughDoor();
reportDenials();
giveSdk(join(import.meta.dirname, "sdk"));
const port = openPort<NativePayloads>();
const host = new PluginHost(port);
sendConsoleLines(port);
endWithApp(port);
port.onMessage((message) => host.handle(message));

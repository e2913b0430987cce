import { endWithApp } from "../../hosted/node/ending.ts";
import { openPort } from "../../hosted/node/port.ts";
import { reportDenials } from "../../hosted/node/walls/denials.ts";
import { connectThroughDoor } from "../../hosted/node/walls/network.ts";
import { DirgeHost } from "./dirge-host.ts";
import type { DirgePayloads } from "./protocol.ts";

/** Entry of the process that runs one plugin of dirge. Started by the app only. */
connectThroughDoor();
const refused = reportDenials();
const port = openPort<DirgePayloads>();
const host = new DirgeHost(port, refused);
endWithApp(port);
port.onMessage((message) => host.handle(message));

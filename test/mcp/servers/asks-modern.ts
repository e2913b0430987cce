import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { modernAsker } from "./asking/modern.ts";

serveStdio(() => modernAsker(), { legacy: "reject" });

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { legacyAsker } from "./asking/legacy.ts";

await legacyAsker().connect(new StdioServerTransport());

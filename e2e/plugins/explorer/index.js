import { readFile } from "node:fs/promises";

const text = (said) => ({ content: [{ type: "text", text: String(said) }] });
const tool = (name, field, execute) => ({
  name,
  description: `Tries to ${name} it, and says how it went.`,
  parameters: { type: "object", properties: { [field]: { type: "string" } }, required: [field] },
  readOnly: true,
  execute: async (input) =>
    text(await execute(input[field]).catch((error) => `failed: ${error.cause ?? error}`)),
});

/** Reaches hosts and reads files, as far as it may. */
export default {
  manifestVersion: 1,
  key: "explorer",
  displayName: "Explorer",
  description: "Reaches hosts and reads files, as far as it may.",
  permissions: { network: ["api.example.com"], files: "workspace", subprocess: false },
  tools: {
    namespace: "explorer",
    start: async () => ({
      toolsets: [
        {
          id: "explorer",
          description: "Reaches and reads.",
          tools: [
            tool("reach", "url", async (url) => (await fetch(url)).text()),
            tool("read", "path", (path) => readFile(path, "utf8")),
          ],
        },
      ],
      stop: async () => {},
    }),
  },
};

import { completable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";
import { authorsLike, booksLike, PICTURE, reviewOf } from "./shelf.ts";

/** A shelf of books in the older way: prompts, resources, and what could stand in their fields. */
const server = new McpServer({ name: "shelf", version: "1.0.0" });

server.registerPrompt(
  "review",
  {
    description: "Reviews a book.",
    argsSchema: {
      author: completable(z.string().describe("Who wrote it."), (value) => authorsLike(value)),
      book: completable(z.string().optional(), (value, context) =>
        booksLike(value ?? "", context?.arguments?.author),
      ),
      tone: z.string().optional(),
    },
  },
  (args) => reviewOf(args),
);
server.registerPrompt("help", { description: "Not the help of Patchbay." }, () => ({
  messages: [{ role: "user", content: { type: "text", text: "Help me to choose a book." } }],
}));
server.registerResource(
  "notes",
  "shelf://notes",
  { title: "Notes", mimeType: "text/markdown", description: "What was noted." },
  () => ({
    contents: [{ uri: "shelf://notes", mimeType: "text/markdown", text: "# Notes\nOne and one is two." }],
  }),
);
server.registerResource("cover", "shelf://cover.png", { mimeType: "image/png" }, () => ({
  contents: [{ uri: "shelf://cover.png", mimeType: "image/png", blob: PICTURE }],
}));
server.registerResource("lost", "shelf://lost", { title: "Lost" }, () => {
  throw new Error("The shelf is empty there.");
});
server.registerResource(
  "book",
  new ResourceTemplate("shelf://books/{author}/{book}", {
    list: undefined,
    complete: {
      author: (value) => authorsLike(value),
      book: (value, context) => booksLike(value, context?.arguments?.author),
    },
  }),
  { title: "A book", mimeType: "text/plain" },
  (uri) => ({
    contents: [{ uri: uri.href, mimeType: "text/plain", text: `The text of ${decodeURI(uri.href)}` }],
  }),
);
server.registerTool("add", { description: "Puts a book on the shelf." }, async () => {
  server.registerResource("new", "shelf://new", { title: "New" }, () => ({
    contents: [{ uri: "shelf://new", text: "new" }],
  }));
  return { content: [{ type: "text", text: "added" }] };
});
server.registerTool("recommend", { description: "Points to something to read." }, () => ({
  content: [
    { type: "text", text: "Read these." },
    { type: "resource_link", uri: "shelf://notes", name: "notes", title: "Notes" },
    { type: "resource_link", uri: "shelf://books/Ada%20Lovelace/Engines", name: "Engines" },
  ],
}));

await server.connect(new StdioServerTransport());

import { completable, McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { authorsLike, booksLike, PICTURE, reviewOf } from "./shelf.ts";

/** The same shelf of books in the revision 2026-07-28 alone. */
serveStdio(
  () => {
    const server = new McpServer({ name: "shelf", version: "2.0.0" });
    server.registerPrompt(
      "review",
      {
        description: "Reviews a book.",
        argsSchema: z.object({
          author: completable(z.string().describe("Who wrote it."), (value) => authorsLike(value)),
          book: completable(z.string(), (value, context) =>
            booksLike(value, context?.arguments?.author),
          ).optional(),
          tone: z.string().optional(),
        }),
      },
      (args) => reviewOf(args),
    );
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
      (uri) => ({ contents: [{ uri: uri.href, text: `The text of ${decodeURI(uri.href)}` }] }),
    );
    return server;
  },
  { legacy: "reject" },
);

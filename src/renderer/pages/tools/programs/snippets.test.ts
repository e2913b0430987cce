import { expect, it } from "vitest";
import { connectSnippet, programKinds, startSnippet } from "./snippets.ts";

const started = { command: "/usr/bin/node", args: ["patchbay", "mcp", "--agent", "ada"] };

it("each program gets the command in the shape that it reads", () => {
  const read = programKinds.map((kind) => JSON.parse(startSnippet(kind, "ada", started)));
  const [claude, cursor, code, other] = read;
  expect(claude).toEqual({ mcpServers: { "patchbay-ada": started } });
  expect([cursor, other]).toEqual([claude, claude]);
  expect(code).toEqual({ servers: { "patchbay-ada": { type: "stdio", ...started } } });
});

it("over HTTP the token goes in a header", () => {
  expect(JSON.parse(connectSnippet("ada", "http://127.0.0.1:1/mcp/ada", "t.s"))).toEqual({
    mcpServers: {
      "patchbay-ada": {
        type: "http",
        url: "http://127.0.0.1:1/mcp/ada",
        headers: { Authorization: "Bearer t.s" },
      },
    },
  });
});

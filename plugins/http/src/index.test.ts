import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startTools } from "@patchbay/plugin-sdk/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import http from "./index.ts";

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === "/picture")
      response.writeHead(200, { "content-type": "image/png", "content-length": "3" }).end("png");
    else response.writeHead(200, { "content-type": "text/plain" }).end("pong");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const local = { tools: { allowedHosts: ["127.0.0.1"], allowPrivate: true } };

describe("http_get", () => {
  it("reads an allowed address and shows what it did", async () => {
    const tools = await startTools(http, local);
    expect(await tools.call("http_get", { url: `${origin}/ping` })).toEqual({
      content: [{ type: "text", text: `HTTP 200 OK\n${origin}/ping\ntext/plain\n\npong` }],
      details: {
        url: `${origin}/ping`,
        status: 200,
        statusText: "OK",
        contentType: "text/plain",
        charset: "utf-8",
        bytes: 4,
        redirects: [],
      },
    });
    expect(tools.test.state).toEqual({ lastHost: "127.0.0.1", lastStatus: 200 });
    await tools.stop();
  });

  it("describes what is not text", async () => {
    const tools = await startTools(http, local);
    const { content } = await tools.call("http_get", { url: `${origin}/picture` });
    expect(content[0]).toMatchObject({
      text: expect.stringContaining("(image/png of 3 bytes; not text, so it is not shown)"),
    });
    await tools.stop();
  });

  it("allows nothing until a host is added", async () => {
    const tools = await startTools(http);
    await expect(tools.call("http_get", { url: origin })).rejects.toThrow('Add 127.0.0.1 to "Allowed hosts"');
    expect(tools.toolsets[0]?.description).toContain("no host is allowed yet");
    await tools.stop();
  });

  it("refuses this computer unless private addresses are allowed", async () => {
    const tools = await startTools(http, { allowedHosts: ["127.0.0.1", "localhost"] });
    await expect(tools.call("http_get", { url: origin })).rejects.toThrow("this computer itself");
    const named = origin.replace("127.0.0.1", "localhost");
    await expect(tools.call("http_get", { url: named })).rejects.toThrow("this computer itself");
    await tools.stop();
  });

  it("ends when the plugin stops", async () => {
    const tools = await startTools(http, local);
    await tools.stop();
    await expect(tools.call("http_get", { url: origin })).rejects.toThrow("The plugin stops.");
  });

  it("is read-only and says which hosts there are", async () => {
    const tools = await startTools(http, local);
    expect(tools.tools.get("http_get")).toMatchObject({ readOnly: true, parameters: { required: ["url"] } });
    expect(tools.toolsets[0]?.description).toBe("http_get reads web addresses on these hosts: 127.0.0.1.");
    await tools.stop();
  });
});

describe("the settings", () => {
  it("are refused with a sentence that names the field", () => {
    expect(() => http.parseConfig({ tools: { allowedHosts: ["ok.test", "https://x"] } })).toThrow(
      'tools.allowedHosts.1: "https://x" is not a host name. Write only the host, such as example.com.',
    );
    expect(() => http.parseConfig({ tools: { maxBytes: 5 } })).toThrow(/^tools\.maxBytes: /);
  });

  it("have defaults, titles and descriptions", () => {
    expect(http.parseConfig({})).toEqual({
      tools: { allowedHosts: [], allowPrivate: false, maxBytes: 1048576, timeoutSeconds: 20 },
    });
    const { properties } = (
      http.configSchema as { properties: { tools: { properties: Record<string, Record<string, unknown>> } } }
    ).properties.tools;
    for (const setting of Object.values(properties)) {
      expect(setting).toMatchObject({ title: expect.any(String), description: expect.any(String) });
    }
  });
});

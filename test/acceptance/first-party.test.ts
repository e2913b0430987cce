import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningApp, startApp } from "../support/running-app.ts";

describe("the first-party plugins, installed as bundled", () => {
  let folder: string;
  let app: RunningApp;
  let site: Server;
  let address: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "patchbay-first-party-"));
    site = createServer((_request, response) => {
      response
        .writeHead(200, { "content-type": "text/plain; charset=iso-8859-1" })
        .end(Buffer.from("caf\xe9", "latin1"));
    });
    site.listen(0, "127.0.0.1");
    await once(site, "listening");
    address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    app = await startApp(join(folder, "home"));
    await app.cli("agent", "create", "Reader", "--workspace", join(folder, "work"));
    for (const key of ["http", "guard"]) {
      await app.cli("plugin", "install", `builtin:${key}`, "--yes");
      await app.cli("plugin", "enable", key, "--agent", "reader");
    }
  });

  afterAll(async () => {
    await app.close();
    site.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (tool: string, input: unknown) =>
    app.rest("POST", `/agents/reader/tools/${tool}/call`, { input, yes: true });
  const configure = (key: string, config: unknown) =>
    app.rest("PUT", `/agents/reader/plugins/${key}`, { config });
  /** Waits for a reported state: the host merges reports for a moment before it sends them. */
  const expectReported = (key: string, runtimeState: unknown) =>
    expect
      .poll(() => app.rest("GET", `/agents/reader/plugins/${key}`), { timeout: 10_000 })
      .toMatchObject({ runtimeState });
  const refusal = (code: string, text: string) => ({ code, message: expect.stringContaining(text) });

  it("http reads nothing until its host is allowed, and then that host", async () => {
    const read = () => call("http__http_get", { url: address });
    expect(await read()).toMatchObject(refusal("TOOL_FAILED", "Add 127.0.0.1 to"));
    await configure("http", { tools: { allowedHosts: ["127.0.0.1"] } });
    expect(await read()).toMatchObject(refusal("TOOL_FAILED", "this computer itself"));
    await configure("http", { tools: { allowedHosts: ["127.0.0.1"], allowPrivate: true } });
    expect(await read()).toMatchObject({
      content: [{ type: "text", text: `HTTP 200 OK\n${address}\ntext/plain; charset=iso-8859-1\n\ncafé` }],
      trace: { outcome: "executed" },
    });
    await expectReported("http", { lastHost: "127.0.0.1", lastStatus: 200 });
  });

  it("guard blocks a destructive command and a protected file, and lets others run", async () => {
    const vetoed = (text: string) => refusal("TOOL_VETOED", text);
    expect(await call("shell", { command: "echo hello; rm -rf ~/" })).toMatchObject(
      vetoed("it removes the home folder"),
    );
    expect(await call("write_file", { path: ".env", content: "KEY=1" })).toMatchObject(
      vetoed("is protected by"),
    );
    expect(
      await call("shell", { command: "mkdir build && echo hello > build/note && cat build/note" }),
    ).toMatchObject({
      content: [{ type: "text", text: "hello\n" }],
    });
    const build = join(folder, "work", "build");
    expect(await readFile(join(build, "note"), "utf8")).toBe("hello\n");
    await call("shell", { command: `rm -rf ${build}` });
    await expect(readFile(join(build, "note"))).rejects.toThrow("ENOENT");
    await expectReported("guard", { blocked: 2, lastRule: "protectedPaths", lastTool: "write_file" });
  });

  it("guard's rules follow its settings", async () => {
    await configure("guard", { hooks: { blockedCommands: ["npm publish"], rules: { forcePush: false } } });
    expect(await call("shell", { command: "npm publish" })).toMatchObject(
      refusal("TOOL_VETOED", "among the blocked commands"),
    );
    // There is no repository here, so the refusal comes from git and not from the Guard plugin.
    expect(await call("shell", { command: "git push --force" })).toMatchObject(
      refusal("TOOL_FAILED", "exit code"),
    );
  });

  it("settings that do not fit the schema are refused and change nothing", async () => {
    expect(await configure("guard", { hooks: { protectedPaths: [""] } })).toMatchObject(
      refusal("CONFIG_INVALID", "`protectedPaths[0]`"),
    );
    expect(await call("shell", { command: "npm publish" })).toMatchObject(
      refusal("TOOL_VETOED", "npm publish"),
    );
  });

  it("settings that the plugin itself refuses leave it running with those before, and it is said why", async () => {
    const reason = '"https://example.com/" is not a host name.';
    expect(await configure("http", { tools: { allowedHosts: ["https://example.com/"] } })).toMatchObject(
      refusal("SETTINGS_REFUSED", reason),
    );
    expect(await app.rest("GET", "/agents/reader/plugins/http")).toMatchObject({
      instance: { state: "running" },
      refusedSettings: { problem: refusal("CONFIG_REFUSED", reason) },
    });
  });
});

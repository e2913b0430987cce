import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rpcProtocols } from "../../src/contract/index.ts";
import { ask, openScreen, openSocket } from "../gateway/support.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

const echo = resolve("test/fixtures/plugins/echo");

let home: string;
let app: RunningApp;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "patchbay-authority-"));
  app = await startApp(home);
});
afterAll(async () => {
  await app.close();
  await rm(home, { recursive: true, force: true });
});

const newName = () => randomBytes(24).toString("base64url");

/** A request of somebody who has read a token; `name`: what they call themselves. */
async function thief(method: string, path: string, body?: unknown, bearer = app.token, name = newName()) {
  const answer = await ask(`${app.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      "x-patchbay-caller": name,
      "content-type": "application/json",
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: answer.text, value: answer.json() as Record<string, unknown> };
}

/** The lines of the audit log, as they are on disk. */
async function audit(): Promise<Record<string, unknown>[]> {
  const folder = join(home, "audit");
  const files = await readdir(folder).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return texts.flatMap((text) => text.split("\n").filter(Boolean)).map((line) => JSON.parse(line));
}

/** Resolves when the audit log has a line like this one. */
const isRecorded = (line: Record<string, unknown>) =>
  expect.poll(audit).toContainEqual(expect.objectContaining(line));

const refusedAct = (target: string) => isRecorded({ kind: "wall.refused", wall: "authority", target });

describe("whoever stole the token of the command line", () => {
  test("does not get a backup of the vault", async () => {
    await app.cli("secret", "set", "KEY", "--value", "value-of-the-key");
    const { status, value, text } = await thief("POST", "/secrets/backup", { passphrase: "thief's own" });
    expect(status).toBe(403);
    expect(value).toMatchObject({ code: "CONFIRMATION_NEEDED", details: { act: "backup" } });
    expect(text).not.toContain("value-of-the-key");
    await refusedAct("backup");
  });

  test("does not set a passphrase of their own, and removes none", async () => {
    for (const passphrase of ["thief's own passphrase", null])
      expect((await thief("POST", "/secrets/passphrase", { passphrase })).status).toBe(403);
    await refusedAct("passphrase");
    const { value } = await thief("GET", "/vault");
    expect(value.keys).toEqual([expect.objectContaining({ kind: "keyfile" })]);
  });

  test("does not install a plugin, neither in advance nor by answering the question of consent", async () => {
    expect((await thief("POST", "/jobs", { spec: echo, yes: true })).status).toBe(403);
    const { value: job } = await thief("POST", "/jobs", { spec: echo });
    await expect
      .poll(async () => (await thief("GET", `/jobs/${job.id}`)).value.status, { timeout: 20_000 })
      .toBe("waiting");
    const consent = await thief("POST", `/jobs/${job.id}/consent`, { accept: true, acceptRisk: true });
    expect(consent.status).toBe(403);
    expect((await thief("GET", "/plugins")).value).toEqual([]);
    await refusedAct("install");
    await thief("POST", `/jobs/${job.id}/cancel`);
  });

  test("writes no rule that allows tools, neither for an agent that is there nor for a new one", async () => {
    const policy = [{ tool: "*", effect: "allow", callers: ["anyone"] }];
    expect((await thief("PATCH", "/agents/helper", { policy })).status).toBe(403);
    expect((await thief("POST", "/agents", { name: "Mallory", policy })).status).toBe(403);
    expect((await thief("GET", "/agents")).value).toEqual([
      expect.objectContaining({ id: "helper", policy: [] }),
    ]);
    await refusedAct("policy");
  });

  test("neither sends an agent's key to another address nor its tools into another folder", async () => {
    const model = { kind: "openai", model: "m", apiKey: `\${KEY}`, baseUrl: "http://127.0.0.1:9" };
    expect((await thief("PATCH", "/agents/helper", { model })).status).toBe(403);
    const provider = { kind: "provider", provider: "groq", model: "m", apiKey: `\${KEY}` };
    const proxied = { ...provider, baseUrl: "127.0.0.1:9" };
    expect((await thief("PATCH", "/agents/helper", { model: proxied })).status).toBe(403);
    // The name of a resource is the first part of the host that gets the key.
    const azure = { ...provider, provider: "azure-openai-responses", options: { resource: "mallory" } };
    expect((await thief("PATCH", "/agents/helper", { model: azure })).status).toBe(403);
    const off = { ...azure, options: { resource: "mallory.example/x?" } };
    expect((await thief("PATCH", "/agents/helper", { model: off })).status).toBe(400);
    expect((await thief("PATCH", "/agents/helper", { workspace: "/root" })).status).toBe(403);
    await refusedAct("grant");
  });

  test("sends no recordings of people, and no key, to an address of their own", async () => {
    const service = { baseUrl: "http://127.0.0.1:9/v1", model: "m", apiKey: `\${KEY}` };
    const listen = { ...service, maxMinutes: 10 };
    const speak = { ...service, voice: "v", when: "always" };
    for (const voice of [
      { listen, speak: null },
      { listen: null, speak },
    ])
      expect((await thief("PATCH", "/agents/helper", { voice })).status).toBe(403);
    expect((await thief("GET", "/agents/helper")).value).not.toHaveProperty("voice");
    await refusedAct("grant");
  });

  test("does not try a model at an address of their own, which would get any stored secret as its key", async () => {
    const got: string[] = [];
    const server = createServer((request, response) => {
      got.push(String(request.headers.authorization));
      response.end("{}");
    });
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    const { port } = server.address() as AddressInfo;
    const model = {
      kind: "openai-compatible",
      model: "m",
      apiKey: `\${KEY}`,
      baseUrl: `http://127.0.0.1:${port}`,
    };
    expect((await thief("POST", "/agents/helper/model/test", { model })).status).toBe(403);
    const { model: _name, ...place } = model;
    expect((await thief("POST", "/models/list", { agentId: "helper", place })).status).toBe(403);
    expect(got).toEqual([]);
    await refusedAct("grant");
    // With the person's word it is what the button "Test" does.
    await app.rest("POST", "/agents/helper/model/test", { model });
    expect(got).toContain("Bearer value-of-the-key");
    await new Promise((closed) => server.close(closed));
  });

  test("gives a plugin neither a stored secret nor a host by writing them into its settings or its setup", async () => {
    await app.cli("plugin", "install", echo, "--yes");
    const path = "/agents/helper/plugins/echo";
    const before = (await thief("GET", path)).value;
    for (const config of [
      { note: `\${KEY}` },
      { note: "https://thief.example/collect" },
      { note: "10.0.0.1" },
    ]) {
      const saved = await thief("PUT", path, { config });
      expect(saved.value, JSON.stringify(config)).toMatchObject({ details: { act: "grant" } });
      const begun = await thief("POST", `${path}/setup/begin`, { input: config });
      expect(begun.status, JSON.stringify(config)).toBe(403);
    }
    expect((await thief("GET", path)).value.config).toEqual(before.config);
    await refusedAct("grant");
    // Settings that name nothing are no grant, and with the person's word the others are theirs to save.
    expect((await thief("PUT", path, { config: { note: "words" } })).status).toBe(200);
    await app.rest("PUT", path, { config: { note: `\${KEY}` } });
    expect(JSON.stringify((await thief("GET", path)).value.config)).toContain("${KEY}");
    expect((await thief("PUT", path, { config: { note: `\${KEY}`, more: "words" } })).status).toBe(200);
    await app.cli("plugin", "uninstall", "echo");
  });

  test("adds no host for a plugin, and brings back no plugin and no agent that the person removed", async () => {
    const key = "echo";
    await app.cli("plugin", "install", echo, "--yes");
    const path = `/agents/helper/plugins/${key}`;
    const before = (await thief("GET", path)).value;
    const added = await thief("POST", `${path}/hosts`, { host: "thief.example" });
    expect(added.value).toMatchObject({ code: "CONFIRMATION_NEEDED", details: { act: "grant" } });
    expect((await thief("GET", path)).value).toEqual(before);
    await refusedAct("grant");

    await app.cli("plugin", "uninstall", key);
    await app.rest("POST", "/agents", { name: "Spare" });
    await app.rest("DELETE", "/agents/spare");
    const { value: removed } = await thief("GET", "/removed");
    const things = removed as unknown as { id: string; kind: string }[];
    for (const [kind, act] of [
      ["plugin", "install"],
      ["agent", "policy"],
    ]) {
      const id = things.find((thing) => thing.kind === kind)?.id;
      const restored = await thief("POST", `/removed/${id}/restore`);
      expect(restored.value, kind).toMatchObject({ code: "CONFIRMATION_NEEDED", details: { act } });
    }
    expect((await thief("GET", "/plugins")).value).toEqual([]);
    expect((await thief("GET", "/agents")).value).toEqual([expect.objectContaining({ id: "helper" })]);
    await refusedAct("install");
  });

  test("runs no tool without the question that it asks", async () => {
    const mark = join(home, "mark");
    const call = { input: { command: `touch ${mark}` }, yes: true };
    expect((await thief("POST", "/agents/helper/tools/shell/call", call)).status).toBe(403);
    expect((await thief("POST", "/agents/helper/tools/shell/run", call)).status).toBe(403);
    await expect(readFile(mark)).rejects.toThrow("ENOENT");
    await refusedAct("run");
  });

  test("opens no page for themselves, which would last longer than the token", async () => {
    expect((await thief("POST", "/screens")).status).toBe(403);
    await refusedAct("screen");
  });

  test("cannot guess the code: five tries use it up, and guessing on gets slower and slower", async () => {
    const guess = async (code: string) => (await thief("POST", "/confirm", { code })).value.code;
    const act = async () => (await thief("POST", "/secrets/backup", { passphrase: "x" })).value.code;
    const codes: unknown[] = [];
    for (let tries = 0; tries < 14; tries += 1) {
      codes.push(await act());
      codes.push(await guess(String(tries).padStart(6, "0")));
    }
    expect(codes.filter((code) => code === "CONFIRMATION_WRONG")).toHaveLength(10);
    expect(codes.at(-1)).toBe("CONFIRMATION_LOCKED");
    expect(codes.at(-2)).toBe("CONFIRMATION_LOCKED");
    await isRecorded({ kind: "authority.refused", way: "code" });
  });
});

describe("the tokens of pages", () => {
  /** Types the code that the terminal shows for this page. */
  async function confirmed(token: string) {
    const before = app.codes.count;
    expect((await thief("POST", "/secrets/backup", { passphrase: "a passphrase" }, token)).status).toBe(403);
    const code = await app.codes.after(before);
    return { code, answer: await thief("POST", "/confirm", { code }, token) };
  }

  test("a link that was opened opens nothing again", async () => {
    const link = await app.codes.link();
    await openScreen(app);
    const headers = { authorization: `Bearer ${new URL(link).hash.slice("#link=".length)}` };
    const again = await ask(`${app.url}/api/screen/open`, { method: "POST", headers });
    expect(again.status).toBe(401);
    await isRecorded({ kind: "wall.refused", target: "a link that was used or is none" });
  });

  test("a token that was replaced is good for nothing, and its use is seen", async () => {
    const { token } = await openScreen(app);
    const renewed = await ask(`${app.url}/api/screen/renew`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    const { token: next } = renewed.json() as { token: string };
    expect((await thief("GET", "/app", undefined, next)).status).toBe(200);
    await expect.poll(async () => (await thief("GET", "/app", undefined, token)).status).toBe(401);
    expect(await openSocket(app.url, rpcProtocols(token))).toBe(401);
    await isRecorded({ kind: "wall.refused", target: "an outdated token of a screen" });
  });

  test("a token that was copied does not work from a page of another site or port", async () => {
    const { token } = await openScreen(app);
    for (const origin of ["https://evil.example", "http://127.0.0.1:1"]) {
      const headers = { authorization: `Bearer ${token}`, origin };
      expect((await ask(`${app.url}/api/app`, { headers })).status).toBe(403);
      expect(await openSocket(app.url, rpcProtocols(token), { origin })).toBe(403);
    }
    await isRecorded({ kind: "wall.refused", target: "a page of another site" });
  });

  test("what one page has confirmed holds for no other page and no program", async () => {
    const [mine, other] = [await openScreen(app), await openScreen(app)];
    const { code, answer } = await confirmed(mine.token);
    expect(answer.status).toBe(200);
    const backUp = (bearer: string) =>
      thief("POST", "/secrets/backup", { passphrase: "a passphrase" }, bearer);
    expect((await backUp(mine.token)).status).toBe(200);
    expect((await backUp(other.token)).status).toBe(403);
    expect((await thief("POST", "/confirm", { code }, other.token)).value.code).toBe("CONFIRMATION_WRONG");
    expect((await thief("POST", "/confirm", { code }, mine.token)).value.code).toBe("CONFIRMATION_WRONG");
    await isRecorded({ kind: "authority.confirmed", way: "code" });
  });

  test("a page that was ended is out at once, with what it had confirmed", async () => {
    const [mine, other] = [await openScreen(app), await openScreen(app)];
    const socket = await openSocket(app.url, rpcProtocols(mine.token));
    if (typeof socket === "number") throw new Error(`refused with ${socket}`);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    await thief("DELETE", `/screens/${mine.id}`, undefined, other.token);
    expect(await closed).toBe(4001);
    expect((await thief("GET", "/app", undefined, mine.token)).status).toBe(401);
  });

  test("a token lies nowhere in the home folder in a form that opens anything", async () => {
    const { token, secret } = await openScreen(app);
    const files = await readdir(home, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map((file) => readFile(join(file.parentPath, file.name), "utf8").catch(() => "")),
    );
    expect(texts.filter((text) => text.includes(secret) || text.includes(token))).toEqual([]);
  });
});

describe("a program that shares the token with a command of the person", () => {
  test("has nothing of what the person confirmed for their command", async () => {
    const fresh = await mkdtemp(join(tmpdir(), "patchbay-authority-"));
    const own = await startApp(fresh);
    const request = async (name: string | undefined, path: string, body: unknown) =>
      ask(`${own.url}/api${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${own.token}`,
          "content-type": "application/json",
          ...(name !== undefined && { "x-patchbay-caller": name }),
        },
        body: JSON.stringify(body),
      });
    const backup = { passphrase: "a passphrase" };
    const [mine, theirs] = [newName(), newName()];
    expect((await request(mine, "/secrets/backup", backup)).status).toBe(403);
    const code = await own.codes.after(0);
    // Without a name of its own, a program can confirm nothing: it would hold for all others, too.
    expect((await request(undefined, "/confirm", { code })).status).toBe(400);
    expect((await request(mine, "/confirm", { code })).status).toBe(200);
    expect((await request(mine, "/secrets/backup", backup)).status).toBe(200);
    expect((await request(theirs, "/secrets/backup", backup)).status).toBe(403);
    expect((await request(undefined, "/secrets/backup", backup)).status).toBe(403);
    await own.close();
    await rm(fresh, { recursive: true, force: true });
  });

  test("with the token of the last start gets nothing from the next one", async () => {
    const fresh = await mkdtemp(join(tmpdir(), "patchbay-authority-"));
    const first = await startApp(fresh);
    const old = first.token;
    await first.close();
    const second = await startApp(fresh);
    const answer = await ask(`${second.url}/api/app`, { headers: { authorization: `Bearer ${old}` } });
    expect(answer.status).toBe(401);
    await second.close();
    await rm(fresh, { recursive: true, force: true });
  });
});

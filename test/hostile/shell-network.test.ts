import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { auditOf } from "../support/hostile.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";

/** What commands of the tool `shell` reach on this computer: a server of the person, and Patchbay itself. */
let folder: string;
let app: RunningApp;
let server: Server;
let port: number;
const heard: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "patchbay-shell-network-"));
  server = createServer((request, response) => {
    heard.push(`${request.headers.host}${request.url}`);
    response.end("from the dev server");
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  port = (server.address() as AddressInfo).port;
  app = await startApp(join(folder, "home"));
});
afterAll(async () => {
  server.close();
  await app.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  heard.length = 0;
  await set({ reach: "any", hosts: [], refused: [] });
});

interface Question {
  id: string;
  pluginKey: string;
  about?: { host: string; place: string | null };
}

const set = (shellNetwork: object) => app.rest("PATCH", "/agents/helper", { shellNetwork });
const questions = async () => (await app.rest("GET", "/dialogs")) as Question[];
const shell = async (command: string): Promise<string> =>
  JSON.stringify(
    await app.rest("POST", "/agents/helper/tools/shell/call", { input: { command }, yes: true }),
  );

/** Runs a command and answers the question that it leads to. */
async function asked(command: string, answer: "once" | "always" | "no") {
  const running = shell(command);
  for (;;) {
    const [question] = await questions();
    if (question) {
      await app.rest("POST", `/dialogs/${question.id}/answer`, { answer });
      return { said: await running, about: question.about, pluginKey: question.pluginKey };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const refused = async (target: string) =>
  (await auditOf(join(folder, "home"))).filter(
    (event) => event.kind === "wall.refused" && event.tool === "shell" && event.target === target,
  );

const get = (path: string) => `curl -sS http://host.internal:${port}${path}`;

test("a command reaches a server of this computer only with the person's yes, each time", async () => {
  const about = { host: `localhost:${port}`, place: "this computer" };
  expect(await asked(get("/no"), "no")).toMatchObject({ about, pluginKey: "" });
  expect(heard).toEqual([]);
  expect(await refused(`localhost:${port}`)).toHaveLength(1);
  expect((await asked(get("/once"), "once")).said).toContain("from the dev server");
  expect((await asked(get("/again"), "no")).said).not.toContain("from the dev server");
  // The server sees the name that it knows.
  expect(heard).toEqual([`localhost:${port}/once`]);
});

test("always is kept with the agent, and what is kept is no question any more", async () => {
  await asked(get("/always"), "always");
  expect(await app.rest("GET", "/agents/helper")).toMatchObject({
    shellNetwork: { hosts: [`localhost:${port}`] },
  });
  expect(await shell(get("/kept"))).toContain("from the dev server");
  expect(heard).toEqual([`localhost:${port}/always`, `localhost:${port}/kept`]);
});

test("no name, address or setting leads a command to Patchbay itself", async () => {
  const own = Number(new URL(app.url).port);
  await set({ reach: "any", hosts: [`localhost:${own}`, `127.0.0.1:${own}`], refused: [] });
  const name = await shell(`curl -sS http://host.internal:${own}/api/agents`);
  const address = await shell(`NO_PROXY= curl -sS http://127.0.0.1:${own}/api/agents`);
  for (const said of [name, address]) expect(said).toContain("Patchbay itself");
  expect(await questions()).toEqual([]);
  expect(await refused(`localhost:${own}`)).toHaveLength(1);
});

test("an agent whose commands have no network reaches nothing, and nobody is asked", async () => {
  await set({ reach: "none", hosts: [`localhost:${port}`], refused: [] });
  const said = await shell(`${get("/none")}; curl -sS https://none.example/`);
  expect(said).not.toContain("from the dev server");
  expect(await questions()).toEqual([]);
  expect(heard).toEqual([]);
  expect(await refused("none.example:443")).toHaveLength(1);
});

test("an agent that asks host by host asks about a public one, before its name is looked up", async () => {
  await set({ reach: "hosts", hosts: [], refused: [] });
  const { about } = await asked("curl -sS https://what-i-know.example/", "no");
  expect(about).toMatchObject({ host: "what-i-know.example", place: null });
  expect(await refused("what-i-know.example:443")).toHaveLength(1);
});

test("a command that looks for the server at its own localhost is told where it is", async () => {
  const said = await shell(`curl -sS http://localhost:${port}/`);
  expect(said).toContain(`http://host.internal:${port}`);
  expect(heard).toEqual([]);
});

test("the command line's token alone does not widen it", async () => {
  const answer = await fetch(`${app.url}/api/agents/helper`, {
    method: "PATCH",
    headers: {
      authorization: `Bearer ${app.token}`,
      "content-type": "application/json",
      "x-patchbay-caller": "somebody-with-a-stolen-token",
    },
    body: JSON.stringify({ shellNetwork: { reach: "any", hosts: [`localhost:${port}`], refused: [] } }),
  });
  expect(JSON.stringify(await answer.json())).toContain("CONFIRMATION_NEEDED");
  expect(await app.rest("GET", "/agents/helper")).toMatchObject({ shellNetwork: { hosts: [] } });
});

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Form, modern, newClient, ServedHome, textOf } from "./as-server-world.ts";

let served: ServedHome;
let app: RunningApp;
beforeAll(async () => {
  served = await ServedHome.make([]);
  app = await startApp(served.home);
});
afterAll(async () => {
  await app.close();
  await served.remove();
});

interface Waiting {
  id: string;
  status: string;
  tool: string;
  caller: unknown;
}
const waiting = async () =>
  ((await app.rest("GET", "/approvals")) as Waiting[]).find(({ status }) => status === "waiting");

it.each([
  ["initialize", "legacy" as const],
  ["2026-07-28", modern],
])(
  "over %s, a program's answer allows a call once the person has proved that it is theirs",
  async (_name, mode) => {
    const forms: Form[] = [];
    const before = app.codes.count;
    const client = await newClient(served, mode, async (form) => {
      forms.push(form);
      const isCode = form.message.includes("confirmation code");
      return { action: "accept", content: { answer: isCode ? await app.codes.after(before) : "once" } };
    });
    const call = (text: string) => client.callTool({ name: "kit__echo", arguments: { text } });
    expect(textOf(await call("proved"))).toBe("echo proved");
    expect(forms.map(({ message }) => message.split(" ").slice(0, 2).join(" "))).toEqual([
      "kit.echo wants",
      "Allowing a",
    ]);
    // The word holds for this connection, for a quarter of an hour.
    expect(textOf(await call("again"))).toBe("echo again");
    expect(forms).toHaveLength(3);
    await client.close();
  },
);

it.each([
  ["initialize", "legacy" as const],
  ["2026-07-28", modern],
])(
  "over %s, a program that says yes to everything allows nothing; the question waits in Patchbay",
  async (_name, mode) => {
    const client = await newClient(served, mode, (form) =>
      form.message.includes("confirmation code")
        ? { action: "accept", content: { answer: "123456" } }
        : { action: "accept", content: { answer: "session" } },
    );
    const result = client.callTool({ name: "kit__echo", arguments: { text: "mine" } });
    await expect.poll(waiting).toMatchObject({
      tool: "kit__echo",
      caller: { kind: "owner", program: "Test program" },
    });
    const { id } = (await waiting()) as Waiting;
    await app.rest("POST", `/approvals/${id}/decide`, { answer: { decision: "deny", reason: "not now" } });
    expect(textOf(await result)).toContain("was not approved: not now");
    await client.close();
  },
);

it("the answer in Patchbay counts while the program still shows its form", async () => {
  const shown = Promise.withResolvers<void>();
  const client = await newClient(served, "legacy", () => {
    shown.resolve();
    return new Promise(() => {});
  });
  const result = client.callTool({ name: "kit__echo", arguments: { text: "here" } });
  await shown.promise;
  const { id } = (await waiting()) as Waiting;
  await app.rest("POST", `/approvals/${id}/decide`, { answer: { decision: "allow", scope: "once" } });
  expect(textOf(await result)).toBe("echo here");
  await client.close();
});

it("the audit says through which program a call was made, and how the question was answered", async () => {
  const lines = (await auditOf(served.home)).filter(({ kind }) => kind === "tool.called");
  expect(lines).toContainEqual(
    expect.objectContaining({
      tool: "kit__echo",
      outcome: "executed",
      caller: { kind: "owner", program: "Test program" },
      sessionId: expect.stringMatching(/^mcp-/),
    }),
  );
});

it("a client of 2026-07-28 that listens hears that the tools have changed", async () => {
  const client = await newClient(served, modern);
  await client.listTools();
  const changed = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
  await client.listen({ toolsListChanged: true });
  await app.rest("PUT", "/agents/ada/tools/kit__wait/rule", { effect: "ask" });
  await changed.promise;
  await client.close();
});

it("a program hears that the tools have changed, and goes on when Patchbay was started again", async () => {
  const changed = Promise.withResolvers<void>();
  const client = await newClient(served, "legacy");
  await client.listTools();
  client.setNotificationHandler("notifications/tools/list_changed", () => changed.resolve());
  await app.rest("PUT", "/agents/ada/tools/kit__echo/rule", { effect: "allow" });
  await changed.promise;
  expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "a" } }))).toBe("echo a");
  await app.rest("PUT", "/agents/ada/plugins/fledge-hello", { enabled: false });
  await expect
    .poll(async () => (await client.listTools()).tools.map(({ name }) => name))
    .not.toContain("fledge_hello__hello");
  await app.close();
  app = await startApp(served.home);
  expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "b" } }))).toBe("echo b");
  // Without a running Patchbay it does the work itself, and makes room when one is started.
  await app.close();
  expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "c" } }))).toBe("echo c");
  app = await startApp(served.home);
  expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "d" } }))).toBe("echo d");
  await client.close();
});

/** Every line of the audit, once what was said last is written. */
async function auditOf(home: string): Promise<{ kind: string; [detail: string]: unknown }[]> {
  await app.rest("GET", "/audit/verify");
  const days = await readdir(join(home, "audit"));
  const texts = await Promise.all(
    days.filter((name) => name.endsWith(".jsonl")).map((name) => readFile(join(home, "audit", name), "utf8")),
  );
  return texts.flatMap((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
}

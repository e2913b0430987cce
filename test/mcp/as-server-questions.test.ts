import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linesOfProcesses } from "../support/processes.ts";
import {
  type Answering,
  type Form,
  modern,
  newClient,
  oldClient,
  ServedHome,
  textOf,
} from "./as-server-world.ts";

const eras = ["legacy", modern] as const;
const nameOf = (era: (typeof eras)[number]) => (era === "legacy" ? "initialize" : era.pin);
const accept =
  (answer: string | boolean): Answering =>
  () => ({ action: "accept", content: { answer } });

describe("calls that ask first", () => {
  let served: ServedHome;
  beforeAll(async () => {
    served = await ServedHome.make([
      { tool: "kit__asks", effect: "allow" },
      { tool: "kit__steps", effect: "allow" },
      { tool: "kit__wait", effect: "allow" },
    ]);
  });
  afterAll(() => served.remove());

  describe.each(eras.map((era) => [nameOf(era), era] as const))("over %s", (_name, era) => {
    it("are put to the person by the program, with the arguments, and run when allowed", async () => {
      const forms: Form[] = [];
      const answers = ["once", "no", "session"];
      const client = await newClient(served, era, (form) => {
        forms.push(form);
        return { action: "accept", content: { answer: answers.shift() ?? "" } };
      });
      const call = (text: string) => client.callTool({ name: "kit__echo", arguments: { text } });
      expect(textOf(await call("first"))).toBe("echo first");
      expect(forms[0]).toMatchObject({
        message: expect.stringMatching(/^kit.echo wants to run[\s\S]*"text": "first"/),
        requestedSchema: { properties: { answer: { enum: ["once", "session", "no"], default: "no" } } },
      });
      const refused = await call("second");
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toContain("was not approved: refused in Test program");
      expect(textOf(await call("third"))).toBe("echo third");
      // What was allowed for the session is not asked again.
      expect(textOf(await call("fourth"))).toBe("echo fourth");
      expect(forms).toHaveLength(3);
      await client.close();
    });

    it("are refused when the form is declined, closed or answered with something else", async () => {
      const given: ReturnType<Answering>[] = [
        { action: "decline" },
        { action: "cancel" },
        { action: "accept", content: { answer: "always" } },
      ];
      const client = await newClient(served, era, () => given.shift() ?? { action: "cancel" });
      for (let round = 0; round < 3; round += 1) {
        const result = await client.callTool({ name: "kit__echo", arguments: { text: "x" } });
        expect(textOf(result)).toContain("was not approved");
      }
      await client.close();
    });

    it("a plugin's question is put to the person", async () => {
      const client = await newClient(served, era, (form) => {
        expect(form.message).toBe("kit asks: Shall it rain?");
        return { action: "accept", content: { answer: true } };
      });
      expect(textOf(await client.callTool({ name: "kit__asks" }))).toBe("answered true");
      await client.close();
      const mute = await newClient(served, era);
      expect(textOf(await mute.callTool({ name: "kit__asks" }))).toMatch(/answered (null|false)/);
      await mute.close();
    });

    it("a call tells how far it is, and is stopped with its request", async () => {
      const client = await newClient(served, era, accept("once"));
      const heard: (string | undefined)[] = [];
      const steps = await client.callTool(
        { name: "kit__steps" },
        { onprogress: ({ message }) => heard.push(message) },
      );
      expect(textOf(steps)).toBe("done");
      // The SDK's client drops progress that arrives in one piece with the answer.
      expect(heard).toContain("one");
      const stop = new AbortController();
      const waiting = client.callTool(
        { name: "kit__wait" },
        { signal: stop.signal, onprogress: () => stop.abort(new Error("enough")) },
      );
      await expect(waiting).rejects.toThrow("enough");
      expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "on" } }))).toBe("echo on");
      await client.close();
    });
  });

  it("the client of 2025 is asked, too", async () => {
    const client = await oldClient(served, accept("once"));
    expect(textOf(await client.callTool({ name: "kit__echo", arguments: { text: "old" } }))).toBe("echo old");
    await client.close();
  });
});

describe("lines on stdin", () => {
  let served: ServedHome;
  beforeAll(async () => {
    served = await ServedHome.make();
  });
  afterAll(() => served.remove());

  it("that are no messages or too long do no harm, and the process ends with its input", async () => {
    const child = served.spawn();
    if (!child.stdin || !child.stdout) throw new Error("no pipes");
    const exited = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string);
    child.stdin.write("hello there\n");
    expect(await next()).toMatchObject({ id: null, error: { code: -32_700 } });
    child.stdin.write('{"some": "thing"}\n\n');
    expect(await next()).toMatchObject({ id: null, error: { code: -32_600 } });
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: { text: "x".repeat(40 * 1024 * 1024) } })}\n`,
    );
    expect(await next()).toMatchObject({ id: null, error: { message: "A message may have at most 32 MB." } });
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "hand", version: "1" },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "initialize", params })}\n`);
    expect(await next()).toMatchObject({ id: 2, result: { serverInfo: { name: "patchbay" } } });
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
  });

  it("an agent that is not there is said on stderr alone", async () => {
    const child = served.spawn("nobody");
    const chunks: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stdout?.on("data", () => expect.unreachable());
    expect(await once(child, "close")).toEqual([1, null]);
    expect(Buffer.concat(chunks).toString()).toMatch(/There is no agent named nobody[\s\S]*ada, ben/);
  });

  it("nothing is left of a call, its plugin and its process when the program goes away in the middle", async () => {
    const child = served.spawn();
    if (!child.stdin || !child.stdout) throw new Error("no pipes");
    const exited = once(child, "exit");
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const until = async (text: string) => {
      for (let line = await lines.next(); !line.done; line = await lines.next())
        if (line.value.includes(text)) return;
    };
    const send = (id: number, method: string, params: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const clientInfo = { name: "hand", version: "1" };
    send(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
    await until('"id":1');
    send(2, "tools/call", { name: "kit__wait", arguments: {}, _meta: { progressToken: "p" } });
    // It runs once it has said how far it is.
    await until("notifications/progress");
    const below = async () => (await linesOfProcesses()).filter((line) => line.includes(served.home));
    if (process.platform === "linux") expect((await below()).length).toBeGreaterThan(1);
    child.stdin.end();
    expect(await exited).toEqual([0, null]);
    if (process.platform === "linux") await expect.poll(below).toEqual([]);
  });
});

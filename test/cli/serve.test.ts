import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AtTerminal } from "../support/at-terminal.ts";
import { writePlugin } from "../support/fixture-plugin.ts";
import { type RunningApp, startApp } from "../support/running-app.ts";
import { type Bench, openBench } from "./support.ts";

interface Announced {
  url: string;
  pid: number;
}

describe("patchbay serve", () => {
  let bench: Bench;
  const running: RunningApp[] = [];
  const start = async () => {
    const app = await startApp(bench.home);
    running.push(app);
    return app;
  };

  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(async () => {
    for (const app of running.splice(0)) await app.close();
    await bench.remove();
  });

  it("leaves its address and token for the owner's eyes alone, and takes them along when it ends", async () => {
    const app = await start();
    const file = join(bench.home, "gateway.json");
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ url: app.url, token: app.token });
    if (process.platform !== "win32") expect((await stat(file)).mode & 0o777).toBe(0o600);
    await app.close();
    await expect(stat(file)).rejects.toThrow("ENOENT");
    await expect(stat(join(bench.home, "lock"))).rejects.toThrow("ENOENT");
  });

  it("hands a second start to the first one and ends with 0", async () => {
    const app = await start();
    const second = await bench.patchbay(["serve", "--json"]);
    expect(second.code).toBe(0);
    expect(second.json<Announced>()).toEqual({ url: app.url, pid: app.process.pid });
  });

  it("has exactly one owner when two start at once, and the other names it", async () => {
    const stop = new AbortController();
    const [first, second] = [0, 1].map(() => bench.patchbay(["serve", "--json"], { signal: stop.signal }));
    const loser = await Promise.race([first, second]);
    expect(loser?.code).toBe(0);
    const owner = JSON.parse(await readFile(join(bench.home, "gateway.json"), "utf8")) as Announced;
    expect(loser?.json<Announced>()).toMatchObject({ url: owner.url, pid: owner.pid });
    process.kill(owner.pid, "SIGTERM");
    const ended = await Promise.all([first, second]);
    expect(ended.map((one) => one?.code)).toEqual([0, 0]);
  });

  it("stops, and says why, when another has taken over its folder", async () => {
    const serving = bench.patchbay(["serve", "--json"]);
    const file = join(bench.home, "gateway.json");
    await expect.poll(() => stat(file).catch(() => null), { timeout: 30_000 }).not.toBeNull();
    const lock = { token: "another", pid: process.pid, started: null, takenAt: Date.now() };
    await writeFile(join(bench.home, "lock"), JSON.stringify(lock));
    const ended = await serving;
    expect(ended.code).toBe(1);
    expect(ended.stdout + ended.stderr).toContain("LEASE_LOST");
    expect(JSON.parse(await readFile(join(bench.home, "lock"), "utf8"))).toEqual(lock);
  });

  it("refuses a port that another program has", async () => {
    const app = await start();
    const other = await openBench();
    const ended = await other.patchbay(["serve", "--port", new URL(app.url).port, "--json"]);
    expect(ended.code).toBe(1);
    expect(ended.json()).toMatchObject({ error: { code: "PORT_IN_USE" } });
    await expect(stat(join(other.home, "lock"))).rejects.toThrow("ENOENT");
    await other.remove();
  });

  it("does what a command asks while it runs", async () => {
    const app = await start();
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
    await app.cli("plugin", "enable", "echo", "--agent", "helper");
    const rows = (await app.rest("GET", "/agents/helper/plugins")) as {
      pluginKey: string;
      enabled: boolean;
    }[];
    expect(rows).toMatchObject([{ pluginKey: "echo", enabled: true }]);
    const answer = await app.cli(
      "tool",
      "call",
      "echo__say",
      "--agent",
      "helper",
      "--input",
      '{"text":"hi"}',
      "--yes",
    );
    expect(answer).toMatchObject({ content: [{ text: "hi" }] });
  });

  it("shows a call that waits for an answer, which another command gives", async () => {
    const app = await start();
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
    await app.cli("plugin", "enable", "echo", "--agent", "helper");
    const call = app.cli("tool", "call", "echo__say", "--agent", "helper", "--input", '{"text":"hi"}');
    let waiting: { id: string }[] = [];
    while (waiting.length === 0)
      waiting = (await app.cli("approval", "list", "--waiting")) as { id: string }[];
    await app.cli("approval", "review", waiting[0]?.id as string, "--allow");
    expect(await call).toMatchObject({ trace: { outcome: "executed", approval: { status: "allowed" } } });
  });

  it.skipIf(process.platform === "win32")("says what always covers before it is sent", async () => {
    const app = await start();
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
    await app.cli("plugin", "enable", "echo", "--agent", "helper");
    const say = ["echo__say", "--agent", "helper", "--input", '{"text":"hi"}'];
    const call = app.cli("tool", "call", ...say);
    let waiting: { id: string; title: string }[] = [];
    const list = async () => (await app.cli("approval", "list", "--waiting")) as typeof waiting;
    while (waiting.length === 0) waiting = await list();
    const [one] = waiting;
    const words = `Always: every later call of ${one?.title} for helper, whatever the arguments`;
    const review = ["approval", "review", one?.id as string, "--allow", "--scope", "always"];

    const command = [process.execPath, resolve("bin/patchbay"), "--home", bench.home, ...review];
    await using person = new AtTerminal(command);
    await person.sees(words);
    await person.sees("Allow it always?");
    person.types("n\r");
    expect((await person.ended).code).not.toBe(0);
    expect(await list()).toMatchObject([{ id: one?.id }]);

    // Where nobody can be asked, it is said before the person's word is wanted.
    expect((await bench.patchbay(review)).stderr).toContain(words);
    await app.cli(...review);
    expect(await call).toMatchObject({ trace: { approval: { status: "allowed", scope: "always" } } });
    const rest = await bench.patchbay(["approval", "review", "x", "--scope", "always"]);
    expect(rest.stderr).toContain("--scope says how far --allow reaches");
  });

  it("follows a plugin's log until it is interrupted", async () => {
    const app = await start();
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
    await app.cli("plugin", "enable", "echo", "--agent", "helper");
    const args = ["plugin", "logs", "echo", "--agent", "helper", "--follow", "--level", "info"];
    const follow = spawn(process.execPath, [resolve("bin/patchbay"), "--home", bench.home, ...args]);
    const ended = once(follow, "exit");
    const lines = createInterface({ input: follow.stdout })[Symbol.asyncIterator]();
    const until = async (text: string) => {
      for (let line = await lines.next(); !line.done; line = await lines.next())
        if (line.value.includes(text)) return;
      throw new Error(`no line says ${text}`);
    };
    await until("started for helper");
    await app.cli("plugin", "disable", "echo", "--agent", "helper");
    await until("stopped");
    follow.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  });

  it("starts again after it was killed, with everything as it was confirmed", async () => {
    const app = await start();
    await app.cli("plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes");
    await app.cli("plugin", "enable", "echo", "--agent", "helper");
    await app.cli("secret", "set", "NAME", "--value", "value");
    app.process.kill("SIGKILL");
    await new Promise((gone) => app.process.once("exit", gone));
    const again = await start();
    expect(await again.cli("plugin", "list", "--agent", "helper")).toMatchObject({
      plugins: [{ key: "echo", mark: "loaded", row: { enabled: true } }],
    });
    expect(await again.cli("secret", "list")).toMatchObject([{ name: "NAME" }]);
  });

  it("is missed by a command that it leaves alone", async () => {
    const script = join(bench.folder, "slow.yaml");
    await writeFile(script, "- say: too late\n  delayMs: 60000\n");
    const app = await start();
    await app.cli("agent", "create", "Slow", "--model", `scripted:${script}`);
    const prompted = bench.patchbay(["agent", "prompt", "slow", "Hello", "--json"]);
    for (let running = false; !running; ) {
      const sessions = (await app.rest("GET", "/agents/slow/sessions")) as { status: string }[];
      running = sessions.some((session) => session.status === "running");
    }
    app.process.kill("SIGKILL");
    const ended = await prompted;
    expect(ended.code).toBe(1);
    expect(ended.json()).toMatchObject({ error: { code: "SHUTTING_DOWN", message: expect.any(String) } });
  });

  it("is not believed to run because of a file that a crash left behind", async () => {
    await bench.patchbay(["agent", "list"]);
    const stale = { url: "http://127.0.0.1:9", token: "gone", pid: process.pid };
    await writeFile(join(bench.home, "gateway.json"), JSON.stringify(stale));
    const ended = await bench.patchbay(["agent", "list", "--json"]);
    expect(ended.json()).toMatchObject([{ id: "helper" }]);
  });

  it("says in a notice that a state file was damaged, and goes on with the last good copy", async () => {
    await bench.patchbay(["agent", "create", "Kept"]);
    await bench.patchbay(["plugin", "install", resolve("test/fixtures/plugins/echo"), "--yes"]);
    const plugin = await writePlugin(join(bench.folder, "other"), { key: "other" });
    await bench.patchbay(["plugin", "install", plugin, "--yes"]);
    const file = join(bench.home, "plugins.json");
    const text = await readFile(file, "utf8");
    await writeFile(file, text.slice(0, text.length / 2));
    const app = await start();
    const snapshot = (await app.rest("GET", "/snapshot")) as {
      notices: { problem: { code: string } }[];
      plugins: { manifestKey: string }[];
    };
    expect(snapshot.notices).toMatchObject([{ problem: { code: "STATE_FILE_DAMAGED" } }]);
    expect(snapshot.plugins.map((one) => one.manifestKey)).toContain("echo");
  });
});

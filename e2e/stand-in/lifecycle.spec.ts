import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { AgentPluginView } from "../../src/contract/index.ts";
import { ask } from "../support/core.ts";
import { expectScreen, test } from "./desktop.ts";
import { runGuard } from "./guard.ts";
import { launchStandIn, type StandIn, startStandIn } from "./launch.ts";
import { family, running } from "./processes.ts";
import type { RecordedItem } from "./recorder.ts";

const root = join(import.meta.dirname, "..", "..");
const labels = (items: RecordedItem[]) => items.filter((item) => item.type !== "separator").map(nameOf);
const screen = (agentId: string) => new RegExp(`#/agents/${agentId}/plugins$`);
const nameOf = (item: RecordedItem) => item.label || item.role || "";

async function createAgent(home: string): Promise<string> {
  return (await ask<{ id: string }>(home, "POST", "/agents", { name: "Night watch" })).id;
}

/** A page that has not heard yet of an agent made a moment ago goes to another; then the way is taken once more. */
async function leads(desktop: StandIn, agentId: string, way: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    await way();
    await expect(desktop.page).toHaveURL(screen(agentId), { timeout: 2_000 });
    // The address alone may be there for a moment before the page goes to another agent.
    await expect(desktop.page.getByRole("button", { name: /^Agent: Night watch/ })).toBeVisible({
      timeout: 2_000,
    });
  }).toPass({ timeout: 20_000 });
}

test.describe("the desktop app", () => {
  test("gives the command line and scripts the same core", async ({ desktop, home }) => {
    await ask(home, "PATCH", "/agents/helper", { name: "From a script" });
    await expect(desktop.page.getByText("From a script").first()).toBeVisible();
  });

  test("hands a second start, with its link, to the first", async ({ desktop, home }) => {
    const agentId = await createAgent(home);
    await leads(desktop, agentId, async () => {
      const second = startStandIn({ home, args: [`patchbay://agents/${agentId}`] });
      expect(await second.exited).toEqual({ code: 0, signal: null });
    });
    const { windows } = await desktop.recorded();
    expect(windows).toHaveLength(1);
    expect(windows[0]).toMatchObject({ visible: true, focused: true });
  });

  test("follows a link to the screen it names, and says which one it does not know", async ({
    desktop,
    home,
  }) => {
    const agentId = await createAgent(home);
    await leads(desktop, agentId, () => desktop.openLink(`patchbay://agents/${agentId}`));
    await desktop.openLink(`patchbay://agents/${agentId}/delete`);
    await expect(desktop.page.getByText(`patchbay://agents/${agentId}/delete`)).toBeVisible();
    await desktop.page.getByRole("button").click();
    await expectScreen(desktop.page);
    await expect(desktop.page).toHaveURL(screen(agentId));
    expect((await desktop.recorded()).protocolClients).toEqual(["patchbay"]);
  });

  test("opens on the screen that its first link names", async ({ home }) => {
    const first = await launchStandIn({ home });
    const agentId = await createAgent(home);
    await first.close();
    const second = await launchStandIn({ home, args: [`patchbay://agents/${agentId}`] });
    await expect(second.page).toHaveURL(screen(agentId));
    await second.close();
  });

  test("has a menu with the usual places and its own documentation", async ({ desktop }) => {
    const { menu } = await desktop.recorded();
    expect(labels(menu)).toEqual(["File", "Edit", "View", "Window", "Help"]);
    const help = menu.find((item) => item.label === "Help");
    expect(labels(help?.submenu ?? [])).toEqual(["Patchbay documentation", "About Patchbay"]);
    await desktop.clickMenu("Help", "Patchbay documentation");
    expect((await desktop.recorded()).opened).toEqual([expect.stringMatching(/README\.md$/)]);
  });

  test("shows the agents beside the clock, and leads to them", async ({ desktop, home }) => {
    const agentId = await createAgent(home);
    const line = "Night watch: no plugin switched on";
    await expect.poll(async () => labels((await desktop.recorded()).tray?.menu ?? [])).toContain(line);
    await leads(desktop, agentId, () => desktop.clickTray(line));
    expect((await desktop.recorded()).tray?.icon).toMatch(/icons.tray\.png$/);
    expect(existsSync((await desktop.recorded()).tray?.icon ?? "")).toBe(true);
  });

  test("speaks the chosen language in its menu and beside the clock", async ({ desktop, home }) => {
    await ask(home, "PATCH", "/settings", { language: "de" });
    const menus = async () => labels((await desktop.recorded()).menu);
    await expect.poll(menus).toEqual(["Datei", "Bearbeiten", "Ansicht", "Fenster", "Hilfe"]);
    const tray = (await desktop.recorded()).tray?.menu ?? [];
    expect(labels(tray)).toEqual([
      "Helper: kein Plugin eingeschaltet",
      "Patchbay zeigen",
      "Patchbay beenden",
    ]);
    await ask(home, "PATCH", "/settings", { language: "system" });
    await expect.poll(menus).toEqual(["File", "Edit", "View", "Window", "Help"]);
  });

  test("tells what needs the person while they look elsewhere, and leads there", async ({
    desktop,
    home,
  }) => {
    const mailbox = join(root, "e2e", "plugins", "mailbox");
    const job = await ask<{ id: string }>(home, "POST", "/jobs", { spec: mailbox, yes: true });
    await expect
      .poll(async () => (await ask<{ status: string }>(home, "GET", `/jobs/${job.id}`)).status)
      .toBe("done");
    const fail = { enabled: true, config: { channel: { trouble: "fails" } } };
    const state = async () =>
      (await ask<AgentPluginView>(home, "GET", "/agents/helper/plugins/mailbox")).instance.state;
    await ask(home, "PUT", "/agents/helper/plugins/mailbox", fail);
    await expect.poll(state).toBe("failed");
    expect((await desktop.recorded()).notifications).toEqual([]);

    await desktop.lookAway();
    await ask(home, "PUT", "/agents/helper/plugins/mailbox", { enabled: false });
    await expect.poll(state).toBe("stopped");
    await ask(home, "PUT", "/agents/helper/plugins/mailbox", fail);
    const titles = async () => (await desktop.recorded()).notifications.map(({ title }) => title);
    await expect.poll(titles).toEqual(["Mailbox failed to start (Helper)"]);
    await desktop.clickNotification();
    await expect(desktop.page).toHaveURL(/plugins\/mailbox\/overview$/);

    await desktop.lookAway();
    const script = join(home, "script.json");
    writeFileSync(script, JSON.stringify([{ call: { tool: "shell", input: { command: "ls" } } }]));
    await ask(home, "PATCH", "/agents/helper", { model: { kind: "scripted", file: script } });
    void ask(home, "POST", "/agents/helper/prompt", { text: "Look" }).catch(() => {});
    await expect.poll(titles).toContain("Helper asks: may it use shell?");
    await desktop.clickNotification();
    await expect(desktop.page.getByRole("heading", { name: "Approvals", exact: true })).toBeVisible();
  });

  test("quits from the tray and leaves no process behind", async ({ home }) => {
    const desktop = await launchStandIn({ home });
    const host = await runGuard(home);
    const all = family(desktop.pid);
    expect(all).toContain(host);
    await desktop.clickTray("Quit Patchbay").catch(() => {});
    expect(await desktop.exited).toEqual({ code: 0, signal: null });
    await expect.poll(() => running(all)).toEqual([]);
    expect(existsSync(join(home, "gateway.json"))).toBe(false);
  });

  test("leaves no process behind when it is killed", async ({ home }) => {
    const desktop = await launchStandIn({ home });
    const host = await runGuard(home);
    const all = family(desktop.pid);
    expect(all).toContain(host);
    await desktop.kill();
    await expect.poll(() => running(all)).toEqual([]);
  });

  test("starts again after it was killed, with everything that was there", async ({ home }) => {
    const first = await launchStandIn({ home });
    await runGuard(home);
    await first.kill();
    const second = await launchStandIn({ home });
    await expectScreen(second.page);
    const agents = await ask<{ id: string; pluginsOn: number }[]>(home, "GET", "/agents");
    expect(agents[0]?.pluginsOn).toBe(1);
    expect(await second.close()).toEqual({ code: 0, signal: null });
  });

  test("offers the Patchbay that runs in a terminal instead of a second one", async ({ home }) => {
    const serve = spawn(
      process.execPath,
      [join(root, "bin", "patchbay"), "serve", "--home", home, "--json"],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const [printed] = await once(serve.stdout, "data");
    const { link } = JSON.parse(String(printed)) as { link: string };
    const desktop = startStandIn({ home });
    await expect.poll(async () => (await desktop.recorded()).dialogs).toHaveLength(1);
    const { dialogs } = await desktop.recorded();
    expect(dialogs[0]).toMatchObject({
      title: "Patchbay is already running",
      buttons: ["Open it in the browser", "Close"],
    });
    const { opened } = await desktop.pressButton("Open it in the browser");
    // Without a link of its own: the page there says how to get one.
    expect(opened).toEqual([new URL(link).origin]);
    expect(await desktop.exited).toEqual({ code: 0, signal: null });
    serve.kill("SIGTERM");
    await once(serve, "exit");
  });
});

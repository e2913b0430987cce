import { join } from "node:path";
import { writeFiles } from "../test/support/fixture-plugin.ts";
import { boxedPlugin, namedPlugin } from "../test/support/fledge-manifests.ts";
import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

const fixtures = join(import.meta.dirname, "..", "test", "fixtures", "fledge");

test("a fledge plugin is installed from its folder, with what it is shown first", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(join(fixtures, "many"));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByRole("heading", { name: "Install many?" })).toBeVisible();
  await expect(dialog.getByText("build: cc -O1 -o many many.c")).toBeVisible();
  await expect(dialog.getByText(/Each call starts its program behind walls/)).toBeVisible();
  await expect(
    dialog.getByText(/They run behind walls: they change the package's folder alone/),
  ).toBeVisible();
  await dialog.getByRole("checkbox", { name: /run its own scripts/ }).check();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "many is installed" })).toBeVisible();
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(app.card("many")).toBeVisible();
});

test("one whose build was not allowed is not said to run, and what lets it run is named", async ({ app }) => {
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(join(fixtures, "many"));
  await dialog.getByRole("button", { name: "Continue" }).click();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "many is installed" })).toBeVisible();
  await expect(dialog.getByRole("status").filter({ hasText: "not allowed to run (build)" })).toContainText(
    "patchbay plugin update fledge-many --allow-scripts",
  );
  await dialog.getByRole("button", { name: "Switch on for Helper" }).click();
  await expect(app.card("many")).toContainText("Has a problem");
  await app.openPlugin("many", "Overview");
  const main = page.getByRole("main");
  await expect(main.getByText("patchbay plugin update fledge-many --allow-scripts")).toBeVisible();
  await expect(main.getByText("Running", { exact: true })).toBeHidden();
  await expectNoViolationsInBoth(page, "a plugin that was not built");
});

test("the card of a plugin of WebAssembly says what holds it, what it reads and how much it keeps", async ({
  app,
}, testInfo) => {
  const dir = testInfo.outputPath("boxed");
  await writeFiles(dir, {
    "plugin.toml": boxedPlugin,
    "go.wasm": "\0asm",
  });
  const { page } = app;
  await page.getByRole("button", { name: "Add plugin" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(dir);
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText(/a sandbox of its own on every system: it has no network/)).toBeVisible();
  await expect(dialog.getByText(/You are asked about each host/)).toHaveCount(0);
  await expect(dialog.getByRole("checkbox", { name: "Read files in the agent's workspace" })).toBeChecked();
  const also = "the network, which WebAssembly does not have here, up to 256 MB of files of its own";
  await expect(dialog.getByText(`Also asks for: ${also}`)).toBeVisible();
  await dialog.getByRole("button", { name: "Install", exact: true }).click();
  await expect(dialog.getByRole("heading", { name: "boxed is installed" })).toBeVisible();
  await app.set("fledge-boxed", { enabled: true });
  await app.goTo("/agents/helper/plugins/fledge-boxed/permissions");
  await expect(page.getByText(/at most reads the workspace, also where more is granted here/)).toBeVisible();
  await app.goTo("/agents/helper/plugins/fledge-boxed/overview");
  await expect(page.getByText("Can read files in the agent's workspace, and change nothing")).toBeVisible();
  await app.ask("PATCH", "/settings", { language: "de" });
  await app.goTo("/agents/helper/plugins/fledge-boxed/settings");
  await expect(page.getByText("Umgebungsvariablen")).toBeVisible();
});

test("its page names its commands and the programs of its hooks", async ({ app }) => {
  const { page } = app;
  const dir = join(app.home, "..", "named");
  await writeFiles(dir, {
    "plugin.toml": `${namedPlugin}[hooks]
post_work_start = "./greet --all"
pre_push = "./check"
`,
    go: "#!/bin/sh\n",
    greet: "#!/bin/sh\n",
  });
  await app.install(dir);
  await app.set("fledge-named", { enabled: false });
  await app.openPlugin("named", "Overview");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows.filter({ hasText: "deploy" }).filter({ hasText: "Sends it out." })).toContainText(
    "dangerous",
  );
  await expect(rows.filter({ hasText: "./greet --all" })).toContainText("post_work_start runs at its moment");
  await expect(rows.filter({ hasText: "./check" })).toContainText("pre_push never runs here");
});

test("a question that is asked during a call is answered in place", async ({ app }) => {
  const { page } = app;
  await useHello(app, "reset");
  const panel = await app.openConversation();
  await app.send("Reset it");
  const question = panel.getByRole("form", { name: "Question of hello" });
  await expect(question.getByText("Reset everything?")).toBeVisible();
  await expect(question.getByText(/tool fledge_hello\.reset/)).toBeVisible();
  await expectNoViolationsInBoth(page, "a plugin's question");
  await question.getByRole("button", { name: "Yes" }).click();
  const call = panel.getByRole("article", { name: "Tool call fledge_hello.reset" });
  await expect(call).toHaveAttribute("data-outcome", "executed");
  await expect(panel.getByText("That was it.")).toBeVisible();
});

test("a question that is not answered ends the call, and so does stopping the turn while it is open", async ({
  app,
}) => {
  await useHello(app, "reset", 2);
  const panel = await app.openConversation();
  await app.send("Reset it");
  const question = panel.getByRole("form", { name: "Question of hello" });
  await question.getByRole("button", { name: "Do not answer" }).click();
  const calls = panel.getByRole("article", { name: "Tool call fledge_hello.reset" });
  await expect(calls.first()).toHaveAttribute("data-outcome", "failed");
  await expect(panel.getByText("That was it.")).toBeVisible();

  await app.send("Reset it after all");
  await expect(question.getByText("Reset everything?")).toBeVisible();
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(panel.getByText("You stopped it.")).toBeVisible();
  await expect(question).toBeHidden();
  await expect(calls).toHaveCount(2);
  await expect(calls.last()).toHaveAttribute("data-outcome", "failed");
  expect(await app.ask("GET", "/dialogs")).toEqual([]);
});

test("a question that nobody answers in time ends the call", async ({ app }) => {
  await app.ask("PATCH", "/settings", { limits: { dialogMs: 1_000 } });
  await useHello(app, "reset");
  const panel = await app.openConversation();
  await app.send("Reset it");
  await expect(panel.getByRole("form", { name: "Question of hello" })).toBeVisible();
  const call = panel.getByRole("article", { name: "Tool call fledge_hello.reset" });
  await expect(call).toHaveAttribute("data-outcome", "failed");
  await expect(panel.getByRole("form", { name: "Question of hello" })).toBeHidden();
});

test("a command that calls itself dangerous is asked for in spite of a rule that allows everything", async ({
  app,
}) => {
  await useHello(app, "ask");
  const panel = await app.openConversation();
  await app.send("Ask it");
  const approval = panel.getByRole("region", { name: "Approval for fledge_hello.ask" });
  await approval.getByRole("button", { name: "Deny…" }).click();
  await approval.getByRole("button", { name: "Deny", exact: true }).click();
  await expect(panel.getByRole("article", { name: "Tool call fledge_hello.ask" })).toHaveAttribute(
    "data-outcome",
    "rejected",
  );
});

test("progress is shown while a call runs, and it can be stopped", async ({ app }) => {
  await app.install(join(fixtures, "probe"));
  await app.set("fledge-probe", { enabled: true });
  await allowAll(app);
  await app.script([{ call: { tool: "fledge_probe__probe", input: { mode: "deaf" } } }, { say: "Done." }]);
  const panel = await app.openConversation();
  await app.send("Go");
  await expect(
    panel
      .getByRole("article", { name: "Tool call fledge_probe.probe" })
      .getByRole("paragraph")
      .getByText("deaf", { exact: true }),
  ).toBeVisible();
  await panel.getByRole("button", { name: "Stop" }).click();
  await expect(panel.getByText("You stopped it.")).toBeVisible();
});

type Shown = Parameters<Parameters<typeof test>[2]>[0]["app"];

/** Installs the plugin that asks, lets everything be used, and scripts one call of a command. */
async function useHello(app: Shown, command: string, times = 1): Promise<void> {
  await app.install(join(fixtures, "hello"));
  await app.set("fledge-hello", { enabled: true });
  await allowAll(app);
  const steps = [{ call: { tool: `fledge_hello__${command}`, input: {} } }, { say: "That was it." }];
  await app.script(Array.from({ length: times }, () => steps).flat());
}

async function allowAll(app: Shown): Promise<void> {
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });
}

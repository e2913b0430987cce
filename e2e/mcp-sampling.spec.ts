import { join } from "node:path";
import { serverFolder } from "../test/mcp/server-folder.ts";
import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { look } from "./support/look.ts";

test("a server asks the agent's model once it is let, and each request is shown before", async ({ app }) => {
  const { page } = app;
  await app.install(await serverFolder(join(app.home, "poet"), "asks-legacy", { key: "poet" }));
  await app.set("poet", { enabled: true });
  await app.ask("PATCH", "/agents/helper", { policy: [{ tool: "*", effect: "allow" }] });

  await app.goTo("/agents/helper/plugins/poet/permissions");
  const may = page.getByRole("switch", { name: "May ask the agent’s model" });
  await expect(may).not.toBeChecked();
  await may.click();
  const changes = page.getByRole("region", { name: "Not saved yet" });
  await expect(changes.getByText(/asking the agent’s model/)).toBeVisible();
  await look(page, "sampling-switch");
  await expectNoViolationsInBoth(page, "the switch for the model");
  await look(page, "sampling-switch-dark");
  await changes.getByRole("button", { name: "Grant" }).click();
  await expect(changes).toHaveCount(0);
  await expect(may).toBeChecked();

  await app.script([
    { say: "Roses are red.", call: { tool: "poet__poem", input: {} } },
    { say: "That is done." },
  ]);
  const panel = await app.openConversation();
  await app.send("Go on");
  const question = page.getByRole("form", { name: "poet and the model" }).last();
  await expect(question.getByText("You are a poet.")).toBeVisible();
  await expect(question.getByText("A poem, please.")).toBeVisible();
  await expect(question.getByText(/at most 4,096 tokens/)).toBeVisible();
  await look(page, "sampling-question");
  await expectNoViolationsInBoth(page, "a question to the model");
  await look(page, "sampling-question-dark");
  await question.getByRole("button", { name: "Once" }).click();
  await expect(question).toHaveCount(0);
  await expect(panel.getByText("That is done.")).toBeVisible();
  await expect(page.getByRole("article", { name: "Tool call poet.poem" })).toHaveAttribute(
    "data-outcome",
    "executed",
  );

  await panel.getByRole("link", { name: "On the timeline" }).click();
  await expect(page.getByText("Model asked for the plugin").first()).toBeVisible();
  await look(page, "sampling-timeline");
});

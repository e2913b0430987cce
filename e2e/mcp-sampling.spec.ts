import { join } from "node:path";
import { serverFolder } from "../test/mcp/server-folder.ts";
import { expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";

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
  await page.screenshot({ path: "pictures/sampling-switch.png" });
  await expectNoViolationsInBoth(page, "the switch for the model");
  await page.screenshot({ path: "pictures/sampling-switch-dark.png" });
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
  await page.screenshot({ path: "pictures/sampling-question.png" });
  await expectNoViolationsInBoth(page, "a question to the model");
  await page.screenshot({ path: "pictures/sampling-question-dark.png" });
  await question.getByRole("button", { name: "Once" }).click();
  await expect(question).toHaveCount(0);
  await expect(panel.getByText("That is done.")).toBeVisible();
  await expect(page.getByRole("article", { name: "Tool call poet.poem" })).toHaveAttribute(
    "data-outcome",
    "executed",
  );
});

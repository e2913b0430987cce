import { expect, test } from "../support/app.ts";
import { failingModel } from "../support/failing-model.ts";

test.use({ welcome: true });

test("the welcome ticks a model only when it has answered, and stores none that has not", async ({ app }) => {
  const { page } = app;
  await using model = await failingModel();
  const steps = page.getByRole("list", { name: "Three steps" });
  await page.getByLabel("Model", { exact: true }).first().selectOption("openai-compatible");
  await page.getByLabel("Address", { exact: true }).fill(model.url);
  await page.getByLabel("Model name", { exact: true }).fill("gpt-test");

  model.answers = [{ kind: "status", status: 404, body: "{}" }];
  await page.getByRole("button", { name: "Use this model" }).click();
  await expect(page.getByRole("alert")).toContainText("does not know the model gpt-test.");
  await expect(steps.getByText("done")).toHaveCount(0);
  expect(await app.ask<object>("GET", "/agents/helper")).toMatchObject({ model: { kind: "none" } });

  model.answers = [{ kind: "says", text: "ok" }];
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Pick a first plugin" })).toBeVisible();
  await expect(steps.getByText(/^gpt-test answered in/)).toBeVisible();
  await expect(steps.getByText("done")).toHaveCount(1);
  expect(await app.ask<object>("GET", "/agents/helper")).toMatchObject({
    model: { kind: "openai-compatible", model: "gpt-test" },
  });
});

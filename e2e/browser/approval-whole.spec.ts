import { expect, test } from "../support/app.ts";
import { expectNoViolations } from "../support/axe.ts";

test("a path is in sight beside 5 KB of text, and what is hidden is said before Allow", async ({ app }) => {
  const { page } = app;
  const content = `${"A line of the report.\n".repeat(230)}The very last line.`;
  await app.script([
    { call: { tool: "write_file", input: { content, path: "reports/../.profile" } } },
    { say: "Written." },
  ]);
  const panel = await app.openConversation();
  await app.send("Write it");
  const card = panel.getByRole("region", { name: "Approval for write_file" });

  await test.step("the tool is put in words, the path stands above the text", async () => {
    await expect(card.getByText(/^Writes a text file into the agent's folder/)).toBeVisible();
    const names = card.getByRole("term");
    await expect(names).toHaveText(["path", "content"]);
    await expect(card.getByText("reports/../.profile")).toBeInViewport();
    await expect(card.getByText("The very last line.")).toBeVisible();
  });

  await test.step("what is folded is counted at the buttons, and can be read whole", async () => {
    const allow = card.getByRole("button", { name: "Allow once" });
    await expect(card.getByText(/KB of the arguments are folded\./)).toBeVisible();
    await expect(allow).toHaveAccessibleDescription(/KB of the arguments are folded/);
    await expect(card.getByRole("button", { name: /^Show all \(.* KB\)$/ })).toBeVisible();
    await card.getByRole("button", { name: "Show everything" }).click();
    await expect(card.getByText(/are folded\./)).toBeHidden();
    const shown = await card.getByRole("definition").nth(1).textContent();
    expect(shown).toContain(content);
  });

  await test.step("“Always” says what it covers before it is pressed, and keeps exactly that", async () => {
    const always = card.getByRole("button", { name: "Always" });
    await expect(always).toHaveAccessibleDescription(
      /“Always” lets Helper use write_file from now on without asking, whatever the arguments\./,
    );
    await expectNoViolations(page, "a long call that waits");
  });
});

import { expect, test } from "../support/app.ts";

test("what comes with Patchbay has drawn marks in colours of their own, and no card says `native`", async ({
  app,
}) => {
  const { page } = app;
  await page.getByRole("link", { name: "Discover", exact: true }).click();
  await expect(page.getByRole("article", { name: "Telegram", exact: true })).toBeVisible();
  const marks = page.getByRole("article").locator("[data-mark]");
  const looks = await marks.evaluateAll((all) =>
    all.map((mark) => ({
      text: mark.textContent,
      drawing: mark.querySelector("svg")?.innerHTML ?? "",
      ground: getComputedStyle(mark).backgroundColor,
    })),
  );
  expect(looks.length).toBeGreaterThan(8);
  expect(looks.every(({ text, drawing }) => text === "" && drawing !== "")).toBe(true);
  expect(new Set(looks.map(({ drawing }) => drawing)).size).toBe(looks.length);
  expect(new Set(looks.map(({ ground }) => ground)).size).toBe(looks.length);
  await expect(page.getByRole("article").getByText("native", { exact: true })).toHaveCount(0);
});

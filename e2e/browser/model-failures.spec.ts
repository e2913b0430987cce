import { expect, test } from "../support/app.ts";
import { expectNoViolations } from "../support/axe.ts";
import { type Answer, failingModel } from "../support/failing-model.ts";

const json = JSON.stringify({ error: { message: "Something {internal} happened", type: "x" } });
const page = "<html><body><h1>Bad gateway</h1></body></html>";

interface Case {
  name: string;
  answer: Answer;
  says: RegExp;
  buttons: string[];
}

const cases: Case[] = [
  {
    name: "401",
    answer: { kind: "status", status: 401, body: json },
    says: /^127\.0\.0\.1:\d+ refused the key for gpt-test\.$/,
    buttons: ["Change the key", "Change the model", "Try again"],
  },
  {
    name: "404",
    answer: { kind: "status", status: 404, body: json },
    says: /^127\.0\.0\.1:\d+ does not know the model gpt-test\.$/,
    buttons: ["Change the model", "Try again"],
  },
  {
    name: "no credit",
    answer: { kind: "status", status: 429, body: '{"error":{"code":"insufficient_quota","message":"x"}}' },
    says: /^The account at 127\.0\.0\.1:\d+ has no credit left\.$/,
    buttons: ["Change the model", "Try again"],
  },
  {
    name: "500",
    answer: { kind: "status", status: 500, body: json },
    says: /^127\.0\.0\.1:\d+ has a fault of its own \(500\)\.$/,
    buttons: ["Try again", "Change the model"],
  },
  {
    name: "502 with a page",
    answer: { kind: "status", status: 502, body: page, headers: { "content-type": "text/html" } },
    says: /^127\.0\.0\.1:\d+ has a fault of its own \(502\)\.$/,
    buttons: ["Try again", "Change the model"],
  },
  {
    name: "a page instead of an answer",
    answer: { kind: "status", status: 200, body: page, headers: { "content-type": "text/html" } },
    says: /^http:.* is no address of a model\.$/,
    buttons: ["Change the model", "Try again"],
  },
  {
    name: "an empty answer",
    answer: { kind: "says", text: "" },
    says: /^gpt-test answered with nothing\.$/,
    buttons: ["Try again", "Change the model"],
  },
];

test("each failure of a model is a sentence with its buttons, and trying again goes on", async ({ app }) => {
  test.setTimeout(120_000);
  await using model = await failingModel();
  await app.ask("PUT", "/secrets/MODEL_KEY", { value: "sk-test", agentId: null });
  await app.ask("PATCH", "/agents/helper", {
    model: { kind: "openai", model: "gpt-test", apiKey: "${MODEL_KEY}", baseUrl: model.url },
  });
  const panel = await app.openConversation();
  const alert = panel.getByRole("alert");

  for (const { name, answer, says, buttons } of cases) {
    await test.step(name, async () => {
      model.answers = [answer];
      await app.send(`Hello after ${name}`);
      await expect(alert.getByText(says)).toBeVisible({ timeout: 20_000 });
      expect(await alert.getByRole("button").allTextContents()).toEqual(buttons);
      expect((await alert.locator("p").allTextContents()).join(" ")).not.toMatch(/[{<]/);
      model.answers = [{ kind: "says", text: `Answer after ${name}` }];
      await alert.getByRole("button", { name: "Try again" }).click();
      await expect(panel.getByText(`Answer after ${name}`)).toBeVisible();
      await expect(panel.getByRole("log").getByText(`Hello after ${name}`)).toHaveCount(1);
      await expect(alert).toHaveCount(0);
    });
  }

  await test.step("a cut answer stays, is said to break off, and is asked for anew", async () => {
    model.answers = [{ kind: "cut", text: "The first half of" }];
    await app.send("Tell me all");
    await expect(panel.getByText("The answer breaks off here.")).toBeVisible();
    await expect(
      alert.getByText(/^The connection to 127.* was cut before the answer was complete\.$/),
    ).toBeVisible();
    await app.page.reload();
    await expect(panel.getByText("The first half of")).toBeVisible();
    await expect(panel.getByText("The answer breaks off here.")).toBeVisible();
    model.answers = [{ kind: "says", text: "The whole of it." }];
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(panel.getByText("The whole of it.")).toBeVisible();
    await expect(panel.getByText(/was cut.* · tried again$/)).toBeVisible();
    expect(model.asked.at(-1)).toMatchObject({ role: "user", content: "Tell me all" });
    await app.page.reload();
    await expect(panel.getByText("The whole of it.")).toBeVisible();
    await expect(panel.getByText(/was cut.* · tried again$/)).toBeVisible();
  });

  await test.step("a provider that wants minutes is waited for only when the person says so", async () => {
    model.answers = [
      { kind: "status", status: 429, body: json, headers: { "retry-after": "300" } },
      { kind: "says", text: "Now I have time." },
    ];
    await app.send("Are you there?");
    await expect(alert.getByText(/^127.* takes no more requests at the moment\.$/)).toBeVisible();
    await alert.getByRole("button", { name: /^Wait \d+ seconds, then try again$/ }).click();
    await expect(alert.getByRole("button", { name: /^Trying again in \d+ s/ })).toBeVisible();
    await expectNoViolations(app.page, "a busy model");
    await alert.getByRole("button", { name: "Try again", exact: true }).click();
    await expect(panel.getByText("Now I have time.")).toBeVisible();
  });

  await test.step("the button leads to the key", async () => {
    model.answers = [{ kind: "status", status: 401, body: json }];
    await app.send("And now?");
    await alert.getByRole("button", { name: "Change the key" }).click();
    await expect(app.page.getByRole("dialog").locator("input[type=password]")).toBeFocused();
  });
});

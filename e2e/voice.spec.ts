import { expect, test } from "./support/app.ts";

test("voice notes and spoken answers are set in the agent's dialog; the key goes to the vault", async ({
  app,
}) => {
  const { page } = app;
  const open = async () => {
    await page.getByRole("button", { name: /^Agent: Helper/ }).click();
    await page.getByRole("menuitem", { name: "Edit Helper…" }).click();
    return page.getByRole("dialog", { name: "Edit Helper" });
  };
  const dialog = await open();
  await dialog.getByLabel("Voice notes").selectOption("Become text");
  await dialog.getByRole("button", { name: "Save" }).click();
  // Nothing is saved while something is missing.
  await expect(dialog.getByLabel("Address that listens")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Address that listens").fill("127.0.0.1:9");
  await expect(dialog.getByText("A web address without a name")).toBeVisible();
  await dialog.getByLabel("Address that listens").fill("http://127.0.0.1:9/v1");
  await dialog.getByLabel("Model that listens").fill("whisper-1");
  await dialog.getByLabel("Key for listening").fill("sk-listens");
  await dialog.getByLabel("Spoken answers").selectOption("In answer to a voice note");
  await dialog.getByLabel("Address that speaks").fill("http://127.0.0.1:9/v1");
  await dialog.getByLabel("Model that speaks").fill("tts-1");
  await dialog.getByLabel("Voice", { exact: true }).fill("alloy");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /^Agent: Helper/ })).toBeVisible();
  const service = { baseUrl: "http://127.0.0.1:9/v1" };
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({
    voice: {
      listen: { ...service, model: "whisper-1", apiKey: "${SPEECH_TO_TEXT_KEY}", maxMinutes: 10 },
      speak: { ...service, model: "tts-1", voice: "alloy", when: "voice" },
    },
  });
  expect(await app.ask("GET", "/secrets")).toContainEqual(
    expect.objectContaining({ name: "SPEECH_TO_TEXT_KEY", agentId: "helper" }),
  );

  const again = await open();
  await expect(again.getByText("Stored as ${SPEECH_TO_TEXT_KEY}. It is never shown again.")).toBeVisible();
  await again.getByLabel("Voice notes").selectOption("Stay files");
  await again.getByLabel("Spoken answers").selectOption("Never");
  await again.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: /^Agent: Helper/ })).toBeVisible();
  expect(await app.ask("GET", "/agents/helper")).toMatchObject({ voice: { listen: null, speak: null } });
});

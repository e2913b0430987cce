import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { type App, expect, test } from "./support/app.ts";
import { expectNoViolationsInBoth } from "./support/axe.ts";
import { failingModel } from "./support/failing-model.ts";

/** A real picture of this repository. */
const picture = join(import.meta.dirname, "..", "docs", "screens", "approvals-light.png");

/** Lets files be dropped on or pasted into an element, as the browser tells a page of it. */
async function give(
  page: Page,
  to: Locator,
  how: "drop" | "paste",
  files: { name: string; type: string; base64: string }[],
): Promise<void> {
  const data = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of given) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    return transfer;
  }, files);
  if (how === "paste") {
    await to.evaluate((field, clipboardData) => {
      field.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true } as ClipboardEventInit),
      );
    }, data);
    return;
  }
  await to.dispatchEvent("dragenter", { dataTransfer: data });
  await expect(page.getByText("Drop the files to attach them")).toBeVisible();
  await to.dispatchEvent("dragover", { dataTransfer: data });
  await to.dispatchEvent("drop", { dataTransfer: data });
}

async function withEyes(app: App, url: string): Promise<void> {
  await app.ask("PUT", "/secrets/MODEL_KEY", { value: "sk-test", agentId: null });
  await app.ask("PATCH", "/agents/helper", {
    model: { kind: "openai", model: "gpt-5.1", apiKey: "${MODEL_KEY}", baseUrl: url },
  });
}

test("pictures and files are chosen, pasted and dropped, sent, shown, and come along when the message is written anew", async ({
  app,
}) => {
  const { page } = app;
  await using model = await failingModel();
  model.answers = [{ kind: "says", text: "I see a card." }];
  await withEyes(app, model.url);
  const panel = await app.openConversation();
  const message = panel.getByRole("textbox", { name: /^Message to/ });
  const attached = panel.getByRole("list", { name: "Files of this message" });
  const base64 = (await readFile(picture)).toString("base64");

  await panel.locator("form input[type=file]").setInputFiles(picture);
  await expect(attached.getByRole("listitem")).toHaveCount(1);
  await give(page, message, "paste", [{ name: "pasted.png", type: "image/png", base64 }]);
  await expect(attached.getByRole("listitem")).toHaveCount(2);
  const notes = { name: "notes.txt", type: "text/plain", base64: Buffer.from("remember").toString("base64") };
  await give(page, panel.getByRole("log"), "drop", [notes]);
  await expect(attached.getByText("notes.txt")).toBeVisible();
  await expect(page.getByText("Drop it to install it")).toBeHidden();
  await attached.getByRole("button", { name: "Take pasted.png away" }).click();
  await expect(attached.getByRole("listitem")).toHaveCount(2);
  await attached.getByRole("button", { name: "Open approvals-light.png large" }).click();
  await expect(page.getByRole("dialog", { name: "approvals-light.png" }).getByRole("img")).toBeVisible();
  await page.keyboard.press("Escape");
  await expectNoViolationsInBoth(page, "files in the field for messages");

  await app.send("What do you see?");
  const log = panel.getByRole("log");
  await expect(log.getByText("I see a card.")).toBeVisible();
  await expect(attached).toBeHidden();
  const sent = JSON.stringify(model.asked.at(-1));
  expect(sent).toContain(base64);
  expect(sent).toContain("[Attached file: attachments/notes.txt (text/plain, 8 B)]");
  await expect(log.getByText("[Attached")).toHaveCount(0);
  await expect(log.getByText("notes.txt")).toBeVisible();
  const shown = log.getByRole("button", { name: "Open approvals-light.png large" });
  await expect(shown.locator("img")).toBeVisible();
  await expectNoViolationsInBoth(page, "files of a message");
  await page.emulateMedia({ colorScheme: "light" });

  await page.reload();
  await expect(shown.locator("img")).toBeVisible();
  await shown.click();
  await expect(page.getByRole("dialog", { name: "approvals-light.png" }).getByRole("img")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await log.getByText("What do you see?").hover();
  await log.getByRole("button", { name: "Edit message" }).click();
  await log.getByRole("button", { name: "Take notes.txt away" }).click();
  await log.getByRole("textbox", { name: "Message", exact: true }).fill("And now?");
  await page.keyboard.press("Enter");
  await expect(log.getByText("Version 2 of 2")).toBeAttached();
  await expect.poll(() => JSON.stringify(model.asked.at(-1))).toContain("And now?");
  expect(JSON.stringify(model.asked.at(-1))).toContain(base64);
  expect(JSON.stringify(model.asked.at(-1))).not.toContain("notes.txt");
});

test("what cannot be attached is refused with a sentence, and a model without eyes is named before", async ({
  app,
}) => {
  // Files of 25 MB take the way into the stand-in half a minute on an idle machine.
  test.slow();
  const { page } = app;
  await app.script([{ say: "Read." }]);
  const panel = await app.openConversation();
  const chooser = panel.locator("form input[type=file]");
  const file = (name: string, bytes = 4) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.alloc(bytes, 65),
  });
  await chooser.setInputFiles([file("huge.bin", 25 * 1024 * 1024 + 1)]);
  await expect(
    panel.getByText("huge.bin is larger than 25 MB, the most that a message can carry."),
  ).toBeVisible();
  await chooser.setInputFiles(Array.from({ length: 11 }, (_, index) => file(`part-${index}.txt`)));
  await expect(panel.getByText("Ten files go with one message. The others were left out.")).toBeVisible();
  const attached = panel.getByRole("list", { name: "Files of this message" });
  await expect(attached.getByRole("listitem")).toHaveCount(10);
  for (let index = 0; index < 9; index += 1)
    await attached.getByRole("button", { name: `Take part-${index}.txt away` }).click();
  await chooser.setInputFiles(picture);
  await expect(panel.getByText(/^This model is not shown pictures/)).toBeVisible();

  // A long one goes over in pieces, without words beside it.
  await chooser.setInputFiles([file("long.txt", 9 * 1024 * 1024)]);
  await panel.getByRole("button", { name: "Send", exact: true }).click();
  await expect(panel.getByText("Read.")).toBeVisible();
  const [agent] = await app.ask<{ workspace: string }[]>("GET", "/agents");
  const stored = await readFile(join(agent?.workspace ?? "", "attachments", "long.txt"));
  expect(stored.length).toBe(9 * 1024 * 1024);
  await expect(panel.getByRole("log").getByText("long.txt")).toBeVisible();
  await page.keyboard.press("Escape");
});

test("a picture from elsewhere is fetched only when the person wants to see it", async ({ app }) => {
  const { page } = app;
  let asked = 0;
  const bytes = await readFile(picture);
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { "content-type": "image/png" });
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/chart.png`;
  try {
    await app.script([{ say: `Look:\n\n![The chart](${url})\n\n- [x] drawn\n- [ ] judged` }]);
    const panel = await app.openConversation();
    await app.send("Draw it");
    const log = panel.getByRole("log");
    await expect(log.getByText(`A picture from ${url}`)).toBeVisible();
    await expect(log.getByRole("img", { name: "Done" })).toBeVisible();
    await expectNoViolationsInBoth(page, "a picture that is not fetched yet");
    expect(asked).toBe(0);
    await log.getByRole("button", { name: "Show", exact: true }).click();
    await expect(log.getByRole("button", { name: "Open The chart large" }).locator("img")).toBeVisible();
    expect(asked).toBe(1);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

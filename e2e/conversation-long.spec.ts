import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "./support/app.ts";

/** The lines of a conversation with this many entries: questions, and answers with Markdown. */
function lines(id: string, entries: number): string {
  const at = "2026-01-01T00:00:00.000Z";
  const caller = { kind: "owner" };
  const head = {
    type: "session",
    id,
    agentId: "helper",
    title: "A long one",
    source: { kind: "owner" },
    at,
    v: 1,
  };
  const all: object[] = [head];
  for (let index = 0; index < entries / 2; index += 1) {
    const turnId = `t${index}`;
    const text = `## Answer ${index}\n\nSome **words** about it.\n\n- one\n- two\n\n\`\`\`ts\nconst n = ${index};\n\`\`\``;
    all.push({ type: "user", id: `u${index}`, turnId, text: `Question ${index}?`, caller, at });
    all.push({ type: "assistant", id: `a${index}`, turnId, text, toolCalls: [], at });
    all.push({ type: "turn_end", turnId, outcome: "done", problem: null, at });
  }
  return `${all.map((entry) => JSON.stringify(entry)).join("\n")}\n`;
}

test("a conversation of 2,000 entries opens at its end, scrolls back without a jump, and finds the end again", async ({
  app,
}) => {
  await app.script([{ say: "And on it goes." }]);
  const session = await app.ask<{ id: string }>("POST", "/agents/helper/sessions", {});
  const folder = join(app.home, "agents", "helper", "sessions");
  await mkdir(folder, { recursive: true });
  expect(await readdir(folder)).toContain(`${session.id}.jsonl`);
  await writeFile(join(folder, "long-one.jsonl"), lines("long-one", 2_000));

  const panel = await app.openConversation();
  await panel.getByRole("button", { name: "All conversations" }).click();
  const begun = Date.now();
  await panel.getByRole("button", { name: /^A long one/ }).click();
  const log = panel.getByRole("log");
  await expect(log.getByText("Answer 999")).toBeVisible();
  test.info().annotations.push({ type: "opened", description: `${Date.now() - begun} ms` });
  const drawn = () => log.locator("[data-turn]").count();
  expect(await drawn()).toBeLessThan(60);

  // Scrolled as a wheel does, frame by frame: what was in view goes down by what was scrolled, and by nothing else.
  const { jumps, frames } = await log.evaluate(async (box) => {
    const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
    const jumps: number[] = [];
    const frames: number[] = [];
    for (let step = 0; step < 240; step += 1) {
      const edge = box.getBoundingClientRect().top;
      const seen = [...box.querySelectorAll("[data-turn]")].find(
        (one) => one.getBoundingClientRect().top > edge,
      );
      const before = seen?.getBoundingClientRect().top ?? 0;
      const from = box.scrollTop;
      const began = performance.now();
      box.scrollTop -= 120;
      const moved = from - box.scrollTop;
      await frame();
      await frame();
      frames.push((performance.now() - began) / 2);
      if (seen?.isConnected) jumps.push(Math.abs(seen.getBoundingClientRect().top - before - moved));
    }
    return { jumps, frames };
  });
  expect(Math.max(...jumps)).toBeLessThan(3);
  const slow = frames.toSorted((a, b) => b - a);
  test
    .info()
    .annotations.push({ type: "slowest frames", description: slow.slice(0, 5).map(Math.round).join(", ") });
  expect(await drawn()).toBeGreaterThan(60);

  await panel.getByRole("button", { name: "To the end" }).click();
  await expect(log.getByText("Answer 999")).toBeInViewport();
  await expect(panel.getByRole("button", { name: "To the end" })).toBeHidden();
  await log.focus();
  await log.evaluate((box) => {
    box.scrollTop -= 2_000;
  });
  await expect(panel.getByRole("button", { name: "To the end" })).toBeVisible();
  // What the person asks for is looked at.
  await app.send("More");
  await expect(log.getByText("And on it goes.")).toBeInViewport();
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { writePlugin } from "../support/fixture-plugin.ts";
import { openBench } from "./support.ts";

test("two packages that claim one key are both installed when the person names one of them", async () => {
  await using bench = await openBench();
  const [first, second] = await Promise.all(
    ["first", "second"].map((name) => writePlugin(join(bench.work, name), { name, key: "chat" })),
  );
  await bench.install(first as string);
  const refused = await bench.install(second as string);
  expect(refused.problem).toMatchObject({ code: "KEY_TAKEN", help: expect.stringContaining("--key") });

  const named = await bench.install(second as string, { key: "chat-two" });
  expect(named).toMatchObject({ status: "done", problem: null, pluginKey: "chat-two" });
  expect(bench.registry.get("chat")).toMatchObject({ packageName: "first" });
  expect(bench.registry.get("chat-two")).toMatchObject({
    packageName: "second",
    displayName: "Echo (chat-two)",
    capabilities: { tools: { namespace: "chat_two" } },
    declaration: { ownKey: "chat" },
    warnings: expect.arrayContaining([expect.stringContaining("calls itself “chat”")]),
  });
});

test("a failed installation is tried again under another key, and keeps that when it is updated", async () => {
  await using bench = await openBench();
  await bench.install(await writePlugin(join(bench.work, "first"), { name: "first", key: "chat" }));
  const dir = await writePlugin(join(bench.work, "second"), { name: "second", key: "chat" });
  const failed = await bench.install(dir);
  expect(failed.problem).toMatchObject({ code: "KEY_TAKEN" });
  await bench.jobs.retry(failed.id, "other");
  await bench.untilConsent(failed.id);
  bench.jobs.consent(failed.id, { accept: true });
  expect(await bench.jobs.ended(failed.id)).toMatchObject({ status: "done", pluginKey: "other" });

  await writePlugin(dir, { name: "second", key: "chat", version: "1.1.0" });
  expect(await bench.update("other")).toMatchObject({
    status: "done",
    problem: null,
    pluginVersion: "1.1.0",
  });
  expect(bench.registry.get("other")).toMatchObject({
    packageVersion: "1.1.0",
    declaration: { ownKey: "chat" },
  });

  await writePlugin(dir, { name: "second", key: "stranger", version: "1.2.0" });
  expect((await bench.update("other")).problem).toMatchObject({ code: "MANIFEST_CHANGED" });
});

test("a key that is taken, or that the plugin's namespace alone clashes with, is no way around", async () => {
  await using bench = await openBench();
  await bench.install(await writePlugin(join(bench.work, "first"), { name: "first", key: "chat" }));
  const dir = await writePlugin(join(bench.work, "second"), {
    name: "second",
    key: "own",
    namespace: "chat",
  });
  expect((await bench.install(dir)).problem).toMatchObject({ code: "NAMESPACE_TAKEN" });
  expect((await bench.install(dir, { key: "chat" })).problem).toMatchObject({ code: "KEY_TAKEN" });
  expect(await bench.install(dir, { key: "own-two" })).toMatchObject({ status: "done", problem: null });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exportedSession } from "../../src/main/agents/files/exported-session.ts";
import { only, Workbench } from "./workbench.ts";

let workspace: string;
beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), "patchbay-exported-"));
  await writeFile(join(workspace, "tides.csv"), "");
});
afterEach(() => rm(workspace, { recursive: true, force: true }));

test("an exported conversation reads as it stands, with its calls; JSON has every line; secrets are in neither", async () => {
  await using bench = await Workbench.open({ workspace });
  await bench.script([
    { say: "I look.", call: { tool: "list_files" } },
    { say: "The word is swordfish, and ```js\nit\n``` works." },
    { say: "Second." },
  ]);
  const begun = only(await bench.prompt("What lies\nhere: a/b?"), "turn_started");
  const session = await bench.agents.sessions.open("a", begun.sessionId);
  await bench.prompt("Left behind", { sessionId: session.id });
  await bench.agents.moves.fork(
    session,
    session.entries.findLast((e) => e.type === "user")?.id ?? "",
    "before",
    null,
  );
  // Became a secret only after it was said.
  bench.secrets.set("word", "swordfish");
  const secrets = {
    hasNone: false,
    redact: (text: string) => text.replaceAll("swordfish", "•••"),
  };

  const markdown = exportedSession(session, "markdown", secrets);
  expect(markdown.fileName).toBe("What lies.md");
  expect(markdown.text).toMatch(
    /^# What lies\n\nBegun \d{4}-\d\d-\d\d \d\d:\d\d, last change .* \(UTC\)\.\n/,
  );
  expect(markdown.text).toContain("What lies\nhere: a/b?");
  expect(markdown.text).toContain("**list_files** was called with:\n\n```json\n{}\n```");
  expect(markdown.text).toContain("**list_files** answered:\n\n```\ntides.csv\n```");
  expect(markdown.text).toContain("The word is •••, and");
  expect(markdown.text).not.toContain("Left behind");

  const json = exportedSession(session, "json", secrets);
  expect(json.fileName).toBe("What lies.json");
  expect(json.text).not.toContain("swordfish");
  const read = JSON.parse(json.text);
  expect(read).toMatchObject({ version: 1, session: { id: session.id, title: "What lies" } });
  expect(read.entries).toHaveLength(session.entries.length);
  expect(json.text).toContain("Left behind");
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Approval, agentInputSchema, type RuleOrigin } from "../../contract/index.ts";
import { AgentStore } from "../registry/index.ts";
import { openFileStorage } from "../store/index.ts";
import { allowAlways } from "./allow-always.ts";

let home: string;
let agents: AgentStore;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "patchbay-always-"));
  agents = new AgentStore({ storage: openFileStorage({ home, onNotice: () => {} }) });
});
afterEach(async () => {
  await agents.close();
  rmSync(home, { recursive: true, force: true });
});

const origin: RuleOrigin = { at: "2026-01-01T00:00:00.000Z", from: "screen", answered: true };

function always(tool: string): Promise<void> {
  return allowAlways(agents, { agentId: "a", tool, caller: { kind: "owner" } } as Approval, origin);
}

test("two answers at once both stand, beside what is saved meanwhile", async () => {
  await agents.create(agentInputSchema.parse({ id: "a", name: "A" }));
  await Promise.all([always("p__read"), agents.update("a", { name: "B" }), always("p__send")]);
  expect(agents.get("a")).toMatchObject({
    name: "B",
    policy: [
      { tool: "p__read", effect: "allow", origin },
      { tool: "p__send", effect: "allow", origin },
    ],
  });
});

test("an answer for an agent that is gone changes nothing", async () => {
  await always("p__read");
  expect(agents.list()).toEqual([]);
});

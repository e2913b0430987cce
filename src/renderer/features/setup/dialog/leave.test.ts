import { expect, test } from "vitest";
import type { SetupStep, SetupView } from "../../../../contract/setup.ts";
import { clockText, lengthText } from "../parts/use-countdown.ts";
import { leaving } from "./leave.ts";

const at = "2026-01-01T00:00:00.000Z";
const trail = [{ kind: "menu" }];
const form: SetupStep = { id: "1", kind: "form", fields: [] };
const progress = (doing: "opening" | "checking" | "saving" | "starting"): SetupStep => ({
  id: "2",
  kind: "progress",
  doing,
});
const external: SetupStep = {
  id: "3",
  kind: "external",
  shownAt: at,
  expiresAt: null,
  poll: { failures: 0, problem: null, nextAt: null },
};
const done: SetupStep = { id: "4", kind: "done", account: null };
const error: SetupStep = {
  id: "5",
  kind: "error",
  problem: { code: "SETUP_FAILED", message: "No." },
  canRetry: true,
};

const how = (step: SetupStep, before: SetupView["trail"] = [], typed = false) =>
  leaving(
    {
      id: "s",
      agentId: "a",
      pluginKey: "p",
      reason: "first",
      step,
      trail: before,
      startedAt: at,
      expiresAt: at,
    },
    typed,
  );

test("only what would be lost is asked about", () => {
  expect(how(form)).toBe("cancel");
  expect(how(form, [], true)).toBe("ask");
  expect(how(form, trail)).toBe("ask");
  expect(how(external)).toBe("ask");
  expect(how(progress("opening"))).toBe("cancel");
  expect(how(progress("checking"), trail)).toBe("ask");
  expect(how(error, trail)).toBe("cancel");
});

test("what is being saved goes on without the dialog, and what is done is put away", () => {
  expect(how(progress("saving"), trail)).toBe("hide");
  expect(how(progress("starting"), trail)).toBe("hide");
  expect(how(done, trail)).toBe("cancel");
});

test("long times are read as minutes", () => {
  expect([5, 99, 100, 600].map(clockText)).toEqual(["5", "99", "1:40", "10:00"]);
  expect([5, 600].map(lengthText)).toEqual(["5 s", "10:00 min"]);
});

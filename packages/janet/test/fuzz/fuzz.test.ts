import fc from "fast-check";
import { expect, it } from "vitest";
import { truthCases } from "../truth-cases.ts";
import { judge } from "./judge.ts";
import { programs } from "./programs.ts";

it("no program makes the engine fail otherwise than by Janet's errors or its limits", async () => {
  const sources = (truthCases() ?? []).map(({ code }) => code);
  await fc.assert(
    fc.asyncProperty(programs(sources), async (source) => {
      expect(await judge(source)).toBeNull();
    }),
    { numRuns: 150, seed: 20_260 },
  );
}, 60_000);

import { expect, test } from "vitest";
import { pathOfArguments, pathOfLink } from "./deep-links.ts";

test("a link that leads nowhere is answered by a screen that names it", () => {
  expect(pathOfLink("patchbay://agents/helper/plugins/http")).toBe("/agents/helper/plugins/http");
  expect(pathOfLink("patchbay://install?spec=left-pad")).toBe(
    "/unknown/patchbay%3A%2F%2Finstall%3Fspec%3Dleft-pad",
  );
});

test("the link is found among the arguments of a start", () => {
  expect(pathOfArguments(["/usr/bin/patchbay", "--flag", "patchbay://agents/helper"])).toBe(
    "/agents/helper/plugins",
  );
  expect(pathOfArguments(["/usr/bin/patchbay", "."])).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { findDeepLink, parseDeepLink } from "./deep-links.ts";

describe("patchbay:// links", () => {
  test.each([
    ["patchbay://open", { screen: "home" }],
    ["patchbay://agents/helper", { screen: "agent", agentId: "helper" }],
    ["patchbay://agents/helper/plugins/http", { screen: "plugin", agentId: "helper", key: "http" }],
  ])("%s leads to a screen", (link, screen) => {
    expect(parseDeepLink(link)).toEqual(screen);
  });

  test.each([
    "https://example.com/",
    "patchbay://",
    "patchbay://agents",
    "patchbay://agents/UPPER",
    "patchbay://agents/helper/plugins",
    "patchbay://agents/helper/plugins/http/delete",
    "patchbay://install?spec=left-pad",
    "patchbay:javascript:alert(1)",
    "not a link",
  ])("%s leads nowhere", (link) => {
    expect(parseDeepLink(link)).toBeUndefined();
  });

  test("dots lead to an agent's screen at most", () => {
    expect(parseDeepLink("patchbay://agents/helper/plugins/%2e%2e/../../../../other")).toEqual({
      screen: "agent",
      agentId: "other",
    });
  });

  test("the link is found among the arguments of a start", () => {
    expect(findDeepLink(["/usr/bin/patchbay", "--flag", "patchbay://agents/helper"])).toEqual({
      screen: "agent",
      agentId: "helper",
    });
    expect(findDeepLink(["/usr/bin/patchbay", "."])).toBeUndefined();
  });
});

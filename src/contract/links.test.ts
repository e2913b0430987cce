import { describe, expect, test } from "vitest";
import { deepLinkPath, parseDeepLink } from "./links.ts";

describe("patchbay:// links", () => {
  test.each([
    ["patchbay://open", { screen: "home" }, "/"],
    ["patchbay://agents/helper", { screen: "agent", agentId: "helper" }, "/agents/helper/plugins"],
    [
      "patchbay://agents/helper/plugins/http",
      { screen: "plugin", agentId: "helper", key: "http" },
      "/agents/helper/plugins/http",
    ],
    [
      "patchbay://agents/helper/plugins/http/activity",
      { screen: "plugin", agentId: "helper", key: "http", tab: "activity" },
      "/agents/helper/plugins/http/activity",
    ],
    [
      "patchbay://agents/helper/approvals",
      { screen: "approvals", agentId: "helper" },
      "/agents/helper/approvals",
    ],
    [
      "patchbay://agents/helper/settings/secrets",
      { screen: "settings", agentId: "helper", section: "secrets" },
      "/agents/helper/settings/secrets",
    ],
  ])("%s leads to a screen", (link, screen, path) => {
    const parsed = parseDeepLink(link);
    expect(parsed).toEqual(screen);
    expect(parsed && deepLinkPath(parsed)).toBe(path);
  });

  test.each([
    "https://example.com/",
    "patchbay://",
    "patchbay://agents",
    "patchbay://agents/UPPER",
    "patchbay://agents/helper/plugins",
    "patchbay://agents/helper/plugins/http/delete",
    "patchbay://agents/helper/plugins/http/activity/more",
    "patchbay://agents/helper/settings/passwords",
    "patchbay://agents/helper/approvals/1",
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
});

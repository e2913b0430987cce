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
      "patchbay://agents/helper/matrix",
      { screen: "matrix", agentId: "helper" },
      "/agents/helper/plugins?view=matrix",
    ],
    [
      "patchbay://agents/helper/discover/%40team%2Fcalendar%401.2.0",
      { screen: "discover", agentId: "helper", spec: "@team/calendar@1.2.0" },
      "/agents/helper/discover/%40team%2Fcalendar%401.2.0",
    ],
    [
      "patchbay://agents/helper/discover/builtin:http",
      { screen: "discover", agentId: "helper", spec: "builtin:http" },
      "/agents/helper/discover/builtin%3Ahttp",
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
    "patchbay://agents/helper/matrix/1",
    "patchbay://agents/helper/discover/https%3A%2F%2Fexample.com%2Fplugin.git",
    "patchbay://agents/helper/discover/%2Fetc%2Fpasswd",
    "patchbay://agents/helper/discover/%ff",
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

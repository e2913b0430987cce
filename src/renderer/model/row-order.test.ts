import { expect, it } from "vitest";
import type { InstanceView } from "../../contract/agent-plugin.ts";
import { inOrderOfNeed } from "./row-order.ts";
import type { Row } from "./rows.ts";

function row(name: string, instance: Partial<InstanceView>, rest: Record<string, unknown> = {}): Row {
  const view = {
    enabled: true,
    lastError: null,
    instance: { state: "running", reason: null, startsOnUse: false, notResponding: false, ...instance },
    ...rest,
  };
  const plugin = { displayName: name, loadProblem: null, declaration: {} };
  return { agentId: "a", key: name.toLowerCase(), plugin, view } as unknown as Row;
}

const namesOf = (rows: Row[]) => inOrderOfNeed(rows).map(({ plugin, key }) => plugin?.displayName ?? key);

it("puts what needs somebody before what runs and what is off, each by name", () => {
  const refused = { refusedSettings: { problem: { code: "START_FAILED", message: "No." } } };
  const rows = [
    row("Weather", {}),
    row("Archive", { state: "stopped" }, { enabled: false }),
    row("Zulip", { state: "failed", nextRestartAt: null }),
    row("Mail 10", { state: "quarantined" }),
    row("Mail 9", { state: "needs_setup" }),
    row("Pager", {}, refused),
    row("Browser", { notResponding: true }),
    row("Calendar", { state: "degraded" }),
    row("http", {}),
  ];
  const order = ["Browser", "Calendar", "Mail 9", "Mail 10", "Pager", "Zulip", "Archive", "http", "Weather"];
  expect(namesOf(rows)).toEqual(order);
  expect(namesOf(rows.toReversed()), "whatever order they come in").toEqual(order);
});

it("does not put a plugin first that is uninstalled, whatever its settings were", () => {
  const gone = { ...row("Aged", {}, { refusedSettings: {} }), plugin: null };
  expect(namesOf([row("Zulip", { state: "failed", nextRestartAt: null }), gone])).toEqual(["Zulip", "aged"]);
});

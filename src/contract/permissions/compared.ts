import { z } from "zod";
import { type Grants, grantsSchema } from "../grants.ts";

/** One thing that a plugin may reach, or may no longer reach. */
export const grantStepSchema = z.discriminatedUnion("of", [
  z.object({ of: z.literal("host"), name: z.string() }),
  z.object({ of: z.literal("reach"), reach: grantsSchema.shape.network.shape.reach }),
  /** A host that is no longer refused for good (grew), or that now is (shrank). */
  z.object({ of: z.literal("refusal"), name: z.string() }),
  z.object({ of: z.literal("workspace"), access: z.enum(["read", "write"]) }),
  z.object({ of: z.literal("folder"), path: z.string(), access: z.enum(["read", "write"]) }),
  z.object({ of: z.literal("program"), name: z.string() }),
  z.object({ of: z.literal("programs"), reach: grantsSchema.shape.programs.shape.reach }),
  z.object({ of: z.literal("model") }),
]);
export type GrantStep = z.infer<typeof grantStepSchema>;

/** What becomes possible and what becomes impossible when one set of grants takes the place of another. */
export interface GrantChange {
  grew: GrantStep[];
  shrank: GrantStep[];
}

const reaches = ["none", "hosts", "any"];
const accesses = ["none", "read", "write"];
const programReaches = ["none", "named", "any"];

/** Compares by what holds: a list of hosts counts only where lists are looked at. */
export function comparedGrants(before: Grants, after: Grants): GrantChange {
  const [old, now] = [network(before), network(after)];
  const grew: GrantStep[] = [];
  const shrank: GrantStep[] = [];
  const step = (of: number, one: GrantStep, other: GrantStep = one) => {
    if (of > 0) grew.push(one);
    if (of < 0) shrank.push(other);
  };
  const [reachBefore, reachAfter] = [before.network.reach, after.network.reach];
  step(
    reaches.indexOf(reachAfter) - reaches.indexOf(reachBefore),
    { of: "reach", reach: reachAfter },
    { of: "reach", reach: reachBefore },
  );
  for (const name of less(now.hosts, old.hosts)) grew.push({ of: "host", name });
  for (const name of less(old.hosts, now.hosts)) shrank.push({ of: "host", name });
  for (const name of less(old.refused, now.refused)) grew.push({ of: "refusal", name });
  for (const name of less(now.refused, old.refused)) shrank.push({ of: "refusal", name });
  compareFiles(before.files, after.files, grew, shrank);
  comparePrograms(before.programs, after.programs, grew, shrank);
  step(Number(after.model ?? false) - Number(before.model ?? false), { of: "model" });
  return { grew, shrank };
}

function compareFiles(
  before: Grants["files"],
  after: Grants["files"],
  grew: GrantStep[],
  shrank: GrantStep[],
): void {
  const workspace = accesses.indexOf(after.workspace) - accesses.indexOf(before.workspace);
  if (workspace > 0 && after.workspace !== "none") grew.push({ of: "workspace", access: after.workspace });
  if (workspace < 0 && before.workspace !== "none")
    shrank.push({ of: "workspace", access: before.workspace });
  const accessTo = (files: Grants["files"], path: string): "none" | "read" | "write" => {
    const found = files.folders.filter((folder) => folder.path === path).map(({ access }) => access);
    return found.includes("write") ? "write" : (found[0] ?? "none");
  };
  const paths = new Set([...before.folders, ...after.folders].map(({ path }) => path));
  for (const path of paths) {
    const [old, now] = [accessTo(before, path), accessTo(after, path)];
    const by = accesses.indexOf(now) - accesses.indexOf(old);
    if (by > 0 && now !== "none") grew.push({ of: "folder", path, access: now });
    if (by < 0 && old !== "none") shrank.push({ of: "folder", path, access: old });
  }
}

function comparePrograms(
  before: Grants["programs"],
  after: Grants["programs"],
  grew: GrantStep[],
  shrank: GrantStep[],
): void {
  const by = programReaches.indexOf(after.reach) - programReaches.indexOf(before.reach);
  if (by > 0) grew.push({ of: "programs", reach: after.reach });
  if (by < 0) shrank.push({ of: "programs", reach: before.reach });
  const names = ({ reach, names }: Grants["programs"]) => (reach === "named" ? names : []);
  if (before.reach !== "any")
    for (const name of less(names(after), names(before))) grew.push({ of: "program", name });
  if (after.reach !== "any")
    for (const name of less(names(before), names(after))) shrank.push({ of: "program", name });
}

/** Hosts and refusals as far as they hold: with `none` nothing is reached, whatever the lists say. */
function network({ network: { reach, hosts, refused } }: Grants): { hosts: string[]; refused: string[] } {
  return reach === "none" ? { hosts: [], refused } : { hosts, refused };
}

function less(all: readonly string[], known: readonly string[]): string[] {
  return [...new Set(all)].filter((name) => !known.includes(name));
}

/** One step as a short text, for the audit log and the terminal. */
export function stepInWords(step: GrantStep): string {
  switch (step.of) {
    case "host":
      return step.name;
    case "reach":
      return { none: "no network", hosts: "named hosts", any: "every public host" }[step.reach];
    case "refusal":
      return `refused: ${step.name}`;
    case "workspace":
      return `workspace (${step.access})`;
    case "folder":
      return `${step.path} (${step.access})`;
    case "program":
      return `program ${step.name}`;
    case "programs":
      return { none: "no programs", named: "named programs", any: "every program" }[step.reach];
    case "model":
      return "ask the agent's model";
  }
}

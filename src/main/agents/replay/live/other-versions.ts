import type { LiveContributions, OtherVersion, OtherVersions } from "../../ports.ts";

/**
 * Starts the versions that are wanted, runs `use` with them, and ends them, whatever comes of it.
 * @param wanted by plugin key the version
 * @throws PatchbayError why one did not start; what `use` throws
 */
export async function withVersions<T>(
  starter: OtherVersions,
  {
    agentId,
    versions: wanted,
    signal,
  }: { agentId: string; versions: Record<string, string>; signal: AbortSignal },
  use: (others: ReadonlyMap<string, OtherVersion>) => Promise<T>,
): Promise<T> {
  const started = await Promise.allSettled(
    Object.entries(wanted).map(([key, version]) => starter.start(agentId, key, version, signal)),
  );
  const others = new Map<string, OtherVersion>();
  for (const one of started)
    if (one.status === "fulfilled" && one.value) others.set(one.value.key, one.value);
  try {
    for (const one of started) if (one.status === "rejected") throw one.reason;
    return await use(others);
  } finally {
    await Promise.all([...others.values()].map((other) => starter.end(other)));
  }
}

/** What plugins offer, and what this version does. A name that is taken stays with whose it is. */
export function withVersion(
  rest: LiveContributions,
  { key, contributions }: OtherVersion,
): LiveContributions {
  if (!contributions) return rest;
  const { tools, toolsets, hooks, commands, skills } = contributions;
  const isFree = (taken: readonly { name: string }[], name: string) =>
    !taken.some((one) => one.name === name);
  const own = <Part extends object>(parts: readonly Part[]) => parts.map((part) => ({ ...part, owner: key }));
  return {
    tools: inOrder([...rest.tools, ...own(tools.filter(({ name }) => isFree(rest.tools, name)))]),
    toolsets: inOrder([...rest.toolsets, ...own(toolsets)]),
    hooks: inOrder([...rest.hooks, ...own(hooks)]),
    commands: inOrder([...rest.commands, ...own(commands.filter(({ name }) => isFree(rest.commands, name)))]),
    skills: inOrder([...rest.skills, ...own(skills)]),
  };
}

/** By plugin key; the parts of one plugin stay in their order. */
function inOrder<Part extends { owner?: string | null }>(parts: readonly Part[]): Part[] {
  return parts.toSorted((left, right) => {
    const [one, other] = [left.owner ?? "", right.owner ?? ""];
    return one === other ? 0 : one < other ? -1 : 1;
  });
}

import { z } from "zod";
import { type Advisory, severitySchema } from "../../../contract/index.ts";
import type { FetchOperations } from "./protocol.ts";
import { askRegistry } from "./registry-client.ts";

const mostAdvisories = 200;

const answerSchema = z.record(
  z.string(),
  z.array(
    z.looseObject({
      title: z.string(),
      severity: severitySchema.catch("info"),
      vulnerable_versions: z.string().catch("*"),
      url: z.string().optional().catch(undefined),
    }),
  ),
);

/** Asks for weaknesses of exactly these versions, as `npm audit` does. */
export async function askForAdvisories({
  packages,
  options,
}: FetchOperations["advisories"]["input"]): Promise<FetchOperations["advisories"]["output"]> {
  const versions: Record<string, string[]> = {};
  for (const { name, version } of packages) versions[name] = [...(versions[name] ?? []), version];
  try {
    const answer = answerSchema.parse(
      await askRegistry("-/npm/v1/security/advisories/bulk", options, versions),
    );
    return { advisories: Object.entries(answer).flatMap(advisoriesOf).slice(0, mostAdvisories) };
  } catch {
    // Many registries do not know the question. The person is told that nobody answered it.
    return { advisories: null };
  }
}

function advisoriesOf([packageName, found]: [string, z.infer<typeof answerSchema>[string]]): Advisory[] {
  return found.map(({ title, severity, vulnerable_versions, url }) => ({
    packageName: clean(packageName),
    title: clean(title),
    severity,
    range: clean(vulnerable_versions),
    ...(url && /^https?:/.test(url) && { url: clean(url) }),
  }));
}

/** Text of a server as one line of reasonable length. */
function clean(text: string): string {
  return text.replace(/\p{C}+/gu, " ").slice(0, 300);
}

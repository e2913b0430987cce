import type { Inspection } from "../../inspection.ts";

/** The same plugin under a key that the person gave it, which is the namespace of its tools, too. */
export function namedAs(inspection: Inspection, key: string): Inspection {
  const { tools } = inspection.capabilities;
  return {
    ...inspection,
    manifestKey: key,
    capabilities: { ...inspection.capabilities, ...(tools && { tools: { ...tools, namespace: key } }) },
    declaration: { ...inspection.declaration, ownKey: inspection.manifestKey },
  };
}

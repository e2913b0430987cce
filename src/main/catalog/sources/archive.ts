import { createReadStream } from "node:fs";
import ssri from "ssri";
import { type InstallRequest, PatchbayError } from "../../../contract/index.ts";

/**
 * The integrity of an archive, after it has been compared with what the registry announced and what the request
 * expects.
 * @throws PatchbayError INTEGRITY_MISMATCH
 */
export async function assertIntegrity(
  file: string,
  announced: string | null,
  request: Pick<InstallRequest, "expectedIntegrity">,
  signal: AbortSignal,
): Promise<string> {
  const algorithms = new Set<string>(["sha512"]);
  for (const wanted of [announced, request.expectedIntegrity]) {
    for (const algorithm of Object.keys(ssri.parse(wanted ?? "") ?? {})) algorithms.add(algorithm);
  }
  const found = await ssri.fromStream(createReadStream(file, { signal }), { algorithms: [...algorithms] });
  if (announced && !found.match(announced))
    throw mismatch("that the registry announced", announced, found.toString());
  if (request.expectedIntegrity && !found.match(request.expectedIntegrity)) {
    throw mismatch("that you expect", request.expectedIntegrity, found.toString());
  }
  return found.sha512?.[0]?.toString() ?? found.toString();
}

function mismatch(which: string, expected: string, found: string): PatchbayError {
  return new PatchbayError("INTEGRITY_MISMATCH", `The archive does not have the integrity ${which}.`, {
    details: { expected, found },
  });
}

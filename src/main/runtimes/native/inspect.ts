import { PatchbayError } from "../../../contract/index.ts";
import type { HostProcess } from "../../platform/platform.ts";
import { exitText, fromHostProblem, HostLine } from "../hosted/host-line.ts";
import type { ExportFacts, ManifestFacts } from "./manifest/manifest-facts.ts";
import { readIcon, readPackageFacts } from "./package-facts.ts";

/**
 * Everything that is known of a package without running it in the app: its package.json, and its default export as a
 * throw-away host describes it.
 *
 * @param limitMs time that the import may take, milliseconds
 * @throws PatchbayError NOT_A_PLUGIN, INSPECT_TIMEOUT, INSPECT_CRASHED, or the signal's reason
 */
export async function readManifestFacts(
  dir: string,
  fork: () => HostProcess,
  limitMs: number,
  signal: AbortSignal,
): Promise<ManifestFacts> {
  const facts = await readPackageFacts(dir);
  signal.throwIfAborted();
  const described = await describeInHost(dir, fork(), limitMs, signal);
  const icon = await readIcon(dir, described.defaultExport);
  return { ...described, package: { ...facts, ...(icon && { icon }) } };
}

async function describeInHost(
  dir: string,
  process: HostProcess,
  limitMs: number,
  signal: AbortSignal,
): Promise<ExportFacts> {
  let settle: (result: ExportFacts | Error) => void = () => {};
  const answer = new Promise<ExportFacts>((resolve, reject) => {
    settle = (result) => (result instanceof Error ? reject(result) : resolve(result));
  });
  const line = new HostLine(
    process,
    (message) => {
      if (message.t === "inspected") settle(message.facts);
      else if (message.t === "failed") settle(fromHostProblem(message.problem));
    },
    // What a module prints while it is read is not kept: nobody has installed it yet.
    () => {},
  );
  void line.exited.then((exit) => {
    const { details } = line.crash(exit);
    settle(
      new PatchbayError(
        "INSPECT_CRASHED",
        `The plugin ended its process while it was being read (${exitText(exit)}).`,
        { details },
      ),
    );
  });
  const timer = setTimeout(
    () =>
      settle(
        new PatchbayError(
          "INSPECT_TIMEOUT",
          `The plugin did not finish loading within ${limitMs / 1_000} seconds.`,
        ),
      ),
    limitMs,
  );
  const abort = () =>
    settle(signal.reason instanceof Error ? signal.reason : new PatchbayError("ABORTED", "Stopped."));
  signal.addEventListener("abort", abort, { once: true });
  try {
    line.post({ t: "inspect", dir });
    return await answer;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    await line.kill();
  }
}

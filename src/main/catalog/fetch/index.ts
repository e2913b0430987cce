import { askForAdvisories } from "./advisories.ts";
import { openChildPort } from "./child-port.ts";
import { addDependencies } from "./dependencies.ts";
import { problemOfFetchError } from "./fetch-errors.ts";
import { downloadPackage, resolvePackage } from "./packages.ts";
import type { FetchRequest, ToChild } from "./protocol.ts";
import { scriptsOnly } from "./scripts-name.ts";
import { runScriptsOnly } from "./scripts-only.ts";
import { unpack } from "./unpack.ts";

/**
 * The process that talks to registries and unpacks archives, so that a crash or an exploited bug in that code does not
 * reach the app. It answers requests until the process that started it kills it.
 */
if (process.argv[2] === scriptsOnly) await runScriptsOnly(process.argv[3] ?? "");
else serve();

function serve(): void {
  const port = openChildPort();
  port.onMessage((message) => {
    void answer(message, port);
  });
}

async function answer({ id, request }: ToChild, port: ReturnType<typeof openChildPort>): Promise<void> {
  try {
    const output = await perform(request);
    port.post({ type: "done", id, output });
  } catch (error) {
    port.post({ type: "failed", id, problem: problemOfFetchError(error, request) });
  }
}

function perform(request: FetchRequest): Promise<unknown> {
  switch (request.op) {
    case "resolve":
      return resolvePackage(request);
    case "download":
      return downloadPackage(request);
    case "unpack":
      return unpack(request);
    case "dependencies":
      return addDependencies(request);
    case "advisories":
      return askForAdvisories(request);
    case "scripts":
      return Promise.reject(new Error("Scripts run in a process of their own."));
  }
}

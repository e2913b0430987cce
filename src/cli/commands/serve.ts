import type { Command } from "commander";
import { PatchbayError, toProblem } from "../../contract/index.ts";
import { nodePlatform, rendererFolder } from "../../main/platform/node-platform.ts";
import type { Platform } from "../../main/platform/platform.ts";
import { type Perform, usageError } from "../command.ts";
import { startOrFind } from "../connect.ts";
import type { CliContext } from "../context.ts";

/** `patchbay serve`: the app behind a link that any browser on this machine can open. */
export function addServeCommand(program: Command, perform: Perform): void {
  const serve = program
    .command("serve")
    .description("run Patchbay in this terminal and print the link to its screens")
    .option("--port <n>", "port to use (default: the one of last time, or a free one)")
    .option("--open", "open the link in the browser")
    .option("--safe", "start with every plugin off")
    .option("--new-token", "let no open page of earlier starts in")
    .action((options: { port?: string; open?: boolean; safe?: boolean; newToken?: boolean }) => {
      const port = options.port === undefined ? undefined : Number(options.port);
      if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535))
        usageError(serve, "--port expects a number from 0 to 65535");
      return perform((context) =>
        serveApp(context, { open: false, safe: false, newToken: false, ...options, port }),
      );
    });
}

async function serveApp(
  context: CliContext,
  options: { port: number | undefined; open: boolean; safe: boolean; newToken: boolean },
): Promise<0> {
  const { output, signal } = context;
  const person = { kind: "terminal" as const, show: (lines: string) => output.note(lines) };
  const platform = nodePlatform({ shell: "browser", store: context.store, person });
  const started = await startOrFind(context.store, async () => {
    const [{ createApp }, { openGateway }] = await Promise.all([
      import("../../main/app/create-app.ts"),
      import("../../main/gateway/server.ts"),
    ]);
    const app = await createApp(platform, { safe: options.safe });
    try {
      const gateway = await openGateway(app, {
        port: options.port,
        newToken: options.newToken,
        rendererDir: rendererFolder(),
        onScreen: (link) => output.note(`For another page: ${link}`),
      });
      return { app, gateway };
    } catch (error) {
      await app.close();
      throw error;
    }
  });
  if ("running" in started) {
    if (options.newToken)
      throw new PatchbayError("HOME_IN_USE", "Patchbay runs already, with the pages of its start.", {
        help: "End pages with `patchbay session end`, or close it and start it with --new-token.",
      });
    const { url, pid } = started.running;
    output.result(
      { url, pid },
      () => `Patchbay runs already: ${url}\nA link for one more page: patchbay session link`,
    );
    if (options.open) await openLink(context, platform, url);
    return 0;
  }
  const { app, gateway } = started.own;
  const link = gateway.link();
  output.result({ url: gateway.url, link, pid: process.pid }, () => `Patchbay runs: ${link}`);
  if (options.open) await openLink(context, platform, link);
  const ended = AbortSignal.any([signal, app.lost]);
  await new Promise<void>((resolve) => {
    if (ended.aborted) resolve();
    else ended.addEventListener("abort", () => resolve(), { once: true });
  });
  if (!output.json) output.note("Patchbay is closing.");
  await gateway.close();
  await app.close();
  app.lost.throwIfAborted();
  return 0;
}

/** Opens the link in a browser. On a machine without one that is no failure: the link is printed in any case. */
async function openLink({ output }: CliContext, platform: Platform, link: string): Promise<void> {
  try {
    await platform.openUrl(link);
  } catch (error) {
    const { message, help } = toProblem(error);
    output.note([message, help].filter(Boolean).join(" "));
  }
}

import type { Command } from "commander";
import { PatchbayError } from "../../contract/index.ts";
import { type Perform, usageError } from "../command.ts";
import type { OwnClient } from "./headless-sign-in.ts";

/** Seconds that the start and each request have, unless `--timeout` says otherwise. */
const SECONDS = 30;

/** `patchbay mcp-client`: drives one MCP server without a person, for suites that look at clients from outside. */
export function addMcpClientCommand(program: Command, perform: Perform): void {
  const command = program
    .command("mcp-client [url]", { hidden: true })
    .description("connect to one MCP server, call each of its tools once, and print what came of it")
    .option("--url <url>", "address of the server")
    .option("--header <header>", "a header for each request: `Name: value`; can be given again", gathered, [])
    .option("--client-metadata-url <url>", "address of the public document that describes the client")
    .option("--client-id <id>", "a client that was made at the provider before")
    .option("--client-secret <secret>", "its secret, or its private key as PEM or JSON Web Key")
    .option("--client-credentials", "the client signs in for itself, without a person")
    .option("--timeout <seconds>", "seconds that the start and each request have", String(SECONDS))
    .action((last: string | undefined, options: Options) => {
      const url = options.url ?? last;
      if (url === undefined) usageError(command, "an address is missing: --url <url>");
      const headers = options.header.map((text) => headerIn(text, command));
      const { clientMetadataUrl: document = null } = options;
      if (document !== null && URL.parse(document)?.protocol !== "https:")
        usageError(command, "--client-metadata-url expects an address with https://");
      const client = clientIn(options, command);
      const seconds = Number(options.timeout);
      if (!(seconds > 0 && seconds <= 3_600))
        usageError(command, "--timeout expects seconds, more than 0 and at most 3600");
      return perform(async ({ output, signal }) => {
        const { drive } = await import("./drive.ts");
        const report = await drive({
          url,
          headers: Object.fromEntries(headers),
          document,
          client,
          timeoutMs: seconds * 1_000,
          signal,
        });
        if (signal.aborted) throw new PatchbayError("ABORTED", "The server was not driven to its end.");
        const text = JSON.stringify(report, null, 2);
        output.result(report, () => text);
        return report.problems.length === 0 ? 0 : 1;
      });
    });
}

interface Options {
  url?: string;
  header: string[];
  clientMetadataUrl?: string;
  clientId?: string;
  clientSecret?: string;
  clientCredentials?: boolean;
  timeout: string;
}

function clientIn(
  { clientId: id, clientSecret: secret = "", clientCredentials: forItself = false }: Options,
  command: Command,
): OwnClient | null {
  if (id !== undefined && (secret !== "" || !forItself)) return { id, secret, forItself };
  if (forItself) usageError(command, "--client-credentials expects --client-id and --client-secret");
  if (secret !== "") usageError(command, "--client-secret expects --client-id");
  return null;
}

function gathered(text: string, before: string[]): string[] {
  return [...before, text];
}

function headerIn(text: string, command: Command): [name: string, value: string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n]*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) usageError(command, "--header expects `Name: value`");
  return [name, value.trim()];
}

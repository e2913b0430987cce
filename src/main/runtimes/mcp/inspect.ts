import { type Artifact, type Asks, asksOf, type Declaration } from "../../../contract/index.ts";
import { cleanLine, cleanText, exactText } from "../../../contract/shown/clean-text.ts";
import { folderOf } from "../artifact.ts";
import { patchbayKeyOf } from "../hosted/foreign/keys.ts";
import type { Inspection } from "../inspection.ts";
import type { McpDetails } from "./details.ts";
import { endpointUrl, serverOfEndpoint } from "./server/endpoint.ts";
import { readServer } from "./server/read-server.ts";
import type { McpServer, ServerFile } from "./server/server-file.ts";
import { shownCommand } from "./server/shown-command.ts";
import { defaultsOf, secretKeysOf, settingsSchemaOf } from "./settings.ts";

/**
 * What a server declares. Nothing of it is started: which tools it has is known after its first start.
 *
 * @param stands whether walls hold programs on this machine
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID
 */
export async function inspectServer(artifact: Artifact, stands: boolean): Promise<Inspection> {
  const { file, warnings } =
    artifact.kind === "endpoint"
      ? { file: serverOfEndpoint(artifact.url), warnings: [] }
      : await readServer(folderOf(artifact));
  const details: McpDetails = { file };
  const { name, title, version, description, publisher, inputs, server, tools } = file;
  const key = patchbayKeyOf(title ?? name.split("/").at(-1) ?? name);
  const schema = settingsSchemaOf(inputs);
  const declaration: Declaration = {
    configSchema: schema,
    defaultConfig: defaultsOf(inputs),
    secretKeys: secretKeysOf(inputs),
    requiredHooks: [],
    registersMore: true,
    // Whether a remote server wants a sign-in is known when it is connected to.
    ...(server.type === "remote" && { hasSetup: true }),
    ...(publisher && { publisher: cleanLine(publisher) }),
    details,
  };
  return {
    runtime: "mcp",
    manifestKey: key,
    packageName: name,
    packageVersion: version,
    displayName: cleanLine(title ?? name.split("/").at(-1) ?? name),
    description: cleanText(description),
    capabilities: {
      tools: { namespace: key, ...(tools && tools.length > 0 && { count: tools.length, names: tools }) },
    },
    declaration,
    consent: asksOfServer(file, stands),
    warnings: [...warnings, ...risksOf(server)],
  };
}

function asksOfServer({ server }: ServerFile, stands: boolean): Asks {
  const command = { name: "start", command: exactText(shownCommand(server)) };
  if (server.type === "remote") {
    const host = typeof server.url === "string" ? endpointUrl(server.url)?.host : undefined;
    return {
      ...asksOf({ files: "none", subprocess: false, network: host === undefined ? true : [host] }),
      enforced: true,
      scripts: [],
    };
  }
  return {
    ...asksOf(null),
    enforced: stands,
    programs: server.type === "program" ? true : null,
    hooks: [{ ...command, runs: true }],
  };
}

/** Command lines in which something stands that a person should look at twice. */
function risksOf(server: McpServer): string[] {
  const line = shownCommand(server);
  const found = [
    [/\bsudo\b/, "runs as the administrator (sudo)"],
    [/\brm\s+-[a-z]*[rf]/, "removes files (rm)"],
    [/\b(?:curl|wget)\b[^|]*\|\s*(?:ba|z)?sh\b/, "runs what it loads from the network"],
    [
      /(?:^|\s)(?:-v|--volume|--mount)[ =]\S*(?:\/:|\$HOME|~)/,
      "hands a container your home folder or the whole disk",
    ],
    [/--privileged\b/, "gives a container all rights over this computer"],
  ] as const;
  return found.flatMap(([pattern, what]) => (pattern.test(line) ? [`Its command ${what}: ${line}`] : []));
}

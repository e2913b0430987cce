import { type Artifact, type Asks, asksOf, type Declaration } from "../../../contract/index.ts";
import { cleanLine, cleanText } from "../../../contract/shown/clean-text.ts";
import { folderOf } from "../artifact.ts";
import { patchbayKeyOf } from "../hosted/foreign/keys.ts";
import type { Inspection } from "../inspection.ts";
import type { McpDetails } from "./details.ts";
import { fetchedBy } from "./fetched/fetched.ts";
import { aboutOf, pageIn, wordsOfServer } from "./server/about.ts";
import { endpointUrl, serverOfEndpoint } from "./server/endpoint.ts";
import { ownCodeOf } from "./server/own-code.ts";
import { ownIcon } from "./server/own-icon.ts";
import { readServer } from "./server/read-server.ts";
import type { McpServer, ServerFile } from "./server/server-file.ts";
import { startsOf } from "./server/starts.ts";
import { checkWorks } from "./server/works.ts";
import { defaultsOf, secretKeysOf, settingsSchemaOf } from "./settings.ts";

/** What of this machine decides what a server asks for. */
export interface Machine {
  /** Walls hold programs on it. */
  stands: boolean;
  /** Where programs are looked for. */
  path: string;
}

/**
 * What a server declares. Nothing of it is started: which tools it has is known after its first start.
 *
 * @throws PatchbayError NOT_A_PLUGIN, MANIFEST_INVALID, PLATFORM_UNSUPPORTED
 */
export async function inspectServer(artifact: Artifact, machine: Machine): Promise<Inspection> {
  const { file, warnings } =
    artifact.kind === "endpoint"
      ? { file: serverOfEndpoint(artifact.url), warnings: [] }
      : await readServer(folderOf(artifact));
  await checkWorks(file, { platform: process.platform, node: process.versions.node, path: machine.path });
  const { about: _said, words: _words, ...started } = file;
  const details: McpDetails = { file: started };
  const { name, title, version, description, publisher, inputs, server, tools } = file;
  const key = patchbayKeyOf(title ?? name.split("/").at(-1) ?? name);
  const schema = settingsSchemaOf(inputs);
  const shown = artifact.kind === "endpoint" ? {} : await shownOf(folderOf(artifact), file);
  const declaration: Declaration = {
    configSchema: schema,
    defaultConfig: defaultsOf(inputs),
    secretKeys: secretKeysOf(inputs),
    requiredHooks: [],
    registersMore: true,
    // Whether a remote server wants a sign-in is known when it is connected to.
    ...(server.type === "remote" && { hasSetup: true }),
    ...(publisher && { publisher: cleanLine(publisher) }),
    ...shown,
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
    consent: asksOfServer(file, machine),
    warnings: [...warnings, ...codeOf(server)],
  };
}

/** What its folder brings to be shown. */
async function shownOf(dir: string, file: ServerFile): Promise<Partial<Declaration>> {
  const [icon, about] = await Promise.all([ownIcon(dir, file.icons ?? []), aboutOf(dir, file)]);
  const words = wordsOfServer(file);
  const homepage = pageIn(file.homepage);
  return {
    ...(icon && { icon }),
    ...(about && { about }),
    ...(words && { words }),
    ...(homepage && { homepage }),
    ...(file.license && { license: cleanLine(file.license).slice(0, 100) }),
  };
}

function asksOfServer(file: ServerFile, { stands, path }: Machine): Asks {
  const { server } = file;
  const isNewest = fetchedBy(server)?.exact === false;
  const starts = { ...startsOf(file, path), ...(isNewest && { newest: true as const }) };
  if (server.type === "remote") {
    const host = typeof server.url === "string" ? endpointUrl(server.url)?.host : undefined;
    return {
      ...asksOf({ files: "none", subprocess: false, network: host === undefined ? true : [host] }),
      enforced: true,
      scripts: [],
      starts,
    };
  }
  return {
    ...asksOf(null),
    enforced: stands,
    ...(typeof server.cwd === "object" && { folders: [server.cwd.folder] }),
    programs: server.type === "program" ? true : null,
    starts,
  };
}

/** Where the code lies that its command names: it may read that. */
function codeOf(server: McpServer): string[] {
  const places = ownCodeOf(server).filter((place) => server.type !== "program" || place !== server.command);
  return places.length === 0 ? [] : [`It may read its own code: ${places.join(", ")}`];
}

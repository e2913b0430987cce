import { unknownFields, unknownInWords } from "@patchbay/plugin-sdk/describe";
import type { Declaration } from "../../../../contract/index.ts";
import { asksOf, PatchbayError, pluginKeySchema } from "../../../../contract/index.ts";
import type { Fact } from "../../manifest-fact.ts";
import { inWords, ManifestProblems } from "../../manifest-problems.ts";
import type { Inspection } from "../../runtime.ts";
import { declareConfig } from "./declare-config.ts";
import { type DeclaredCapabilities, readCapabilities } from "./manifest-capabilities.ts";
import { isFact, type ManifestFacts, valueWithFunctions } from "./manifest-facts.ts";
import { readPermissions } from "./manifest-permissions.ts";
import { ManifestReader } from "./manifest-reader.ts";

/** The version of the manifest format that this Patchbay understands. */
const MANIFEST_VERSION = 1;
const capabilityFields = ["tools", "channel", "hooks", "commands", "skills"];

/**
 * Checks what a native package declares. A pure function: it does not know which other plugins are installed (see
 * `checkTaken`).
 *
 * @throws PatchbayError NOT_A_PLUGIN when the default export is no manifest at all; MANIFEST_INVALID with every problem
 * in `details.problems` ({field, message}) and the first one as the message
 */
export function validateManifest(facts: ManifestFacts): Inspection {
  const problems = new ManifestProblems();
  if (!isFact(facts.defaultExport))
    throw notAPlugin("its process did not describe it in a way that can be read");
  const manifest = manifestOf(facts.defaultExport, problems);
  requireVersion(manifest, problems);
  const legacy = isLegacyChannel(manifest);
  const identity = readIdentity(manifest, legacy, problems);
  const capabilities = readCapabilities(manifest, legacy, problems);
  const declaration = readDeclaration(facts, manifest, capabilities, legacy, problems);
  const consent = asksOf(readPermissions(manifest, problems));
  const unknown = unknownFields(valueWithFunctions(facts.defaultExport));
  for (const field of unknown) problems.warn(unknownInWords(field));
  const badges = capabilities.badges;
  if (Object.keys(badges).length === 0 && problems.problems.length === 0) {
    problems.add(
      "tools",
      "The plugin declares no capability: it must have at least one of `tools`, `channel`, `hooks`, `commands` and `skills`. The plugin's author must add one." +
        unknown
          .filter(({ meant }) => meant !== undefined && capabilityFields.includes(meant))
          .map(({ path, meant }) => ` Perhaps \`${path}\` is meant to be \`${meant}\`.`)
          .join(""),
    );
  }
  problems.throwIfAny();
  return {
    runtime: "native",
    manifestKey: identity.key,
    packageName: facts.package.name || identity.key,
    packageVersion: facts.package.version || "0.0.0",
    displayName: identity.displayName,
    description: identity.description,
    capabilities: badges,
    declaration,
    consent,
    warnings: [...packageWarnings(facts), ...problems.warnings],
  };
}

function manifestOf(fact: Fact, problems: ManifestProblems): ManifestReader {
  if (fact.kind === "object") {
    const manifest = new ManifestReader("", fact.fields, problems);
    if (["manifestVersion", "key", "tools", "channel", "hooks"].some((name) => manifest.has(name))) {
      return manifest;
    }
    throw notAPlugin(
      "its default export has neither `manifestVersion` nor `key`, so it is not a plugin manifest",
    );
  }
  if (fact.kind === "absent") throw notAPlugin("it has no default export");
  throw notAPlugin(`its default export must be a manifest object, but it is ${inWords(fact)}`);
}

function notAPlugin(reason: string): PatchbayError {
  return new PatchbayError("NOT_A_PLUGIN", `The package is not a plugin: ${reason}.`, {
    help: "Check that it is the right package. If it is meant to be a plugin, its author must export a manifest as default.",
    details: { problems: [{ field: "default", message: `The package is not a plugin: ${reason}.` }] },
  });
}

/** Throws when the version is another one: every other field may then have another meaning, so none is checked. */
function requireVersion(manifest: ManifestReader, problems: ManifestProblems): void {
  const fact = manifest.field("manifestVersion");
  if (fact.kind === "number" && fact.value === MANIFEST_VERSION) return;
  if (fact.kind === "number") {
    problems.add(
      "manifestVersion",
      `\`manifestVersion\` is ${fact.value}, but this Patchbay understands only ${MANIFEST_VERSION}. Update Patchbay, or ask the plugin's author for a version written for ${MANIFEST_VERSION}.`,
    );
    problems.throwIfAny();
  }
  problems.expected("manifestVersion", String(MANIFEST_VERSION), fact);
}

/**
 * Whether the manifest is of the older form: it has a `start` itself and no capability object. The older loader tested
 * the same.
 */
function isLegacyChannel(manifest: ManifestReader): boolean {
  return (
    manifest.field("start").kind === "function" &&
    !["tools", "channel", "hooks"].some((name) => manifest.has(name)) &&
    ["key", "namespace", "displayName"].every((name) => manifest.field(name).kind === "text")
  );
}

function readIdentity(
  manifest: ManifestReader,
  legacy: boolean,
  problems: ManifestProblems,
): { key: string; displayName: string; description: string } {
  const key = manifest.text("key");
  if (key && !pluginKeySchema.safeParse(key).success) {
    problems.expected(
      "key",
      "lower-case letters, digits and dashes, at most 64, starting with a letter or digit",
      manifest.field("key"),
    );
  }
  const displayName = manifest.text("displayName");
  const description =
    legacy && !manifest.has("description") ? `${displayName} channel` : manifest.text("description");
  return { key, displayName: oneLine(displayName), description: oneLine(description) };
}

function readDeclaration(
  facts: ManifestFacts,
  manifest: ManifestReader,
  capabilities: DeclaredCapabilities,
  legacy: boolean,
  problems: ManifestProblems,
): Declaration {
  manifest.optionalFunction("parseConfig");
  const icon = facts.package.icon ?? dataUrl(manifest, problems);
  const homepage = webAddress(manifest, "homepage", problems) ?? safeAddress(facts.package.homepage);
  const helpUrl = webAddress(manifest, "helpUrl", problems);
  const config = declareConfig(manifest, capabilities, facts.configSchema, problems);
  if (capabilities.hasSetup && config.secretKeys.some(({ sentOnlyTo }) => sentOnlyTo)) {
    problems.add(
      "secretKeys",
      "`secretKeys` with `sentOnlyTo` cannot stand beside a `setup`: the plugin sees what is typed there. The plugin's author must leave one of them out.",
    );
  }
  return {
    ...config,
    requiredHooks: capabilities.requiredHooks,
    ...(homepage && { homepage }),
    ...(helpUrl && { helpUrl }),
    ...(facts.package.publisher && { publisher: facts.package.publisher }),
    ...(facts.package.license && { license: facts.package.license }),
    ...(icon && { icon }),
    ...(capabilities.hasSetup && { hasSetup: true }),
    ...(legacy && { legacyChannel: true }),
  };
}

const MAX_ICON = 64 * 1024;

function dataUrl(manifest: ManifestReader, problems: ManifestProblems): string | undefined {
  const icon = manifest.optionalText("icon");
  if (icon === undefined) return undefined;
  if (icon.startsWith("data:image/") && icon.length <= MAX_ICON) return icon;
  problems.warn(
    "The `icon` is left out: it must be an image inside the package, or a data URL, of at most 64 KiB.",
  );
  return undefined;
}

function webAddress(
  manifest: ManifestReader,
  name: "homepage" | "helpUrl",
  problems: ManifestProblems,
): string | undefined {
  const text = manifest.optionalText(name);
  if (text === undefined) return undefined;
  const address = safeAddress(text);
  if (!address) problems.warn(`The \`${name}\` is left out: it is not an http or https address.`);
  return address;
}

function safeAddress(text: string | undefined): string | undefined {
  if (!text || !URL.canParse(text)) return undefined;
  const { protocol } = new URL(text);
  return protocol === "https:" || protocol === "http:" ? text : undefined;
}

function packageWarnings(facts: ManifestFacts): string[] {
  const warnings: string[] = [];
  if (!facts.package.name) warnings.push("The package.json has no `name`; the plugin's key is used.");
  if (!facts.package.version) warnings.push("The package.json has no `version`; 0.0.0 is used.");
  return warnings;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

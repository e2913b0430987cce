import type { Capabilities } from "../../../contract/index.ts";

const SECTIONS = ["tools", "channel", "hooks"] as const;

/**
 * Settings in the wrapper `{tools?, channel?, hooks?}`. A package with one capability may be configured flat; a
 * package with several cannot, and is given its settings as they are.
 */
export function wrapConfig(
  config: Record<string, unknown>,
  capabilities: Capabilities,
): Record<string, unknown> {
  const [section, second] = SECTIONS.filter((name) => capabilities[name] !== undefined);
  if (!section || second || isWrapped(config, section)) return config;
  return { [section]: config };
}

/** The object of the one capability, out of the wrapper or as it is. */
export function unwrapConfig(
  config: Record<string, unknown>,
  capabilities: Capabilities,
): Record<string, unknown> {
  const [section, second] = SECTIONS.filter((name) => capabilities[name] !== undefined);
  if (!section || second || !isWrapped(config, section)) return config;
  return config[section] as Record<string, unknown>;
}

function isWrapped(config: Record<string, unknown>, section: string): boolean {
  const inner = config[section];
  return (
    Object.keys(config).every((key) => key === section) &&
    typeof inner === "object" &&
    inner !== null &&
    !Array.isArray(inner)
  );
}

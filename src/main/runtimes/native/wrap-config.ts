import type { Capabilities } from "../../../contract/index.ts";

const SECTIONS = ["tools", "channel", "hooks"] as const;

/**
 * Settings in the wrapper `{tools?, channel?, hooks?}`. For a package with a single capability flat settings are
 * wrapped; for a package with several the settings are returned unchanged.
 */
export function wrapConfig(
  config: Record<string, unknown>,
  capabilities: Capabilities,
): Record<string, unknown> {
  const [section, second] = SECTIONS.filter((name) => capabilities[name] !== undefined);
  if (!section || second || isWrapped(config, section)) return config;
  return { [section]: config };
}

/** The settings of the single capability: taken out of the wrapper, or unchanged when they are flat. */
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

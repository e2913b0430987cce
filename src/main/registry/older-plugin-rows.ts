import { type Asks, asksOf, isObject, type Permissions } from "../../contract/index.ts";

type Row = Record<string, unknown>;

/** A plugin's row of version 1 named a folder, and kept permissions and what fledge asks for in `declaration`. */
export function withArtifact(old: unknown): unknown {
  return plugin(old as Row);
}

/**
 * A row of version 3 says nothing of files and programs for a fledge plugin with programs of its own, which could use all
 * of them. It keeps what such plugins ask for today: the workspace, and other programs.
 */
export function withFledgeReach(old: unknown): unknown {
  const row = old as Row;
  if (row.runtime !== "fledge") return row;
  const previous = Array.isArray(row.previous) ? row.previous : [];
  return { ...reaching(row), previous: previous.map(reaching) };
}

function reaching(version: Row): Row {
  const { details } = version.declaration as { details?: unknown };
  if (isObject(details) && details.runtime === "wasm") return version;
  const consent = version.consent as Row;
  return {
    ...version,
    consent: { ...consent, files: consent.files ?? "workspace", programs: consent.programs ?? true },
  };
}

/** The same change for the question of consent that a job of version 1 stored. */
export function withAsks(consent: Row): Row {
  const { permissions, scripts, ...rest } = consent;
  return {
    ...rest,
    asks: { ...asksOf(permissions as Permissions | null), ...(Array.isArray(scripts) && { scripts }) },
  };
}

function plugin(row: Row): Row {
  const previous = Array.isArray(row.previous) ? row.previous : [];
  return { ...version(row), previous: previous.map(version) };
}

function version(row: Row): Row {
  const { dir, declaration, ...rest } = row;
  const { permissions, fledge, ...declared } = declaration as Row;
  return {
    ...rest,
    artifact: { kind: "folder", dir },
    declaration: { ...declared, ...(fledge !== undefined && { details: fledge }) },
    consent: { ...asksOf((permissions ?? null) as Permissions | null), ...fledgeAsks(fledge) },
  };
}

function fledgeAsks(fledge: unknown): Partial<Asks> {
  if (!isObject(fledge) || !isObject(fledge.grants)) return {};
  const { grants, runtime, scripts } = fledge;
  const isWasm = runtime === "wasm";
  return {
    declared: true,
    enforced: isWasm,
    grants: [
      ...(grants.store === true ? ["store"] : []),
      ...(grants.metadata === true ? ["metadata"] : []),
      ...(isWasm && grants.network === true ? ["network"] : []),
      ...(!isWasm && grants.filesystem !== "none" ? ["files of the project"] : []),
      ...(grants.filesystem === "plugin" ? ["files of its own folder"] : []),
    ],
    scripts: scripts as Asks["scripts"],
  };
}

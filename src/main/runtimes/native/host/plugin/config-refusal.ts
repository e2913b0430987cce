import { isObject } from "../../../../../contract/is-object.ts";
import { HostError, messageOf, stackOf } from "../../../hosted/node/host-error.ts";
import { insideOf } from "./load-failure.ts";

/**
 * What a throw of the plugin's `parseConfig` means: its word that the settings are not right, or a mistake in its code,
 * for which the person can do nothing.
 */
export function refusalOfSettings(error: unknown, dir: string): HostError {
  if (isMistake(error)) {
    const stack = insideOf(dir, stackOf(error) ?? "");
    return new HostError(
      "START_FAILED",
      `The plugin failed while it read its settings: ${messageOf(error)}`,
      stack === "" ? undefined : { stack },
      "This is a mistake in the plugin's code, and no fault of the settings. Its log has the place; tell its author.",
    );
  }
  const fields = fieldsOf(error);
  return new HostError(
    "CONFIG_REFUSED",
    `The plugin refused its settings: ${reasonOf(error)}`,
    fields.length > 0 ? { fields } : undefined,
  );
}

/** How the engine words what only wrong code makes it throw. */
const mistakes: readonly RegExp[] = [
  /^Cannot (read|set) propert/,
  /^Cannot (destructure|convert undefined or null|access '.*' before initialization|assign to read only|use 'in' operator)/,
  /^Cannot (add property|delete property|redefine property)/,
  / is not (a function|a constructor|iterable|defined)\b/,
  /^(Assignment to constant variable|Invalid attempt to|Class constructor|Reduce of empty array)/,
  /^(Private field|Method .* called on incompatible receiver|Maximum call stack size exceeded)/,
  /^object is not iterable/,
];

/**
 * Whether the engine threw this, and not the plugin. Plugins may throw a TypeError themselves to refuse a setting, and
 * errors of Node (`new URL("x")`) carry a code: both are about the settings.
 */
function isMistake(error: unknown): boolean {
  if (error instanceof ReferenceError) return true;
  if (!(error instanceof TypeError || error instanceof RangeError) || "code" in error) return false;
  return mistakes.some((wording) => wording.test(error.message));
}

/**
 * The reason in words. The error of a schema library lists issues, which are used here because its message is often a
 * page of JSON.
 */
function reasonOf(error: unknown): string {
  const fields = fieldsOf(error);
  if (fields.length === 0) return messageOf(error);
  return fields.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; ");
}

/**
 * The field and the problem of each issue, so that a form can show it there. Paths are written with dots:
 * `hosts.0.port`.
 */
function fieldsOf(error: unknown): { path: string; message: string }[] {
  if (!isObject(error) || !Array.isArray(error.issues)) return [];
  return error.issues.slice(0, 10).map((issue: unknown) => {
    if (!isObject(issue)) return { path: "", message: String(issue) };
    const path = Array.isArray(issue.path) ? issue.path.map(String).join(".") : "";
    return { path, message: String(issue.message) };
  });
}

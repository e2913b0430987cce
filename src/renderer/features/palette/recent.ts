const key = "patchbay.palette";
const kept = 8;

/** Ids of what was chosen lately, newest first. */
export function recentChoices(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string").slice(0, kept) : [];
  } catch {
    return [];
  }
}

export function rememberChoice(id: string): void {
  const rest = recentChoices().filter((other) => other !== id);
  localStorage.setItem(key, JSON.stringify([id, ...rest].slice(0, kept)));
}

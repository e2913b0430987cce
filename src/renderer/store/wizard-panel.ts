import { create } from "zustand";
import type { SetupReason } from "../../contract/setup.ts";
import { problemOf, type ShownProblem } from "../base/client/problem.ts";
import { rpc } from "../base/client/rpc.ts";
import { saidBy } from "./mirror.ts";

interface Place {
  agentId: string;
  key: string;
}

/** The one wizard that this window shows. What its step is, the core says (`mirror.setups`). */
interface WizardPanel {
  place: Place | null;
  /** The wizard was asked for, and no step has arrived yet. */
  opening: boolean;
  /** Why it could not be opened. */
  problem: ShownProblem | null;
  /** What was typed into fields that are no secrets, by field, so that a form that comes again is filled in. */
  typed: Readonly<Record<string, string>>;
  /**
   * Settings that were changed and not accepted yet. They are dropped with the dialog, because they may hold secrets.
   */
  settings: { config: Record<string, unknown>; secrets: Record<string, string> } | null;
}

const nothing = { opening: false, problem: null, typed: {}, settings: null };

const remembered = "patchbay.setup";

export const useWizardPanel = create<WizardPanel>()(() => ({
  ...nothing,
  place: rememberedPlace(),
}));

export interface OpenOptions {
  reason?: SetupReason;
  /** Begins a new setup in place of the one that is open or done. */
  again?: boolean;
}

/** Opens the dialog, and the wizard in the core unless one is open there already. Never rejects: the dialog says why not. */
export async function openWizard(agentId: string, key: string, options: OpenOptions = {}): Promise<void> {
  const place = { agentId, key };
  sessionStorage.setItem(remembered, JSON.stringify(place));
  useWizardPanel.setState({ ...nothing, place, opening: true });
  let problem: ShownProblem | null = null;
  try {
    await rpc.setup.begin({ agentId, key, ...options });
  } catch (error) {
    problem = saidBy(key, problemOf(error));
  }
  if (useWizardPanel.getState().place === place) useWizardPanel.setState({ opening: false, problem });
}

/** Closes the dialog. The wizard goes on in the core unless it is cancelled, too. */
export function hideWizard(): void {
  sessionStorage.removeItem(remembered);
  useWizardPanel.setState({ ...nothing, place: null });
}

export function rememberTyped(field: string, text: string): void {
  useWizardPanel.setState(({ typed }) => ({ typed: { ...typed, [field]: text } }));
}

export function rememberSettings(settings: WizardPanel["settings"]): void {
  useWizardPanel.setState({ settings });
}

/** The wizard that was shown before a reload of the window. */
function rememberedPlace(): Place | null {
  const text = sessionStorage.getItem(remembered);
  if (text === null) return null;
  const place = JSON.parse(text) as Partial<Place>;
  return place.agentId && place.key ? { agentId: place.agentId, key: place.key } : null;
}

import type { SetupStep } from "../../../../contract/setup.ts";
import type { Wizard } from "./use-wizard.ts";

/** What each page of the wizard is given. */
export interface StepProps<Step extends SetupStep> {
  step: Step;
  wizard: Wizard;
  agentId: string;
  pluginKey: string;
  /** The plugin's name. */
  name: string;
  /** Closes the dialog, after a question where something would be lost. */
  onLeave(): void;
}

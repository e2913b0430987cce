import type { SetupState } from "../setup.ts";

/**
 * The question that is asked when the person named no owner. Letting everybody write must be chosen, and not happen
 * because a field was left empty. The answers: `owner`, to name one after all, or `everyone`.
 *
 * @param everyone label of the second answer, for example `Everybody in the workspace may write`
 */
export function askWithoutOwner(everyone: string, progress: { steps: string[]; step: number }): SetupState {
  return {
    kind: "awaiting_choice",
    title: "Nobody as owner?",
    instructions: "Without an owner, what the agent asks to be allowed is decided in Patchbay alone.",
    options: [
      {
        value: "owner",
        label: "Name the owner",
        help: "Everybody else is ignored until you name them, too.",
      },
      { value: "everyone", label: everyone, help: "They talk with the agent at your cost." },
    ],
    ...progress,
  };
}

import type { SetupState } from "../manifest.ts";

/**
 * Asked when nobody was named as owner: letting everybody write is chosen, it does not happen by an empty field. The
 * answers are `owner`, to name one after all, and `everyone`.
 *
 * @param everyone who may write then, as in `Everybody in the workspace may write`
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

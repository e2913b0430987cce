import type { SetupState } from "@patchbay/plugin-sdk";
import { SeenGroups } from "./seen-groups.ts";

const ADD = "add";
const GO_ON = "go-on";

interface Frame {
  steps: string[];
  step: number;
  pollIntervalMs: number;
}

/** The step in which the person chooses among the groups that the bot was seen in, so that nobody has to know an id. */
export class GroupChoice {
  readonly seen = new SeenGroups();
  readonly #frame: Frame;
  readonly #chosen = new Set<string>();
  /** Ids that were seen before the person went to add the bot to a group. */
  #before = new Set<string>();

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  get settings(): { groups?: string[] } {
    return this.#chosen.size === 0 ? {} : { groups: [...this.#chosen] };
  }

  ask(): SetupState {
    const { steps, step } = this.#frame;
    const chosen = this.seen.list.filter(({ id }) => this.#chosen.has(id)).map(({ title }) => title);
    return {
      kind: "awaiting_choice",
      title: "In which groups?",
      instructions:
        chosen.length === 0
          ? "In groups the agent answers when it is mentioned or replied to. In a group that is not chosen it says nothing."
          : `Chosen: ${chosen.join(", ")}.`,
      options: [
        { value: GO_ON, label: chosen.length === 0 ? "In none, go on" : "Go on" },
        ...this.seen.list
          .filter(({ id }) => !this.#chosen.has(id))
          .map(({ id, title }) => ({ value: id, label: `Answer in “${title}”` })),
        {
          value: ADD,
          label: "Add it to a group",
          help: "Telegram asks which one. A group that it is in already is seen when somebody mentions it there.",
        },
      ],
      steps,
      step,
    };
  }

  /**
   * The state after an answer; null when the person goes on.
   *
   * @param link makes Telegram ask in which group the bot is to be
   */
  take(choice: string, link: string): SetupState | null {
    if (choice === GO_ON) return null;
    if (choice === ADD) return this.#add(link);
    if (this.seen.list.some(({ id }) => id === choice)) this.#chosen.add(choice);
    return this.ask();
  }

  /** The step again, when the bot has appeared in a further group, which is chosen then; null while it has not. */
  added(): SetupState | null {
    const added = this.seen.list.find(({ id }) => !this.#before.has(id));
    if (!added) return null;
    this.#chosen.add(added.id);
    return this.ask();
  }

  #add(link: string): SetupState {
    this.#before = new Set(this.seen.list.map(({ id }) => id));
    return {
      kind: "awaiting_external",
      title: "Add it to a group",
      instructions:
        "Open the link where you use Telegram and choose the group, or mention the bot in a group that it is in.",
      qrText: link,
      redirectUrl: link,
      ...this.#frame,
    };
  }
}

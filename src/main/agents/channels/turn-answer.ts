import type { ChannelAnswer } from "@patchbay/plugin-sdk";

/** An answer, and the turn that made it; null for commands and what was dropped. */
export type TurnAnswer = ChannelAnswer & { turnId: string | null };

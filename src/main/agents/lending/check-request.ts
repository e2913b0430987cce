import { PatchbayError } from "../../../contract/index.ts";
import type { ModelRequest } from "../../runtimes/plugin-call.ts";

/** Most characters of text in one request: what a person can still look through. */
const MOST_CHARACTERS = 100_000;
const MOST_MESSAGES = 100;
const MOST_PICTURES = 8;
/** Of all pictures together, in characters of base64. */
const MOST_OF_PICTURES = 8 * 1024 * 1024;

/** @throws PatchbayError BAD_INPUT for a request that no model is asked */
export function checkRequest({ system, messages, maxTokens }: ModelRequest): void {
  const pictures = messages.flatMap((message) => message.pictures);
  const characters = messages.reduce((sum, { text }) => sum + text.length, system.length);
  const fault =
    messages.length === 0 || messages.at(-1)?.role !== "user"
      ? "It ends with no message that the model could answer."
      : messages.length > MOST_MESSAGES
        ? `It has more than ${MOST_MESSAGES} messages.`
        : characters > MOST_CHARACTERS
          ? `It has more than ${MOST_CHARACTERS.toLocaleString("en")} characters.`
          : pictures.length > MOST_PICTURES ||
              pictures.reduce((sum, { data }) => sum + data.length, 0) > MOST_OF_PICTURES
            ? `It has more than ${MOST_PICTURES} pictures, or too large ones.`
            : pictures.some(({ mimeType }) => !/^image\/(png|jpeg|gif|webp)$/.test(mimeType))
              ? "It has a picture of a kind that models do not take."
              : !Number.isInteger(maxTokens) || maxTokens < 1
                ? "It says no number of tokens for the answer."
                : null;
  if (fault !== null)
    throw new PatchbayError("BAD_INPUT", `That cannot be asked of the agent's model. ${fault}`);
}

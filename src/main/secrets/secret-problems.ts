import { PatchbayError } from "../../contract/errors.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A secret as a person knows it. `agentId` null: shared by all, or it does not matter whose it is. */
interface Named {
  name: string;
  agentId: string | null;
}

/** @throws PatchbayError BAD_INPUT */
export function refuseUnstorable(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw new PatchbayError(
      "BAD_INPUT",
      `"${name}" cannot be a secret's name: use letters, digits and underscores, not starting with a digit.`,
    );
  }
  if (value === "") throw new PatchbayError("BAD_INPUT", `The secret ${name} needs a value.`);
}

export function damaged({ name, agentId }: Named): PatchbayError {
  const message = `The stored secret ${name}${forWhom(agentId)} is damaged and cannot be read.`;
  return new PatchbayError("VAULT_CLOSED", message, { help: `Store ${name} again.` });
}

export function notStored({ name, agentId }: Named): PatchbayError {
  return new PatchbayError("SECRET_NOT_FOUND", `There is no secret ${name}${forWhom(agentId)}.`);
}

function forWhom(agentId: string | null): string {
  return agentId === null ? "" : ` of the agent ${agentId}`;
}

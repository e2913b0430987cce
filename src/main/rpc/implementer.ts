import { implement } from "@orpc/server";
import { contract } from "../../contract/index.ts";
import { withWireErrors } from "./errors.ts";

/**
 * The contract, to be implemented area by area. Input is validated at this wall; output is typed by the contract and not
 * checked again at run time.
 */
export const procedures = implement(contract, { initialOutputValidationIndex: Number.NaN }).use(({ next }) =>
  withWireErrors(async () => next()),
);

export const done = { ok: true } as const;

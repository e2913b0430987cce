import { implement } from "@orpc/server";
import { contract } from "../../contract/index.ts";
import type { CallContext } from "./context.ts";
import { withWireErrors } from "./errors.ts";
import { proveWanted } from "./person-only.ts";

/**
 * The input is checked after so many of the middlewares below: errors of the check leave in our form, and what only the
 * person may do is judged by an input that fits its schema. The library adds the number of these middlewares.
 */
const checkedAfter = 1;
const middlewares = 2;

/**
 * The contract, to be implemented area by area. Input is validated at this wall; output is typed by the contract and not
 * checked again at run time.
 */
export const procedures = implement(contract, {
  initialInputValidationIndex: checkedAfter - middlewares,
  initialOutputValidationIndex: Number.NaN,
})
  .$context<CallContext>()
  .use(({ next }) => withWireErrors(async () => next()))
  .use(async ({ context, procedure, next }, input: unknown) => {
    await proveWanted(procedure["~orpc"].meta, context.caller, input);
    return next();
  });

export const done = { ok: true } as const;

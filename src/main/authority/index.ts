export { Authority } from "./authority.ts";
export { type Asker, type Caller, callerHere } from "./callers.ts";
export { partsOf } from "./tokens.ts";

export { Authority } from "./authority.ts";
export { type Asker, type Caller, callerHere } from "./callers.ts";

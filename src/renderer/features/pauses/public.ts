/** What other features and pages may use of `pauses`. */
export { BreakpointButton } from "./breakpoint-button.tsx";
export { PauseBar } from "./pause-bar.tsx";
export { useFollowPauses, usePauses } from "./pause-store.ts";

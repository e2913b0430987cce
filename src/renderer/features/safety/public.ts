/** What other features may use of `safety`. */
export { leaveSafeMode } from "./hold-banner.tsx";

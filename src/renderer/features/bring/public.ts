/** What other features may use of `bring`. */
export { BringList } from "./bring-list.tsx";
export { ServerFacts } from "./server-facts.tsx";

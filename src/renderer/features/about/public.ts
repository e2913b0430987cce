/** What others may use of `about`. */
export { OwnWords } from "./own-words.tsx";
export { pageFacts } from "./page-facts.tsx";
export { Screenshots } from "./screenshots.tsx";

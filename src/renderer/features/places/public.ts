/** What other features may use of `places`. */
export { ChooseButton } from "./choose-button.tsx";

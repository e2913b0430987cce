/** What others may use of `conversation`. */
export { PictureButton } from "./files/picture-button.tsx";
export { RichText } from "./markdown/rich-text.tsx";

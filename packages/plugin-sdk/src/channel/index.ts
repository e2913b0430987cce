/**
 * A toolkit for channels, that is, plugins that connect a chat platform. The plugin brings a transport for its
 * platform; everything else is here.
 */
export type { AccessRules, ChannelRole, RoomRules } from "./access.ts";
export { type FetchFileOptions, fetchFile, MAX_FILE } from "./attachments.ts";
export { type ChannelManners, type ChannelOptions, runChannel } from "./channel.ts";
export { type ChannelClock, pause, pauseForServer, systemClock, within } from "./clock.ts";
export { ChannelFailure, type FailureKind, failureOf, reasonOf } from "./failure.ts";
export { deafPort, type FormSetupOptions, type FormStep, formSetup, listOf } from "./form-setup.ts";
export { type MarkdownDialect, renderMarkdown, tableAt } from "./markdown.ts";
export { untilAnswered } from "./patience.ts";
export { redactor } from "./redact.ts";
export { Rooms, type RoomsParts } from "./rooms.ts";
export { type Measure, measure, splitText } from "./split.ts";
export { kindOfToken } from "./tokens.ts";
export type * from "./transport.ts";
export { chatSayer, type OwnTexts } from "./words/own-texts.ts";
export { chatLanguage } from "./words/words.ts";

export * from "./access.ts";
export * from "./agent.ts";
export * from "./agent-plugin.ts";
export * from "./app.ts";
export * from "./asks.ts";
export * from "./by-hand/by-hand.ts";
export * from "./channel.ts";
export * from "./collections.ts";
export { type Contract, contract } from "./contract.ts";
export {
  type Attached,
  isPicture,
  mostAttachmentBytes,
  mostAttachments,
  mostPieceBytes,
  type RowOfVersions,
  type Versions,
  withAttachments,
  withoutAttachments,
} from "./conversation/attached.ts";
export {
  type FilledPrompt,
  type FoundResources,
  mostFound,
  mostSuggestions,
  type PromptArgument,
  type ResourceInfo,
  type ResourceLink,
  type ResourceTemplate,
  resourceAddressSchema,
  resourceLinkSchema,
  type SuggestionRequest,
} from "./conversation/offered.ts";
export { argumentsIn } from "./conversation/prompt-line.ts";
export { pathOf, SessionTree } from "./conversation/session-tree.ts";
export { variablesIn } from "./conversation/uri-template.ts";
export * from "./diagnostics.ts";
export * from "./dialogs/default-answer.ts";
export * from "./dialogs/dialog.ts";
export * from "./dialogs/form.ts";
export * from "./dialogs/form-faults.ts";
export * from "./dialogs/page-address.ts";
export * from "./dialogs/secret-fields.ts";
export * from "./dialogs/wanted-of-model.ts";
export * from "./effects/effects.ts";
export * from "./errors.ts";
export * from "./found/findings.ts";
export * from "./found/found.ts";
export * from "./found/mcp-list.ts";
export * from "./found/plugin-about.ts";
export * from "./found/starts.ts";
export * from "./gateway.ts";
export * from "./gateway-file.ts";
export * from "./grants.ts";
export * from "./holds.ts";
export { isObject } from "./is-object.ts";
export * from "./item-id.ts";
export * from "./job.ts";
export * from "./languages.ts";
export * from "./links.ts";
export * from "./models/address.ts";
export * from "./models/config.ts";
export * from "./models/listed.ts";
export * from "./models/providers.ts";
export * from "./models/thinking.ts";
export * from "./names.ts";
export * from "./offers/screen-offers.ts";
export * from "./pauses/by-person.ts";
export * from "./pauses/pauses.ts";
export * from "./permissions/compared.ts";
export * from "./permissions/explanation.ts";
export * from "./permissions/tool-rights.ts";
export * from "./permissions/view.ts";
export * from "./permissions/wall-notes.ts";
export * from "./place.ts";
export * from "./plugin.ts";
export * from "./problem.ts";
export type { RecordedTurn, TraceExport, TraceFormat } from "./procedures/debug/traces.ts";
export * from "./programs/programs.ts";
export * from "./record.ts";
export * from "./removed/removed.ts";
export * from "./removed/removed-for.ts";
export * from "./settings.ts";
export * from "./setup.ts";
export * from "./shown/growth.ts";
export * from "./shown/has-words.ts";
export * from "./tools/check.ts";
export * from "./tools/most-offered.ts";
export * from "./tools/said.ts";
export * from "./tools/switched.ts";
export * from "./tools/switches.ts";
export * from "./tools/tool-info.ts";
export * from "./trace/compare.ts";
export * from "./trace/compared.ts";
export * from "./trace/context.ts";
export type { TurnLink } from "./trace/event-parts.ts";
export * from "./trace/judge.ts";
export * from "./trace/live-fact.ts";
export * from "./trace/live-traces.ts";
export * from "./trace/outside-calls.ts";
export * from "./trace/replay.ts";
export * from "./trace/spans.ts";
export * from "./turn.ts";
export * from "./turn-event.ts";
export * from "./uploads.ts";
export * from "./vault.ts";
export * from "./wire.ts";

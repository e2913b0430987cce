/** What other features may use of `voice`. */
export {
  keysOf,
  type VoiceDraft,
  voiceDraftOf,
  voiceOf,
  wrongVoice,
} from "./voice-draft.ts";
export { VoiceFields } from "./voice-fields.tsx";

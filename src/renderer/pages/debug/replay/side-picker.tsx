import { useTranslation } from "react-i18next";
import { cleanLine } from "../../../../contract/shown/clean-text.ts";
import type { Replay, TurnSide } from "../../../../contract/trace/replay.ts";
import type { Session } from "../../../../contract/turn.ts";
import { formatClock } from "../../../base/i18n/time.ts";
import { nameOfSide } from "./use-compared.ts";
import { useTurns } from "./use-turns.ts";

interface SidePickerProps {
  agentId: string;
  /** What the side is called: left, right. */
  label: string;
  /** The conversation whose turns are offered. */
  sessionId: string;
  side: TurnSide | null;
  replays: readonly Replay[];
  sessions: readonly Session[];
  onSession(sessionId: string): void;
  onSide(side: TurnSide): void;
}

/** Chooses a turn that is compared: of this conversation, of another one, or a replay. */
export function SidePicker(props: SidePickerProps) {
  const { agentId, label, sessionId, side, replays, sessions, onSession, onSide } = props;
  const { t } = useTranslation();
  const turns = useTurns(agentId, sessionId);
  const own = sessions.find(({ id }) => id === sessionId);
  const others = sessions.filter((one) => one.id !== sessionId);
  const value = side === null ? "" : nameOfSide(side);
  const choose = (chosen: string) => {
    const replay = replays.find(({ id }) => nameOfSide({ replayId: id }) === chosen);
    const turn = turns?.find(({ turnId }) => nameOfSide({ sessionId, turnId }) === chosen);
    const other = others.find(({ id }) => `session ${id}` === chosen);
    if (replay) onSide({ replayId: replay.id });
    else if (turn) onSide({ sessionId, turnId: turn.turnId });
    else if (other) onSession(other.id);
  };
  return (
    <label className="min-w-0 flex-1 text-xs font-medium text-mute">
      {label}
      <select
        className="field mt-1 h-8 w-full py-0 text-sm font-normal text-ink"
        value={value}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="" disabled>
          {t("replay.choose")}
        </option>
        <optgroup label={cleanLine(own?.title ?? "") || t("replay.turns")}>
          {turns?.map((turn) => (
            <option key={turn.turnId} value={nameOfSide({ sessionId, turnId: turn.turnId })}>
              {t("timeline.turnAt", { time: formatClock(turn.at), text: cleanLine(turn.text).slice(0, 60) })}
            </option>
          ))}
        </optgroup>
        {replays.length > 0 && (
          <optgroup label={t("replay.replays")}>
            {replays.map((replay) => (
              <option key={replay.id} value={nameOfSide({ replayId: replay.id })}>
                {t("replay.replayAt", {
                  time: formatClock(replay.at),
                  text: cleanLine(replay.text).slice(0, 60),
                })}
              </option>
            ))}
          </optgroup>
        )}
        {others.length > 0 && (
          <optgroup label={t("replay.otherConversations")}>
            {others.map((one) => (
              <option key={one.id} value={`session ${one.id}`}>
                {t("replay.turnsOf", { title: cleanLine(one.title) || t("conversation.new") })}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </label>
  );
}

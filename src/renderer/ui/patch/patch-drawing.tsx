import type { RuntimeId } from "../../../contract/plugin.ts";
import type { Health } from "../../model/health.ts";
import { useMirror } from "../../store/mirror.ts";
import { Face } from "../face.tsx";
import { Cable } from "./cable.tsx";

interface PatchDrawingProps {
  health: Health;
  runtime: RuntimeId;
  pluginKey: string;
}

/** The cable between the agent's strip and the plugin, as it is now. */
export function PatchDrawing({ health, runtime, pluginKey }: PatchDrawingProps) {
  const plugin = useMirror((state) => state.plugins.get(pluginKey));
  return (
    <div className="flex items-center" aria-hidden="true">
      <svg viewBox="0 0 190 64" className="h-16 w-[190px] shrink-0 overflow-visible" aria-hidden="true">
        <rect
          x="0.5"
          y="4.5"
          width="23"
          height="55"
          rx="9"
          fill="var(--surface)"
          stroke="var(--line-strong)"
        />
        {[17, 27, 37, 47].map((y) => (
          <circle key={y} cx="12" cy={y} r="3" fill={y === 27 ? "var(--ink)" : "var(--line)"} />
        ))}
        <Cable fromX={12} fromY={27} jackX={176} jackY={34} laneX={86} health={health} runtime={runtime} />
      </svg>
      <Face
        seed={pluginKey}
        name={plugin?.displayName ?? pluginKey}
        icon={plugin?.declaration.icon}
        size="lg"
      />
    </div>
  );
}

import type { RuntimeId } from "../../../../contract/plugin.ts";
import type { Health } from "../../../model/health.ts";
import { useMirror } from "../../../store/mirror.ts";
import { Face } from "../../../ui/face.tsx";
import { PatchDrawing } from "../../../ui/patch/patch-drawing.tsx";

interface SetupDrawingProps {
  health: Health;
  runtime: RuntimeId;
  pluginKey: string;
}

/** The cable between the agent's strip and the plugin's face, as it is now. */
export function SetupDrawing({ health, runtime, pluginKey }: SetupDrawingProps) {
  const plugin = useMirror((state) => state.plugins.get(pluginKey));
  return (
    <div className="flex items-center" aria-hidden="true">
      <PatchDrawing layout="setup" health={health} runtime={runtime} />
      <Face
        seed={pluginKey}
        name={plugin?.displayName ?? pluginKey}
        icon={plugin?.declaration.icon}
        ours={plugin?.source.kind === "builtin"}
        size="lg"
      />
    </div>
  );
}

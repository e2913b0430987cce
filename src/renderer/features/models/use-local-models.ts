import { useEffect, useState } from "react";
import { rpc } from "../../base/client/rpc.ts";

export type LocalModel = Awaited<ReturnType<typeof rpc.models.local>>[number];

/** The models that run on this computer, looked for anew each time; none while that is not known, or cannot be asked. */
export function useLocalModels(): LocalModel[] {
  const [found, setFound] = useState<LocalModel[]>([]);
  useEffect(() => {
    let left = false;
    rpc.models.local().then(
      (models) => !left && setFound(models),
      () => {},
    );
    return () => {
      left = true;
    };
  }, []);
  return found;
}

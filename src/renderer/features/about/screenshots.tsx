import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PluginView } from "../../../contract/plugin.ts";
import { rpc } from "../../base/client/rpc.ts";
import { isConnected, useMirror } from "../../store/mirror.ts";
import { PictureButton } from "../conversation/public.ts";

/** The pictures that a plugin brings of itself, small; each opens large. */
export function Screenshots({ plugin }: { plugin: PluginView }) {
  const { t } = useTranslation();
  const { manifestKey, packageVersion, displayName: name, declaration } = plugin;
  const names = declaration.about?.screenshots ?? [];
  if (names.length === 0) return null;
  return (
    <ul aria-label={t("ownWords.screenshots")} className="flex flex-wrap gap-3">
      {names.map((file, number) => (
        <li key={`${packageVersion} ${file}`}>
          <Screenshot
            pluginKey={manifestKey}
            number={number}
            name={t("ownWords.screenshot", { number: number + 1, name })}
          />
        </li>
      ))}
    </ul>
  );
}

interface ScreenshotProps {
  pluginKey: string;
  number: number;
  name: string;
}

function Screenshot({ pluginKey, number, name }: ScreenshotProps) {
  const connected = useMirror(isConnected);
  const [address, setAddress] = useState<string | null>(null);
  const [isGone, setGone] = useState(false);
  useEffect(() => {
    if (!connected) return;
    const leaving = new AbortController();
    rpc.plugins.screenshot({ key: pluginKey, number }, { signal: leaving.signal }).then(
      ({ picture }) => setAddress(picture),
      () => {
        if (!leaving.signal.aborted) setGone(true);
      },
    );
    return () => leaving.abort();
  }, [connected, pluginKey, number]);
  return <PictureButton name={name} address={address} size="md" isGone={isGone} />;
}

import { Check, Monitor, Moon, Sun } from "lucide-react";
import { useLayoutEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Settings } from "../../contract/settings.ts";
import { problemOf } from "../base/client/problem.ts";
import { rpc } from "../base/client/rpc.ts";
import { problemLine } from "../base/i18n/problem-words.ts";
import { useMirror } from "../store/mirror.ts";
import { announce } from "../ui/announce.tsx";
import { IconButton } from "../ui/controls/button.tsx";
import { Menu, MenuItem } from "../ui/controls/menu.tsx";

type Theme = Settings["theme"];
const icons = { system: Monitor, light: Sun, dark: Moon };
const themes: Theme[] = ["system", "light", "dark"];

/** Light or dark, from the system unless the person says otherwise. */
export function useTheme(): Theme {
  const theme = useMirror((state) => state.settings?.theme ?? "system");
  useLayoutEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  return theme;
}

export function ThemeMenu() {
  const { t } = useTranslation();
  const theme = useTheme();
  const Icon = icons[theme];
  const choose = async (next: Theme) => {
    try {
      useMirror.setState({ settings: await rpc.app.updateSettings({ theme: next }) });
    } catch (error) {
      announce(problemLine(problemOf(error)));
    }
  };
  return (
    <Menu
      align="end"
      trigger={
        <IconButton label={t("theme.label")} className="hover:bg-surface/60">
          <Icon className="size-4" aria-hidden="true" />
        </IconButton>
      }
    >
      {themes.map((choice) => {
        const ChoiceIcon = icons[choice];
        return (
          <MenuItem
            key={choice}
            onSelect={() => void choose(choice)}
            icon={<ChoiceIcon className="size-4 text-mute" aria-hidden="true" />}
          >
            <span className="flex-1">{t(`theme.${choice}`)}</span>
            {choice === theme && <Check className="size-4 text-accent" aria-hidden="true" />}
          </MenuItem>
        );
      })}
    </Menu>
  );
}

import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { PluginsPage } from "./plugins-page.tsx";
import { useWelcome } from "./welcome/use-welcome.ts";

const MatrixPage = lazy(async () => ({ default: (await import("./matrix/matrix-page.tsx")).MatrixPage }));
const WelcomePage = lazy(async () => ({
  default: (await import("./welcome/welcome-page.tsx")).WelcomePage,
}));

/** Home in one of its views: the cards, the table of plugins and agents, or the welcome of the first start. */
export function PluginsHome() {
  const [search] = useSearchParams();
  const welcome = useWelcome();
  if (welcome)
    return (
      <Suspense>
        <WelcomePage />
      </Suspense>
    );
  if (search.get("view") === "matrix")
    return (
      <Suspense>
        <MatrixPage />
      </Suspense>
    );
  return <PluginsPage />;
}

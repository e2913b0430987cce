import { useEffect, useState } from "react";
import { createHashRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { loadAhead } from "./base/load-ahead.ts";
import { patterns } from "./base/routes.ts";
import { PluginsHome } from "./pages/home/plugins-home.tsx";
import { BrokenScreen } from "./shell/broken-screen.tsx";
import { ConnectionScreen } from "./shell/connection-banner.tsx";
import { beginAtSomeAgent, Layout, ToSomeAgent } from "./shell/layout.tsx";
import { useTheme } from "./shell/theme-menu.tsx";
import { UnknownLink } from "./shell/unknown-link.tsx";
import { useLanguage } from "./store/language.ts";
import { useMirror } from "./store/mirror.ts";

const pluginPage = async () => ({
  Component: (await import("./pages/plugin/plugin-page.tsx")).PluginPage,
});
const discoverPage = async () => ({
  Component: (await import("./pages/discover/discover-page.tsx")).DiscoverPage,
});
const resultPage = async () => ({
  Component: (await import("./pages/result/result-page.tsx")).ResultPage,
});

const approvalsPage = async () => ({
  Component: (await import("./pages/approvals/approvals-page.tsx")).ApprovalsPage,
});
const conversationPage = async () => ({
  Component: (await import("./pages/conversation/conversation-page.tsx")).ConversationPage,
});
const debugPage = async () => ({
  Component: (await import("./pages/debug/debug-page.tsx")).DebugPage,
});
const toolsPage = async () => ({
  Component: (await import("./pages/tools/tools-page.tsx")).ToolsPage,
});
const settingsPage = async () => ({
  Component: (await import("./pages/settings/settings-page.tsx")).SettingsPage,
});

/** Loaded before they are asked for, the heaviest first. */
const likelyNext = [
  debugPage,
  () => import("./pages/debug/timeline/timeline.tsx"),
  conversationPage,
  pluginPage,
  discoverPage,
  settingsPage,
];

const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <BrokenScreen />,
    children: [
      {
        // A screen that fails leaves the rail and the conversation as they are.
        errorElement: <BrokenScreen />,
        children: [
          { path: patterns.home, element: <PluginsHome /> },
          { path: patterns.plugin, lazy: pluginPage },
          { path: patterns.pluginTab, lazy: pluginPage },
          { path: patterns.approvals, lazy: approvalsPage },
          { path: patterns.conversation, lazy: conversationPage },
          { path: patterns.debug, lazy: debugPage },
          { path: patterns.debugTab, lazy: debugPage },
          { path: patterns.tools, lazy: toolsPage },
          { path: patterns.toolsPart, lazy: toolsPage },
          { path: patterns.settings, lazy: settingsPage },
          { path: patterns.settingsSection, lazy: settingsPage },
          { path: patterns.discover, lazy: discoverPage },
          { path: patterns.found, lazy: resultPage },
        ],
      },
    ],
  },
  { path: "/", element: <ToSomeAgent /> },
  { path: patterns.unknown, element: <UnknownLink /> },
  { path: "*", element: <UnknownLink /> },
];

/** The screens, drawn once the core's first snapshot is known. */
export function App() {
  const ready = useMirror((state) => state.ready);
  useTheme();
  useLanguage();
  return ready ? <Screens /> : <ConnectionScreen />;
}

/** The router reads the address when this is first drawn. Before that, the fragment may still hold the link's token. */
function Screens() {
  const [router] = useState(() => {
    beginAtSomeAgent();
    return createHashRouter(routes);
  });
  useEffect(() => loadAhead(likelyNext), []);
  return <RouterProvider router={router} />;
}

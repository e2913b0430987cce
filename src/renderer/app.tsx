import { useState } from "react";
import { createHashRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { patterns } from "./base/routes.ts";
import { PluginsHome } from "./pages/home/plugins-home.tsx";
import { Layout, ToSomeAgent } from "./shell/layout.tsx";
import { UnknownLink } from "./shell/unknown-link.tsx";

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
const settingsPage = async () => ({
  Component: (await import("./pages/settings/settings-page.tsx")).SettingsPage,
});

const routes: RouteObject[] = [
  {
    element: <Layout />,
    children: [
      { path: patterns.home, element: <PluginsHome /> },
      { path: patterns.plugin, lazy: pluginPage },
      { path: patterns.pluginTab, lazy: pluginPage },
      { path: patterns.approvals, lazy: approvalsPage },
      { path: patterns.settings, lazy: settingsPage },
      { path: patterns.settingsSection, lazy: settingsPage },
      { path: patterns.discover, lazy: discoverPage },
      { path: patterns.found, lazy: resultPage },
    ],
  },
  { path: "/", element: <ToSomeAgent /> },
  { path: patterns.unknown, element: <UnknownLink /> },
  { path: "*", element: <UnknownLink /> },
];

/** The address is read when this is drawn first: until then it may hold the token of the link. */
export function App() {
  const [router] = useState(() => createHashRouter(routes));
  return <RouterProvider router={router} />;
}

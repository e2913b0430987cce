import { createHashRouter, Navigate } from "react-router";
import { RouterProvider } from "react-router/dom";
import { PluginsHome } from "./plugins/plugins-home.tsx";
import { Layout, ToSomeAgent } from "./shell/layout.tsx";
import { patterns } from "./shell/routes.ts";

const pluginPage = async () => ({
  Component: (await import("./plugin-page/plugin-page.tsx")).PluginPage,
});
const discoverPage = async () => ({
  Component: (await import("./discover/discover-page.tsx")).DiscoverPage,
});
const resultPage = async () => ({
  Component: (await import("./discover/result-page.tsx")).ResultPage,
});

const router = createHashRouter([
  {
    element: <Layout />,
    children: [
      { path: patterns.home, element: <PluginsHome /> },
      { path: patterns.plugin, lazy: pluginPage },
      { path: patterns.pluginTab, lazy: pluginPage },
      { path: patterns.discover, lazy: discoverPage },
      { path: patterns.found, lazy: resultPage },
    ],
  },
  { path: "/", element: <ToSomeAgent /> },
  { path: "*", element: <Navigate to="/" replace /> },
]);

export function App() {
  return <RouterProvider router={router} />;
}

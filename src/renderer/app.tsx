import { createHashRouter, Navigate } from "react-router";
import { RouterProvider } from "react-router/dom";
import { PluginsPage } from "./plugins/plugins-page.tsx";
import { Layout, ToSomeAgent } from "./shell/layout.tsx";
import { patterns } from "./shell/routes.ts";

const pluginPage = async () => ({
  Component: (await import("./plugin-page/plugin-page.tsx")).PluginPage,
});

const router = createHashRouter([
  {
    element: <Layout />,
    children: [
      { path: patterns.home, element: <PluginsPage /> },
      { path: patterns.plugin, lazy: pluginPage },
      { path: patterns.pluginTab, lazy: pluginPage },
    ],
  },
  { path: "/", element: <ToSomeAgent /> },
  { path: "*", element: <Navigate to="/" replace /> },
]);

export function App() {
  return <RouterProvider router={router} />;
}

import "./base/styles/index.css";
import "./base/without-eval.ts";
import "./start.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { systemLanguage } from "../contract/languages.ts";
import { App } from "./app.tsx";
import { startI18n } from "./base/i18n/index.ts";

const language = systemLanguage(navigator.languages);
document.documentElement.lang = language;
await startI18n(language);
const root = document.getElementById("root");
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

import { createContext, Fragment, memo, type ReactNode, useContext, useMemo, useState } from "react";
import { cx } from "../../../ui/class-names.ts";
import { CopyButton } from "../../../ui/controls/copy-button.tsx";
import { GrowingText, parseMarkdown, type Block as RootContent } from "./growing-text.ts";

type Of<Kind extends RootContent["type"]> = Extract<RootContent, { type: Kind }>;

interface RichTextProps {
  text: string;
  /** More text is to come: a caret is shown after the last word. */
  streaming?: boolean;
}

/** A model's text as Markdown. Nothing in it becomes HTML or is fetched: pictures are links, and HTML is shown as it stands. */
export const RichText = memo(function RichText({ text, streaming }: RichTextProps) {
  const [growing] = useState(() => new GrowingText());
  const blocks = streaming ? growing.read(text) : parseMarkdown(text);
  const definitions = blocks.filter((node) => node.type === "definition");
  const addresses =
    definitions.length === 0 ? noAddresses : new Map(definitions.map((node) => [idOf(node), node.url]));
  const depths = useDepths(blocks);
  return (
    <Depths value={depths}>
      <div className={cx("space-y-2 break-words", streaming && "streaming-text")}>
        {blocks.map((node, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place stays there while the text grows
          <BlockView key={index} node={node} addresses={addresses} />
        ))}
      </div>
    </Depths>
  );
});

/** The depths of the text's headings, the shallowest first. */
const Depths = createContext<readonly number[]>([]);

function useDepths(blocks: readonly RootContent[]): readonly number[] {
  const found = blocks.flatMap((node) => (node.type === "heading" ? [node.depth] : []));
  const known = [...new Set(found)].sort().join(" ");
  return useMemo(() => (known === "" ? [] : known.split(" ").map(Number)), [known]);
}

type Addresses = ReadonlyMap<string, string>;

const noAddresses: Addresses = new Map();

/** Drawn again only when its block has changed. */
const BlockView = memo(function BlockView({ node, addresses }: { node: RootContent; addresses: Addresses }) {
  return draw(node, addresses);
});

function idOf({ identifier }: { identifier: string }): string {
  return identifier.toLowerCase();
}

/** A stream only grows at its end, so an index always names the same node. */
function drawAll(nodes: readonly RootContent[], addresses: Addresses): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place stays there while the text grows
  return nodes.map((node, index) => <Fragment key={index}>{draw(node, addresses)}</Fragment>);
}

function draw(node: RootContent, addresses: Addresses): ReactNode {
  switch (node.type) {
    case "text":
      return node.value;
    case "paragraph":
      return <p className="whitespace-pre-line">{inside(node, addresses)}</p>;
    case "heading":
      return <Heading depth={node.depth}>{inside(node, addresses)}</Heading>;
    case "strong":
      return <strong>{inside(node, addresses)}</strong>;
    case "emphasis":
      return <em>{inside(node, addresses)}</em>;
    case "delete":
      return <del>{inside(node, addresses)}</del>;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr className="border-line" />;
    case "inlineCode":
      return <code className="rounded-sm bg-surface px-1 py-px font-mono text-xs">{node.value}</code>;
    case "code":
      return <Code text={node.value} language={node.lang ?? null} />;
    case "blockquote":
      return (
        <blockquote className="space-y-2 border-l-2 border-line-strong pl-3 text-mute">
          {inside(node, addresses)}
        </blockquote>
      );
    case "list":
      return node.ordered ? (
        <ol start={node.start ?? 1} className="list-decimal space-y-1 pl-5">
          {inside(node, addresses)}
        </ol>
      ) : (
        <ul className="list-disc space-y-1 pl-5">{inside(node, addresses)}</ul>
      );
    case "listItem":
      return (
        <li>
          {typeof node.checked === "boolean" && (node.checked ? "☑ " : "☐ ")}
          {inside(node, addresses)}
        </li>
      );
    case "table":
      return <TableView table={node} addresses={addresses} />;
    case "link":
      return <Link url={node.url}>{inside(node, addresses)}</Link>;
    case "linkReference":
      return <Link url={addresses.get(idOf(node)) ?? ""}>{inside(node, addresses)}</Link>;
    case "image":
      return <Link url={node.url}>{node.alt || node.url}</Link>;
    case "imageReference":
      return <Link url={addresses.get(idOf(node)) ?? ""}>{node.alt ?? node.identifier}</Link>;
    case "html":
      return <span className="whitespace-pre-wrap">{node.value}</span>;
    case "footnoteReference":
      return <sup>{node.identifier}</sup>;
    case "footnoteDefinition":
      return (
        <div className="text-sm text-mute">
          {node.identifier}: {inside(node, addresses)}
        </div>
      );
    case "tableRow":
    case "tableCell":
      return inside(node, addresses);
    case "definition":
    case "yaml":
      return null;
  }
}

function inside(node: { children: RootContent[] }, addresses: Addresses): ReactNode {
  return drawAll(node.children, addresses);
}

/** A block of code with its language and a way to copy it. It scrolls inside of its own box. */
function Code({ text, language }: { text: string; language: string | null }) {
  return (
    <div className="overflow-hidden rounded-md bg-surface">
      <div className="flex items-center justify-between gap-2 border-b border-line py-0.5 pr-1 pl-3">
        <span className="truncate text-xs text-mute">{language}</span>
        <CopyButton text={() => text} />
      </div>
      <pre tabIndex={0} className="figure overflow-x-auto px-3 py-2 focus-visible:-outline-offset-2">
        {text}
      </pre>
    </div>
  );
}

/** The page itself uses headings of the first two levels, so a model's first level becomes the third. */
/** Below the headings of the screen, and without the levels that the text leaves out. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  const rank = Math.max(0, useContext(Depths).indexOf(depth));
  const Tag = (["h3", "h4", "h5"] as const)[rank] ?? "h6";
  return <Tag className={cx("font-semibold", rank === 0 && "text-lg")}>{children}</Tag>;
}

/** Only http, https and mail addresses become links; any other address stays text. */
function Link({ url, children }: { url: string; children: ReactNode }) {
  const address = URL.parse(url);
  if (!address || !["http:", "https:", "mailto:"].includes(address.protocol)) return children;
  return (
    <a
      href={address.href}
      target="_blank"
      rel="noreferrer"
      title={address.href}
      className="underline decoration-line-strong underline-offset-3 hover:decoration-accent"
    >
      {children}
    </a>
  );
}

const sides = { left: "text-left", center: "text-center", right: "text-right tabular-nums" } as const;

function sideOf({ align }: Of<"table">, column: number): string {
  return sides[align?.[column] ?? "left"];
}

function TableView({ table, addresses }: { table: Of<"table">; addresses: Addresses }) {
  const [head, ...rows] = table.children;
  const cells = (content: RootContent[]) => drawAll(content, addresses);
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-left text-sm">
        <thead>
          <tr>
            {head?.children.map((cell, column) => (
              <th
                key={placeOf(cell)}
                className={cx("border-b border-line-strong px-2 py-1 font-semibold", sideOf(table, column))}
              >
                {cells(cell.children)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={placeOf(row)}>
              {row.children.map((cell, column) => (
                <td
                  key={placeOf(cell)}
                  className={cx("border-b border-line px-2 py-1 align-top", sideOf(table, column))}
                >
                  {cells(cell.children)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function placeOf(node: RootContent): number {
  return node.position?.start.offset ?? 0;
}

import { Check } from "lucide-react";
import { createContext, Fragment, memo, type ReactNode, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../../ui/class-names.ts";
import { CodeBlock } from "./code-block.tsx";
import { GrowingText, parseMarkdown, type Block as RootContent } from "./growing-text.ts";
import { Link } from "./link.tsx";
import { RemotePicture } from "./remote-picture.tsx";

type Of<Kind extends RootContent["type"]> = Extract<RootContent, { type: Kind }>;

interface RichTextProps {
  text: string;
  /** More text is to come: a caret is shown after the last word. */
  streaming?: boolean;
}

/** A model's text as Markdown. Nothing in it becomes HTML, which is shown as it stands, and no picture is fetched unasked. */
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
      return <CodeBlock text={node.value} language={node.lang ?? null} />;
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
        <ul className={isOfTasks(node) ? "space-y-1" : "list-disc space-y-1 pl-5"}>
          {inside(node, addresses)}
        </ul>
      );
    case "listItem":
      return typeof node.checked === "boolean" ? (
        <li className="flex gap-2">
          <TaskMark isDone={node.checked} />
          <div className="min-w-0 flex-1">{inside(node, addresses)}</div>
        </li>
      ) : (
        <li>{inside(node, addresses)}</li>
      );
    case "table":
      return <TableView table={node} addresses={addresses} />;
    case "link":
      return <Link url={node.url}>{inside(node, addresses)}</Link>;
    case "linkReference":
      return <Link url={addresses.get(idOf(node)) ?? ""}>{inside(node, addresses)}</Link>;
    case "image":
      return pictureAt(node.url, node.alt ?? "");
    case "imageReference":
      return pictureAt(addresses.get(idOf(node)) ?? "", node.alt ?? node.identifier);
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

function isOfTasks({ children }: Of<"list">): boolean {
  return children.some(({ checked }) => typeof checked === "boolean");
}

function TaskMark({ isDone }: { isDone: boolean }) {
  const { t } = useTranslation();
  return (
    <span
      role="img"
      aria-label={t(isDone ? "conversation.taskDone" : "conversation.taskOpen")}
      className={cx(
        "mt-0.5 grid size-4 shrink-0 place-items-center rounded-[4px] border",
        isDone ? "border-ok bg-ok text-bg" : "border-line-strong",
      )}
    >
      {isDone && <Check className="size-3" strokeWidth={3} aria-hidden="true" />}
    </span>
  );
}

/** A picture that the person may fetch; an address of another kind stays text. */
function pictureAt(url: string, alt: string): ReactNode {
  const address = URL.parse(url);
  if (!address || !["http:", "https:"].includes(address.protocol)) return alt || url;
  return <RemotePicture url={address.href} alt={alt} />;
}

/** Below the headings of the screen, and without the levels that the text leaves out. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  const rank = Math.max(0, useContext(Depths).indexOf(depth));
  const Tag = (["h3", "h4", "h5"] as const)[rank] ?? "h6";
  return <Tag className={cx("font-semibold", rank === 0 && "text-lg")}>{children}</Tag>;
}

const sides = { left: "text-left", center: "text-center", right: "text-right tabular-nums" } as const;

function sideOf({ align }: Of<"table">, column: number): string {
  return sides[align?.[column] ?? "left"];
}

function TableView({ table, addresses }: { table: Of<"table">; addresses: Addresses }) {
  const [head, ...rows] = table.children;
  const cells = (content: RootContent[]) => drawAll(content, addresses);
  return (
    <div tabIndex={0} className="overflow-x-auto rounded-sm focus-visible:-outline-offset-2">
      <table className="w-full border-collapse text-left text-sm [&_td]:min-w-20 [&_th]:min-w-20">
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

import { FolderOpen, Globe, KeyRound, SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Asks } from "../../../../contract/asks.ts";
import type { Grants } from "../../../../contract/grants.ts";
import { type PermissionLine, permissionLines } from "../../../model/permission-lines.ts";
import { permissionWords } from "../../../model/permission-words.ts";

interface GrantChoicesProps {
  asks: Asks;
  grants: Grants;
  onGrants(grants: Grants): void;
}

/**
 * What a walled plugin asks for, each with a box that can be unticked before it is installed. What it does not ask for
 * it does not get, and that is said.
 */
export function GrantChoices(props: GrantChoicesProps) {
  return (
    <ul className="space-y-2.5 text-sm">
      <Network {...props} />
      <Files {...props} />
      <Folders {...props} />
      <Programs {...props} />
      {props.asks.grants.length > 0 && (
        <Row icon={KeyRound}>
          <Said asks={props.asks} kind="grants" />
        </Row>
      )}
    </ul>
  );
}

function Network({ asks, grants, onGrants }: GrantChoicesProps) {
  const { t } = useTranslation();
  const { network } = grants;
  const set = (change: Partial<Grants["network"]>) =>
    onGrants({ ...grants, network: { ...network, ...change } });
  if (asks.hosts === "any") {
    return (
      <Row icon={Globe}>
        <Tick on={network.reach === "any"} onChange={(on) => set({ reach: on ? "any" : "hosts" })}>
          {t("grant.networkAny")}
        </Tick>
      </Row>
    );
  }
  if (asks.hosts === null || asks.hosts.length === 0) {
    return (
      <Row icon={Globe} quiet>
        <Said asks={asks} kind="network" />
      </Row>
    );
  }
  return (
    <Row icon={Globe}>
      <p className="text-mute">{t("grant.hosts")}</p>
      <div className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1.5">
        {asks.hosts.map((host) => (
          <Tick
            key={host}
            on={network.hosts.includes(host)}
            onChange={(on) => set({ hosts: hostsWith(network.hosts, host, on) })}
          >
            <span className="figure break-all">{host}</span>
          </Tick>
        ))}
      </div>
    </Row>
  );
}

function Files({ asks, grants, onGrants }: GrantChoicesProps) {
  const { t } = useTranslation();
  const set = (files: Grants["files"]) => onGrants({ ...grants, files });
  const most = asks.files === "read" ? "read" : "write";
  if (asks.files === null || asks.files === "none") {
    return (
      <Row icon={FolderOpen} quiet>
        <Said asks={asks} kind="files" />
      </Row>
    );
  }
  return (
    <Row icon={FolderOpen}>
      <Tick
        on={grants.files.workspace !== "none"}
        onChange={(on) => set(on ? { ...grants.files, workspace: most } : { workspace: "none", folders: [] })}
      >
        {t(most === "read" ? "grant.workspaceRead" : "grant.workspace")}
      </Tick>
      {asks.files === "all" && (
        <div className="mt-1.5">
          <Tick
            on={grants.files.folders.length > 0}
            onChange={(on) =>
              set(on ? { workspace: "write", folders: everywhere } : { ...grants.files, folders: [] })
            }
          >
            {t("grant.filesAll")}
          </Tick>
        </div>
      )}
    </Row>
  );
}

/** Folders that it was started in elsewhere: nothing of them is granted until it is ticked. */
function Folders({ asks, grants, onGrants }: GrantChoicesProps) {
  const { t } = useTranslation();
  const { folders } = grants.files;
  return asks.folders?.map((path) => {
    const access = folders.find((one) => one.path === path)?.access ?? null;
    const set = (wanted: "read" | "write" | null) => {
      const others = folders.filter((one) => one.path !== path);
      const granted = wanted === null ? others : [...others, { path, access: wanted }];
      onGrants({ ...grants, files: { ...grants.files, folders: granted } });
    };
    return (
      <Row key={path} icon={FolderOpen}>
        <p className="text-mute">{t("grant.startFolder")}</p>
        <p className="figure mt-0.5 break-all">{path}</p>
        <div className="mt-1.5 flex flex-wrap gap-x-5 gap-y-1.5">
          <Tick on={access !== null} onChange={(on) => set(on ? "read" : null)}>
            {t("grant.folderRead")}
          </Tick>
          <Tick on={access === "write"} onChange={(on) => set(on ? "write" : "read")}>
            {t("grant.folderWrite")}
          </Tick>
        </div>
      </Row>
    );
  });
}

/** The same where no wall holds the rest. */
export function FolderChoices(props: GrantChoicesProps) {
  return (
    <ul className="mt-2 space-y-2.5 text-sm">
      <Folders {...props} />
    </ul>
  );
}

const everywhere: Grants["files"]["folders"] = [{ path: "/", access: "write" }];

function Programs({ asks, grants, onGrants }: GrantChoicesProps) {
  const { t } = useTranslation();
  if (!asks.programs) {
    return (
      <Row icon={SquareTerminal} quiet>
        <Said asks={asks} kind="subprocess" />
      </Row>
    );
  }
  return (
    <Row icon={SquareTerminal}>
      <Tick
        on={grants.programs.reach !== "none"}
        onChange={(on) => onGrants({ ...grants, programs: { reach: on ? "any" : "none", names: [] } })}
      >
        {t("grant.programs")}
      </Tick>
    </Row>
  );
}

/** What holds for one kind, in words. */
function Said({ asks, kind }: { asks: Asks; kind: PermissionLine["kind"] }) {
  const { t } = useTranslation();
  return permissionLines(asks)
    .filter((line) => line.kind === kind)
    .map((line) => permissionWords(line, t))
    .join(" ");
}

function hostsWith(hosts: readonly string[], host: string, on: boolean): string[] {
  const others = hosts.filter((other) => other !== host);
  return on ? [...others, host] : others;
}

interface RowProps {
  icon: typeof Globe;
  /** It is not asked for. */
  quiet?: boolean;
  children: ReactNode;
}

function Row({ icon: Icon, quiet = false, children }: RowProps) {
  return (
    <li className="flex items-start gap-2.5">
      <Icon className="mt-0.5 size-4 shrink-0 text-mute" aria-hidden="true" />
      <div className={quiet ? "min-w-0 break-words text-mute" : "min-w-0 break-words text-ink"}>
        {children}
      </div>
    </li>
  );
}

function Tick({ on, onChange, children }: { on: boolean; onChange(on: boolean): void; children: ReactNode }) {
  return (
    <label className="inline-flex items-start gap-2">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-[var(--accent)]"
        checked={on}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0">{children}</span>
    </label>
  );
}

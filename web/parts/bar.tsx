// The head of a screen: title, actions, and copying its link or API call.
import { Link } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { useTexts } from "../base/language.ts";
import { useScreenCall, type ScreenCall } from "../calls/screen-call.ts";
import { Button } from "./button.tsx";
import { Icon, StatusIcon } from "./icons/icon.tsx";
import { isLive } from "../calls/live.ts";
import { useSignal } from "../base/signal.ts";
import { frameTexts } from "../texts/areas.ts";
import { commands } from "../commands.ts";
import { useArrival } from "./arrival.ts";

type BarProps = {
  readonly title: string;
  /** The API call behind the screen. */
  readonly call: ScreenCall;
  /** Beside the title: tabs or a state. */
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** Shows whether the page is live. */
  readonly live?: boolean | undefined;
};

export function Bar({ title, call, children, actions, live }: BarProps) {
  useScreen(title, call);
  return (
    <header className="bar">
      <h1>{title}</h1>
      {live && <Live />}
      {children}
      <div className="actions">
        <CopyActions />
        {actions}
      </div>
    </header>
  );
}

/** For screens with their own head: sets the page title and the API call. */
export function useScreen(title: string, call: ScreenCall): void {
  useScreenCall(call);
  useArrival(title);
  useEffect(() => {
    document.title = `${title} · Posthorn`;
  }, [title]);
}

export function CopyActions() {
  const t = useTexts(frameTexts);
  const run = (id: string) =>
    commands
      .get()
      .find((verb) => verb.id === id)
      ?.run();
  return (
    <span className="copy-actions">
      <Button kind="quiet" icon="link" label={t.copyLink} onClick={() => run("copy link")} />
      <Button kind="quiet" icon="code" label={t.copyCall} onClick={() => run("copy call")} />
    </span>
  );
}

export function Live() {
  const t = useTexts(frameTexts);
  const is = useSignal(isLive);
  return (
    <span className="live" title={is ? undefined : t.notLiveWhy}>
      <StatusIcon name="dot" tone={is ? undefined : "dim"} />
      {is ? t.live : t.notLive}
    </span>
  );
}

type ResourceBarProps = Pick<BarProps, "title" | "call" | "children" | "actions"> & { readonly back: ReactNode };

export function ResourceBar({ back, title, call, children, actions }: ResourceBarProps) {
  useScreen(title, call);
  return (
    <header className="bar wraps">
      <span className="trail wide-only">
        {back}
        <Icon name="right" />
      </span>
      <h1 className="cut">{title}</h1>
      {children}
      <div className="actions">{actions}</div>
    </header>
  );
}

type ResourceTabsProps<Name extends string> = {
  readonly label: string;
  readonly names: readonly Name[];
  readonly texts: Readonly<Record<Name, string>>;
  readonly open: Name;
  /** The tab that the URL does not name. */
  readonly first?: Name;
  /** A mark beside the name of a tab. */
  readonly mark?: (name: Name) => ReactNode;
  /** Each tab is an entry in the browser's history. */
  readonly isRemembered?: boolean;
};

export function ResourceTabs<Name extends string>(props: ResourceTabsProps<Name>) {
  const { label, names, texts, open, first, mark, isRemembered } = props;
  return (
    <nav className="tabs" aria-label={label}>
      {names.map((name) => (
        <Link
          key={name}
          to="."
          search={(name === first ? {} : { tab: name }) as never}
          aria-current={name === open ? "page" : "false"}
          activeOptions={{ exact: true }}
          replace={!isRemembered}
        >
          {texts[name]} {mark?.(name)}
        </Link>
      ))}
    </nav>
  );
}

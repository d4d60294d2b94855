// HTML that is being written, in a frame where nothing runs. It goes there as a form: what a page puts into a frame has
// the page's policy. The frame is of our origin, without scripts, so that the next picture is scrolled as far as the
// one before.
import { useEffect, useId, useRef, useState } from "react";
import { calledWorkspace } from "../../api.ts";
import "./preview.css";

export type Look = {
  readonly width: "wide" | "phone";
  /** `forced`: as programs do that turn colours round by themselves. */
  readonly scheme: "light" | "dark" | "forced";
  /** Pictures from elsewhere. */
  readonly hasImages: boolean;
};

type FrameProps = { readonly html: string; readonly title: string; readonly look: Look };

/** The picture before stays until the next one is there. */
export function DraftFrame({ html, title, look }: FrameProps) {
  const name = useId();
  const said = look.scheme === "forced" ? `${html}${TURNED_ROUND}` : html;
  const [versions, setVersions] = useState<readonly number[]>([0]);
  const key = `${look.hasImages} ${said}`;
  const last = useRef(key);
  useEffect(() => {
    if (last.current === key) return;
    last.current = key;
    setVersions((shown) => [...shown.slice(0, 1), (shown.at(-1) ?? 0) + 1]);
  }, [key]);
  const newest = versions.at(-1) ?? 0;
  const place = useRef<HTMLDivElement>(null);
  const loaded = (version: number, frame: HTMLIFrameElement) => {
    if (version !== newest || !isFilled(frame)) return;
    const before = place.current?.querySelector("iframe");
    if (before && before !== frame) frame.contentWindow?.scrollTo(0, before.contentWindow?.scrollY ?? 0);
    setVersions([version]);
  };
  return (
    <div ref={place} className={`draft ${look.width} ${look.scheme}`}>
      {versions.map((version) => (
        <One
          key={version}
          name={`${name}${version}`}
          title={title}
          loaded={(frame: HTMLIFrameElement) => loaded(version, frame)}
          {...(version === newest ? { html: said, hasImages: look.hasImages } : {})}
          isHidden={version === newest && versions.length > 1}
        />
      ))}
    </div>
  );
}

/** A frame loads an empty page first. */
function isFilled({ contentDocument }: HTMLIFrameElement): boolean {
  return contentDocument?.URL !== "about:blank";
}

type OneProps = {
  readonly name: string;
  readonly title: string;
  readonly html?: string;
  readonly hasImages?: boolean;
  readonly isHidden: boolean;
  readonly loaded: (frame: HTMLIFrameElement) => void;
};

function One({ name, title, html, hasImages, isHidden, loaded }: OneProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  const query = new URLSearchParams({ workspace: calledWorkspace.get() ?? "" });
  return (
    <>
      <iframe
        name={name}
        title={title}
        className={isHidden ? "coming" : undefined}
        aria-hidden={isHidden || undefined}
        sandbox="allow-same-origin"
        referrerPolicy="no-referrer"
        tabIndex={-1}
        onLoad={({ currentTarget }) => loaded(currentTarget)}
      />
      <form ref={form} method="post" target={name} action={`/app/-/draft?${query}`} hidden>
        <input type="hidden" name="html" value={html ?? ""} />
        <input type="hidden" name="images" value={hasImages ? "1" : ""} />
      </form>
    </>
  );
}

/** Colours turned round, pictures not: what some programs on phones do to mails that bring no dark colours. */
const TURNED_ROUND = `<style>html{background:#fff;filter:invert(1) hue-rotate(180deg)}img,video,[background]{filter:invert(1) hue-rotate(180deg)}</style>`;

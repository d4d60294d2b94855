// The preview in a sandboxed frame. The HTML is posted as a form, because a page set by script inherits the app's CSP.
// The frame has our origin without scripts, so its scroll position can be kept.
import { useEffect, useId, useRef, useState } from "react";
import { workspaceId } from "../../calls/api.ts";
import "./preview.css";

export type PreviewLook = {
  readonly width: "wide" | "phone";
  /** `forced`: inverted, as in mail programs that change colours themselves. */
  readonly scheme: "light" | "dark" | "forced";
  /** Loads external images. */
  readonly hasImages: boolean;
};

type FrameProps = { readonly html: string; readonly title: string; readonly look: PreviewLook };

/** The last frame stays until the next one has loaded. */
export function DraftFrame({ html, title, look }: FrameProps) {
  const name = useId();
  const page = look.scheme === "forced" ? `${html}${INVERTED}` : html;
  const [versions, setVersions] = useState<readonly number[]>([0]);
  const key = `${look.hasImages} ${page}`;
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
        <PreviewFrame
          key={version}
          name={`${name}${version}`}
          title={title}
          loaded={(frame: HTMLIFrameElement) => loaded(version, frame)}
          {...(version === newest ? { html: page, hasImages: look.hasImages } : {})}
          isHidden={version === newest && versions.length > 1}
        />
      ))}
    </div>
  );
}

/** Frames load an empty page first. */
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

function PreviewFrame({ name, title, html, hasImages, isHidden, loaded }: OneProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.submit(), []);
  const query = new URLSearchParams({ workspace: workspaceId.get() ?? "" });
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

/** Inverted colours except images, as some mobile apps do to emails without dark styles. */
const INVERTED = `<style>html{background:#fff;filter:invert(1) hue-rotate(180deg)}img,video,[background]{filter:invert(1) hue-rotate(180deg)}</style>`;

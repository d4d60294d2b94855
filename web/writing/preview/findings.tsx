// Findings of the server in the email: size, links, images, missing values. Each opens its details.
import { useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import { Popover } from "../../parts/overlays/popover.ts";
import { writingTexts } from "../../texts/areas.ts";
import type { PreviewAnswer } from "./use-preview.ts";
import { useLacks } from "./missing-values.ts";

type FoundProps = {
  readonly found: PreviewAnswer;
  readonly isBehind: boolean;
  /** The variables in the email. */
  readonly names: readonly string[];
  /** Shows the next person without one of these variables. */
  readonly another: () => void;
};

/** Gmail's unit. */
const KILOBYTE = 1_024;

export function Found({ found, isBehind, names, another }: FoundProps) {
  const { preview: t } = useTexts(writingTexts);
  const { number } = useFormats();
  const { links, images, placeholders, missing, isClipped, bytes, clippedAtBytes } = found;
  const [size, most] = [bytes, clippedAtBytes].map((some) => number(Math.ceil(some / KILOBYTE))) as [string, string];
  return (
    <div className="foot found" aria-busy={isBehind || undefined}>
      <span title={t.bytesWhy} className={isClipped ? "inline bad-ink" : "inline"}>
        {isClipped && <StatusIcon name="failed" tone="bad" />}
        {isClipped ? t.cut(size, most) : t.bytes(size, most)}
      </span>
      <List
        name={t.links(links.length)}
        items={links.map(({ href, text, faults }) => ({ title: text || href || t.noTarget, note: href, faults }))}
      />
      <List
        name={t.images(images.length)}
        items={images.map(({ src, alt, faults }) => ({ title: alt ?? src, note: src, faults }))}
      />
      {placeholders.length > 0 && (
        <List
          name={t.placeholders(placeholders.length)}
          items={placeholders.map(({ written, meant }) => ({
            title: written,
            note: "",
            faults: [meant === null ? t.leaveOut : t.didYouMean(meant)],
          }))}
        />
      )}
      <Lacking missing={missing} names={names} another={another} />
    </div>
  );
}

type LackingProps = Pick<FoundProps, "names" | "another"> & { readonly missing: readonly string[] };

/** Missing values of this person, otherwise the variables that most people lack. */
function Lacking({ missing, names, another }: LackingProps) {
  const { preview: t } = useTexts(writingTexts);
  const { number } = useFormats();
  const counts = useLacks(names);
  if (missing.length > 0)
    return (
      <span className="push inline" title={t.missingTitle}>
        <StatusIcon name="warn" tone="warn" />
        <span className="cut">{t.missing(missing.join(", "))}</span>
      </span>
    );
  const lines = counts.map(({ name, people, of, isAbout }) => t.lack(name, isAbout, number(people), number(of)));
  if (lines.length === 0) return null;
  return (
    <button type="button" className="text-btn push inline" title={lines.join("\n")} onClick={another}>
      <StatusIcon name="info" tone="dim" />
      <span className="opens cut">{lines[0]}</span>
    </button>
  );
}

type PreviewFinding = { readonly title: string; readonly note: string; readonly faults: readonly string[] };

function List({ name, items }: { readonly name: string; readonly items: readonly PreviewFinding[] }) {
  const { preview: t } = useTexts(writingTexts);
  const [isOpen, open] = useState(false);
  const isWrong = items.some(({ faults }) => faults.length > 0);
  if (items.length === 0) return <span>{name}</span>;
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={open}>
      <AriaButton className="text-btn inline">
        {isWrong && <StatusIcon name="warn" tone="warn" />}
        <span className="opens">{name}</span>
      </AriaButton>
      <Popover className="menu found-list">
        <Dialog aria-label={name}>
          <ul className="rows" tabIndex={0} aria-label={name}>
            {items.map(({ title, note, faults }, at) => (
              <li className="line" key={at}>
                <StatusIcon name={faults.length > 0 ? "warn" : "check"} tone={faults.length > 0 ? "warn" : "dim"} />
                <span>
                  <span className="cut">{title}</span>
                  <span className="dim small cut">{note}</span>
                  {faults.map((fault) => (
                    <span className="small warn-ink" key={fault}>
                      {t.faults[fault] ?? fault}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

// The preview: the server's rendering for a person, with its findings.
import { useMemo, useState, type ReactNode } from "react";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { showFault, showToast } from "../../parts/overlays/toast.tsx";
import { writingTexts } from "../../texts/areas.ts";
import { variablesIn } from "../variables-in.ts";
import type { Content } from "../content.ts";
import type { ContentPreview as Shown, Reader } from "./use-preview.ts";
import { Found } from "./findings.tsx";
import { useChosenPerson } from "./chosen-person.ts";
import { DraftFrame, type PreviewLook } from "./frame.tsx";
import { nextLacking } from "./missing-values.ts";
import { PersonPicker } from "./person-picker.tsx";

export type PreviewProps = {
  readonly value: Content;
  /** The data of the preview if no person is chosen. */
  readonly otherwise?: { readonly name: string; readonly reader: Reader } | undefined;
  readonly actions?: ReactNode;
  /** The sender's name as mail programs show it. */
  readonly sender?: string | undefined;
  readonly shown: Shown;
};

export function useReader(otherwise: PreviewProps["otherwise"]): Reader {
  const [person] = useChosenPerson();
  return person ? { contactId: person.id } : (otherwise?.reader ?? { data: {} });
}

export function Preview({ value, otherwise, actions, sender, shown }: PreviewProps) {
  const { preview: t } = useTexts(writingTexts);
  const [look, setLook] = useState<PreviewLook>({ width: "wide", scheme: "light", hasImages: false });
  const [isText, showText] = useState(false);
  const { subject, preheader, body, text } = value;
  const names = useMemo(() => variablesIn(subject, preheader, body, text), [subject, preheader, body, text]);
  const another = useNextMissing(names);
  return (
    <>
      <div className="viewbar">
        <PersonBar otherwise={otherwise?.name} another={another} />
        <span className="push inline">
          <LookButtons look={look} choose={setLook} />
          <Button kind="quiet" small aria-pressed={isText} onClick={() => showText(!isText)}>
            {t.text}
          </Button>
          {actions}
        </span>
      </div>
      <InboxLine shown={shown} sender={sender} />
      <PreviewBody shown={shown} look={look} isText={isText} choose={setLook} />
      {shown.shown && <Found found={shown.shown} isBehind={shown.isBehind} names={names} another={another.next} />}
    </>
  );
}

type MissingValueSearch = { readonly isLooking: boolean; readonly next: () => void };

/** The next person who lacks a variable of the email. */
function useNextMissing(names: readonly string[]): MissingValueSearch {
  const { preview: t } = useTexts(writingTexts);
  const [isLooking, setLooking] = useState(false);
  const [person, choose] = useChosenPerson();
  const look = async () => {
    if (names.length === 0) return showToast(t.noVariables);
    setLooking(true);
    const next = await nextLacking(names, person).finally(() => setLooking(false));
    if (next) choose(next);
    else showToast(t.anotherNone);
  };
  return { isLooking, next: () => void look().catch(showFault) };
}

type AsWhomProps = { readonly otherwise: string | undefined; readonly another: MissingValueSearch };

function PersonBar({ otherwise, another }: AsWhomProps) {
  const { as, preview: t } = useTexts(writingTexts);
  const [person, choose] = useChosenPerson();
  return (
    <>
      <span className="dim row-text">{as}</span>
      <PersonPicker chosen={person} choose={choose} otherwise={otherwise} />
      <Button kind="quiet" small icon="again" title={t.anotherWhy} busy={another.isLooking} onClick={another.next}>
        {t.another}
      </Button>
    </>
  );
}

type LookButtonsProps = { readonly look: PreviewLook; readonly choose: (look: PreviewLook) => void };

function LookButtons({ look, choose }: LookButtonsProps) {
  const { preview: t } = useTexts(writingTexts);
  return (
    <>
      <SegmentedControl
        label={t.width}
        icons
        small
        value={look.width}
        onChange={(width) => choose({ ...look, width })}
        choices={[
          { value: "wide", label: t.wide, content: <Icon name="desktop" /> },
          { value: "phone", label: t.phone, content: <Icon name="phone" /> },
        ]}
      />
      <SegmentedControl
        label={t.scheme}
        icons
        small
        value={look.scheme}
        onChange={(scheme) => choose({ ...look, scheme })}
        choices={[
          { value: "light", label: t.light, content: <Icon name="sun" /> },
          { value: "dark", label: t.dark, content: <Icon name="moon" /> },
          { value: "forced", label: t.forced, content: <Icon name="half" /> },
        ]}
      />
    </>
  );
}

type InboxProps = { readonly shown: Shown; readonly sender: string | undefined };

/** The line of an inbox: sender, subject, preheader. */
function InboxLine({ shown: { shown, fault }, sender }: InboxProps) {
  const { preview: t } = useTexts(writingTexts);
  return (
    <div className="mail-head">
      {sender && <span className="dim small cut">{sender}</span>}
      <b className="cut">{shown?.subject || <span className="dim">{t.noSubject}</span>}</b>
      {shown?.preheader && <span className="dim cut">{shown.preheader}</span>}
      {fault && (
        <span className="dim inline">
          <StatusIcon name="warn" tone="warn" />
          {shown ? t.cannot : t.never}
        </span>
      )}
    </div>
  );
}

type PreviewBodyProps = LookButtonsProps & { readonly shown: Shown; readonly isText: boolean };

function PreviewBody({ shown: { shown }, look, choose, isText }: PreviewBodyProps) {
  const { preview: t } = useTexts(writingTexts);
  if (!shown || (shown.html === "" && !isText)) return <p className="well dim row-text">{t.empty}</p>;
  if (isText)
    return (
      <div className="well" tabIndex={0} role="group" aria-label={t.text}>
        <pre className="plain">{shown.text || t.noText}</pre>
      </div>
    );
  const hasForeign = !look.hasImages && shown.images.some(({ src }) => /^https?:/i.test(src) && !isOwnImage(src));
  return (
    <div className="well">
      {hasForeign && (
        <p className="images-off">
          <StatusIcon name="info" />
          <span>{t.imagesOff}</span>
          <Button small onClick={() => choose({ ...look, hasImages: true })}>
            {t.showImages}
          </Button>
        </p>
      )}
      <DraftFrame html={shown.html} title={t.title} look={look} />
    </div>
  );
}

/** Images of the workspace are shown even if external ones are off. */
function isOwnImage(src: string): boolean {
  return /^\/i\//.test(new URL(src).pathname);
}

// One place to write what a mail says, for templates, campaigns and mail steps:
//
//   <Writing value={written} onChange={(written) => …} kind="MARKETING" from={…} fault={saving.fault} off={useOff(…)} />
//
// `value` is a `Written` (written.ts): subject, preheader, body, text, design. `onChange` is called for each change; whoever shows it keeps
// the value, and may save it by itself with `useAutosave` (saving/autosave.ts) and say so with `<SavingState>` (saving/state.tsx).
// It fills a `.split`: the writing on the left, the preview as somebody on the right; on a phone one of the two. Both keep what they show
// to themselves, so a screen needs no more than this. What the server refuses of the text stands under its line.
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from "react";
import { Fault, type FieldFault } from "../api.ts";
import { useLook } from "../brand/calls.ts";
import { imagesAmong, useUploading, type Image } from "../images/calls.ts";
import { useTexts } from "../language.ts";
import { Seg } from "../parts/seg.tsx";
import { writingTexts } from "../texts/writing.ts";
import type { CodeProps } from "./code/code.tsx";
import type { EditorHandle } from "./editor-handle.ts";
import { Fields } from "./fields.tsx";
import { usePreview, type Reader } from "./preview/asked.ts";
import { Preview, useReader } from "./preview/preview.tsx";
import { Tools, type Mode } from "./tools.tsx";
import { useVariables } from "./variables.ts";
import { placeOf, type Kind, type Written } from "./written.ts";
import "./writing.css";

const Code = lazy(() => import("./code/code.tsx").then(({ Code }) => ({ default: Code })));
const Visual = lazy(() => import("./visual/visual.tsx").then(({ Visual }) => ({ default: Visual })));
const ImagePicker = lazy(() => import("../images/picker.tsx").then(({ ImagePicker }) => ({ default: ImagePicker })));
const Doors = lazy(() => import("./visual/doors.tsx").then(({ Doors }) => ({ default: Doors })));

export type WritingProps = {
  readonly value: Written;
  readonly onChange: (value: Written) => void;
  readonly kind: Kind;
  /** Who it is from, as a line below the preheader. */
  readonly from?: ReactNode;
  /** The same for the preview: as inboxes name it. */
  readonly sender?: string | undefined;
  /** What the server last refused of it. */
  readonly fault?: unknown;
  /** Why it cannot be changed. */
  readonly off?: string | undefined;
  /** Whose data is used while no person is chosen: an event that the mail follows. */
  readonly otherwise?: { readonly name: string; readonly reader: Reader };
  /** A mail of a workflow knows its event. */
  readonly hasEvent?: boolean;
  /** At the end of the preview's bar: "Send to me". */
  readonly acts?: ReactNode;
  /** Below the editor: who saved it last, its versions. */
  readonly foot?: ReactNode;
};

export function Writing(props: WritingProps) {
  const { value, kind, otherwise, acts, sender } = props;
  const t = useTexts(writingTexts);
  const reader = useReader(otherwise);
  const shown = usePreview({ value, kind, reader });
  const [side, show] = useState<"write" | "look">("write");
  return (
    <div className={side === "look" ? "writing open-second" : "writing"}>
      <div className="side-choice">
        <Seg
          label={t.part}
          value={side}
          onChange={show}
          choices={[
            { value: "write", content: t.write },
            { value: "look", content: t.look },
          ]}
        />
      </div>
      <div className="split">
        <section className="first" aria-label={t.write}>
          <Editing {...props} fault={shown.fault ?? props.fault} />
        </section>
        <section className="second" aria-label={t.look}>
          <Preview value={value} otherwise={otherwise} acts={acts} sender={sender} shown={shown} />
        </section>
      </div>
    </div>
  );
}

function Editing({ value, onChange, from, fault, off, hasEvent = false, foot }: WritingProps) {
  const t = useTexts(writingTexts);
  const [isText, showText] = useState(false);
  const [asked, ask] = useState<"code" | "visual" | null>(null);
  const variables = useVariables(hasEvent);
  const handle = useRef<EditorHandle>(null);
  const faults = useMemo(() => faultsIn(fault), [fault]);
  const mode: Mode = isText ? "text" : value.design ? "visual" : "code";
  const set = (change: Partial<Written>) => onChange({ ...value, ...change });
  const choose = (next: Mode) => {
    showText(next === "text");
    const own = value.design ? "visual" : "code";
    if (next !== "text" && next !== own && off === undefined) ask(next);
  };
  const [picks, pick] = useState(false);
  const insert = (image: Image) => handle.current?.insertImage(image);
  const uploading = useUploading((images) => images.forEach(insert));
  const onFiles = (files: readonly File[]) => {
    const images = off === undefined ? imagesAmong(files) : [];
    if (images.length > 0) uploading.mutate(images);
    return images.length > 0;
  };
  const onImage = () => pick(true);
  const look = useLook();
  const common = { variables, off, handle, onFiles };
  return (
    <>
      <Fields value={value} set={set} from={from} faults={faults} off={off} variables={variables} />
      <Tools {...{ mode, setMode: choose, variables, handle, off, onImage }} />
      {mode === "text" && <p className="editor-help">{t.textHelp}</p>}
      <Suspense fallback={<div className="code-editor" />}>
        {mode === "visual" && value.design ? (
          <Visual {...common} design={value.design} onChange={set} look={look} onImage={onImage} />
        ) : (
          <CodeOf {...common} value={value} set={set} field={isText ? "text" : "body"} faults={faults} />
        )}
        {asked && <Doors to={asked} value={value} set={set} close={() => ask(null)} />}
        {picks && <ImagePicker off={off} pick={insert} close={() => pick(false)} />}
      </Suspense>
      {foot && <div className="foot">{foot}</div>}
    </>
  );
}

type CodeOfProps = Pick<CodeProps, "variables" | "off" | "handle" | "onFiles"> & {
  readonly value: Written;
  readonly set: (change: Partial<Written>) => void;
  readonly field: "body" | "text";
  readonly faults: ReadonlyMap<string, FieldFault>;
};

function CodeOf({ value, set, field, faults, ...common }: CodeOfProps) {
  const t = useTexts(writingTexts);
  const told = faults.get(field);
  const place = told && placeOf(told);
  return (
    <Code
      {...common}
      key={field}
      value={value[field]}
      onChange={(text) => set(field === "body" ? { body: text, design: null } : { text })}
      label={field === "body" ? t.body : t.textPart}
      fault={told && place ? { place, message: told.message } : null}
    />
  );
}

function faultsIn(fault: unknown): ReadonlyMap<string, FieldFault> {
  return new Map(fault instanceof Fault ? fault.errors.map((one) => [one.field, one]) : []);
}

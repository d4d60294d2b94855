// The editor side: inbox fields, toolbar, and the visual, code or text editor.
import { Suspense, useEffect, useMemo, useRef, useState } from "react";
import { Fault, type FieldFault } from "../calls/api.ts";
import { useLook } from "../brand/calls.ts";
import { imageFiles, useUpload, type Image } from "../images/calls.ts";
import { useTexts } from "../base/language.ts";
import { EditorSkeleton } from "./skeletons.tsx";
import { StatusIcon } from "../parts/icons/icon.tsx";
import { fieldRefusal } from "../parts/refusal.tsx";
import { refusalsTexts } from "../texts/refusals.ts";
import type { Refusals } from "../texts/server-words.ts";
import { writingTexts } from "../texts/areas.ts";
import type { CodeProps } from "./code/code.tsx";
import type { EditorHandle } from "./editor-handle.ts";
import { Fields } from "./fields.tsx";
import { Tools, type EditorMode } from "./tools.tsx";
import { useVariables } from "./variables.ts";
import type { WritingProps } from "./writing-props.ts";
import { placeOf, type Content } from "./content.ts";
import { lazyPart, nothing } from "../chunks.tsx";

const Code = lazyPart(() => import("./code/code.tsx"), "Code");
const Visual = lazyPart(() => import("./visual/visual.tsx"), "Visual");
const ImagePicker = lazyPart(() => import("../images/picker.tsx"), "ImagePicker", nothing);
const DescribeImage = lazyPart(() => import("../images/describe.tsx"), "DescribeImage", nothing);
const EditorButtons = lazyPart(() => import("./visual/mode-question.tsx"), "ModeQuestion");

type EditorPaneProps = WritingProps & {
  /** The rendered preheader. */
  readonly preheaderRead: string;
};

export function EditorPane(props: EditorPaneProps) {
  const { value, onChange, hold, from, to, fault, disabledReason, preheaderRead, hasEvent = false, foot } = props;
  const t = useTexts(writingTexts);
  const [isText, showText] = useState(false);
  const [asked, ask] = useState<"code" | "visual" | null>(null);
  const variables = useVariables(hasEvent);
  const handle = useRef<EditorHandle>(null);
  const refusals = useTexts(refusalsTexts);
  const faults = useMemo(() => faultsIn(fault, refusals), [fault, refusals]);
  const mode: EditorMode = isText ? "text" : value.design ? "visual" : "code";
  const set = (change: Partial<Content>) => onChange({ ...value, ...change });
  const choose = (next: EditorMode) => {
    showText(next === "text");
    const own = value.design ? "visual" : "code";
    if (next !== "text" && next !== own && disabledReason === undefined) ask(next);
  };
  const [picks, pick] = useState(false);
  /** Images to insert, each after its description. */
  const [images, setImages] = useState<readonly Image[]>([]);
  const [image] = images;
  const hasInserted = useRef(false);
  useEffect(() => {
    // A dialog returns the focus to its button; after an insertion, the editor gets it.
    if (!image && hasInserted.current) handle.current?.focus();
    hasInserted.current = false;
  }, [image]);
  const describe = (more: readonly Image[]) => setImages((before) => [...before, ...more]);
  const uploading = useUpload(describe);
  const onFiles = (files: readonly File[]) => {
    const images = disabledReason === undefined ? imageFiles(files) : [];
    if (images.length > 0) uploading.mutate(images);
    return images.length > 0;
  };
  const onImage = () => pick(true);
  const [toolsPlace, setToolsPlace] = useState<HTMLElement | null>(null);
  const look = useLook();
  const common = { variables, disabledReason, handle, onFiles };
  return (
    <>
      <Fields
        value={value}
        name={props.name}
        set={set}
        preheaderRead={preheaderRead}
        from={from}
        to={to}
        faults={faults}
        disabledReason={disabledReason}
        variables={variables}
      />
      <Tools
        mode={mode}
        setMode={choose}
        variables={variables}
        handle={handle}
        disabledReason={disabledReason}
        onImage={onImage}
        setPlace={setToolsPlace}
      />
      {mode === "text" && <p className="editor-help">{t.textHelp}</p>}
      <OtherFaults mode={mode} faults={faults} />
      <Suspense fallback={<EditorSkeleton />}>
        {mode === "visual" && value.design ? (
          <Visual
            {...common}
            toolsPlace={toolsPlace}
            look={look}
            hold={hold}
            onImage={onImage}
            design={value.design}
            onChange={set}
          />
        ) : (
          <BodyEditor {...common} value={value} set={set} field={isText ? "text" : "body"} faults={faults} />
        )}
      </Suspense>
      {/* A separate boundary: while these load, the editor stays visible and keeps the cursor. */}
      <Suspense>
        {asked && <EditorButtons to={asked} value={value} set={set} close={() => ask(null)} />}
        {picks && (
          <ImagePicker
            disabledReason={disabledReason}
            pick={(picked) => describe([picked])}
            close={() => pick(false)}
          />
        )}
        {image && (
          <DescribeImage
            key={image.id}
            image={image}
            insert={(described) => {
              hasInserted.current = true;
              handle.current?.insertImage(described);
            }}
            close={() => setImages(([, ...others]) => others)}
          />
        )}
      </Suspense>
      {foot && <div className="foot">{foot}</div>}
    </>
  );
}

/** Errors without a line in the open editor. */
function OtherFaults({
  mode,
  faults,
}: {
  readonly mode: EditorMode;
  readonly faults: ReadonlyMap<string, FieldFault>;
}) {
  const t = useTexts(writingTexts);
  const open = { code: "body", text: "text", visual: "" }[mode];
  const names = { body: t.modes.code, text: t.modes.text, design: t.modes.visual };
  const hidden = (["body", "text", "design"] as const).flatMap((field) => {
    const found = faults.get(field);
    return found && !(field === open && placeOf(found)) ? [`${names[field]}: ${found.message}`] : [];
  });
  if (hidden.length === 0) return null;
  return (
    <p className="editor-help fault" role="alert">
      <StatusIcon name="failed" tone="bad" />
      {hidden.join(" ")}
    </p>
  );
}

type BodyEditorProps = Pick<CodeProps, "variables" | "disabledReason" | "handle" | "onFiles"> & {
  readonly value: Content;
  readonly set: (change: Partial<Content>) => void;
  readonly field: "body" | "text";
  readonly faults: ReadonlyMap<string, FieldFault>;
};

function BodyEditor({ value, set, field, faults, ...common }: BodyEditorProps) {
  const t = useTexts(writingTexts);
  const found = faults.get(field);
  const place = found && placeOf(found);
  return (
    <Code
      key={field}
      {...common}
      value={value[field]}
      onChange={(text) => set(field === "body" ? { body: text, design: null } : { text })}
      label={field === "body" ? t.body : t.textPart}
      fault={found && place ? { place, message: found.message } : null}
    />
  );
}

function faultsIn(fault: unknown, refusals: Refusals): ReadonlyMap<string, FieldFault> {
  const found = fault instanceof Fault ? fault.errors : [];
  return new Map(found.map((one) => [one.field, { ...one, message: fieldRefusal(refusals, one) }]));
}

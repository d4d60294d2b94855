// Copy buttons for ids, URLs and commands.
import { useState } from "react";
import { copyText } from "../base/clipboard.ts";
import { useTexts } from "../base/language.ts";
import { frameTexts } from "../texts/areas.ts";
import { Button } from "./button.tsx";
import { showWarning } from "./overlays/toast.tsx";

const DONE_MS = 2_000;

function useCopy(text: string): readonly [done: boolean, copy: () => void] {
  const t = useTexts(frameTexts);
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return showWarning(t.notCopied);
    setDone(true);
    setTimeout(setDone, DONE_MS, false);
  };
  return [done, () => void copy()];
}

type CopyWordsProps = { readonly text: string; readonly name: string; readonly quiet?: boolean };

/** A copy button with its own label: "Copy value". */
export function CopyWords({ text, name, quiet }: CopyWordsProps) {
  const { copied } = useTexts(frameTexts);
  const [done, copy] = useCopy(text);
  return (
    <Button small kind={quiet ? "quiet" : undefined} icon={done ? "check" : "copy"} onClick={copy}>
      {done ? copied : name}
    </Button>
  );
}

type CopyProps = { readonly text: string; /** The text's name. */ readonly what?: string; readonly words?: boolean };

/** `words`: shows the label beside the icon. */
export function CopyButton({ text, what, words }: CopyProps) {
  const t = useTexts(frameTexts);
  const [done, copy] = useCopy(text);
  const name = done ? t.copied : what === undefined ? t.copy : t.copyName(what);
  return (
    <Button small kind={words ? undefined : "quiet"} icon={done ? "check" : "copy"} label={name} onClick={copy}>
      {words ? (done ? t.copied : t.copy) : undefined}
    </Button>
  );
}

// Code and values, always with a copy button.
import type { ReactNode } from "react";
import { CopyButton } from "./copy.tsx";

type CodeBlockProps = {
  readonly text: string;
  /** The heading above the code. */
  readonly title?: ReactNode;
  /** The name of the copied text, for the button's label. */
  readonly what?: string;
};

export function Code({ text, title, what }: CodeBlockProps) {
  const copied = what === undefined ? {} : { what };
  return (
    <div className="code">
      {title && (
        <header>
          <span>{title}</span>
          <span className="push">
            <CopyButton text={text} {...copied} />
          </span>
        </header>
      )}
      <pre tabIndex={0}>{highlighted(text)}</pre>
      {!title && (
        <span className="copy">
          <CopyButton text={text} {...copied} />
        </span>
      )}
    </div>
  );
}

function highlighted(text: string): ReactNode[] {
  return text.split(/("(?:[^"\\\n]|\\.)*")/).map((piece, at) =>
    at % 2 === 1 ? (
      <span key={at} className="str">
        {piece}
      </span>
    ) : (
      piece
    ),
  );
}

type DiffProps = {
  readonly title?: ReactNode;
  /** The current values, as words. */
  readonly was: readonly (readonly string[])[];
  readonly now: readonly string[];
};

/** The current and the expected value, marked by sign, line and background. */
export function Diff({ title, was, now }: DiffProps) {
  const before = was.flat();
  const added = now.filter((word) => !before.includes(word));
  return (
    <div className="code diff">
      {title && (
        <header>
          <span>{title}</span>
        </header>
      )}
      {was.map((words, at) => (
        <div className="was" key={at}>
          <span>
            {markedLines(
              words,
              words.filter((word) => !now.includes(word)),
              "del",
            )}
          </span>
        </div>
      ))}
      <div className="now">
        <span>{markedLines(now, added, "ins")}</span>
      </div>
    </div>
  );
}

function markedLines(words: readonly string[], changed: readonly string[], Tag: "del" | "ins"): ReactNode[] {
  return words.flatMap((word, at) => [at > 0 ? " " : "", changed.includes(word) ? <Tag key={at}>{word}</Tag> : word]);
}

// Code and values of programs: always with a way to copy them. Strings in slate, the rest in ink.
import type { ReactNode } from "react";
import { CopyButton } from "./copy.tsx";

type CodeProps = {
  readonly text: string;
  /** Above the code: what it is for. */
  readonly title?: ReactNode;
  /** What is copied, for the button's name. */
  readonly what?: string;
};

export function Code({ text, title, what }: CodeProps) {
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
      <pre tabIndex={0}>{coloured(text)}</pre>
      {!title && (
        <span className="copy">
          <CopyButton text={text} {...copied} />
        </span>
      )}
    </div>
  );
}

function coloured(text: string): ReactNode[] {
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
  /** What is there, in words. */
  readonly was: readonly (readonly string[])[];
  readonly now: readonly string[];
};

/** What is there and what should be; what is new is said by sign, line and ground. */
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
            {marked(
              words,
              words.filter((word) => !now.includes(word)),
              "del",
            )}
          </span>
        </div>
      ))}
      <div className="now">
        <span>{marked(now, added, "ins")}</span>
      </div>
    </div>
  );
}

function marked(words: readonly string[], changed: readonly string[], Tag: "del" | "ins"): ReactNode[] {
  return words.flatMap((word, at) => [at > 0 ? " " : "", changed.includes(word) ? <Tag key={at}>{word}</Tag> : word]);
}

// Input and result of describing an entry of a person's history.
import type { ReactNode } from "react";
import type { Formats } from "../../base/formats.ts";
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { mail as mailWords } from "../../texts/en/mail.ts";
import type { people as words } from "../../texts/en/people.ts";

export type TimelineWords = {
  readonly t: typeof words;
  readonly mail: typeof mailWords;
  readonly formats: Formats;
  readonly topicNamed: (key: string) => string;
};
export type Description = {
  readonly icon: StatusIconName;
  readonly tone?: Tone;
  readonly title: ReactNode;
  readonly proof?: ReactNode;
};

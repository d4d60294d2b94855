// What a move has done, and what it could not do, for people.
import { RECORD_GROUPS } from "./source.ts";
import type { MoveGap, MoveState } from "./state.ts";

type ReportAbout = { readonly title: string; readonly isDry: boolean };

/** Markdown. */
export function reportText(state: MoveState, { title, isDry }: ReportAbout): string {
  const { from, startedAt, finishedAt, standings, gaps, imports } = state;
  const lines = [
    `# From ${title} to Posthorn`,
    "",
    isDry ? `What would come from ${from}. Nothing was written.` : `From ${from}, ${startedAt} to ${finishedAt}.`,
    "",
    ...tableOf(state, isDry),
    "",
    `People there: ${Object.entries(standings)
      .map(([one, count]) => `${grouped(count)} ${STANDING_WORDS[one]}`)
      .join(", ")}.`,
    "Nobody is subscribed who has unsubscribed, bounced or complained here. The worse state is taken of people who are in two places there.",
    "",
    "## What did not come as it was",
    "",
    ...(gaps.length === 0 ? ["Everything came."] : gaps.map(gapLine)),
  ];
  if (imports.length > 0)
    lines.push(
      "",
      "## Undo",
      "",
      `People → Import has ${grouped(imports.length)} of it. Each can be undone for seven days.`,
    );
  return `${lines.join("\n")}\n`;
}

const STANDING_WORDS: Readonly<Record<string, string>> = {
  subscribed: "subscribed",
  pending: "who had not said yes",
  unsubscribed: "unsubscribed",
  bounce: "bounced",
  complaint: "complained",
};

function tableOf({ counts }: MoveState, isDry: boolean): string[] {
  const [added, changed] = isDry ? ["Would be new", "Would be changed"] : ["New here", "Changed"];
  const rows = RECORD_GROUPS.map((group) => {
    const { read, ...rest } = counts[group];
    const cells = [read, rest.added, rest.changed, rest.known, rest.refused].map(grouped);
    return `| ${NAMES[group]} | ${cells.join(" | ")} |`;
  });
  return [
    `| | There | ${added} | ${changed} | Here already | Not taken |`,
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ];
}

const NAMES: Readonly<Record<string, string>> = {
  people: "People",
  topics: "Topics",
  segments: "Segments",
  members: "Members of segments",
  templates: "Templates",
  suppressions: "Suppressions",
};

function gapLine({ what, why, count, examples }: MoveGap): string {
  const such = examples.length === 0 ? "" : ` For example: ${examples.join(", ")}.`;
  return `- ${NAMES[what]}, ${grouped(count)}: ${why}${such}`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

// The report of a move for people: what it has done, and what it could not do.
import { RECORD_GROUPS } from "./source.ts";
import type { MoveState } from "./record.ts";

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
    "People who have unsubscribed, bounced or complained here are not subscribed. Of people who are in two places there, the worse state counts.",
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
  const [isNew, isChanged] = isDry ? ["Would be new", "Would be changed"] : ["New here", "Changed"];
  const rows = RECORD_GROUPS.map((group) => {
    const { read, added, changed, known, refused } = counts[group];
    const cells = [read, added, changed, known, refused].map(grouped);
    return `| ${NAMES[group]} | ${cells.join(" | ")} |`;
  });
  return [
    `| | There | ${isNew} | ${isChanged} | Here already | Not taken |`,
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

function gapLine({ what, why, count, examples }: MoveState["gaps"][number]): string {
  const such = examples.length === 0 ? "" : ` For example: ${examples.join(", ")}.`;
  return `- ${NAMES[what]}, ${grouped(count)}: ${why}${such}`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

// What a move has done, and what it could not do, for people.
import { RECORD_GROUPS } from "./source.ts";
import type { MoveGap, MoveState } from "./state.ts";
import { grouped } from "../progress.ts";

type ReportAbout = { readonly title: string; readonly isDry: boolean };

/** For programs. */
export function reportFields(state: MoveState, { isDry }: ReportAbout) {
  const { product, from, into, startedAt, finishedAt, counts, standings, gaps, imports } = state;
  return { product, from, into, dryRun: isDry, startedAt, finishedAt, counts, standings, gaps, imports };
}

/** Markdown. */
export function reportText(state: MoveState, { title, isDry }: ReportAbout): string {
  const { from, startedAt, finishedAt, standings, gaps, imports } = state;
  const lines = [
    `# From ${title} to Posthorn`,
    "",
    isDry
      ? `What would come from ${from}. Nothing was written.`
      : `From ${from}, ${startedAt} to ${finishedAt ?? "now: it is not finished"}.`,
    "",
    ...tableOf(state, isDry),
    "",
    `People there: ${Object.entries(standings)
      .map(([one, count]) => `${grouped(count)} ${STANDING_WORDS[one]}`)
      .join(", ")}.`,
    "Nobody was subscribed who has unsubscribed, bounced or complained here, and somebody in two places counts with the worse state.",
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
      `The people came by ${grouped(imports.length)} imports, which can be undone for seven days: People → Import.`,
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

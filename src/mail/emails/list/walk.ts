// Scans the mails of branches, newest first: a bounded number of them, in reads that grow.
import type { Sql } from "../../../store/sql.ts";
import type { Reader, ReadOptions, Store } from "../../../store/store.ts";
import { IN_QUEUE } from "./branches.ts";
import type { MailFilter } from "./filter.ts";
import {
  checkedOf,
  checkedOfTemplate,
  countContentsOf,
  newestOf,
  passingAmong,
  settledOf,
  waitingOf,
  windowOf,
  type Branch,
  type MailRange,
} from "./queries.ts";
import type { MailQuery } from "./search.ts";

/** Mails of each read: a frequent match is found in the first. */
const WINDOWS = [1_000, 9_000, ...Array.from({ length: 9 }, () => 10_000)];
/** A template with fewer contents is followed to its mails. */
const MOST_CONTENTS = 2_000;
/** With fewer mails of a campaign in the filter's states, each of them is checked; its queue adds few more. */
const MOST_IN_STATES = 5_000;
const CHECKED_AT_ONCE = 64;
type FewTerms = { readonly checks: readonly Sql[]; readonly span: MailRange; readonly most: number };

/** Matching mails, newest first, all of them down to the number `end`. */
export type MailWalkResult = { readonly seqs: readonly number[]; readonly end: number };

export class MailWalk {
  constructor(
    private readonly store: Store,
    private readonly filter: MailFilter,
    private readonly span: MailRange,
  ) {}

  async through(query: MailQuery, most: number): Promise<MailWalkResult> {
    if ("named" in query) return this.#named(query, most);
    const found: MailWalkResult[] = [];
    for (const branch of query.branches) found.push(await this.#scanIndex(branch, most));
    const end = Math.max(this.span.from, ...found.map((one) => one.end));
    const seqs = new Set(found.flatMap((one) => one.seqs).filter((seq) => seq >= end));
    return { seqs: [...seqs].sort((one, other) => other - one), end };
  }

  async #named({ named, checks }: Extract<MailQuery, { named: unknown }>, most: number): Promise<MailWalkResult> {
    const seqs = await this.store.read((reader) => passingAmong(reader, named, checks, this.span));
    return { seqs: seqs.slice(0, most), end: this.span.from };
  }

  async #scanIndex(branch: Branch, most: number): Promise<MailWalkResult> {
    const { store, span } = this;
    if (branch.checks.length > 0) return this.#checked(branch, most);
    return this.#whole(await store.read((reader) => newestOf(reader, branch, span, most), { inTurn: true }), most);
  }

  /** The search is complete unless it has found `most` mails. */
  #whole(seqs: readonly number[], most: number): MailWalkResult {
    return { seqs, end: seqs.length < most ? this.span.from : (seqs.at(-1) ?? this.span.from) };
  }

  async #checked(branch: Branch, most: number): Promise<MailWalkResult> {
    const seqs: number[] = [];
    let { before } = this.span;
    for (const [place, size] of WINDOWS.entries()) {
      const wanted = most - seqs.length;
      const windowIn = (reader: Reader) => this.#window(reader, branch, { before, size, wanted });
      const { found, last, isLast } = await this.store.read(windowIn, this.#reading(place));
      seqs.push(...found);
      if (isLast || seqs.length === most)
        return { seqs, end: isLast ? this.#whole(seqs, most).end : (seqs.at(-1) ?? last) };
      before = last;
      const all = place === 0 ? await this.#scanSmallSet(branch, before, most - seqs.length) : null;
      if (all) return this.#whole([...seqs, ...all], most);
    }
    return { seqs, end: before };
  }

  #reading(place: number): ReadOptions {
    return place === 0 ? { inTurn: true } : { longFor: this.filter.workspace };
  }

  async #window(
    reader: Reader,
    branch: Branch,
    { before, size, wanted }: { readonly before: number; readonly size: number; readonly wanted: number },
  ) {
    const { mails, last } = await windowOf(reader, branch, { ...this.span, before }, size);
    const isLast = mails < size;
    const from = isLast ? this.span.from : last;
    return { found: await checkedOf(reader, branch, { from, before }, wanted), last, isLast };
  }

  /** All remaining mails, if another index finds them and they are few; else null. */
  #scanSmallSet({ checks }: Branch, before: number, most: number): Promise<readonly number[] | null> {
    const terms = { checks, span: { ...this.span, before }, most };
    const { workspace, campaign, labels } = this.filter;
    // The checks lack the conditions that the index of the labels has decided.
    if (labels.length > 0) return Promise.resolve(null);
    const follow = (reader: Reader) =>
      campaign === null ? this.#ofTemplate(reader, terms) : this.#ofCampaign(reader, campaign, terms);
    return this.store.read(follow, { longFor: workspace });
  }

  async #ofTemplate(reader: Reader, { checks, span, most }: FewTerms): Promise<readonly number[] | null> {
    const { workspace, template, contact, workflow, statuses, held, source } = this.filter;
    const isAlone = [contact, workflow, statuses, held].every((part) => part === null);
    if (template === null || !isAlone || (source !== null && source !== "TRANSACTIONAL")) return null;
    const one = { workspace, template };
    if ((await countContentsOf(reader, one, MOST_CONTENTS + 1)) > MOST_CONTENTS) return null;
    return checkedOfTemplate(reader, one, { span, checks }, most);
  }

  async #ofCampaign(reader: Reader, campaign: number, { checks, span, most }: FewTerms) {
    const { statuses, held, contact, workflow } = this.filter;
    const states = held === null ? statuses : IN_QUEUE;
    if (states === null || contact !== null || workflow !== null) return null;
    const settled = states.filter((status) => !IN_QUEUE.includes(status));
    const seqs = settled.length > 0 ? await settledOf(reader, campaign, settled, MOST_IN_STATES + 1) : [];
    if (settled.length < states.length || states.includes("PERHAPS_DELIVERED"))
      seqs.push(...(await waitingOf(reader, campaign, MOST_IN_STATES + 1)));
    if (seqs.length > MOST_IN_STATES) return null;
    const newest = seqs.filter((seq) => seq < span.before).sort((one, other) => other - one);
    const passing: number[] = [];
    for (let from = 0; from < newest.length && passing.length < most; from += CHECKED_AT_ONCE)
      passing.push(...(await passingAmong(reader, newest.slice(from, from + CHECKED_AT_ONCE), checks, span)));
    return passing.slice(0, most);
  }
}

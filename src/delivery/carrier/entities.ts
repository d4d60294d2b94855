// The MIME entities of mails that share a content: parsed, converted to text and encoded once; then only the recipient's tokens are
// inserted. The bytes are the same as if each mail had been composed alone.
import { BoundedMap } from "../../brakes/bounded-map.ts";
import { entityOf } from "../../emails/mime/compose.ts";
import { plainText } from "../../emails/mime/plain-text.ts";
import type { Rendered } from "../../emails/rendering/draft.ts";
import { tracked } from "../tracking/html.ts";
import { clickToken } from "../tracking/links.ts";
import type { Handover } from "./handover.ts";
import { cast, mouldOf, type Mould } from "./mould.ts";

type Mail = Pick<Handover, "id" | "links" | "tracking" | "attachments">;
type Texts = { readonly html: string; readonly shown: string; readonly text: string | null };

/** `targets`: of the links that are tracked, each once. */
type Shared = { readonly mould: Mould; readonly targets: readonly string[] };
type Composed = { readonly entity: Buffer; readonly targets: readonly string[] };

const MOST_SHARED = 200;
const MOST_SHARED_BYTES = 8 * 1024 * 1024;
const MOST_SEEN = 2_000;
/** Stands for the token in the links to the recipient's own pages. */
const TOKEN = "\0token\0";

export class Entities {
  /** By what the texts have in common; null = it takes more than other tokens to make one mail of the other. */
  readonly #shared = new BoundedMap<string, Shared | null>(MOST_SHARED, MOST_SHARED_BYTES);
  /** Hashes of what has come once: most mails are like no other. */
  readonly #seen = new BoundedMap<number | bigint, true>(MOST_SEEN);

  of(mail: Mail, { html, shown, text }: Omit<Rendered, "subject">): Buffer {
    const texts = { html: html.text, shown: shown.text, text: text && text.text };
    const common = mail.attachments.length === 0 ? commonIn(mail, texts) : null;
    if (common === null) return composed(mail, texts).entity;
    const key = keyOf(mail, common);
    const shared = this.#shared.get(key);
    const filled = shared && cast(shared.mould, valuesOf(mail, shared.targets));
    if (filled) return filled;
    const made = composed(mail, texts);
    if (shared === undefined && this.#hasCome(key)) this.#share(key, sharedOf(mail, common, made));
    return made.entity;
  }

  #hasCome(key: string): boolean {
    const hash = Bun.hash(key);
    const hasCome = this.#seen.get(hash) ?? false;
    this.#seen.set(hash, true);
    return hasCome;
  }

  #share(key: string, shared: Shared | null): void {
    this.#shared.set(key, shared, key.length + (shared?.mould.bytes.length ?? 0));
  }
}

/** The texts without the recipient's token. Null where they could not be told from others. */
function commonIn({ links }: Mail, { html, shown, text }: Texts): Texts | null {
  if ([html, shown, text].some((one) => one?.includes("\0"))) return null;
  const token = tokenIn(links.unsubscribeUrl);
  const without = (one: string) => one.replaceAll(token, TOKEN);
  const common = without(html);
  return { html: common, shown: shown === html ? common : without(shown), text: text === null ? null : without(text) };
}

function keyOf({ tracking }: Mail, { html, shown, text }: Texts): string {
  const source = text ?? (shown === html ? "" : shown);
  return `${tracking === null ? "" : "tracked"}\0${text === null ? "" : "text"}\0${html}\0${source}`;
}

function composed(mail: Mail, texts: Texts): Composed {
  const targets: string[] = [];
  const entity = entityWith(mail, texts, (url) => {
    if (!targets.includes(url)) targets.push(url);
    return mail.tracking === null ? "" : clickToken(mail.tracking, url);
  });
  return { entity, targets };
}

/** Empty HTML stays empty: a part with nothing but a pixel would hide the text. */
function entityWith(mail: Mail, { html, shown, text }: Texts, tokenOf: (url: string) => string): Buffer {
  const { id, tracking, links, attachments } = mail;
  const marked = tracking === null || html === "" ? html : tracked(html, tracking, Object.values(links), tokenOf);
  return entityOf({ id, html: marked, text: text ?? plainText(shown), attachments });
}

/** What differs between two mails with the same texts. */
function valuesOf({ id, links, tracking }: Mail, targets: readonly string[]): string[] {
  const own = [id, tokenIn(links.unsubscribeUrl)];
  return tracking === null ? own : [...own, tracking.openToken, ...targets.map((url) => clickToken(tracking, url))];
}

function sharedOf(mail: Mail, common: Texts, { entity, targets }: Composed): Shared | null {
  const make = ([id = "", token = "", openToken = "", ...clicks]: readonly string[]) => {
    const filled = (text: string) => text.replaceAll(TOKEN, token);
    const { html, shown, text } = common;
    const texts = { html: filled(html), shown: filled(shown), text: text === null ? null : filled(text) };
    const own = tokenIn(mail.links.unsubscribeUrl);
    const links = Object.entries(mail.links).map(([name, url]) => [name, url.replace(own, token)]);
    const other = {
      ...mail,
      id,
      links: Object.fromEntries(links),
      tracking: mail.tracking && { ...mail.tracking, openToken },
    };
    return entityWith(other, texts, (url) => clicks[targets.indexOf(url)] ?? "");
  };
  const mould = mouldOf(make, { values: valuesOf(mail, targets), bytes: entity });
  return mould && { mould, targets };
}

function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

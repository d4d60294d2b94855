// An entity that many mails share, with holes for the recipient's own: the id of the mail, tokens, words of values.
import { clickToken } from "../tracking/links.ts";
import { filled, type CommonTexts } from "./common-texts.ts";
import { composedWith, tokenOf, type Composed, type Mail } from "./composition.ts";
import { cast, mouldOf, type Mould } from "./mould.ts";
import type { Which } from "./names.ts";

/** `targets`: of the links that are tracked, each once. */
export type SharedEntity = { readonly mould: Mould; readonly targets: readonly string[] };

/** `fixed`: of the words, those that are the same for all who share it. */
type Parts = { readonly common: CommonTexts; readonly fixed: Which };

/** Null if two mails of this kind differ in more than tokens and words. The last argument is this mail, composed alone. */
export function sharedEntityOf(mail: Mail, parts: Parts, { entity, targets }: Composed): SharedEntity | null {
  const { common, fixed } = parts;
  let isShared = true;
  const make = ([id = "", token = "", openToken = "", ...others]: readonly string[]) => {
    const own = others.slice(targets.length).values();
    const words = common.words.map((word, index) => (fixed.has(index) ? word : (own.next().value ?? "")));
    const other = { ...withToken(mail, token), id, tracking: mail.tracking && { ...mail.tracking, openToken } };
    return composedWith(other, filled(common, token, words), (url) => {
      // A token within a target makes another target for each mail.
      isShared &&= targets.includes(url);
      return others[targets.indexOf(url)] ?? "";
    });
  };
  const mould = mouldOf(make, { values: valuesOf(mail, parts, targets), bytes: entity });
  return mould && isShared ? { mould, targets } : null;
}

/** The entity of a mail that shares it; null if it turns out not to. */
export function filledFor(mail: Mail, parts: Parts, { mould, targets }: SharedEntity): Buffer | null {
  return cast(mould, valuesOf(mail, parts, targets));
}

function valuesOf(mail: Mail, { common: { words }, fixed }: Parts, targets: readonly string[]): string[] {
  const { id, tracking } = mail;
  const clicks = targets.map((url) => (tracking === null ? "" : clickToken(tracking, url)));
  const own = fixed.size === 0 ? words : words.filter((_, index) => !fixed.has(index));
  return [id, tokenOf(mail), tracking?.openToken ?? "", ...clicks, ...own];
}

function withToken(mail: Mail, token: string): Mail {
  const of = (url: string) => url.replace(tokenOf(mail), token);
  const { unsubscribeUrl, subscribeUrl, manageUrl } = mail.links;
  const links = { unsubscribeUrl: of(unsubscribeUrl), subscribeUrl: of(subscribeUrl), manageUrl: of(manageUrl) };
  return { ...mail, links };
}

// Search phrases for the guide from people who do not know our word for a thing: words of other products, of the trade
// and of everyday language.
import { guideFile } from "./files.ts";

/**
 * By page, or by the heading in it (`#` and its anchor): further phrases that should find it. A line each: `sending:
 * send an email, receipt`.
 */
export function readAskedAs(): ReadonlyMap<string, readonly string[]> {
  const lines = guideFile("src/http/guide/asked-as.txt").trim().split("\n");
  return new Map(lines.map((line) => line.split(": ")).map(([key = "", phrases = ""]) => [key, phrases.split(", ")]));
}

/** Phrases whose meaning differs from that of their words. */
export const PHRASES: readonly (readonly [phrase: RegExp, meaning: string])[] = [
  [/\bopt(ed|ing|s)? out\b|\bopt-?outs?\b/g, "unsubscribe"],
  [/\bdouble opt(ed)? in\b/g, "doubleoptin double optin"],
  [
    /\b(not|never|didnt|doesnt|isnt|wasnt|dont|arent|nicht) (been )?(get|getting|got|receiv|arriv|deliver|sen[dt]|com(e|ing)|reach|an|angekommen|zugestellt|erhalten)[a-z]*\b|\bno (e?mails?|messages?) (arrives?|received|comes?)\b|\bkeine e?-?mails?( mehr)?\b/g,
    "notarrived",
  ],
  [/\bopt(ed|ing|s)? in\b/g, "optin subscribe consent"],
  [/\b(out of office|vacation|auto ?repl(y|ies)|holiday repl(y|ies))\b/g, "autoreply"],
  [
    /\b(spam|junk) ?(folder|box|ordner)\b|\b(land|end|go|get|goe|arrive)(s|ing|et|en)? (up )?(in|im|to|into|as) (the )?(spam|junk)\b/g,
    "spamfolder",
  ],
  [/\b(sign|log)(ing|ed|s)? ?-?(in|on)\b|\blogins?\b/g, "login"],
  [/\bsign ?-?ups?\b/g, "signup"],
  [/\bset(ting)? ?up\b/g, "setup"],
  [/\bwarm(ing|ed)? ?-?up\b/g, "warmup"],
  [/\bback(ing|ed)? ?-?ups?\b/g, "backup"],
  [/\bapi (keys?|tokens?)\b/g, "apikey key"],
  [/\bre-?send(s|ing)?\b|\bsen[dt] again\b/g, "resend"],
  [/\bresend (a|an|the|all|any|failed|emails?|mails?|messages?|campaigns?|to)\b/g, "sendagain $1"],
  [/\ba ?\/ ?b[ -]?test(s|ing)?\b/g, "abtest"],
  [/\btwo ?-?factor\b|\b2 ?-?fa\b/g, "2fa"],
  [/\btime ?-?zones?\b/g, "timezone"],
  [/\bmerge (tag|field|var|variable)s?\b/g, "mergetag"],
  [/\b(e?mail) merges?\b/g, "mailmerge"],
  [/\bthank(s| you)\b/g, "thankyou"],
  [/\bcatch[- ]?all\b/g, "catchall"],
  [/\bdark (mode|theme)\b/g, "darkmode"],
  [/\bbranded (links?|domains?)\b/g, "brandedlink"],
  [
    /\b(sent|send|sending|arrives?|get|receives?|delivered) (twice|double)\b|\bduplicate (e?mails|sends?)\b/g,
    "duplicatesend",
  ],
  [/\b(two|2|several|multiple|many|second|another) (smtp )?(providers?|relays?)\b/g, "severalrelays"],
  [/\b(stop|pause|halt) (all|every|everything)\b/g, "stopall"],
  [/\b(full (mail|in)box|(mail|in)box(es)? (is )?full|over ?quota)\b/g, "mailboxfull"],
  [/\bcustom (field|attribute|propert|data)(s|y|ies)?\b/g, "customfield"],
  [/\broll(ing|ed)? ?back\b/g, "rollback"],
  [/\bhow (big|large)\b/g, "maximum size"],
  [/\bat rest\b/g, "encrypted"],
  [/\blets ?encrypt\b/g, "letsencrypt"],
  [/\btoo many requests\b/g, "429"],
  [/\bwhere (is|are|did)\b/g, "missing"],
  [/\btest (e?mails?|messages?|cop(y|ies))\b/g, "testcopy"],
];

// A message taken apart by mailparser, which makes no HTML of text and no text of HTML.
import { simpleParser, type ParsedMail, type SimpleParserOptions } from "mailparser";

const OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true } as const;

/** @throws Error for a message beyond the parser's limits, such as more than a thousand parts */
export function parsed(raw: Buffer, more: SimpleParserOptions = {}): Promise<ParsedMail> {
  return simpleParser(raw, { ...OPTIONS, ...more });
}

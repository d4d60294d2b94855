// The HTML of a mail with its links redirected through us and a pixel at its end.
import { decoded } from "../../mime/attribute.ts";
import { beforeBodyEnd } from "../../mime/footer.ts";
import { clickToken, type TrackingMarks } from "./links.ts";

/** A longer link stays as it is, because some mailboxes would cut ours. */
const MAX_URL_BYTES = 2_000;
const PIXEL_STYLE = 'width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0"';

/**
 * Links to the web go to `/c/…`; `mailto:`, `tel:`, anchors, and the URLs in `untouched` (the recipient's own pages) stay. Text, comments
 * and the rest of the markup keep every byte. `tokenOf`: of a link.
 */
export function tracked(
  html: string,
  marks: TrackingMarks,
  untouched: readonly string[],
  tokenOf = (url: string) => clickToken(marks, url),
): string {
  const isLink = (url: string) =>
    /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url) && Buffer.byteLength(url) <= MAX_URL_BYTES;
  const rewriter = new HTMLRewriter().on("a[href], area[href]", {
    element(link) {
      const url = decoded(link.getAttribute("href") ?? "").trim();
      if (isLink(url) && !untouched.some((own) => url.startsWith(own)))
        link.setAttribute("href", marks.clickBase + tokenOf(url));
    },
  });
  return beforeBodyEnd(rewriter.transform(html), `<img src="${marks.openBase}${marks.openToken}" ${PIXEL_STYLE}>`);
}

/** Elements whose content is not text, or ends only at their own end tag. */
const CLOSED = "iframe, noembed, noframes, noscript, plaintext, script, style, template, textarea, xmp";

/**
 * All text of the HTML as the rewriter reads it, without tags and comments, one line for each stretch between two tags. `closed` is the part
 * inside elements that have no markup.
 */
export function textsIn(html: string): { readonly all: string; readonly closed: string } {
  const texts = { all: "", closed: "" };
  const into = (name: keyof typeof texts) => ({
    text(piece: HTMLRewriterTypes.Text) {
      texts[name] += piece.lastInTextNode ? `${piece.text}\n` : piece.text;
    },
  });
  new HTMLRewriter().on(CLOSED, into("closed")).onDocument(into("all")).transform(html);
  return texts;
}

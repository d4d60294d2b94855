// The HTML of a mail with its links redirected through us and a pixel at its end.
import { decoded } from "../../mime/attribute.ts";
import { beforeBodyEnd } from "../../mime/footer.ts";
import { clickToken, type TrackingMarks } from "./links.ts";

/** A longer link stays as it is, because some mailboxes would cut ours. */
const MAX_URL_BYTES = 2_000;
const PIXEL_STYLE = 'width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0"';

/**
 * Links to the web go to `/c/…`; `mailto:`, `tel:`, anchors, and the URLs in `untouched` (the recipient's own pages)
 * stay. Text, comments and the rest of the markup keep every byte.
 */
export function tracked(html: string, marks: TrackingMarks, untouched: readonly string[]): string {
  const isLink = (url: string) =>
    /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url) && Buffer.byteLength(url) <= MAX_URL_BYTES;
  const rewriter = new HTMLRewriter().on("a[href], area[href]", {
    element(link) {
      const url = decoded(link.getAttribute("href") ?? "").trim();
      if (isLink(url) && !untouched.some((own) => url.startsWith(own)))
        link.setAttribute("href", marks.clickBase + clickToken(marks, url));
    },
  });
  return beforeBodyEnd(rewriter.transform(html), `<img src="${marks.openBase}${marks.openToken}" ${PIXEL_STYLE}>`);
}

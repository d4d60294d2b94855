// The HTML of a mail with its links redirected through us and a pixel at its end.
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";
import { newId } from "../../../base/ids.ts";
import { decoded } from "../../../content/mime/attribute.ts";
import { beforeBodyEnd } from "../../../content/mime/footer.ts";
import type { Personalizer } from "../../../content/rendering/draft.ts";
import { clickToken, type TrackingMarks } from "./links.ts";

/** A longer link stays as it is, because some mailboxes would cut ours. */
const MAX_URL_BYTES = 2_000;
const PIXEL_STYLE = 'width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0"';

/** `targets`: the link between two pieces; null = the pixel. */
type Skeleton = { readonly pieces: readonly string[]; readonly targets: readonly (string | null)[] };

const MAX_KEPT = 100;
const MAX_KEPT_CHARS = 2_000_000;
/** The skeletons of HTML that readers share: finding its links takes longer than filling them in. */
const skeletons = new BoundedMap<string, Skeleton>(MAX_KEPT, MAX_KEPT_CHARS);

/**
 * Links to the web become `/c/…`; `mailto:`, `tel:`, anchors, and the URLs in `untouched` (the recipient's own pages)
 * stay. Text, comments and the rest of the markup keep every byte. `own`: the reader's own values in HTML that readers
 * share.
 */
export function tracked(
  html: string,
  marks: TrackingMarks,
  untouched: readonly string[],
  own: Personalizer = null,
): string {
  const mine = own ?? ((text: string) => text);
  const isOwn = (url: string) => untouched.some((one) => mine(url).startsWith(one));
  const { pieces, targets } = (own && skeletons.get(html)) || skeletonOf(html, isOwn);
  if (own) skeletons.set(html, { pieces, targets }, 2 * html.length);
  // A picture, its text and a button often share one target.
  const led = new Map([[null as string | null, marks.openBase + marks.openToken]]);
  const urlOf = (target: string | null) => {
    const known = led.get(target);
    const url = known ?? marks.clickBase + clickToken(marks, mine(target as string));
    if (known === undefined) led.set(target, url);
    return url;
  };
  return mine(pieces.reduce((text, piece, at) => text + urlOf(targets[at - 1] as string | null) + piece));
}

function skeletonOf(html: string, isOwn: (url: string) => boolean): Skeleton {
  const [mark, targets] = [newId(0), [] as (string | null)[]];
  const isLink = (url: string) =>
    /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url) && Buffer.byteLength(url) <= MAX_URL_BYTES;
  const rewriter = new HTMLRewriter().on("a[href], area[href]", {
    element(link) {
      const url = decoded(link.getAttribute("href") ?? "").trim();
      if (!isLink(url) || isOwn(url)) return;
      targets.push(url);
      link.setAttribute("href", mark);
    },
  });
  const pixel = `<img src="${mark}" ${PIXEL_STYLE}>`;
  const whole = beforeBodyEnd(rewriter.transform(html), pixel);
  targets.splice(whole.slice(0, whole.indexOf(pixel)).split(mark).length - 1, 0, null);
  return { pieces: whole.split(mark), targets };
}

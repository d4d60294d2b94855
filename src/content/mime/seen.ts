// The visible content of a mail's HTML: without comments, the head, and content that is hidden in at least one mail
// program.
import { decoded } from "./attribute.ts";
import { beginningOf } from "./plain-text/plain-text.ts";
import { effectOf, hidingRules, type Effect } from "./hiding.ts";

/** Elements whose content no mail program shows, or only after a click. */
const UNSEEN = [
  "template, style, script, title, noscript, iframe, noembed, noframes, object, audio, video, canvas",
  "select, datalist, textarea, [hidden], details:not([open]), dialog:not([open])",
].join(", ");
/** Not every mail program loads pictures, so their alternative text counts. */
const PICTURE = "a[href] img[alt]:not([hidden]):not([width='0']):not([width='1'])";
/** No two of its alternatives may begin alike: a sender's text could make the engine try all of them. */
const BLANK = /^(?:[\s\p{Cf}\u034f\u115f\u2800\u3164]|&(?:nbsp|zwnj|zwj|shy|ensp|emsp|thinsp|#\w{2,9});)*$/iu;

/** The visibility of the current place. */
type ElementVisibility = { readonly isHidden: boolean; readonly isShrunk: boolean };
type RewriterElement = HTMLRewriterTypes.Element;

/** The targets of links with visible content; `take` gets other visible text in pieces, not decoded. */
export function linksSeenIn(html: string, take?: (text: string) => void): string[] {
  const beginning = beginningOf(html);
  const links: string[] = [];
  let [isHead, href]: [boolean, string | null] = [false, null];
  let place: ElementVisibility = { isHidden: false, isShrunk: false };

  const enter = (element: RewriterElement, within: ElementVisibility) => {
    if (!element.canHaveContent) return;
    const outside = place;
    place = within;
    // An element closes all elements left open in it.
    element.onEndTag(() => void (place = outside));
  };
  const dress = (element: RewriterElement, { hides: isHidden, shrinks }: Effect) => {
    if (isHidden || shrinks !== null)
      enter(element, { isHidden: place.isHidden || isHidden, isShrunk: shrinks ?? place.isShrunk });
  };
  const isSeen = () => !isHead && !place.isHidden && !place.isShrunk;
  const show = () => {
    if (href === null || !isSeen()) return;
    links.push(href);
    href = null;
  };

  const rewriter = new HTMLRewriter();
  for (const { selector, effect } of hidingRules(beginning))
    rewriter.on(selector, { element: (one) => dress(one, effect) });
  rewriter
    .on("head", {
      element(head) {
        isHead = true;
        head.onEndTag(() => void (isHead = false));
      },
    })
    // The end tag of a head is optional.
    .on("body", { element: () => void (isHead = false) })
    .on("[style]", { element: (one) => dress(one, effectIn(one)) })
    .on(UNSEEN, { element: (one) => enter(one, { ...place, isHidden: true }) })
    .on("a", {
      element(link) {
        href = attributeOf(link, "href");
        link.onEndTag(() => void (href = null));
      },
      text: (piece) => void (BLANK.test(piece.text) || show()),
    })
    .on(PICTURE, {
      element: (one) => void (BLANK.test(attributeOf(one, "alt") ?? "") || effectIn(one).hides || show()),
    });
  if (take) rewriter.onDocument({ text: (piece) => void (isSeen() && take(piece.text)) });
  rewriter.transform(beginning);
  return links;
}

function effectIn(element: RewriterElement): Effect {
  return effectOf(element.getAttribute("style") ?? "");
}

function attributeOf(element: RewriterElement, name: string): string | null {
  const value = element.getAttribute(name);
  return value === null ? null : decoded(value).trim();
}

// What a page looks like, judged by a program: nothing is cut, nothing is over another, nothing scrolls sideways.
import type { Page } from "playwright-core";

/**
 * Answers what a designer would send back, with the words it was found at. Lengths below are pixels; letters may stick
 * out of their line by as much as SLACK.
 */
const LOOK = `(() => {
  const SLACK = 3, LEAST = 24, SHORT = 14;
  const found = new Set();
  const style = (one) => getComputedStyle(one);
  const say = (fault, one, more = "") => found.add(fault + ": " + sign(one) + more);
  const sign = (one) => {
    const place = one.closest("[class]");
    return (place ? "." + String(place.getAttribute("class")).trim().replace(/ +/g, ".") : one.tagName) +
      " “" + (one.textContent || one.getAttribute("aria-label") || "").trim().replace(/\\s+/g, " ").slice(0, 40) + "”";
  };
  const scrolls = (kind) => kind === "auto" || kind === "scroll";
  const cuts = (kind) => kind === "hidden" || kind === "clip";
  const root = document.documentElement;
  const heads = [...document.querySelectorAll("h1")].filter((one) => one.checkVisibility() && !one.closest(".doc"));
  if (heads.length !== 1) found.add("a page has one h1, and this one " + heads.length);
  if (root.scrollWidth > innerWidth + 1) found.add("the page scrolls sideways by " + (root.scrollWidth - innerWidth));

  // Where letters and controls are seen: inside every ancestor that cuts or scrolls. Answers what cuts them, too.
  const seen = (one, box, isControl = false) => {
    let { left, right, top, bottom } = box, cutter = null, floats = false;
    for (let up = isControl ? one.parentElement : one; up && !floats; up = up.parentElement) {
      const { overflowX, overflowY, position, display } = style(up);
      if (display !== "inline" && (overflowX !== "visible" || overflowY !== "visible")) {
        const edge = up.getBoundingClientRect();
        if (overflowX !== "visible") {
          if (!cutter && cuts(overflowX) && (right > edge.right + SLACK || left < edge.left - SLACK)) cutter = up;
          if (scrolls(overflowX) && !cutter && (right > edge.right || left < edge.left)) cutter = "scroller";
          left = Math.max(left, edge.left); right = Math.min(right, edge.right);
        }
        if (overflowY !== "visible") { top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom); }
      }
      floats = position === "fixed";
    }
    return { left, right, top, bottom, cutter };
  };
  const isSmall = ({ width, height }) => width < 2 || height < 2;
  const isHidden = (one) => !one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    one.closest(".hidden-text, .skip, [aria-hidden=true]:not(.op)") || isClipped(one);
  const isClipped = (one) => one && (style(one).clipPath.startsWith("inset") || isClipped(one.parentElement));
  /** Each floating layer is looked at by itself: a menu lies over the page on purpose. */
  const layer = (one) => one.closest(".menu, .veil, .toasts, .dock, .react-flow__viewport, .react-flow__panel");

  const words = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const said = text.data.trim();
    const one = text.parentElement;
    if (said === "" || !one || one.closest("svg, option, noscript, style, script") || isHidden(one)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const boxes = [...range.getClientRects()].filter((box) => !isSmall(box));
    if (boxes.length === 0) continue;
    const short = one.closest("a, button, .pill, .tag, th, time, h1, h2, h3, .end");
    if (short && short.textContent.trim() === said && said.length <= SHORT && !one.closest("p, .tl, .doc, .disabled-reason") &&
        new Set(boxes.map(({ top }) => Math.round(top))).size > 1)
      say("short words on two lines", one);
    // A line that ends in an ellipsis may be cut, if something of it is left to read.
    const ellipsis = one.closest(".cut") || (style(one).textOverflow === "ellipsis" ? one : null);
    if (ellipsis && cuts(style(ellipsis).overflowX)) {
      const width = ellipsis.clientWidth;
      if (ellipsis.scrollWidth > width + 1 && width < LEAST) say("nothing left to read", one, " in " + width);
    }
    for (const box of boxes) {
      const view = seen(one, box);
      if (view.cutter && view.cutter !== "scroller" && view.cutter !== ellipsis && !view.cutter.contains(ellipsis) &&
          !view.cutter.closest(".cut, .code-editor, .react-flow, .hints, .mails") && style(view.cutter).textOverflow !== "ellipsis")
        say("cut", one, " by " + sign(view.cutter).slice(0, 40));
      if (!view.cutter && (box.right > innerWidth + 1 || box.left < -1)) say("outside the window", one);
      if (view.right - view.left > 2 && view.bottom - view.top > 2) words.push({ one, layer: layer(one), ...view });
    }
    // Words stay inside the panel or the cell that they are in.
    const holder = one.closest(".panel, .line, .head, .foot, .btn, .pill, .tag, .in-list, .step, .dialog, .menu");
    if (holder && !ellipsis && !one.closest(".tabs, pre, .code, .beside, .absolute")) {
      const edge = holder.getBoundingClientRect();
      for (const box of boxes)
        if (box.right > edge.right + SLACK && !seen(one, box).cutter) say("sticks out", one, " of " + sign(holder).slice(0, 30));
    }
  }
  words.sort((a, b) => a.top - b.top);
  for (const [at, a] of words.entries())
    for (let next = at + 1; next < words.length && words[next].top < a.bottom - SLACK; next++) {
      const b = words[next];
      if (a.one === b.one || a.layer !== b.layer || a.one.contains(b.one) && style(b.one).display.startsWith("inline") ||
          b.one.contains(a.one) && style(a.one).display.startsWith("inline")) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Under a bar that stays, rows pass by.
      const x = Math.max(a.left, b.left) + wide / 2, y = Math.max(a.top, b.top) + high / 2;
      const top = document.elementFromPoint(x, y);
      if (wide > SLACK && high > SLACK && top && (a.one.contains(top) || b.one.contains(top) || top.contains(a.one) && top.contains(b.one)))
        say("over each other", a.one, " and " + sign(b.one));
    }
  for (const one of document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea, [role=radio], [role=tab]")) {
    const box = one.getBoundingClientRect();
    if (isSmall(box) || isHidden(one) || one.closest(".react-flow__viewport, .doc, .checkbox, .cut")) continue;
    const { cutter } = seen(one, box, true);
    if (cutter && cutter !== "scroller" && !one.closest(".hints")) say("control cut", one, " by " + sign(cutter).slice(0, 40));
    if (!cutter && (box.right > innerWidth + 1 || box.left < -1)) say("control outside the window", one);
  }
  // A dialog is above everything that was there before it.
  for (const one of document.querySelectorAll(".dialog header, .dialog footer, .dialog .actions")) {
    const box = one.getBoundingClientRect();
    if (isSmall(box) || box.bottom > innerHeight) continue;
    for (const share of [0.1, 0.5, 0.9]) {
      const top = document.elementFromPoint(box.left + box.width * share, box.top + box.height / 2);
      if (top && !one.closest(".dialog").contains(top) && !top.contains(one)) say("dialog covered", one, " by " + sign(top).slice(0, 40));
    }
  }
  return [...found];
})()`;

export async function layoutFaults(page: Page): Promise<string[]> {
  return (await page.evaluate(LOOK)) as string[];
}

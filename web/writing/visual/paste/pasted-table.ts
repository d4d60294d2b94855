// Pasted tables: the editor has no tables, so each becomes a block of HTML with the same look.
import { styled } from "./pasted-looks.ts";

/**
 * A table of data has rows of several cells. Layout tables of emails contain other tables, or have one cell per row.
 */
export function isData(table: Element): boolean {
  if (table.querySelector("table")) return false;
  return [...table.querySelectorAll("tr")].some(({ children }) => children.length > 1);
}

export function tableOf(table: Element, wordsOf: (cell: Element) => string): string {
  const rows = [...table.querySelectorAll("tr")].map((row) => {
    const cells = [...row.children].filter(({ localName }) => localName === "td" || localName === "th");
    return `<tr>${cells.map((cell) => cellOf(cell, wordsOf(cell))).join("")}</tr>`;
  });
  return `<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%">${rows.join("")}</table>`;
}

const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]+|rgba?\([\d\s,.%]+\))$/;

function cellOf(cell: Element, inside: string): string {
  const tag = cell.localName;
  const align = styled(cell, "text-align") || (cell.getAttribute("align") ?? "").toLowerCase();
  const ground = styled(cell, "background-color") || styled(cell, "background") || (cell.getAttribute("bgcolor") ?? "");
  const style = [
    "border:1px solid #d0d0d0;padding:6px 10px;vertical-align:top",
    `text-align:${/^(center|right)$/.test(align) ? align : "left"}`,
    ...(COLOUR.test(ground.toLowerCase()) && !/^(transparent|none|inherit|white)$/.test(ground)
      ? [`background:${ground}`]
      : []),
  ];
  const spans = ["colspan", "rowspan"].flatMap((name) => {
    const count = Number(cell.getAttribute(name));
    return count > 1 ? [` ${name}="${Math.trunc(count)}"`] : [];
  });
  return `<${tag}${spans.join("")} style="${style.join(";")}">${inside}</${tag}>`;
}

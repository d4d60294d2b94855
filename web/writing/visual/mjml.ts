// A visual document as MJML, which becomes HTML that mail programs show alike. Words that follow each other share one
// text.
import { type Look, type Piece, textOf } from "./document.ts";
import { conditionIn, HeldLiquid, loopIn, variableIn } from "./liquid.ts";

type Making = { readonly look: Look; readonly held: HeldLiquid };

/** `held` puts the Liquid back into what is made of it. */
export function mjmlOf(document: Piece, look: Look): { readonly mjml: string; readonly held: HeldLiquid } {
  const making: Making = { look, held: new HeldLiquid() };
  const body = [logoOf(making), sections(document.content ?? [], making), footerOf(making)].filter(Boolean).join("\n");
  const mjml = `<mjml lang="${look.language}">
<mj-head>
${headOf(look)}
</mj-head>
<mj-body background-color="${look.ground}" css-class="ground">
<mj-wrapper background-color="${look.paper}" border-radius="8px" padding="32px 8px" css-class="paper">
${body}
</mj-wrapper>
</mj-body>
</mjml>`;
  return { mjml, held: making.held };
}

function headOf({ ink, accent, onAccent, font }: Look): string {
  return `<mj-attributes>
<mj-all font-family="${font.replace(/["<>&]/g, "'")}" />
<mj-section padding="0" />
<mj-text font-size="16px" line-height="26px" color="${ink}" padding="0 24px" css-class="words" />
<mj-button background-color="${accent}" color="${onAccent}" font-size="16px" font-weight="600" border-radius="6px" inner-padding="12px 24px" padding="8px 24px 24px" css-class="act" />
<mj-image padding="0 24px 16px" />
<mj-divider border-width="1px" border-color="#d9d5cb" padding="8px 24px 24px" />
</mj-attributes>
<mj-raw><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"></mj-raw>
<mj-style>
@media (prefers-color-scheme: dark) {
  .ground, .ground > div { background: #14130f !important; }
  .paper, .paper table { background: #1c1b17 !important; }
  .words div, .words p, .words li, .words h1, .words h2, .words h3 { color: #ece9e1 !important; }
  .words a { color: #9cbbd9 !important; }
}
</mj-style>`;
}

function logoOf({ look: { logo }, held }: Making): string {
  if (!logo) return "";
  const image = `<mj-image src="${held.escaped(logo.src)}" alt="${held.escaped(logo.alt)}" width="${logo.width}px" align="left" padding="0 24px 24px" />`;
  return row([image]);
}

function footerOf({ look: { footer }, held }: Making): string {
  if (footer === "") return "";
  return row([`<mj-text font-size="12px" line-height="18px" padding="24px 24px 0">${held.hold(footer)}</mj-text>`]);
}

/** Blocks below each other; columns are a row of their own, whatever is round them. */
function sections(blocks: readonly Piece[], making: Making): string {
  const rows: string[] = [];
  let flow: Piece[] = [];
  const close = () => {
    if (flow.length > 0) rows.push(row(column(flow, making)));
    flow = [];
  };
  for (const block of blocks) {
    if (!hasColumns(block)) {
      flow.push(block);
      continue;
    }
    close();
    rows.push(
      block.type === "columns"
        ? columns(block, making)
        : wrapped(block, making, (inner) => [sections(inner, making)]).join("\n"),
    );
  }
  close();
  return rows.join("\n");
}

function hasColumns({ type, content = [] }: Piece): boolean {
  return type === "columns" || (type !== "column" && content.some(hasColumns));
}

function row(parts: readonly string[]): string {
  return `<mj-section>\n<mj-column>\n${parts.join("\n")}\n</mj-column>\n</mj-section>`;
}

function columns({ content = [] }: Piece, making: Making): string {
  const each = content.map((one) => `<mj-column>\n${column(one.content ?? [], making).join("\n")}\n</mj-column>`);
  return `<mj-section>\n${each.join("\n")}\n</mj-section>`;
}

/** What stands in a column. */
function column(blocks: readonly Piece[], making: Making): readonly string[] {
  const parts: string[] = [];
  let words: string[] = [];
  const close = () => {
    if (words.length > 0) parts.push(`<mj-text>${words.join("\n")}</mj-text>`);
    words = [];
  };
  for (const block of blocks) {
    const said = wordsOf(block, making);
    if (said !== null) {
      words.push(said);
      continue;
    }
    close();
    parts.push(...partOf(block, making));
  }
  close();
  return parts;
}

/** Between the Liquid that begins and ends it. */
function wrapped(
  block: Piece,
  { held }: Making,
  inside: (content: readonly Piece[]) => readonly string[],
): readonly string[] {
  const [begin, end] = block.type === "loop" ? loopIn(block) : conditionIn(block);
  const raw = (liquid: string) => `<mj-raw>${held.hold(liquid)}</mj-raw>`;
  return [raw(begin), ...inside(block.content ?? []), raw(end)];
}

function partOf(block: Piece, making: Making): readonly string[] {
  const { held } = making;
  const attribute = (name: string, as = name) =>
    textOf(block, name) === "" ? "" : ` ${as}="${held.escaped(textOf(block, name))}"`;
  if (block.type === "condition" || block.type === "loop")
    return wrapped(block, making, (inner) => column(inner, making));
  // Columns in a column are one below the other.
  if (block.type === "columns") return (block.content ?? []).flatMap((one) => column(one.content ?? [], making));
  if (block.type === "horizontalRule") return ["<mj-divider />"];
  if (block.type === "rawHtml") return [`<mj-text>${held.hold(textOf(block, "html"))}</mj-text>`];
  if (block.type === "image") {
    const width = /^\d+$/.test(textOf(block, "width")) ? ` width="${textOf(block, "width")}px"` : "";
    // Without words it still says that it needs none.
    const alt = ` alt="${held.escaped(textOf(block, "alt"))}"`;
    return [`<mj-image${attribute("src")}${alt}${attribute("href")}${attribute("align")}${width} />`];
  }
  if (block.type !== "button") return [];
  const href = textOf(block, "href") === "" ? ' href="#"' : attribute("href");
  return [`<mj-button${href}${attribute("align")}>${inline(block.content, making)}</mj-button>`];
}

const HEADINGS: Readonly<Record<string, string>> = {
  1: "margin:0 0 12px;font-size:26px;line-height:34px;font-weight:600",
  2: "margin:8px 0 8px;font-size:20px;line-height:28px;font-weight:600",
  3: "margin:8px 0 4px;font-size:16px;line-height:26px;font-weight:600",
};
const LIST = "margin:0 0 16px;padding-inline-start:24px";

/** Null: no words. */
function wordsOf(block: Piece, making: Making): string | null {
  const { type, content = [] } = block;
  if (type === "paragraph") return `<p style="margin:0 0 16px">${inline(content, making) || "&nbsp;"}</p>`;
  if (type === "heading") {
    const level = textOf(block, "level") in HEADINGS ? textOf(block, "level") : "2";
    return `<h${level} style="${HEADINGS[level]}">${inline(content, making)}</h${level}>`;
  }
  if (type !== "bulletList" && type !== "orderedList") return null;
  const tag = type === "bulletList" ? "ul" : "ol";
  const items = content.map(
    (item) => `<li>${(item.content ?? []).map((inner) => itemOf(inner, making)).join("")}</li>`,
  );
  return `<${tag} style="${LIST}">${items.join("")}</${tag}>`;
}

/** Lines of lists stand close. */
function itemOf(block: Piece, making: Making): string {
  return block.type === "paragraph" ? inline(block.content, making) : (wordsOf(block, making) ?? "");
}

const MARKS: Readonly<Record<string, string>> = { bold: "strong", italic: "em", underline: "u", strike: "s" };

function inline(pieces: readonly Piece[] | undefined, making: Making): string {
  return (pieces ?? []).map((piece) => inlineOf(piece, making)).join("");
}

function inlineOf(piece: Piece, { held, look }: Making): string {
  if (piece.type === "hardBreak") return "<br>";
  const said = piece.type === "variable" ? held.hold(variableIn(piece)) : held.escaped(piece.text ?? "");
  return (piece.marks ?? []).reduceRight((inner, { type, attrs }) => {
    if (type === "link")
      return `<a href="${held.escaped(String(attrs?.["href"] ?? "#"))}" style="color:${look.accent}">${inner}</a>`;
    const tag = MARKS[type];
    return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
  }, said);
}

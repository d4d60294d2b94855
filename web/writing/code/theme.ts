// The theme of the code editor, from design tokens, so that both colour schemes work.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--panel)", font: "var(--t-code)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { font: "var(--t-code)", overflow: "auto" },
  ".cm-content": { padding: "12px 0", caretColor: "var(--ink)" },
  ".cm-line": { padding: "0 16px 0 8px" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--dim)", border: "0", paddingInlineStart: "12px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  ".cm-cursor": { borderInlineStartColor: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--chosen-over)",
  },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--chosen)",
    outline: "1px solid var(--line)",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--chosen-over)" },
  ".cm-selectionMatch": { backgroundColor: "var(--chosen)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad)",
    textUnderlineOffset: "4px",
  },
  ".cm-tooltip": {
    border: "0",
    borderRadius: "var(--r2)",
    backgroundColor: "var(--over)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    font: "var(--t-row)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { font: "var(--t-code)", padding: "4px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 8px", borderRadius: "var(--r1)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--chosen-over)", color: "var(--ink)" },
  ".cm-completionDetail": { color: "var(--dim)", fontStyle: "normal", font: "var(--t-small)" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "0" },
  ".cm-panels-top": { borderBottom: "1px solid var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 32px 8px 16px", font: "var(--t-row)" },
  ".cm-panel.cm-search label": { font: "var(--t-small)" },
  ".cm-textfield": {
    border: "1px solid var(--edge)",
    borderRadius: "var(--r1)",
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    font: "var(--t-row)",
  },
  ".cm-button": {
    border: "1px solid var(--line)",
    borderRadius: "var(--r1)",
    backgroundImage: "none",
    backgroundColor: "var(--panel)",
    color: "var(--ink)",
    font: "var(--t-row)",
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--ink)", insetInlineEnd: "8px", fontSize: "16px" },
  ".cm-fault": {
    display: "flex",
    gap: "6px",
    padding: "2px 16px 4px 8px",
    color: "var(--bad)",
    backgroundColor: "var(--bad-soft)",
    font: "var(--t-small)",
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.string, tags.attributeValue], color: "var(--note)" },
  { tag: [tags.comment, tags.docComment, tags.documentMeta], color: "var(--dim)" },
  { tag: [tags.angleBracket, tags.attributeName, tags.operator], color: "var(--dim)" },
  // Names and values in styles are not Liquid.
  { tag: [tags.unit, tags.atom, tags.number, tags.color, tags.propertyName], fontWeight: "400" },
  { tag: [tags.special(tags.brace), tags.brace, tags.keyword, tags.variableName], fontWeight: "600" },
]);

export const theme = [look, syntaxHighlighting(colours)];

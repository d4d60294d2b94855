// Screens import their styles for the side effect (style-sheets.ts).
declare module "*.css";

// A screen imports its styles for what the import does (web/sheets.ts).
declare module "*.css";

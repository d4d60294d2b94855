declare module "*.sql" {
  const text: string;
  export default text;
}

declare module "*.md" {
  const path: string;
  export default path;
}

declare module "*.service" {
  const text: string;
  export default text;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

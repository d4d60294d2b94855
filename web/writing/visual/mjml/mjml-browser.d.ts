// The part of mjml-browser that we use; it has no types.
declare module "mjml-browser" {
  type Options = { readonly fonts: Readonly<Record<string, string>>; readonly validationLevel: "skip" | "soft" };
  const mjml2html: (mjml: string, options: Options) => Promise<{ readonly html: string }>;
  export default mjml2html;
}

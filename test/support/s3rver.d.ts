// The part of s3rver that tests use: an S3 server with its buckets in a folder.
declare module "s3rver" {
  type Bucket = { readonly name: string; readonly configs: readonly string[] };
  type Options = {
    readonly port: number;
    readonly directory: string;
    readonly silent: boolean;
    readonly configureBuckets: readonly Bucket[];
  };
  export default class S3rver {
    constructor(options: Options);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}

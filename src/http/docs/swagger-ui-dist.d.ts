// The files of Swagger UI, embedded in the executable: each import is the path of one.
declare module "swagger-ui-dist/*" {
  const path: string;
  export default path;
}

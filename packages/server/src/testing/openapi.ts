/** Entry point for proofs and benchmarks: the API description. The service does not import this. */
export { describeApi } from '../http/reference/describe.ts';
export { describeForm } from '../http/reference/describe-form.ts';
export {
  type DescribedOperation,
  type OpenApiDocument,
  createSchemaCheck,
  listOperations,
  readOpenApiFile,
} from '../test/openapi-file.ts';

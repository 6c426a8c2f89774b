import {
  createSchemaCheck,
  type DescribedOperation,
  listOperations,
  type OpenApiDocument,
} from '@tributary/server/testing/openapi';
import { isStream, type FuzzResponse, type FuzzRequest } from './request.ts';

/** Returns what is wrong with a response, or null. */
export type ResponseCheck = (request: FuzzRequest, response: FuzzResponse) => string | null;

const waitingStatuses = new Set([429, 503]);

/** Operations that consume a token. */
const spendingOperations = new Set(['exchangeClientToken', 'refreshSdkCredentials']);

/** Checks responses against the API description and against rules for all responses. */
export function createResponseCheck(document: OpenApiDocument): ResponseCheck {
  const check = createSchemaCheck(document);
  const operations = new Map(listOperations(document).map((entry) => [entry.operation.operationId, entry]));

  const browserReads = [...operations.values()]
    .filter(({ operation }) => operation.security.some((scheme) => 'userToken' in scheme))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

  function checkBody(request: FuzzRequest, { status, body }: FuzzResponse, at: string | null): string | null {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return 'the body is not JSON';
    }
    // A path that does not decode reaches no operation, so the codes of this one do not apply.
    const pointer = (isAddress(request.path) ? at : null) ?? '/components/schemas/Error';
    const mismatch = check(pointer, value);
    if (mismatch) return `the body does not match ${pointer}: ${mismatch}`;
    if (status < 400) return null;
    const { error, details } = value as { error: string; details: unknown };
    if (typeof details !== 'object' || details === null) return 'the error has no details';
    const described = request.operationId ? operations.get(request.operationId) : undefined;
    const codes =
      described && isAddress(request.path)
        ? codesOf(described, status)
        : [status === 405 ? 'method_not_allowed' : 'not_found'];
    return codes.includes(error) ? null : `${error} is not documented for ${status}`;
  }

  return (request, fuzzResponse) => {
    const { status, headers } = fuzzResponse;
    // The service throttles uploads while too many batches are pending.
    const isPutOff = status === 503 && request.operationId === 'createBatch';
    if (status >= 500 && !isPutOff) return `status ${status}`;
    const isTooMuch = request.tooMuch !== undefined && request.tooMuch === request.rawBody;
    if (isTooMuch && status < 300) return 'a request beyond the limits was accepted';
    // The parser rejects headers that are too large, before there is a request.
    if (status === 431) return check('/components/schemas/Error', JSON.parse(fuzzResponse.body));
    const missing = missingHeader(fuzzResponse);
    if (missing) return missing;
    if (request.method === 'HEAD') return fuzzResponse.body === '' ? null : 'a body for HEAD';
    // Preflights are not operations, but a body sent with one is still read.
    const isPreflight = request.method === 'OPTIONS' && browserReads.some((path) => path.test(request.path));
    if (isPreflight && (status === 204 || status === 400 || status === 413)) return null;
    if (isStream(headers)) return checkStream(request, fuzzResponse);
    const isEmpty = (status === 204 || status === 304) && fuzzResponse.body === '';
    if (isRootPage(request, fuzzResponse)) return null;
    if (!isEmpty && !String(headers['content-type']).startsWith('application/json'))
      return 'not application/json';

    const described = request.operationId ? operations.get(request.operationId)! : null;
    if (!described)
      return isUnrouted(status)
        ? checkBody(request, fuzzResponse, null)
        : `status ${status} for an unknown operation`;
    const response = described.operation.responses[status];
    if (!response) return `status ${status} is not documented`;
    if ('API-Form' in response.headers && !/^[12]$/.test(String(headers['api-form']))) return 'no API-Form';
    const hasEnded = status === 401 && dependsOnSession(described);
    if (request.kind === 'valid' && status >= 400 && ![404, 409, 429, 503].includes(status) && !hasEnded)
      return `a valid request was refused with ${status}`;
    if (!response.content) return isEmpty ? null : `unexpected body with ${status}`;
    return checkBody(request, fuzzResponse, described.schemaOf(status));
  };
}

/** Names a header that the response must have and does not. */
function missingHeader({ status, headers }: FuzzResponse): string | null {
  if (!headers['request-id']) return 'no Request-Id';
  if (status === 405 && !headers['allow']) return 'no Allow';
  const waits = waitingStatuses.has(status);
  return waits && !/^[1-9]\d*$/.test(String(headers['retry-after'])) ? 'no Retry-After' : null;
}

/** The statuses of requests that no route serves. */
function isUnrouted(status: number): boolean {
  return status === 404 || status === 405;
}

/** Checks the start of a stream, and that one was requested. */
function checkStream({ operationId }: FuzzRequest, { status, body }: FuzzResponse): string | null {
  if (operationId !== 'streamEvents' || status !== 200) return `unexpected stream with ${status}`;
  return /^retry: \d+\nevent: feed\.position\ndata: \{.+\}\nid: \S+\n\n/.test(body)
    ? null
    : 'the stream does not begin with its position';
}

/** Whether another request may have ended its credentials: the session, its user, or a token that was rotated. */
function dependsOnSession({ operation }: DescribedOperation): boolean {
  return (
    spendingOperations.has(operation.operationId) || operation.security.some((scheme) => 'sdkToken' in scheme)
  );
}

/** The page at / is for people, and so are its errors. */
function isRootPage({ path, method }: FuzzRequest, { headers }: FuzzResponse): boolean {
  return path === '/' && method === 'GET' && String(headers['content-type']).startsWith('text/html');
}

/** A path that does not decode leads to no operation, even if parts of it match. */
function isAddress(path: string): boolean {
  try {
    return decodeURI(path) !== '';
  } catch {
    return false;
  }
}

function codesOf({ operation }: DescribedOperation, status: number): string[] {
  return Object.keys(operation.responses[status]?.content?.['application/json'].examples ?? {});
}

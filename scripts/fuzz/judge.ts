import {
  createSchemaCheck,
  type DescribedOperation,
  listOperations,
  type OpenApiDocument,
} from '@tributary/server/testing/openapi';
import { isStream, type FuzzAnswer, type FuzzRequest } from './request.ts';

/** Says what is wrong with an answer, or null. */
export type Judge = (request: FuzzRequest, answer: FuzzAnswer) => string | null;

const waitingStatuses = new Set([429, 503]);

/** Operations that spend a token. */
const spendingOperations = new Set(['exchangeClientToken', 'refreshSdkCredentials']);

/** Judges answers by the description and by what holds for all of them. */
export function createJudge(document: OpenApiDocument): Judge {
  const check = createSchemaCheck(document);
  const operations = new Map(listOperations(document).map((found) => [found.operation.operationId, found]));

  const browserReads = [...operations.values()]
    .filter(({ operation }) => operation.security.some((scheme) => 'userToken' in scheme))
    .map(({ path }) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));

  function judgeBody(request: FuzzRequest, { status, body }: FuzzAnswer, at: string | null): string | null {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return 'the body is not JSON';
    }
    const pointer = at ?? '/components/schemas/Error';
    const mismatch = check(pointer, value);
    if (mismatch) return `the body does not match ${pointer}: ${mismatch}`;
    if (status < 400) return null;
    const { error, details } = value as { error: string; details: unknown };
    if (typeof details !== 'object' || details === null) return 'the error has no details';
    const described = request.operationId ? operations.get(request.operationId) : undefined;
    const codes = described && isAddress(request.path) ? codesOf(described, status) : ['not_found'];
    return codes.includes(error) ? null : `${error} is not described for ${status}`;
  }

  return (request, answer) => {
    const { status, headers } = answer;
    // Uploads are put off while too much waits to be worked on.
    const isPutOff = status === 503 && request.operationId === 'createBatch';
    if (status >= 500 && !isPutOff) return `status ${status}`;
    const isTooMuch = request.tooMuch !== undefined && request.tooMuch === request.rawBody;
    if (isTooMuch && status < 300) return 'more than the bounds allow was taken';
    // Headers that are too large are refused by the parser, before there is a request to speak of.
    if (status === 431) return check('/components/schemas/Error', JSON.parse(answer.body));
    if (!headers['request-id']) return 'no Request-Id';
    if (request.method === 'HEAD') return status === 404 ? null : `status ${status} for HEAD`;
    // Preflights are no operations; a body that comes with one is still read.
    const isPreflight = request.method === 'OPTIONS' && browserReads.some((path) => path.test(request.path));
    if (isPreflight && (status === 204 || status === 400 || status === 413)) return null;
    if (isStream(headers)) return judgeStream(request, answer);
    const isEmpty = (status === 204 || status === 304) && answer.body === '';
    if (!isEmpty && !String(headers['content-type']).startsWith('application/json'))
      return 'not application/json';
    if (waitingStatuses.has(status) && !/^[1-9]\d*$/.test(String(headers['retry-after'])))
      return 'no Retry-After';

    const described = request.operationId ? operations.get(request.operationId)! : null;
    if (!described)
      return status === 404 ? judgeBody(request, answer, null) : `status ${status} for no operation`;
    const response = described.operation.responses[status];
    if (!response) return `status ${status} is not described`;
    if ('API-Form' in response.headers && !/^[12]$/.test(String(headers['api-form']))) return 'no API-Form';
    const hasEnded = status === 401 && dependsOnSession(described);
    if (request.kind === 'valid' && status >= 400 && ![404, 409, 429, 503].includes(status) && !hasEnded)
      return `a valid request was refused with ${status}`;
    if (!response.content) return isEmpty ? null : `a body with ${status}`;
    return judgeBody(request, answer, described.schemaOf(status));
  };
}

/** The beginning of a stream, where one was asked for. */
function judgeStream({ operationId }: FuzzRequest, { status, body }: FuzzAnswer): string | null {
  if (operationId !== 'streamEvents' || status !== 200) return `a stream with ${status}`;
  return /^retry: \d+\nevent: feed\.position\ndata: \{.+\}\nid: \S+\n\n/.test(body)
    ? null
    : 'a stream that does not begin with its position';
}

/** Whether another request may have ended what it is sent with: the session, its user, or a token that a newer one replaced. */
function dependsOnSession({ operation }: DescribedOperation): boolean {
  return (
    spendingOperations.has(operation.operationId) || operation.security.some((scheme) => 'sdkToken' in scheme)
  );
}

/** What does not decode leads to no operation, whatever stands before and behind it. */
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

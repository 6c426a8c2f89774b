import { createHash } from 'node:crypto';
import type { getAdapter } from 'better-auth/db/adapter';

type Adapter = Awaited<ReturnType<typeof getAdapter>>;
type TransactionAdapter = Parameters<Parameters<Adapter['transaction']>[0]>[0];
type Where = Parameters<Adapter['count']>[0]['where'];

const prefix = 'sha256:';

/** What the database stores of a session token. */
function storedToken(token: string): string {
  return prefix + createHash('sha256').update(token).digest('base64url');
}

/**
 * Stores only hashes of session tokens, which the library stores in plain text. The library still sees the tokens: it compares them, and it sets
 * cookies from the rows that it reads. Sessions of the previous release are found by the token itself, until they end. A stored hash is never
 * accepted as a token, because tokens with its prefix are only looked up by their own hash.
 */
export function withHashedTokens(inner: Adapter): Adapter {
  return {
    ...hashing(inner),
    transaction: (work) => inner.transaction((tx) => work(hashing(tx))),
  };
}

function hashing(inner: TransactionAdapter): TransactionAdapter {
  const own = {
    create: async (input: { model: string; data: Row }) => {
      const { token } = input.data;
      if (input.model !== 'session' || token === undefined) return inner.create(input);
      const data = { ...input.data, token: storedToken(token) };
      return { ...(await inner.create<Row, Row>({ ...input, data })), token };
    },
    findMany: async (input: Input) =>
      (await inner.findMany<Row>(translate(input) as never)).map((row) => restore(input, row)),
  };
  const one = (name: 'findOne' | 'update' | 'consumeOne' | 'incrementOne') => async (input: Input) =>
    restore(input, await (inner[name] as (input: Input) => Promise<Row | null>)(translate(input)));
  const many = (name: 'count' | 'updateMany' | 'delete' | 'deleteMany') => (input: Input) =>
    (inner[name] as (input: Input) => Promise<unknown>)(translate(input));
  return {
    ...inner,
    ...own,
    findOne: one('findOne'),
    update: one('update'),
    consumeOne: one('consumeOne'),
    incrementOne: one('incrementOne'),
    count: many('count'),
    updateMany: many('updateMany'),
    delete: many('delete'),
    deleteMany: many('deleteMany'),
  } as TransactionAdapter;
}

type Row = Record<string, unknown> & { token?: string };
interface Input {
  model: string;
  where?: Where;
}

/** The same query with conditions on the stored form. */
function translate(input: Input): Input {
  if (!mentionsToken(input)) return input;
  const where = input.where!.map((condition) =>
    condition.field === 'token'
      ? { ...condition, operator: 'in' as const, value: tokensOf(condition.value).flatMap(storedForms) }
      : condition,
  );
  return { ...input, where };
}

/** A row as the library wrote it, if the query names its token. */
function restore<R extends Row | null>(input: Input, row: R): R {
  if (row === null || !mentionsToken(input)) return row;
  const tokens = input.where!.flatMap(({ field, value }) => (field === 'token' ? tokensOf(value) : []));
  const token = tokens.find((one) => storedForms(one).includes(row.token ?? ''));
  return token === undefined ? row : { ...row, token };
}

function mentionsToken({ model, where }: Input): boolean {
  return model === 'session' && (where?.some(({ field }) => field === 'token') ?? false);
}

const tokensOf = (value: unknown): string[] => [value].flat().map(String);

/** The previous release stored tokens as they are. */
const storedForms = (token: string): string[] =>
  token.startsWith(prefix) ? [storedToken(token)] : [storedToken(token), token];

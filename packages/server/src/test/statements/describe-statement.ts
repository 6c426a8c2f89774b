import type pg from 'pg';
import type { Column } from './compare-row.ts';

/** How PostgreSQL prints one value of each type, to see how the pool parses it. */
const samples: Record<string, string> = {
  bool: 't',
  bytea: '\\x01',
  date: '2026-01-02',
  float4: '1.5',
  float8: '1.5',
  int2: '1',
  int4: '1',
  int8: '1',
  interval: '1 day',
  json: '{}',
  jsonb: '{}',
  numeric: '1.5',
  oid: '1',
  regclass: 'users',
  timestamp: '2026-01-02 03:04:05',
  timestamptz: '2026-01-02 03:04:05+00',
  uuid: '00000000-0000-0000-0000-000000000000',
  void: '',
  xid8: '1',
};

interface TypeRow {
  oid: number;
  name: string;
  category: string;
  element: number;
}

interface ColumnRow {
  tableId: number;
  columnId: number;
  name: string;
  isNotNull: boolean;
  /** Whether a table constraint determines when it is not null. */
  isConstrained: boolean;
}

export type GetParser = (oid: number) => (text: string) => unknown;

/** Prepares statements without running them. */
export class Describer {
  readonly #client: pg.Client;
  readonly #getParser: GetParser;
  readonly #types: Map<number, TypeRow>;
  readonly #columns: Map<string, ColumnRow>;

  private constructor(client: pg.Client, getParser: GetParser, types: TypeRow[], columns: ColumnRow[]) {
    this.#client = client;
    this.#getParser = getParser;
    this.#types = new Map(types.map((type) => [type.oid, type]));
    this.#columns = new Map(columns.map((column) => [`${column.tableId} ${column.columnId}`, column]));
  }

  /** `getParser` belongs to the pools whose rows are compared. */
  static async open(client: pg.Client, getParser: GetParser): Promise<Describer> {
    const types = await client.query<TypeRow>(
      `SELECT oid::int8::float8 AS oid, typname AS name, typcategory AS category, typelem::int8::float8 AS element FROM pg_type`,
    );
    const columns = await client.query<ColumnRow>(
      `SELECT attrelid::int8::float8 AS "tableId", attnum AS "columnId", attname AS name, attnotnull AS "isNotNull",
         EXISTS (SELECT FROM pg_constraint c WHERE c.conrelid = a.attrelid AND c.contype = 'c' AND a.attnum = ANY (c.conkey)
                 AND pg_get_constraintdef(c.oid) LIKE '%' || a.attname || ' IS NOT NULL%') AS "isConstrained"
       FROM pg_attribute a WHERE attnum > 0`,
    );
    return new Describer(client, getParser, types.rows, columns.rows);
  }

  /** The result columns of a statement; throws PostgreSQL's error. */
  async describe(text: string): Promise<Column[]> {
    const description = new Description(text);
    this.#client.query(description as never);
    const fields = await description.done;
    return fields.map((field) => {
      const type = this.#types.get(field.dataTypeID);
      if (!type) throw new Error(`column ${field.name} has an unknown type`);
      return {
        name: field.name,
        type: type.name,
        kind: this.#kindOf(type),
        isNullable: this.#isNullable(text, field),
      };
    });
  }

  #kindOf(type: TypeRow): string {
    const element = type.category === 'A' ? this.#types.get(type.element) : undefined;
    const sample = element ? `{${quoted(sampleOf(element))}}` : sampleOf(type);
    return nameKind(this.#getParser(type.oid)(sample), type.name);
  }

  /** A table column is nullable if the table allows it, unless a condition excludes null. With an outer join this is unknown. */
  #isNullable(text: string, { tableID, columnID }: pg.FieldDef): boolean | null {
    const column = this.#columns.get(`${tableID} ${columnID}`);
    if (!column || /\b(?:LEFT|RIGHT|FULL)\b(?: OUTER)? JOIN\b|\bGROUPING SETS\b/i.test(text)) return null;
    if (column.isNotNull) return false;
    if (column.isConstrained) return null;
    return new RegExp(`\\b${column.name}\\b`).test(conditionsOf(text)) ? null : true;
  }
}

/** The text after the first WHERE or ON: a condition may exclude null for a column it names. */
function conditionsOf(text: string): string {
  const at = text.search(/\b(?:WHERE|ON|SET|VALUES)\b/i);
  return at === -1 ? '' : text.slice(at);
}

function sampleOf({ name, category }: TypeRow): string {
  const sample = samples[name] ?? (['S', 'E', 'R'].includes(category) ? 'x' : undefined);
  if (sample === undefined) throw new Error(`there is no sample of type ${name}; add one`);
  return sample;
}

const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function nameKind(value: unknown, type: string): string {
  if (type === 'json' || type === 'jsonb') return 'json';
  if (Array.isArray(value)) return `array of ${nameKind(value[0], '')}`;
  if (value instanceof Date) return 'Date';
  if (Buffer.isBuffer(value)) return 'Buffer';
  return typeof value === 'object' ? 'json' : typeof value;
}

/** A pg query that stops after Parse and Describe: it binds and runs nothing. */
class Description {
  readonly done: Promise<pg.FieldDef[]>;
  readonly #text: string;
  readonly #resolve: (fields: pg.FieldDef[]) => void;
  readonly #reject: (error: Error) => void;
  #fields: pg.FieldDef[] = [];

  constructor(text: string) {
    this.#text = text;
    const { promise, resolve, reject } = Promise.withResolvers<pg.FieldDef[]>();
    this.done = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    connection.parse({ text: this.#text, name: '', types: [] });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#fields = fields;
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#fields);
  }

  // The server also reports ready after a failure: the first message counts.
  handleError(error: Error): void {
    this.#reject(error);
  }
}

interface Connection {
  parse(query: { text: string; name: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
}

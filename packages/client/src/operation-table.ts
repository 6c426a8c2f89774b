import type { Paging } from './call.ts';

/** How to send an operation. */
export interface OperationEntry {
  method: string;
  path: string;
  hasBody?: boolean;
  hasQuery?: boolean;
  /** How the list continues in each form; null where the response is not a list. */
  paging?: readonly [Paging | null, Paging | null];
  isOpen?: boolean;
  /** Whether the request has an idempotency key. */
  isKeyed?: boolean;
}

/** Operations by namespace and method. */
export type OperationTable = Readonly<Record<string, Readonly<Record<string, OperationEntry>>>>;

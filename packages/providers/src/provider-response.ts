export interface Answer {
  status: number;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface ProviderResponse {
  status: number;
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

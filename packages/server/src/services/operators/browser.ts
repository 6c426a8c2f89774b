/** A browser that a dashboard user signs in with. */
export interface Browser {
  cookie: string | undefined;
  userAgent: string | undefined;
  address: string;
  requestId: string;
}

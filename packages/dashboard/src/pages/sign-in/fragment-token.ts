import { useState } from 'react';

/** The token behind the `#` of a link: browsers send that part to no server, so it is in no log. Empty when there is none. */
export function useFragmentToken(): string {
  const [token] = useState(() => location.hash.slice(1));
  return token;
}
